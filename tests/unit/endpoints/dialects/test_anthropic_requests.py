"""What Anthropic's API is sent, and conversations there and back."""

from typing import Any

import pytest

from support.wire_cases import WireCase, counted, wire_cases
from thinkpane.endpoints.dialects._anthropic_import import from_anthropic, tools_from_anthropic
from thinkpane.endpoints.dialects._anthropic_messages import to_anthropic
from thinkpane.endpoints.dialects._anthropic_options import DEFAULT_MAX_TOKENS, takes_adaptive, tools_of
from thinkpane.endpoints.dialects._api import Call, HttpRequest
from thinkpane.endpoints.dialects._registry import dialect_for, dialect_named
from thinkpane.errors import Problem, ThinkpaneError

BASE = "https://gw.example.test"
NEW, OLD = "claude-opus-4-7", "claude-sonnet-4-5-20250929"
QUESTION = {"role": "user", "content": "q"}
PNG = "data:image/png;base64,iVBORw0KGgo="


def chat(**more: Any) -> HttpRequest:
    return dialect_named("anthropic").request(BASE, Call(**{"path": "chat", "messages": [QUESTION], **more}))


def warned(request: HttpRequest) -> list[str]:
    return [each.kind for each in request.warnings]


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("https://api.example.test", "https://api.example.test/v1/messages"),
        ("https://api.example.test/", "https://api.example.test/v1/messages"),
        ("https://api.example.test/v1", "https://api.example.test/v1/messages"),
        ("https://api.example.test/v1/messages", "https://api.example.test/v1/messages"),
        ("https://api.example.test/anthropic", "https://api.example.test/anthropic/v1/messages"),
        ("https://api.example.test/anthropic/v1/", "https://api.example.test/anthropic/v1/messages"),
        ("https://api.example.test/a/messages", "https://api.example.test/a/messages"),
        ("http://127.0.0.1:8080/v1/chat/completions", "http://127.0.0.1:8080/v1/messages"),
    ],
)
def test_urls(base: str, url: str) -> None:
    assert dialect_named("anthropic").url(base) == url


def test_a_request_is_complete_but_for_the_key() -> None:
    request = chat(
        model=OLD,
        messages=[{"role": "system", "content": "s"}, QUESTION],
        params={"max_tokens": 9, "stop": "x", "top_k": 1, "user": "u", "seed": 1},
    )
    assert request.body == {
        "model": OLD,
        "system": "s",
        "messages": [QUESTION],
        "max_tokens": 9,
        "stop_sequences": ["x"],
        "top_k": 1,
        "metadata": {"user_id": "u"},
        "stream": True,
    }
    assert ("anthropic-version", "2023-06-01") in request.headers
    assert (request.secret.name, request.secret.prefix) == ("x-api-key", "")
    assert warned(request) == ["param-not-sent"]
    assert chat(stream=False).body == {"messages": [QUESTION], "max_tokens": DEFAULT_MAX_TOKENS, "stream": False}


def test_there_is_no_raw_path() -> None:
    with pytest.raises(ThinkpaneError):
        chat(path="raw", prompt="p")
    with pytest.raises(ThinkpaneError):
        dialect_for("anthropic", "raw")


@pytest.mark.parametrize(
    ("model", "adaptive"),
    [
        (NEW, True),
        ("claude-sonnet-4-6", True),
        ("anthropic/claude-sonnet-5", True),
        ("claude-opus-4.6", True),
        (OLD, False),
        ("claude-3-7-sonnet-20250219", False),
        ("claude-sonnet-4-20250514", False),
        ("claude-2", False),
        ("other-9", False),
        ("", False),
    ],
)
def test_which_models_decide_themselves(model: str, adaptive: bool) -> None:
    assert takes_adaptive(model) is adaptive


NEWEST, BUDGET = "claude-opus-4-7", {"type": "enabled", "budget_tokens": 2000}
SHOWN = {"type": "adaptive", "display": "summarized"}


