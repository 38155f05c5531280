"""Which token stands where, and how many there are in a stretch."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import vocabularies
from support.edits import HARD, STEADY
from support.small_vocabularies import byte_pairs
from thinkpane.tokens.encoding import Encoding, Place
from thinkpane.tokens.incremental import IncrementalEncoder
from thinkpane.tokens.kinds.gguf import KIND
from thinkpane.tokens.pieces import pieces_of

VOCABULARY = byte_pairs(("<|im_start|>", "<|im_end|>"), nfc=True)
PIECES = pieces_of(VOCABULARY.pieces())


def ask(text: str) -> list[Place]:
    return VOCABULARY.offsets(text)[1]


def encoded(text: str) -> Encoding:
    return IncrementalEncoder(VOCABULARY.cuts, PIECES, VOCABULARY.encode).update(text)


@given(st.lists(st.sampled_from([*HARD, "<|im_start|>", "<|im_end|>"]), max_size=12).map("".join))
def test_places_are_those_of_the_library(text: str) -> None:
    got = encoded(text)
    places = VOCABULARY.offsets(text)[1]
    assert got.places(0, len(got.ids), ask) == places
    begins = [begin for begin, _ in places]
    for position in range(len(text)):
        token = got.token_at(position, ask)
        assert begins[token] == max(begin for begin in begins if begin <= position)
        assert begins[token] not in begins[:token]
    assert got.token_at(len(text), ask) == len(got.ids)


def test_a_visible_part_of_a_huge_segment_is_found_without_the_tokenizer() -> None:
    text = "<|im_start|>" + "".join(STEADY) * 100 + "<|im_end|>"
    got, places = encoded(text), VOCABULARY.offsets(text)[1]
    assert len(got) > 10
    asked: list[str] = []

    def note(part: str) -> list[Place]:
        asked.append(part)
        return ask(part)

    chance = random.Random(2)
    for _ in range(50):
        first = chance.randrange(len(places))
        assert got.places(first, first + 60, note) == places[first : first + 60]
        position = chance.randrange(len(text))
        token = got.token_at(position, note)
        assert places[token][0] <= position < places[token][1]
    assert asked == []
    assert [*got.segment_starts()] == [0, 12, len(text) - 10]


def test_tokens_are_counted_in_a_stretch() -> None:
    text = "<|im_start|>the cafe\u0301<|im_end|>the end"
    got = encoded(text)
    begins = [begin for begin, _ in VOCABULARY.offsets(text)[1]]
    for start in range(len(text) + 1):
        for end in range(start, len(text) + 1):
            assert got.count(start, end, ask) == sum(start <= begin < end for begin in begins)


def test_a_space_that_was_put_before_a_text_shares_the_place_of_its_first_character() -> None:
    file = vocabularies.file_of("llama-spm")
    if not file.exists():
        pytest.skip(vocabularies.MISSING)
    vocabulary = KIND.load(file)
    encoder = IncrementalEncoder(vocabulary.cuts, pieces_of(vocabulary.pieces()), vocabulary.encode)
    for text in ("You are</s>日本語", "  a", "\nabc", "é", "x</s>"):
        got = encoder.update(text)
        places = got.places(0, len(got.ids), lambda _text: pytest.fail("nothing needs to be asked"))
        assert places == vocabulary.offsets(text)[1]
