"""Replies of the Responses API beyond the public cases: each habit once."""

import json
from typing import Any

import pytest

from support.wire_cases import decoded
from thinkpane.streaming.transcript import Transcript


def event(kind: str, **fields: object) -> dict[str, Any]:
    return {"type": f"response.{kind}", **fields}


def events(*values: dict[str, Any]) -> bytes:
    return "".join(f"event: {value['type']}\ndata: {json.dumps(value)}\n\n" for value in values).encode()


BEGIN = event("created", response={"id": "r1", "model": "m", "status": "in_progress"})


def end(status: str = "completed", **more: object) -> dict[str, Any]:
    return event(status, response={"id": "r1", "status": status, "output": [], **more})


def read(*values: dict[str, Any], last: dict[str, Any] | None = None) -> Transcript:
    return decoded("openai-responses", events(BEGIN, *values, last or end(usage={"output_tokens": 6})))


def delta(kind: str, text: str, **at: object) -> dict[str, Any]:
    return event(f"{kind}.delta", delta=text, **at)


ANSWER = delta("output_text", "4", item_id="m1")
REASONING = {
    "type": "reasoning",
    "id": "rs1",
    "summary": [{"type": "summary_text", "text": "a"}, {"type": "summary_text", "text": "b"}],
    "encrypted_content": "X",
}
MESSAGE = {"type": "message", "id": "m1", "role": "assistant", "content": [{"type": "output_text", "text": "4"}]}
CALL = {"type": "function_call", "id": "fc1", "call_id": "c1", "name": "f", "arguments": '{"x":1}'}


def test_who_answers_and_what_it_took() -> None:
    transcript = read(ANSWER)
    assert (transcript.id, transcript.model, transcript.answer, transcript.finish) == ("r1", "m", "4", "completed")
    assert transcript.usage == {"output_tokens": 6}
    assert transcript.is_clean


def test_summaries_are_parted() -> None:
    transcript = read(
        *(delta("reasoning_summary_text", text, item_id="rs1", summary_index=n) for n, text in enumerate("ab")), ANSWER
    )
    assert transcript.thinking == "a\n\nb"
    assert transcript.thinking_blocks[0].source == "block: reasoning summary"


def test_a_content_index_that_counts_deltas_makes_no_blocks() -> None:
    transcript = read(
        *(delta("reasoning_text", text, item_id="rs1", content_index=n) for n, text in enumerate(("pl", "an"))), ANSWER
    )
    assert transcript.thinking == "plan"


def test_whole_texts_that_follow_their_pieces_add_nothing() -> None:
    transcript = read(
        delta("reasoning_summary_text", "a", item_id="rs1", output_index=0, summary_index=0),
        event("reasoning_summary_text.done", text="a", item_id="rs1", output_index=0, summary_index=0),
        event(
            "reasoning_summary_part.done", part={"type": "summary_text", "text": "a"}, output_index=0, summary_index=0
        ),
        delta("reasoning_summary_text", "b", item_id="rs1", output_index=0, summary_index=1),
        event("output_item.done", item=REASONING, output_index=0),
        delta("output_text", "4", item_id="m1", output_index=1, content_index=0),
        event("output_text.done", text="4", item_id="m1", output_index=1, content_index=0),
        event("content_part.done", part={"type": "output_text", "text": "4"}, item_id="m1", output_index=1),
        event("output_item.done", item=MESSAGE | {"id": "another"}, output_index=1),
        event("output_item.added", item=CALL | {"arguments": ""}, output_index=2),
        delta("function_call_arguments", '{"x":1}', item_id="fc1", output_index=2),
        event("function_call_arguments.done", arguments='{"x":1}', item_id="fc1", output_index=2),
        event("output_item.done", item=CALL, output_index=2),
        last=end(output=[REASONING, MESSAGE, CALL]),
    )
    assert (transcript.thinking, transcript.answer) == ("a\n\nb", "4")
    assert [(call.id, call.name, call.arguments) for call in transcript.tool_calls] == [("c1", "f", '{"x":1}')]
    assert transcript.thinking_blocks[-1].opaque == "X"
    assert transcript.as_json()["redacted"] == 0


@pytest.mark.parametrize(
    "values",
    [
        [event("output_item.done", item=item) for item in (REASONING, MESSAGE, CALL)],
        [end(output=[REASONING, MESSAGE, CALL])],
        [
            *(
                event("reasoning_summary_text.done", text=text, item_id="rs1", summary_index=n)
                for n, text in enumerate("ab")
            ),
            event("output_text.done", text="4", item_id="m1"),
            event("output_item.added", item=CALL | {"arguments": ""}),
            event("function_call_arguments.done", arguments='{"x":1}', item_id="fc1"),
        ],
        [ANSWER, end(output=[REASONING, MESSAGE, CALL])],
    ],
)
def test_what_came_only_whole_counts(values: list[dict[str, Any]]) -> None:
    transcript = read(*values)
    assert (transcript.thinking, transcript.answer) == ("a\n\nb", "4")
    assert [(call.id, call.name, call.arguments) for call in transcript.tool_calls] == [("c1", "f", '{"x":1}')]


