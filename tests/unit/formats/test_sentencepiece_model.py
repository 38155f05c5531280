"""SentencePiece's model files: what is kept of them, and one sentence for everything that is none."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.sentencepiece_files import field, model_bytes, piece
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.sentencepiece_model import BPE, CONTROL, NORMAL, UNIGRAM, read_model


def test_pieces_and_rules_are_read() -> None:
    data = model_bytes([("<s>", 0.0, CONTROL), ("▁a", -1.5, NORMAL)], model=BPE, prefix=False, collapses=False)
    found = read_model(data)
    assert found.pieces == ["<s>", "▁a"]
    assert found.scores == [0.0, -1.5]
    assert found.kinds == [CONTROL, NORMAL]
    assert (found.model, found.prefix, found.collapses, found.marks_spaces) == (BPE, False, False, True)


def test_what_is_not_said_is_as_the_format_says() -> None:
    found = read_model(field(1, field(1, b"a")))
    assert (found.pieces, found.scores, found.kinds, found.model) == (["a"], [0.0], [NORMAL], UNIGRAM)
    assert (found.prefix, found.collapses, found.marks_spaces, found.charsmap, found.suffix) == (
        True,
        True,
        True,
        b"",
        False,
    )


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no pieces"),
        (b"\x0a\xff", "inside a number"),
        (b"\x0a\x05ab", "inside a field"),
        (b"\x0f", "wire type 7"),
        (b"\xff" * 12, "has no end"),
        (field(1, field(1, b"\xff")), "no UTF-8"),
        (field(1, field(1, b"a") + b"\x10\x01"), "a number stands"),
        (field(1, field(1, b"a") + field(2, b"abc")), "another size"),
        (field(1, field(1, b"a") + field(3, b"abc")), "a text stands"),
        (b"\x08\x01", "a number stands"),
    ],
)
def test_what_is_no_model_is_one_sentence(data: bytes, said: str) -> None:
    with pytest.raises(ThinkpaneError, match=said) as fault:
        read_model(data)
    assert fault.value.problem.kind == "tokenizer"


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    said = ""
    try:
        found = read_model(data)
    except ThinkpaneError as fault:
        said = fault.problem.message
    else:
        assert len(found.pieces) == len(found.scores) == len(found.kinds) > 0
    assert not said or said.startswith("The file is no SentencePiece model: ")


@given(st.data())
def test_a_file_that_breaks_off_is_refused_or_shorter(data: st.DataObject) -> None:
    whole = model_bytes([("▁the", -1.0, NORMAL), ("x", -2.0, NORMAL)])
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    try:
        assert len(read_model(cut).pieces) <= 2
    except ThinkpaneError:
        return


def test_fields_of_other_sizes_are_passed_over() -> None:
    more = b"\x99\x06" + struct.pack("<q", 1) + b"\xa5\x06" + struct.pack("<f", 1.0)
    assert read_model(more + piece("a", 0.0, NORMAL) + more).pieces == ["a"]
