"""When a run asks again for the whole reply at once (docs/architecture.md, Fall-back), and when never."""

import json
from pathlib import Path

import pytest

from support.runs import run_of
from support.server import Step, answer, chat_body, chat_event, chat_stream
from thinkpane.endpoints.recording import read_recording
from thinkpane.runs.journal import Journal

BUFFERED = [answer(chat_body("All at once."), kind="application/json")]
REFUSAL = b'{"error": {"message": "stream is not supported"}}'
SSE_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


def json_error(status: str, body: bytes = REFUSAL) -> Step:
    return answer(body, status=status, kind="application/json")


@pytest.mark.parametrize(
    "first",
    [
        [json_error("400 Bad Request")],
        [json_error("404 Not Found")],
        [json_error("405 Method Not Allowed")],
        [json_error("415 Unsupported Media Type")],
        [json_error("501 Not Implemented")],
        [json_error("400 Bad Request", b"")],
        [json_error("501 Not Implemented", b'{"error": {"message": "not here"}}')],
        [json_error("200 OK")],
        [b"HTTP/1.1 200 OK\r\n\r\n" + REFUSAL],
        [],
        [b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n"],
        ["reset"],
        [SSE_HEAD],
        [answer(b"")],
    ],
    ids=[
        "400",
        "404",
        "405",
        "415",
        "501",
        "400 bare",
        "501 and words",
        "json",
        "no type",
        "closed",
        "cut",
        "reset",
        "chunked",
        "empty",
    ],
)
def test_a_server_that_seems_unable_to_stream_is_asked_again(first: list[Step]) -> None:
    run, server = run_of(first, BUFFERED)
    assert [request.json["stream"] for request in server.received] == [True, False]
    assert (run.state, run.transcript.answer, run.problem) == ("done", "All at once.", None)
    assert [warned.id for warned in run.transcript.warnings] == ["fell-back-to-buffered"]
    assert [entry.kind for entry in run.wire].count("request") == 2
    assert "asked for at once" in next(entry.data for entry in run.wire if entry.kind == "note")


@pytest.mark.parametrize(
    ("first", "kind"),
    [
        ([json_error("401 Unauthorized")], "server"),
        ([json_error("403 Forbidden")], "server"),
        ([json_error("429 Too Many Requests")], "server"),
        ([json_error("402 Payment Required")], "server"),
        ([json_error("422 Unprocessable")], "server"),
        ([json_error("500 Broken")], "server"),
        ([json_error("400 Bad Request", b'{"error": {"message": "seed must be a number"}}')], "server"),
        ([json_error("404 Not Found", b'{"error": {"message": "model m was not found"}}')], "server"),
        ([json_error("200 OK", b'{"error": {"message": "seed must be a number"}}')], "server"),
        ([json_error("503 Busy")], "server"),
        ([json_error("200 OK", b'{"error": {"message": "slow down", "code": 429}}')], "server"),
        ([json_error("200 OK", b'{"error": {"message": "no key", "code": 401}}')], "server"),
        ([answer(b"<html><title>Log in</title></html>", kind="text/html")], "not_a_stream"),
        ([answer(b'event: error\ndata: {"error": {"message": "no"}}\n\n')], "server"),
        ([answer(b"", status="302 Found", headers=["Location: http://a.example/"])], "redirect"),
        ([answer(chat_event(content="a"), sized=False)], "incomplete"),
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n" + chat_event(content="a")], "incomplete"),
    ],
)
def test_otherwise_a_request_is_never_repeated(first: list[Step], kind: str) -> None:
    run, server = run_of(first, BUFFERED)
    assert len(server.received) == 1
    assert run.state == "failed"
    assert run.problem is not None
    assert run.problem.kind == kind
    assert run.transcript.warnings == []


def test_a_whole_reply_in_place_of_a_stream_is_taken_as_it_is() -> None:
    run, server = run_of(BUFFERED, BUFFERED)
    assert len(server.received) == 1
    assert (run.state, run.transcript.answer) == ("done", "All at once.")


def test_what_fails_buffered_too_is_told_and_not_asked_a_third_time() -> None:
    run, server = run_of([json_error("404 Not Found")])
    assert len(server.received) == 2
    assert run.problem is not None
    assert "stream is not supported" in run.problem.message


def test_the_journal_holds_both_answers_and_reads_as_the_second(tmp_path: Path) -> None:
    run, _server = run_of([json_error("404 Not Found")], BUFFERED, journal=Journal(tmp_path))
    assert run.state == "done"
    written = Journal(tmp_path).files()[0].read_bytes()
    statuses = [json.loads(line).get("status") for line in written.splitlines()]
    assert [status for status in statuses if status] == [404, 200]
    assert read_recording(written).data == chat_body("All at once.")


def test_a_stream_that_streams_needs_one_request() -> None:
    run, server = run_of([answer(chat_stream())])
    assert len(server.received) == 1
    assert run.transcript.warnings == []
