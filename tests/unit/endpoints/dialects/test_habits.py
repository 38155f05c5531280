"""Habits of servers beyond the public cases: one stream each, and what a person must see of it."""

import json
from typing import Any

import pytest

from support.wire_cases import chat, decoded, sse

END = chat(finish="stop")


def call(index: int | None, id: str | None, name: str | None, arguments: str | None) -> dict[str, Any]:
    given = {"name": name, "arguments": arguments}
    piece: dict[str, Any] = {"function": {key: value for key, value in given.items() if value is not None}}
    return (
        chat({"tool_calls": [piece | {"index": index} if index is not None else piece]})
        if id is None
        else chat({"tool_calls": [{"index": index, "id": id} | piece]})
    )


@pytest.mark.parametrize(
    ("events", "thinking", "answer"),
    [
        # Whole texts so far, thinking and answer alike, however short the answer's first piece is.
        (
            [
                {"reasoning_details": [{"text": "I think"}]},
                {"reasoning_details": [{"text": "I think so"}]},
                {"content": "H"},
                {"content": "Hel"},
                {"content": "Hello"},
            ],
            "I think so",
            "Hello",
        ),
        # Pieces that repeat by chance are pieces.
        (
            [{"reasoning_content": "no "}, {"reasoning_content": "no "}, {"content": "ha"}, {"content": "ha"}],
            "no no ",
            "haha",
        ),
        # A character cut in two halves of its UTF-16.
        (
            [
                {"reasoning_content": "\ud83d"},
                {"reasoning_content": "\ude00"},
                {"content": "a\ud83e"},
                {"content": "\udd14b"},
            ],
            "\U0001f600",
            "a\U0001f914b",
        ),
        # The half of a character that never gets its other half.
        ([{"content": "a\ud83d"}], "", "a\ud83d"),
        ([{"reasoning": "a\ud83d"}, {"content": "b"}], "a\ud83d", "b"),
        # One field after another, and both out of step.
        ([{"reasoning": "ab"}, {"reasoning_content": "cd"}, {"content": "e"}], "abcd", "e"),
        ([{"reasoning": "ab"}, {"reasoning": "cd"}, {"reasoning_content": "abcd"}, {"content": "e"}], "abcd", "e"),
    ],
)
def test_text(events: list[dict[str, Any]], thinking: str, answer: str) -> None:
    found = decoded("openai-chat", surrogates(*map(chat, events), END))
    assert (found.thinking, found.answer) == (thinking, answer)
    assert found.is_clean


def surrogates(*events: object) -> bytes:
    """The events with halves of characters as JSON escapes, as JavaScript writes them."""
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events).encode()


@pytest.mark.parametrize(
    ("events", "calls"),
    [
        ([call(0, "a", "f", "{}"), call(0, None, None, '{"x":1}')], [("a", "f", '{"x":1}')]),
        ([call(0, "a", "f", "{}")], [("a", "f", "{}")]),
        ([call(0, "a", "f", "{}"), call(1, "a", "g", "{}")], [("a", "f", "{}"), ("a", "g", "{}")]),
        ([call(0, None, "f", "{}"), call(0, None, "f", "{}")], [("", "f", "{}"), ("", "f", "{}")]),
        ([call(0, "a", "f", '{"x":"\ud83d'), call(0, None, None, '\ude00"}')], [("a", "f", '{"x":"\U0001f600"}')]),
        ([call(0, "a", "f", '{"x"'), call(0, "a", "f", ":1}")], [("a", "f", '{"x":1}')]),
        (
            [call(None, "a", "f", '{"x"'), call(None, "b", "g", "{}"), call(None, "a", None, ":1}")],
            [("a", "f", '{"x":1}'), ("b", "g", "{}")],
        ),
    ],
)
def test_calls(events: list[dict[str, Any]], calls: list[tuple[str, str, str]]) -> None:
    found = decoded("openai-chat", surrogates(*events, chat(finish="tool_calls")))
    assert [(each.id, each.name, each.arguments) for each in found.tool_calls] == calls
    assert found.is_clean


def test_text_completions_may_have_a_thinking_field() -> None:
    found = decoded("openai-completions", sse({"choices": [{"text": "4", "reasoning": "a", "finish_reason": "stop"}]}))
    assert (found.thinking, found.answer) == ("a", "4")


def test_an_indented_answer_where_lines_are_due() -> None:
    body = json.dumps({"message": {"content": "4"}, "done": True, "done_reason": "stop"}, indent=1)
    found = decoded("ollama", body.encode())
    assert (found.answer, found.is_clean) == ("4", True)


def test_a_name_that_comes_with_the_end_of_an_item() -> None:
    delta = {"type": "response.function_call_arguments.delta", "item_id": "fc", "output_index": 0, "delta": "{}"}
    item = {"type": "function_call", "id": "fc", "call_id": "c", "name": "f", "arguments": "{}"}
    done = {"type": "response.output_item.done", "output_index": 0, "item": item}
    end = {"type": "response.completed", "response": {"status": "completed"}}
    (found,) = decoded("openai-responses", sse(delta, done, end)).tool_calls
    assert (found.id, found.name, found.arguments) == ("c", "f", "{}")


@pytest.mark.parametrize(
    "value",
    [
        {"code": "1302", "msg": "no luck"},
        {"errors": [{"message": "no luck"}]},
        {"choices": None, "base_resp": {"status_code": 1004, "status_msg": "no luck"}},
    ],
)
def test_errors_of_gateways(value: dict[str, Any]) -> None:
    found = decoded("openai-chat", sse(value))
    assert found.problem is not None
    assert (found.problem.kind, found.problem.message) == ("server", "The server reported an error: no luck")