def test_items_that_are_known_by_id_alone() -> None:
    transcript = read(
        event("output_item.added", item={"type": "reasoning", "id": "rs1", "summary": []}),
        delta("reasoning_text", "plan", item_id="rs1"),
        event("output_item.done", item={"type": "reasoning", "id": "rs1", "content": [{"text": "plan"}]}),
        event("output_item.added", item=CALL | {"arguments": ""}),
        delta("function_call_arguments", '{"x":1}', item_id="fc1"),
        event("output_item.done", item=CALL),
    )
    assert transcript.thinking == "plan"
    assert [(call.id, call.arguments) for call in transcript.tool_calls] == [("c1", '{"x":1}')]


def test_encrypted_thinking_without_text_is_a_hidden_block() -> None:
    item = {"type": "reasoning", "id": "rs1", "summary": [], "encrypted_content": "X"}
    assert read(event("output_item.done", item=item), ANSWER).as_json()["redacted"] == 1


def test_a_custom_tool_takes_plain_text() -> None:
    item = {"type": "custom_tool_call", "id": "x", "call_id": "c1", "name": "sh", "input": ""}
    transcript = read(event("output_item.added", item=item), delta("custom_tool_call_input", "ls", item_id="x"))
    assert [(call.id, call.name, call.arguments) for call in transcript.tool_calls] == [("c1", "sh", "ls")]


def test_a_refusal_is_the_answer_and_told() -> None:
    transcript = read(delta("refusal", "No.", item_id="m1"))
    assert transcript.answer == "No."
    assert "refusal" in [each.id for each in transcript.warnings]


@pytest.mark.parametrize(
    ("last", "finish", "kind"),
    [
        (end("incomplete", incomplete_details={"reason": "max_output_tokens"}), "incomplete:max_output_tokens", None),
        (end("incomplete", incomplete_details={"reason": "content_filter"}), "incomplete:content_filter", None),
        (end("failed", error={"code": "server_error", "message": "broke"}), "failed", "server"),
        (event("completed", response={}), "completed", None),
        (end("cancelled"), "cancelled", None),
    ],
)
def test_ends(last: dict[str, Any], finish: str, kind: str | None) -> None:
    transcript = read(ANSWER, last=last)
    assert transcript.finish == finish
    assert (transcript.problem.kind if transcript.problem else None) == kind
    assert transcript.answer == "4"


def test_a_filter_is_told_and_a_failure_says_the_servers_words() -> None:
    filtered = read(ANSWER, last=end("incomplete", incomplete_details={"reason": "content_filter"}))
    assert [each.id for each in filtered.warnings] == ["content-filtered"]
    failed = read(last=end("failed", error={"code": "server_error", "message": "broke"}))
    assert failed.problem is not None
    assert "broke" in failed.problem.message


def test_without_an_end_it_is_cut_off() -> None:
    transcript = decoded("openai-responses", events(BEGIN, ANSWER))
    assert transcript.problem is not None
    assert transcript.problem.kind == "incomplete"


def test_what_nobody_knows_is_kept() -> None:
    transcript = read(
        event("output_item.added", item={"type": "web_search_call", "id": "w"}),
        event("web_search_call.searching", item_id="w"),
        event("output_text.annotation.added", annotation={}),
        event("code_interpreter_call_code.delta", delta="x"),
        event("content_part.added", part={}),
        ANSWER,
    )
    names = [each.name for each in transcript.unknown]
    assert names == [
        "web_search_call",
        "response.web_search_call.searching",
        "response.output_text.annotation.added",
        "response.code_interpreter_call_code.delta",
    ]
    assert transcript.answer == "4"


WHOLE = {"id": "r1", "object": "response", "status": "completed", "error": None, "output": [REASONING, MESSAGE, CALL]}


@pytest.mark.parametrize("stream", [True, False])
def test_one_body(stream: bool) -> None:
    found = decoded("openai-responses", json.dumps(WHOLE).encode(), stream=stream).as_json()
    assert found["thinking"] == "a\n\nb"
    assert found["answer"] == "4"
    assert found["tool_calls"] == [{"id": "c1", "name": "f", "arguments": '{"x":1}'}]
    assert found["finish"] == "completed"
    assert found["warn"] == (["not-streamed"] if stream else [])


def test_a_body_that_is_not_done() -> None:
    transcript = decoded("openai-responses", json.dumps(WHOLE | {"status": "in_progress"}).encode(), stream=False)
    assert transcript.problem is not None
    assert transcript.problem.kind == "incomplete"
