"""Anthropic's replies beyond the public cases: each habit once."""

import json
from typing import Any

import pytest

from support.wire_cases import decoded
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.streaming.transcript import Transcript


def events(*values: dict[str, Any]) -> bytes:
    return "".join(f"event: {value['type']}\ndata: {json.dumps(value)}\n\n" for value in values).encode()


def start(index: int, **block: object) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, **fields: object) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": fields}


def stop(index: int) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


BEGIN = {"type": "message_start", "message": {"id": "m1", "model": "c", "content": [], "usage": {"input_tokens": 9}}}
REASON = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 12}}
END = {"type": "message_stop"}


def read(*values: dict[str, Any], ends: bool = True) -> Transcript:
    return decoded("anthropic", events(BEGIN, *values) + (events(REASON, END) if ends else b""))


def text(index: int, words: str) -> list[dict[str, Any]]:
    return [start(index, type="text", text=""), delta(index, type="text_delta", text=words), stop(index)]


def test_who_answers_and_what_it_took() -> None:
    transcript = read(*text(0, "4"))
    assert (transcript.id, transcript.model, transcript.finish) == ("m1", "c", "end_turn")
    assert transcript.usage == {"input_tokens": 9, "output_tokens": 12}
    assert transcript.is_clean


def test_blocks_of_thinking_are_parted_and_say_what_they_are() -> None:
    transcript = read(
        start(0, type="thinking", thinking="a"),
        start(1, type="thinking", thinking=""),
        delta(1, type="thinking_delta", thinking="b"),
        delta(1, type="signature_delta", signature="S"),
        start(2, type="redacted_thinking", data="X"),
        *text(3, "4"),
    )
    assert transcript.thinking == "a\n\nb"
    assert [block.source for block in transcript.thinking_blocks[:2]] == ["block: thinking"] * 2
    assert transcript.as_json()["signatures"] == ["S"]
    assert transcript.as_json()["redacted"] == 1


def test_a_thinking_block_that_closes_after_the_text() -> None:
    transcript = read(
        start(0, type="thinking", thinking=""),
        delta(0, type="thinking_delta", thinking="plan"),
        start(1, type="text", text=""),
        delta(1, type="text_delta", text="4"),
        delta(0, type="signature_delta", signature=""),
        stop(0),
        stop(1),
    )
    assert (transcript.thinking, transcript.answer) == ("plan", "4")
    assert transcript.warnings == []


@pytest.mark.parametrize(
    ("block", "pieces", "arguments"),
    [
        ({"input": {}}, ['{"x"', ": 1}"], '{"x": 1}'),
        ({}, ['{"x": 1}'], '{"x": 1}'),
        ({"input": {"x": 1}}, [], '{"x": 1}'),
        ({"input": {"x": 1}}, ['{"x":', "1}"], '{"x":1}'),
        ({"input": {}}, ["", ""], "{}"),
    ],
)
def test_tool_calls(block: dict[str, Any], pieces: list[str], arguments: str) -> None:
    transcript = read(
        *text(0, "look"),
        start(1, type="tool_use", id="t1", name="f", **block),
        *(delta(1, type="input_json_delta", partial_json=piece) for piece in pieces),
        stop(1),
    )
    assert [(call.id, call.name, call.arguments) for call in transcript.tool_calls] == [("t1", "f", arguments)]


def test_arguments_in_a_start_count_even_where_the_block_is_never_closed() -> None:
    transcript = read(start(0, type="tool_use", id="a", name="f", input={"x": 1}), start(0, type="text", text="t"))
    assert transcript.tool_calls[0].arguments == '{"x": 1}'
    transcript = read(start(0, type="tool_use", id="a", name="f", input={"x": 1}), ends=False)
    assert transcript.tool_calls[0].arguments == '{"x": 1}'


def test_tools_that_the_server_runs_itself_are_kept_aside() -> None:
    transcript = read(
        start(0, type="server_tool_use", id="s", name="web_search", input={}),
        delta(0, type="input_json_delta", partial_json='{"query": "x"}'),
        start(1, type="web_search_tool_result", content=[]),
        delta(2, type="citations_delta", citation={}),
        *text(2, "4"),
        {"type": "odd_event"},
    )
    assert transcript.tool_calls == []
    names = [each.name for each in transcript.unknown]
    assert names == ["server_tool_use", "server_tool_use", "web_search_tool_result", "citations_delta", "odd_event"]
    assert transcript.answer == "4"


def test_a_stop_reason_is_an_end_without_message_stop() -> None:
    assert decoded("anthropic", events(BEGIN, *text(0, "4"), REASON)).is_clean
    cut = decoded("anthropic", events(BEGIN, *text(0, "4")))
    assert cut.problem is not None
    assert cut.problem.kind == "incomplete"


def test_message_stop_without_a_reason_is_told() -> None:
    transcript = decoded("anthropic", events(BEGIN, *text(0, "4"), END))
    assert transcript.is_clean
    assert [each.id for each in transcript.warnings] == ["no-finish-reason"]


def test_an_error_in_the_stream_keeps_what_came() -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    transcript = decoded("anthropic", events(BEGIN, *text(0, "par"), error))
    assert transcript.answer == "par"
    assert transcript.problem is not None
    assert (transcript.problem.kind, transcript.problem.detail["type"]) == ("server", "overloaded_error")
    assert "Overloaded" in transcript.problem.message


def test_think_tags_in_the_text_are_read_too() -> None:
    transcript = read(*text(0, "<think>p</think>4"))
    assert (transcript.thinking, transcript.answer) == ("p", "4")


def test_events_are_told_by_their_name_where_they_have_no_type() -> None:
    values = [BEGIN, *text(0, "4"), REASON, END]
    body = "".join(
        f"event: {value['type']}\ndata: {json.dumps({k: v for k, v in value.items() if k != 'type'})}\n\n"
        for value in values
    )
    assert decoded("anthropic", body.encode()).answer == "4"


WHOLE = {
    "type": "message",
    "id": "m1",
    "model": "c",
    "content": [
        {"type": "thinking", "thinking": "plan", "signature": "S"},
        {"type": "text", "text": "4"},
        {"type": "tool_use", "id": "t1", "name": "f", "input": {"x": 1}},
    ],
    "stop_reason": "tool_use",
    "usage": {"input_tokens": 1, "output_tokens": 2},
}


@pytest.mark.parametrize("stream", [True, False])
def test_one_body(stream: bool) -> None:
    found = decoded("anthropic", json.dumps(WHOLE).encode(), stream=stream).as_json()
    assert found == {
        "thinking": "plan",
        "answer": "4",
        "tool_calls": [{"id": "t1", "name": "f", "arguments": '{"x": 1}'}],
        "finish": "tool_use",
        "thinking_blocks": ["plan"],
        "redacted": 0,
        "signatures": ["S"],
        "usage": {"input_tokens": 1, "output_tokens": 2},
        "warn": ["not-streamed"] if stream else [],
    }


def test_a_body_whose_content_is_text() -> None:
    whole = WHOLE | {"content": "4", "stop_reason": "end_turn"}
    assert decoded("anthropic", json.dumps(whole).encode(), stream=False).answer == "4"


def test_an_http_error() -> None:
    body = b'{"type":"error","error":{"type":"rate_limit_error","message":"slow down"},"request_id":"r"}'
    problem = dialect_named("anthropic").error(429, {"retry-after": "3"}, body)
    assert "slow down" in problem.message
    assert problem.detail["retry_after"] == 3.0
