"""Unpacking within bounds."""

import gzip
import re
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.endpoints.inflate import FREE, LARGEST, Inflater
from thinkpane.errors import ThinkpaneError


@given(st.binary(max_size=300), st.integers(1, 20), st.sampled_from(["gzip", "X-GZIP", "deflate", ""]))
def test_pieces_unpack_to_the_whole(body: bytes, size: int, encoding: str) -> None:
    packed = body
    if encoding:
        packed = gzip.compress(body) if "gzip" in encoding.lower() else zlib.compress(body)
    inflater = Inflater(encoding)
    found = [piece for at in range(0, len(packed), size) for piece in inflater.feed(packed[at : at + size])]
    assert b"".join(found) == body


def test_what_packs_well_and_is_small_is_no_bomb() -> None:
    body = b"data: {}\n\n" * (FREE // 20)
    assert b"".join(Inflater("gzip").feed(gzip.compress(body))) == body


def test_a_bomb_is_given_up_long_before_its_end() -> None:
    with pytest.raises(ThinkpaneError, match="reading stopped") as caught:
        Inflater("gzip").feed(gzip.compress(b"\0" * (FREE * 20)))
    assert caught.value.problem.kind == "limit"
    bounds = re.findall(r"[\d,]{4,}", caught.value.problem.message)
    assert int(bounds[0].replace(",", "")) < FREE * 4


def test_a_body_too_large_in_all_is_given_up() -> None:
    inflater = Inflater("deflate")
    packer = zlib.compressobj(0)
    block = bytes(range(256)) * 4096

    def feed_beyond_the_limit() -> None:
        for _ in range(LARGEST // len(block) + 1):
            inflater.feed(packer.compress(block) + packer.flush(zlib.Z_SYNC_FLUSH))

    with pytest.raises(ThinkpaneError, match="grew to more than"):
        feed_beyond_the_limit()


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, deflate", "compress"])
def test_what_cannot_be_unpacked_is_refused(encoding: str) -> None:
    with pytest.raises(ThinkpaneError, match=encoding):
        Inflater(encoding)


def test_plain_bytes_under_a_gzip_header_are_told() -> None:
    with pytest.raises(ThinkpaneError, match="it is not, or is damaged"):
        Inflater("gzip").feed(b"data: {}\n\n")
