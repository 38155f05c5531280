"""What gateways and copies of servers do to each wire, beyond the public cases; the same however the bytes are cut."""

import json
from typing import Any

import pytest

from support.wire_cases import chat, sse
from thinkpane.endpoints.dialects._api import DecodeOptions
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.streaming.transcript import Transcript

SAID = chat({"content": "Hi"})
END = chat(finish="stop")


def seen(api: str, body: bytes | str, **options: Any) -> Transcript:
    """The transcript of a body that comes at once, after it was seen to be that of one that comes byte by byte."""
    body = body.encode() if isinstance(body, str) else body
    found = []
    for pieces in ([body], [bytes([byte]) for byte in body]):
        decoder, transcript = dialect_named(api).decoder(DecodeOptions(**options)), Transcript()
        for piece in pieces:
            transcript.apply_all(decoder.feed(piece))
        transcript.apply_all(decoder.close())
        found.append(transcript)
    assert found[0].as_json() == found[1].as_json()
    return found[0]


def named(*values: dict[str, Any]) -> str:
    return "".join(f"event: {value['type']}\ndata: {json.dumps(value)}\n\n" for value in values)


def warned(found: Transcript) -> set[str]:
    return {each.id for each in found.warnings}


@pytest.mark.parametrize(
    ("deltas", "thinking", "signatures", "redacted"),
    [
        ([{"reasoning_content": {"reasoningText": {"text": "plan", "signature": "S"}}}], "plan", ["S"], 0),
        ([{"thinking_blocks": [{"type": "thinking", "thinking": "plan", "signature": "S"}]}], "plan", ["S"], 0),
        (
            [
                {"reasoning_content": "plan", "thinking_blocks": [{"type": "thinking", "thinking": "plan"}]},
                {"thinking_blocks": [{"type": "thinking", "thinking": "", "signature": "S"}]},
            ],
            "plan",
            ["S"],
            0,
        ),
        ([{"thinking_blocks": [{"type": "redacted_thinking", "data": "X"}, None, "x"]}], "", [], 1),
        ([{"thinking_blocks": None, "reasoning": "plan"}], "plan", [], 0),
    ],
)
def test_thinking_as_bedrock_and_litellm_hand_it_on(
    deltas: list[dict[str, Any]], thinking: str, signatures: list[str], redacted: int
) -> None:
    found = seen("openai-chat", sse(*map(chat, deltas), SAID, END, "[DONE]")).as_json()
    assert (found["thinking"], found["answer"]) == (thinking, "Hi")
    assert (found["signatures"], found["redacted"]) == (signatures, redacted)


@pytest.mark.parametrize("field", ["thinking", "reasoning", "reasoning_content"])
def test_copies_of_ollama_name_thinking_as_they_like(field: str) -> None:
    lines = [{"message": {"content": "", field: "plan"}, "done": False}, {"message": {"content": "Hi"}, "done": False}]
    body = "".join(json.dumps(line) + "\n" for line in [*lines, {"done": True, "done_reason": "stop"}])
    found = seen("ollama", body)
    assert (found.thinking, found.answer, found.is_clean) == ("plan", "Hi", True)


@pytest.mark.parametrize(
    ("piece", "arguments"),
    [
        ({"type": "custom", "custom": {"name": "f", "input": "x = 1"}}, "x = 1"),
        ({"type": "custom", "name": "f", "input": "x = 1"}, "x = 1"),
        ({"type": "function", "function": {"name": "f", "arguments": "{}", "input": "?"}}, "{}"),
    ],
)
def test_custom_tools_of_chat_have_free_text(piece: dict[str, Any], arguments: str) -> None:
    found = seen("openai-chat", sse(chat({"tool_calls": [{"index": 0, "id": "a", **piece}]}), END))
    assert [(call.id, call.name, call.arguments) for call in found.tool_calls] == [("a", "f", arguments)]