@pytest.mark.parametrize(
    ("model", "given", "sent", "said"),
    [
        (NEW, {}, {}, []),
        (NEW, {"thinking": True}, {"thinking": SHOWN}, []),
        (NEW, {"thinking": False, "effort": "low"}, {"thinking": {"type": "disabled"}}, []),
        (NEW, {"effort": "none"}, {"thinking": {"type": "disabled"}}, []),
        (NEW, {"effort": "high"}, {"thinking": SHOWN, "output_config": {"effort": "high"}}, []),
        (NEW, {"effort": "minimal"}, {"thinking": SHOWN, "output_config": {"effort": "low"}}, ["effort-changed"]),
        (NEW, {"params": {"thinking_budget": 2000}}, {"thinking": SHOWN}, ["param-not-sent"]),
        (NEW, {"variables": {"enable_thinking": False}}, {"thinking": {"type": "disabled"}}, []),
        (NEW, {"variables": {"tier": 1}}, {}, ["template-variables-not-sent"]),
        (OLD, {"thinking": True}, {"thinking": {"type": "enabled", "budget_tokens": 8192}}, []),
        (OLD, {"effort": "low"}, {"thinking": {"type": "enabled", "budget_tokens": 2048}}, ["effort-changed"]),
        (OLD, {"effort": "4000"}, {"thinking": {"type": "enabled", "budget_tokens": 4000}}, ["effort-changed"]),
        (OLD, {"params": {"thinking_budget": 2000}}, {"thinking": {"type": "enabled", "budget_tokens": 2000}}, []),
        (OLD, {"params": {"thinking": {"type": "adaptive"}}}, {"thinking": {"type": "adaptive"}}, []),
        (OLD, {"params": {"thinking": False}}, {"thinking": {"type": "disabled"}}, []),
        (NEWEST, {"params": {"thinking": BUDGET}}, {"thinking": BUDGET}, ["thinking-form-refused"]),
        (OLD, {"params": {"thinking": BUDGET}}, {"thinking": BUDGET}, []),
        (
            NEWEST,
            {"params": {"thinking": {"type": "adaptive"}}},
            {"thinking": {"type": "adaptive"}},
            ["thinking-omitted"],
        ),
        (NEWEST, {"params": {"thinking": SHOWN}}, {"thinking": SHOWN}, []),
        (NEWEST, {"params": {"thinking": {"type": "disabled"}}}, {"thinking": {"type": "disabled"}}, []),
    ],
)
def test_thinking(model: str, given: dict[str, Any], sent: dict[str, Any], said: list[str]) -> None:
    request = chat(model=model, **given)
    assert {key: request.body[key] for key in ("thinking", "output_config") if key in request.body} == sent
    assert warned(request) == said


def test_the_limit_leaves_room_for_the_budget() -> None:
    assert chat(model=OLD, thinking=True).body["max_tokens"] == 8192 + DEFAULT_MAX_TOKENS
    tight = chat(model=OLD, thinking=True, params={"max_tokens": 8192})
    assert tight.body["max_tokens"] == 8192
    assert warned(tight) == ["max-tokens-below-budget"]


@pytest.mark.parametrize(
    ("params", "choice"),
    [
        ({"tool_choice": "required"}, {"type": "any"}),
        ({"tool_choice": "auto"}, {"type": "auto"}),
        ({"tool_choice": {"type": "function", "function": {"name": "f"}}}, {"type": "tool", "name": "f"}),
        ({"tool_choice": {"type": "tool", "name": "f"}}, {"type": "tool", "name": "f"}),
        ({"parallel_tool_calls": False}, {"type": "auto", "disable_parallel_tool_use": True}),
        ({"tool_choice": "required", "parallel_tool_calls": False}, {"type": "any", "disable_parallel_tool_use": True}),
        ({"parallel_tool_calls": True}, None),
    ],
)
def test_tool_choice(params: dict[str, Any], choice: object) -> None:
    body = chat(params=params).body
    assert body.get("tool_choice") == choice
    assert "parallel_tool_calls" not in body


def test_tools_there_and_back() -> None:
    schema = {"type": "object", "properties": {"x": {"type": "string"}}}
    ours: list[Any] = [{"type": "function", "function": {"name": "f", "description": "d", "parameters": schema}}]
    theirs: list[Any] = [{"name": "f", "description": "d", "input_schema": schema}]
    assert tools_of(ours) == theirs
    assert tools_from_anthropic(theirs) == ours
    own: list[Any] = [{"type": "web_search_20250305", "name": "web_search"}]
    assert tools_of(own) == own == tools_from_anthropic(own)
    assert tools_of([{"type": "function", "function": {"name": "g"}}]) == [
        {"name": "g", "input_schema": {"type": "object", "properties": {}}}
    ]


