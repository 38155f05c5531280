"""JSON lines from bytes."""

from hypothesis import given
from hypothesis import strategies as st

from thinkpane.streaming.ndjson import NdjsonReader


def read(chunks: list[bytes], limit: int = 1000) -> tuple[list[str], NdjsonReader]:
    reader = NdjsonReader(limit)
    found = [line for chunk in chunks for line in reader.feed(chunk)]
    return found + reader.close(), reader


def test_lines_with_every_end_and_a_last_one_without() -> None:
    assert read([b'\xef\xbb\xbf{"a":1}\r\n\n{"b":2}\r{"c":"\xe2\x80\xa8"}\n  \n{"d":4}'])[0] == [
        '{"a":1}',
        '{"b":2}',
        '{"c":"\u2028"}',
        '{"d":4}',
    ]


def test_a_large_line_ends_the_reading() -> None:
    lines, reader = read([b"{}\n", b"x" * 30, b"\n{}\n"], limit=10)
    assert lines == ["{}"]
    assert reader.problem is not None
    assert reader.problem.kind == "limit"


def test_invalid_bytes_are_counted() -> None:
    lines, reader = read([b'{"a":"\xff"}\n'])
    assert lines == ['{"a":"\ufffd"}']
    assert reader.invalid_bytes == 1


@given(st.lists(st.sampled_from([b"{}", b"\n", b"\r", b"\r\n", b" ", b"\xc3\xa9", b"\xff"]), max_size=15))
def test_cuts_change_nothing(parts: list[bytes]) -> None:
    body = b"".join(parts)
    assert read([body])[0] == read(parts)[0] == read([bytes([byte]) for byte in body])[0]
