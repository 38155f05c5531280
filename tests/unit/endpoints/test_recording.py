"""Recordings: what is written comes back, a file cut off by a crash counts, and damage has a line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.endpoints.connection import Via
from thinkpane.endpoints.recording import Chunk, RecordingHeader, RecordingWriter, read_recording
from thinkpane.errors import Problem, ThinkpaneError

HEADER = RecordingHeader("A title", "openai-chat", "high", ("what is",), "chat", {"note": {"by": "hand"}})
FIRST = '{"thinkpane_transcript": 1, "title": "t", "dialect": "ollama"}\n'


def written(*pieces: bytes, problem: Problem | None = None) -> bytes:
    lines: list[bytes] = []
    writer = RecordingWriter(HEADER, lines.append)
    writer.head(201, {"content-type": "text/event-stream"}, 12.3456)
    for number, piece in enumerate(pieces, 20):
        writer.data(piece, number)
    writer.over(problem, 99)
    return b"".join(lines)


@given(st.lists(st.binary(max_size=40), max_size=8))
def test_what_is_written_comes_back(pieces: list[bytes]) -> None:
    found = read_recording(written(*pieces))
    assert found.header == HEADER
    assert (found.status, found.headers, found.head_ms) == (201, {"content-type": "text/event-stream"}, 12.346)
    assert found.chunks == tuple(Chunk(float(number), piece) for number, piece in enumerate(pieces, 20))
    assert found.data == b"".join(pieces)
    assert (found.ended, found.end_ms, found.problem) == (True, 99.0, None)


def test_how_it_came_is_kept_where_it_is_known() -> None:
    for via in (Via(), Via("HTTP/2"), Via("HTTP/1.1", "http://p:3128")):
        lines: list[bytes] = []
        writer = RecordingWriter(HEADER, lines.append)
        writer.head(200, {}, 1, via)
        assert read_recording(b"".join(lines)).via == via
    assert b"protocol" not in written(b"x")
    odd = FIRST + '{"ms": 1, "status": 200, "protocol": 2, "proxy": null}\n'
    assert read_recording(odd).via == Via()


def test_text_is_kept_readable_and_other_bytes_in_base64() -> None:
    lines = [json.loads(line) for line in written("Grüße\n".encode(), b"\xff\x00").splitlines()]
    assert lines[2] == {"ms": 20, "text": "Grüße\n"}
    assert lines[3] == {"ms": 21, "base64": "/wA="}


def test_each_line_is_written_whole() -> None:
    lines: list[bytes] = []
    RecordingWriter(HEADER, lines.append).data(b"a\nb\xe2\x80\xa8c", 1)
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines)


def test_what_ended_it_early_is_kept() -> None:
    problem = read_recording(written(b"x", problem=Problem("timeout", "Too slow."))).problem
    assert problem == Problem("timeout", "Too slow.")


def test_a_second_head_begins_the_answer_anew() -> None:
    lines: list[bytes] = []
    writer = RecordingWriter(HEADER, lines.append)
    writer.head(400, {}, 1)
    writer.data(b"no streams here", 2)
    writer.head(200, {}, 3)
    writer.data(b"{}", 4)
    found = read_recording(b"".join(lines))
    assert (found.status, found.head_ms, found.chunks) == (200, 3.0, (Chunk(4.0, b"{}"),))


@pytest.mark.parametrize("cut", range(1, 26, 4))
def test_a_file_cut_off_while_it_was_written_still_counts(cut: int) -> None:
    whole = written(b"first", b"second")
    found = read_recording(whole[:-cut])
    assert found.chunks == (Chunk(20.0, b"first"), Chunk(21.0, b"second"))
    # Without its line end alone the last line is complete.
    assert found.ended == (cut == 1)
    assert found.end_ms == (99.0 if cut == 1 else 21.0)


def test_the_shortest_recording_is_a_header() -> None:
    found = read_recording(FIRST)
    assert (found.header, found.status, found.chunks) == (RecordingHeader("t", "ollama"), 200, ())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Line 1 .*no JSON here"),
        ("not json", "Line 1 "),
        ("[]", "Line 1 .*no JSON object"),
        ('{"title": "t"}', "Line 1 .*thinkpane_transcript"),
        ('{"thinkpane_transcript": 2, "dialect": "ollama"}', "version 2"),
        ('{"thinkpane_transcript": 1}', "dialect"),
        ('{"thinkpane_transcript": 1, "dialect": 5}', "dialect"),
        ('{"thinkpane_transcript": 1, "dialect": "d", "match": "m"}', "match"),
        (FIRST + '{"ms": -1, "text": "x"}', "Line 2 .*ms"),
        (FIRST + '{"ms": 1e999, "text": "x"}\n', "Line 2 .*too large a number"),
        (FIRST + f'{{"ms": 1{"0" * 400}, "text": "x"}}', "Line 2 .*ms"),
        (FIRST + '{"ms": true, "text": "x"}', "Line 2 .*ms"),
        (FIRST + '\n{"ms": 1}', "Line 3 .*text"),
        (FIRST + '{"ms": 1, "base64": "!"}', "Line 2 .*base64"),
        (FIRST + '{"ms": 1, "status": "200"}', "Line 2 .*status"),
        (FIRST + '{"ms": 1, "status": 200, "headers": {"a": 1}}', "Line 2 .*headers"),
        (FIRST + '{"ms": 1, "te\n{"ms": 1, "text": "x"}\n', "Line 2 "),
    ],
)
def test_damage_is_told_with_its_line_and_file(text: str, words: str) -> None:
    with pytest.raises(ThinkpaneError, match=f"^demo.transcript: .*{words}") as caught:
        read_recording(text, "demo.transcript")
    assert caught.value.problem.kind == "recording"
    assert caught.value.problem.line in (1, 2, 3)
