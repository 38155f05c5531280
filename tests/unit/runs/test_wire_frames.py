"""A body cut into its events for the wire: nothing lost, however the bytes come."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.runs.wire_frames import LONGEST, WireFrames

STREAM = {"content-type": "text/event-stream; charset=utf-8"}
LINES = {"content-type": "application/x-ndjson"}


def cut(headers: dict[str, str], *pieces: bytes) -> list[bytes]:
    frames = WireFrames(headers)
    found = [frame for piece in pieces for frame in frames.feed(piece)]
    return [*found, frames.close()]


@pytest.mark.parametrize("end", [b"\n\n", b"\r\n\r\n", b"\r\r"])
def test_a_stream_is_shown_event_by_event(end: bytes) -> None:
    one, two = b"data: 1" + end, b": alive" + end
    assert cut(STREAM, one + two + b"data: half") == [one, two, b"data: half"]
    whole = one + two
    for at in range(len(whole)):
        assert cut(STREAM, whole[:at], whole[at:]) == [one, two, b""]


def test_json_lines_are_shown_line_by_line_and_a_body_as_it_comes() -> None:
    assert cut(LINES, b'{"a":', b'1}\n{"b":2}') == [b'{"a":1}\n', b'{"b":2}']
    assert cut({}, b"<html>", b"\n\nx") == [b"<html>", b"\n\nx", b""]


def test_an_event_without_end_is_shown_in_parts() -> None:
    found = cut(STREAM, b"data: " + b"x" * LONGEST, b"x" * LONGEST)
    assert [len(each) for each in found] == [LONGEST, LONGEST, 6]


@given(st.lists(st.binary(max_size=30).map(lambda data: data.replace(b"a", b"\n")), max_size=8))
def test_no_byte_is_lost(pieces: list[bytes]) -> None:
    for headers in (STREAM, LINES, {}):
        assert b"".join(cut(headers, *pieces)) == b"".join(pieces)
