"""Whatever a conversation looks like, a profile rewrites or refuses it: no other error leaves one."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.profiles._registry import all_profiles, profile

LEAVES = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "x", "{}", '{"a": 1}', "[1]", "text"])
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abx"), inner, max_size=3)
)
PARTS = st.dictionaries(st.sampled_from(["type", "text", "name", "thinking"]), VALUES, max_size=3)
FUNCTIONS = st.dictionaries(st.sampled_from(["name", "arguments", "parameters", "strict"]), VALUES, max_size=3)
TYPES = st.just("function") | VALUES
CALLS = st.fixed_dictionaries({}, optional={"id": VALUES, "type": TYPES, "function": FUNCTIONS | VALUES})
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "role": st.sampled_from(["user", "assistant", "system", "developer", "tool", "User"]) | VALUES,
        "content": VALUES | st.lists(PARTS, max_size=3),
        "tool_calls": VALUES | st.lists(CALLS | VALUES, max_size=2),
        "tool_call_id": VALUES,
        "reasoning_content": VALUES,
        "reasoning": VALUES,
        "name": VALUES,
    },
)
TOOLS = st.none() | st.lists(CALLS | VALUES, max_size=2)
MARKS = (
    "",
    "[SYSTEM_PROMPT][TOOL_CALLS][ARGS]",
    "<|channel|>",
    "<|tool_list_start|><|tool_list_end|>",
    "dsml_token DSML tool_calls",
    "You have access to the following functions in JSONSchema format",
)
FLAGS = ("vllm_parts", "sglang_parts", "pairs_results", "text_content", "part_content", "system_role", "thinking")


class Found:
    """Facts of every kind."""

    def __init__(self, flags: int) -> None:
        self.flags = flags

    def about(self, name: str, source: str) -> JsonObject:
        found = {each: bool(self.flags >> place & 1) for place, each in enumerate(("object_arguments", *FLAGS))}
        return {"declared": [], **found}

    def render(self, request: RenderRequest) -> Rendered:
        return Rendered("x")


@pytest.mark.parametrize("name", all_profiles())
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    messages=st.lists(MESSAGES, max_size=4) | VALUES,
    tools=TOOLS,
    documents=TOOLS,
    flags=st.integers(0, 255),
    source=st.sampled_from(MARKS),
    continued=st.sampled_from([False, True, "reasoning_content"]),
)
def test_nothing_but_refusals(
    name: str,
    messages: JsonValue,
    tools: list[JsonValue] | None,
    documents: list[JsonValue] | None,
    flags: int,
    source: str,
    continued: bool | str,
) -> None:
    request = RenderRequest(source, messages, tools, documents, {"enable_thinking": True}, None, continued)
    refused = None
    rewrites: tuple[str, ...] = ()
    try:
        rewrites = profile(name).apply(request, Found(flags)).rewrites
    except ThinkpaneError as error:
        refused = error.problem
    assert refused is None or refused.kind == "profile"
    assert all(sentence.endswith(".") for sentence in rewrites)
