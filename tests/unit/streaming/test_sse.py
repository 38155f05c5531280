"""Server-sent events from bytes: the grammar, the cuts, the bounds."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.streaming.sse import SseEvent, SseReader


def read(chunks: list[bytes], limit: int = 1000) -> tuple[list[SseEvent], SseReader]:
    reader = SseReader(limit)
    found = [event for chunk in chunks for event in reader.feed(chunk)]
    return found + reader.close(), reader


def data(body: bytes) -> list[str]:
    return [event.data for event in read([body])[0]]


def test_fields_and_events() -> None:
    body = b": hello\nid: 7\nretry: 1\nfoo: bar\nevent: note\ndata: one\ndata:two\ndata:  three\n\ndata: next\n\n"
    assert read([body])[0] == [SseEvent("one\ntwo\n three", "note"), SseEvent("next")]


def test_a_name_does_not_outlive_an_event_without_data() -> None:
    assert read([b"event: ping\n\ndata: x\n\n"])[0] == [SseEvent("x")]


@pytest.mark.parametrize("body", [b"data:\n\ndata: \n\ndata\n\ndata: x\n\n", b"\n\n\ndata: x\n\n\n\n"])
def test_events_without_data_are_none(body: bytes) -> None:
    assert data(body) == ["x"]


def test_data_that_is_two_empty_lines_is_a_line_feed() -> None:
    assert data(b"data\ndata\n\n") == ["\n"]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_every_line_end(end: bytes) -> None:
    assert data(end.join([b"data: a", b"data: b", b"", b"data: c", b"", b""])) == ["a\nb", "c"]


def test_a_mark_is_dropped_once_and_only_at_the_start() -> None:
    mark = "\ufeff".encode()
    assert data(mark + b"data: a\n\n") == ["a"]
    assert data(b"data: " + mark + b"a\n\n") == ["\ufeffa"]
    assert data(mark + mark + b"data: a\n\ndata: b\n\n") == ["b"]


def test_separators_of_other_kinds_are_text() -> None:
    text = "a\u2028b\u2029c\x85d\x0be\x0cf"
    assert data(f"data: {text}\n\n".encode()) == [text]


def test_the_last_event_needs_no_blank_line() -> None:
    assert read([b"data: a\n\ndata: b"])[0] == [SseEvent("a"), SseEvent("b", "", True)]
    assert read([b"data: a\r"])[0] == [SseEvent("a", "", True)]
    assert read([b""])[0] == []


def test_invalid_bytes_are_counted_and_shown_as_marks() -> None:
    events, reader = read([b"data: a\xff\xfeb \xef\xbf\xbd \xe2\x82\n\n", b"data: \xc3\xa9\n\n"])
    assert [event.data for event in events] == ["a\ufffd\ufffdb \ufffd \ufffd", "é"]
    assert reader.invalid_bytes == 4


LIMIT = 20
TOO_LARGE = {
    "one line": b"data: " + b"x" * 40 + b"\n\n",
    "many data lines": b"data: xxxxxxxx\n" * 5 + b"\n",
    "empty data lines": b"data\n" * 40 + b"\n",
    "a comment": b": " + b"x" * 40 + b"\n\n",
    "a line without end": b"data: " + b"x" * 40,
}


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("fault", TOO_LARGE)
def test_a_large_event_ends_the_reading_and_keeps_what_came_before(fault: str, size: int) -> None:
    body = b"data: before\n\n" + TOO_LARGE[fault] + b"data: after\n\n"
    events, reader = read([body[at : at + size] for at in range(0, len(body), size)], LIMIT)
    assert [event.data for event in events] == ["before"]
    assert reader.problem is not None
    assert reader.problem.kind == "limit"
    assert "20 bytes" in reader.problem.message


def test_memory_is_bounded_while_a_line_grows() -> None:
    reader = SseReader(LIMIT)
    for _ in range(1000):
        assert reader.feed(b"data: yyyyyyyyyyyyyyyyyyyyyyy") == []
    assert reader.problem is not None
    assert reader.close() == []


def test_comments_never_add_up_to_an_event() -> None:
    events, reader = read([b":\n" * 500, b"data: a\n\n"], LIMIT)
    assert [event.data for event in events] == ["a"]
    assert reader.problem is None


LINES = st.sampled_from(
    [
        b"data: a",
        b"data:",
        b"data",
        b'data: {"x": "\xc3\xa9\xe2\x80\xa8"}',
        b": c",
        b"event: e",
        b"",
        b"",
        b"id",
        b"\xff",
    ]
)
BODIES = st.lists(st.tuples(LINES, st.sampled_from([b"\n", b"\r\n", b"\r"])), max_size=12).map(
    lambda lines: b"".join(line + end for line, end in lines)
)


@given(BODIES, st.sampled_from([b"", b"\xef\xbb\xbf"]), st.sets(st.integers(0, 200)), st.sampled_from([6, 1000]))
def test_cuts_change_nothing(body: bytes, mark: bytes, cuts: set[int], limit: int) -> None:
    whole = mark + body
    edges = sorted({0, len(whole), *(cut for cut in cuts if cut < len(whole))})
    pieces = [whole[start:end] for start, end in pairwise(edges)]
    one, reader = read([whole], limit)
    many, other = read(pieces, limit)
    single, third = read([bytes([byte]) for byte in whole], limit)
    assert one == many == single
    assert reader.problem == other.problem == third.problem


PIECES = st.lists(
    st.sampled_from(
        [
            b"data: a\n\n",
            b"data: \n\n",
            b"data:b\n\n",
            b"data: c\r\n\r\n",
            b"data: d\n",
            b"\n",
            b"event: e\n",
            b": on\n\n",
            b"stray\n",
            b"data: \xff\n\n",
            b"\r",
            b"data: long enough to be refused\n\n",
            b"da",
            b"ta: f\n\n",
            b"\xef\xbb\xbf",
        ]
    ),
    max_size=8,
)


@given(PIECES, st.sampled_from([12, 1000]))
def test_events_that_come_one_by_one_are_those_of_the_block(pieces: list[bytes], limit: int) -> None:
    found = []
    for way in (pieces, [b"".join(pieces)]):
        reader = SseReader(limit)
        events = [event for piece in way for event in reader.feed(piece)] + reader.close()
        found.append((events, reader.invalid_bytes, reader.stray, reader.problem))
    assert found[0] == found[1]