def test_a_schema_for_the_answer() -> None:
    schema = {"type": "object"}
    format = {"type": "json_schema", "json_schema": {"name": "n", "schema": schema}}
    request = chat(model=NEW, effort="low", params={"response_format": format})
    assert request.body["output_config"] == {"effort": "low", "format": {"type": "json_schema", "schema": schema}}
    assert warned(chat(params={"response_format": {"type": "json_object"}})) == ["param-not-sent"]
    assert warned(chat(documents=[{"text": "d"}])) == ["documents-not-sent"]


def test_a_prefill_that_newer_models_refuse_is_told() -> None:
    messages = [QUESTION, {"role": "assistant", "content": "The"}]
    assert warned(chat(model=NEW, messages=messages)) == ["prefill-refused"]
    assert warned(chat(model=OLD, messages=messages)) == []


SIGNED = [{"type": "thinking", "thinking": "plan", "signature": "S"}, {"type": "redacted_thinking", "data": "X"}]
OURS: list[Any] = [
    {"role": "system", "content": "s"},
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "what", "cache_control": {"type": "ephemeral"}},
            {"type": "image_url", "image_url": {"url": PNG}},
            {"type": "image_url", "image_url": {"url": "https://h/a.png"}},
            {"type": "file", "file": {"filename": "f", "file_data": "data:application/pdf;base64,JVBERi0="}},
            {"type": "file", "file": {"filename": "t", "file_data": "data:text/plain;base64,aGk="}},
            {"type": "file", "file": {"file_id": "file_1"}},
        ],
    },
    {
        "role": "assistant",
        "content": "look",
        "reasoning_content": "plan",
        "thinking_blocks": SIGNED,
        "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "f", "arguments": {"x": 1}}},
            {"id": "b", "type": "function", "function": {"name": "g", "arguments": {}}},
        ],
    },
    {"role": "tool", "tool_call_id": "a", "content": "1"},
    {
        "role": "tool",
        "tool_call_id": "b",
        "content": [{"type": "image_url", "image_url": {"url": PNG}}],
        "is_error": True,
    },
    {"role": "user", "content": "and?"},
    {"role": "assistant", "content": "4"},
]
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
THEIRS: list[Any] = [
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "what", "cache_control": {"type": "ephemeral"}},
            IMAGE,
            {"type": "image", "source": {"type": "url", "url": "https://h/a.png"}},
            {
                "type": "document",
                "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="},
                "title": "f",
            },
            {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "hi"}, "title": "t"},
            {"type": "document", "source": {"type": "file", "file_id": "file_1"}},
        ],
    },
    {
        "role": "assistant",
        "content": [
            *SIGNED,
            {"type": "text", "text": "look"},
            {"type": "tool_use", "id": "a", "name": "f", "input": {"x": 1}},
            {"type": "tool_use", "id": "b", "name": "g", "input": {}},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "a", "content": "1"},
            {"type": "tool_result", "tool_use_id": "b", "content": [IMAGE], "is_error": True},
            {"type": "text", "text": "and?"},
        ],
    },
    {"role": "assistant", "content": "4"},
]


def converted(*messages: Any, thinking: bool = False) -> tuple[Any, Any, list[str]]:
    warnings: list[Problem] = []
    system, found = to_anthropic(list(messages), warnings, thinking=thinking)
    return system, found, [f"{each.kind}:{each.message_index}" for each in warnings]


def back(system: Any, *messages: Any) -> tuple[Any, list[str]]:
    warnings: list[Problem] = []
    found = from_anthropic(system, list(messages), warnings)
    return found, [f"{each.kind}:{each.message_index}" for each in warnings]


def test_there_and_back_without_loss() -> None:
    assert converted(*OURS, thinking=True) == ("s", THEIRS, [])
    assert back("s", *THEIRS) == (OURS, [])


def test_arguments_as_text_become_the_object() -> None:
    calls = [{"id": "a", "function": {"name": "f", "arguments": text}} for text in ('{"x": 1}', "", None)]
    _, found, said = converted(QUESTION, {"role": "assistant", "content": None, "tool_calls": calls})
    assert [block["input"] for block in found[1]["content"]] == [{"x": 1}, {}, {}]
    assert said == []


