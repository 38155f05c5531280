"""What a template ignored, in words."""

from typing import cast

import pytest

from thinkpane.analysis.ignored import Ignored, ignored
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates import built_in

TOOL: JsonValue = {"type": "function", "function": {"name": "look", "strict": True, "parameters": {"type": "object"}}}


def found(engine: Engine, id: str, request: RenderRequest) -> list[str]:
    paths = cast("list[str]", engine.trace(request)["ignored"])
    return [each.text for each in ignored(paths, request, own=built_in.load(id).variables)]


def test_tools_without_documents_are_ignored_by_command_r7b(engine: Engine) -> None:
    template = built_in.load("command-r7b")
    request = RenderRequest(
        template.source,
        [{"role": "user", "content": "hi", "name": "Ada"}],
        tools=[TOOL],
        variables={**template.variables, "enable_citations": True, "thinking": False},
    )
    assert found(engine, "command-r7b", request) == [
        "enable_citations = true is set, and not read in this render.",
        "thinking = false is set, and not read in this render.",
        "“name” of message 1 is not read.",
        "1 tool given, and none of it is read.",
    ]


def test_a_role_that_is_dropped(engine: Engine) -> None:
    template = built_in.load("glm-5.2")
    request = RenderRequest(
        template.source, [{"role": "developer", "content": "Be brief."}, {"role": "user", "content": "hi"}]
    )
    assert found(engine, "glm-5.2", request) == ["The text of message 1 (developer) never reaches the prompt."]


@pytest.mark.parametrize(
    ("paths", "words"),
    [
        (["messages"], "The messages are not read at all."),
        (["messages[0]"], "Message 1 (user) is not read at all."),
        (
            ["messages[0].content", "messages[2].content"],
            "The text of messages 1 and 3 (user) never reaches the prompt.",
        ),
        (
            [f"messages[{n}].id" for n in (0, 2, 3, 4, 5, 6, 7)],
            "“id” of messages 1, 3, 4, 5, 6 and 2 more is not read.",
        ),
        (["messages[1].tool_calls[0].function.name"], "“tool_calls.function.name” of message 2 is not read."),
        (['messages[0]["odd key"]'], "“odd key” of message 1 is not read."),
        (["tools"], "2 tools given, and none of them is read."),
        (["tools[1]"], "Tool 2 is not read."),
        (["tools[0].function.strict", "tools[1].function.strict"], "“function.strict” of tools 1 and 2 is not read."),
        (["documents[0]", "documents[1]"], "Documents 1 and 2 are not read."),
        (["flags.deep"], "“deep” of flags is set, and not read in this render."),
    ],
)
def test_words(paths: list[str], words: str) -> None:
    message: JsonValue = {"role": "user", "content": "x", "odd key": 1, "id": "m"}
    request = RenderRequest(
        "",
        [message, {"role": "assistant", "content": "y"}, *[message] * 6],
        tools=[TOOL, TOOL],
        variables={"flags": {"deep": 1}},
    )
    assert [each.text for each in ignored(paths, request)] == [words]


def test_what_is_empty_cannot_be_lost() -> None:
    request = RenderRequest("", [{"role": "user", "content": "", "tool_calls": []}], variables={"x": None})
    assert ignored(["messages[0].content", "messages[0].tool_calls", "x"], request) == ()


def test_messages_are_called_as_the_window_counts_them() -> None:
    request = RenderRequest("", [{"role": "user", "content": "a"}])
    assert ignored(["messages[0].content"], request, numbers=[3]) == (
        Ignored("The text of message 3 (user) never reaches the prompt.", ("messages[0].content",), (0,)),
    )