def tool(index: int, id: str, name: str, *pieces: str) -> list[dict[str, Any]]:
    block = {"type": "tool_use", "name": name, "input": {}} | ({"id": id} if id else {})
    deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    return [
        {"type": "content_block_start", "index": index, "content_block": block},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


@pytest.mark.parametrize("ids", [("a", "b"), ("", "")])
def test_each_tool_block_of_anthropic_is_a_call_of_its_own(ids: tuple[str, str]) -> None:
    calls = [*tool(0, ids[0], "f", '{"x"', ":1}"), *tool(0, ids[1], "f", '{"y"', ":2}"), *tool(0, "", "f")]
    found = seen("anthropic", named(*calls, {"type": "message_delta", "delta": {"stop_reason": "tool_use"}}))
    told = [(call.id, call.arguments) for call in found.tool_calls]
    assert told == [(ids[0], '{"x":1}'), (ids[1], '{"y":2}'), ("", "{}")]
    assert "tool-index-reused" in warned(found)


def test_indexes_of_anthropic_may_be_texts() -> None:
    values = [*tool(0, "a", "f", "{}"), *tool(1, "b", "g", "{}")]
    body = named(*({**value, "index": str(value["index"])} for value in values))
    assert [call.id for call in seen("anthropic", body).tool_calls] == ["a", "b"]


def test_no_arguments_in_a_whole_message_of_anthropic_are_no_riddle() -> None:
    block = {"type": "tool_use", "id": "a", "name": "f", "input": {}}
    found = seen("anthropic", json.dumps({"type": "message", "content": [block], "stop_reason": "tool_use"}))
    assert [call.arguments for call in found.tool_calls] == ["{}"]
    assert warned(found) == {"not-streamed"}


def response(kind: str, **fields: object) -> dict[str, Any]:
    return {"type": f"response.{kind}", **fields}


@pytest.mark.parametrize("at", [{}, {"item_id": "call"}])
def test_pieces_of_a_response_that_name_no_item_belong_to_the_last(at: dict[str, str]) -> None:
    values = []
    for id, name in (("c1", "f"), ("c2", "g")):
        item = {"type": "function_call", "call_id": id, "id": f"fc_{id}", "name": name, "arguments": ""}
        values.append(response("output_item.added", item=item))
        place = {"item_id": id} if at else {}
        values += [response("function_call_arguments.delta", delta=piece, **place) for piece in ('{"x":', "1}")]
    found = seen("openai-responses", named(*values, response("completed", response={"status": "completed"})))
    assert [(call.id, call.name, call.arguments) for call in found.tool_calls] == [
        ("c1", "f", '{"x":1}'),
        ("c2", "g", '{"x":1}'),
    ]
    assert warned(found) == set()


def test_harmony_may_begin_inside_the_analysis_that_the_prompt_opened() -> None:
    body = sse(chat({"content": "why<|end|><|start|>assistant<|channel|>final<|message|>So."}), END)
    found = seen("openai-chat", body, channels="harmony", prompt_opens_thinking=True)
    assert (found.thinking, found.answer) == ("why", "So.")


def test_harmony_that_ends_in_analysis_says_so() -> None:
    body = sse(chat({"content": "<|channel|>analysis<|message|>why"}), chat(finish="length"))
    assert warned(seen("openai-chat", body, channels="harmony")) >= {"thinking-not-closed"}


def test_the_word_null_is_no_reason_to_stop() -> None:
    found = seen("openai-chat", sse(chat({"content": "Hi"}, "null"), END, "[DONE]"))
    assert (found.finish, warned(found)) == ("stop", set())
    body = sse({"content": "Hi", "stop": False}, {"content": "", "stop": True, "stop_type": "none"})
    assert warned(seen("llamacpp", body)) == {"no-finish-reason"}


@pytest.mark.parametrize("data", ["null", '""', " null "])
def test_empty_events_say_nothing(data: str) -> None:
    found = seen("openai-chat", sse(data, SAID, data, END, "[DONE]"))
    assert (found.answer, found.warnings) == ("Hi", [])


def test_a_stream_sent_as_one_list_is_read() -> None:
    found = seen("openai-chat", json.dumps([SAID, END]))
    assert (found.answer, found.finish, warned(found)) == ("Hi", "stop", {"not-streamed"})
    for body in ("[]", "[{}]", '[{"a": 1}, {"b": 2}]'):
        problem = seen("openai-chat", body).problem
        assert problem is not None
        assert problem.kind == "not_a_stream"
    problem = seen("openai-chat", '[{"error": {"message": "no luck"}}]').problem
    assert problem is not None
    assert (problem.kind, "no luck" in problem.message) == ("server", True)


def test_bytes_that_are_no_utf_8_are_counted_and_placed() -> None:
    body = sse(chat({"content": "é"}), chat({"content": "aXb"}), END).replace(b"X", b"\xff\xfe")
    place = body.index(b"\xff")
    assert [each.message for each in seen("openai-chat", body).warnings] == [
        f"2 bytes of the reply are no UTF-8 (the first after {place:,} bytes); shown as U+FFFD."
    ]
    one = seen("openai-chat", sse(chat({"content": "aXb"}), END).replace(b"X", b"\xff"))
    assert one.warnings[0].message.startswith("1 byte of the reply is no UTF-8")