def test_system_text_of_several_messages_stays_in_blocks() -> None:
    system, _, said = converted({"role": "system", "content": "a"}, {"role": "developer", "content": "b"}, QUESTION)
    assert system == [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    assert said == ["role-changed:1"]
    assert back(system, QUESTION)[0][0] == {"role": "system", "content": "a\n\nb"}


CALL = {"id": "a", "function": {"name": "f", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        ({"role": "system", "content": "s"}, ["system-moved:1"]),
        ({"role": "critic", "content": "s"}, ["role-changed:1"]),
        ({"role": "user", "content": "q", "name": "ann"}, ["field-not-sent:1"]),
        ({"role": "user", "content": "q", "odd": 1, "null": None}, ["field-not-sent:1"]),
        (
            {"role": "user", "content": [{"type": "input_audio", "input_audio": {}}]},
            ["part-not-sent:1", "message-empty:1"],
        ),
        ({"role": "assistant", "content": ""}, ["message-empty:1"]),
        ({"role": "assistant", "content": "a", "reasoning_content": "p"}, ["thinking-not-sent:1"]),
        ({"role": "assistant", "content": "a", "reasoning_details": [{"data": "X"}]}, ["signature-not-sent:1"]),
        ({"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]}, ["tool-call-id-made:1"]),
        (
            {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{oops"}}]},
            ["tool-arguments-not-object:1"],
        ),
        ({"role": "tool", "tool_call_id": "zz", "content": "1"}, ["tool-result-without-call:1"]),
    ],
)
def test_what_is_lost_is_told(lost: dict[str, Any], said: list[str]) -> None:
    assert converted(QUESTION, lost)[2] == said


def test_a_result_without_an_id_answers_the_first_open_call() -> None:
    _, found, said = converted(QUESTION, {"role": "assistant", "tool_calls": [CALL]}, {"role": "tool", "content": "1"})
    assert found[2]["content"] == [{"type": "tool_result", "tool_use_id": "a", "content": "1"}]
    assert said == ["tool-call-id-made:2"]


def test_with_thinking_on_a_call_without_its_signed_block_is_told() -> None:
    asked = {"role": "assistant", "content": "", "tool_calls": [CALL]}
    assert converted(QUESTION, asked, thinking=True)[2] == ["thinking-block-missing:1"]
    assert converted(QUESTION, asked)[2] == []
    assert converted(QUESTION, {**asked, "thinking_blocks": SIGNED}, thinking=True)[2] == []


CASES = [case for case in wire_cases("endpoint") if case.input.get("api") == "anthropic" and "messages" in case.input]


@pytest.mark.parametrize("case", counted(CASES))
def test_endpoint_case(case: WireCase) -> None:
    request = chat(messages=case.input["messages"], params=case.input.get("params", {}))
    said = {
        each.kind if each.message_index is None else f"{each.kind}:{each.message_index}" for each in request.warnings
    }
    assert set(case.expect["warnings"]) <= said


def test_blocks_that_nobody_knows_are_kept_and_told() -> None:
    reference = {"type": "tool_reference", "tool_name": "search"}
    result = {"type": "tool_result", "tool_use_id": "a", "content": [reference]}
    found, said = back("", {"role": "user", "content": [result]})
    assert found == [{"role": "tool", "tool_call_id": "a", "content": [reference]}]
    assert said == ["unknown-content-type:0"]
    assert converted(QUESTION, {"role": "assistant", "tool_calls": [CALL]}, *found)[1][2]["content"] == [result]


def test_an_order_that_cannot_be_kept_is_told() -> None:
    use = {"type": "tool_use", "id": "a", "name": "f", "input": {}}
    text = {"type": "text", "text": "t"}
    result = {"type": "tool_result", "tool_use_id": "a", "content": "1"}
    assert back("", {"role": "assistant", "content": [use, text]})[1] == ["block-order-lost:0"]
    assert back("", {"role": "user", "content": [text, result]})[1] == ["block-order-lost:0"]
    assert back("", {"role": "assistant", "content": [text, use]})[1] == []
