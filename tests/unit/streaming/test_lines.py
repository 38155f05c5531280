"""Where a body first is no UTF-8."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.streaming.lines import FirstInvalid


def found(*pieces: bytes) -> int | None:
    first = FirstInvalid()
    for piece in pieces:
        first.feed(piece)
    return first.offset


@pytest.mark.parametrize(
    ("body", "offset"),
    [
        (b"", None),
        (b"plain", None),
        ("Grüße 😀".encode(), None),
        (b"ab\xff", 2),
        (b"\xc3\x28", 0),
        (b"ok \xf0\x9f\x98x", 3),
        (b"ok \xed\xa0", 3),
        (b"ok \xed\x9f", None),
        ("é".encode() + b"\xfe\xff", 2),
    ],
)
def test_however_it_is_cut(body: bytes, offset: int | None) -> None:
    assert found(body) == offset
    assert found(*(bytes([byte]) for byte in body)) == offset


@given(st.binary(max_size=30), st.integers(0, 30))
def test_it_is_where_pythons_own_decoder_stops(body: bytes, cut: int) -> None:
    try:
        body.decode("utf-8")
        offset = None
    except UnicodeDecodeError as fault:
        # A character that the end cuts off may still be completed.
        offset = None if "unexpected end" in fault.reason else fault.start
    assert found(body[:cut], body[cut:]) == offset
