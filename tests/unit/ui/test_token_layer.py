"""Layers of tokens: they agree with the encoding they come from, for every stretch, and follow an edit."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.small_vocabularies import byte_pairs
from support.token_feeds import layer
from thinkpane.tokens.vocabulary import Vocabulary
from thinkpane.ui.models.token_layer import MovedTokens, Token, TokenLayer, outline_of

TEXTS = st.text(st.sampled_from("the an<|im_start|>é😀👩\u200d💻漢\u0301\n\r 12ש"), max_size=60)


@cache
def small(nfc: bool = False) -> Vocabulary:
    return byte_pairs(nfc=nfc)


@given(TEXTS, st.integers(0, 60), st.integers(0, 60))
def test_between_gives_the_tokens_that_touch_a_stretch(text: str, one: int, other: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    found = layer(text, small())
    all_of_it = [found.token(index) for index in range(len(found))]
    expected = [each for each in all_of_it if each.start < end and each.end > start] if start < end else []
    assert found.between(start, end) == expected


@given(TEXTS, st.integers(0, 60), st.integers(0, 60), st.booleans())
def test_an_outline_says_what_between_gives(text: str, one: int, other: int, nfc: bool) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    found = layer(text, small(nfc))
    assert found.outline(start, end) == outline_of(found.between(start, end), start)
    moved = MovedTokens(found, 0, 0, 2)
    assert moved.outline(start + 2, end + 2) == found.outline(start, end)


@given(TEXTS)
def test_places_spell_the_text(text: str) -> None:
    found = layer(text, small())
    tokens = found.between(0, len(text))
    assert [each.index for each in tokens] == list(range(len(found)))
    assert b"".join(found.piece(each.id) for each in tokens) == text.encode()
    for each in tokens:
        assert found.piece(each.id) in text[each.start : each.end].encode()


def test_parts_of_one_character_share_its_place() -> None:
    parts = layer("a漢b", small()).at(1)
    assert len(parts) > 1
    assert {(each.start, each.end) for each in parts} == {(1, 2)}
    assert b"".join(layer("a漢b", small()).piece(each.id) for each in parts) == "漢".encode()


def test_special_tokens_are_told_from_the_others() -> None:
    found = layer("<|im_start|>the", small())
    assert [each.kind for each in found.between(0, 15)] == ["added", ""]


def test_a_stretch_that_was_normalised_is_one() -> None:
    text = "<|im_start|>cafe\u0301 the"
    found = layer(text, small(nfc=True))
    whole = found.between(12, len(text))
    assert whole == [Token(1, whole[0].id, 12, len(text), "", len(found) - 1)]
    assert found.token(3) == whole[0]


def test_places_that_are_told_later_part_a_stretch_that_was_normalised() -> None:
    vocabulary, text = small(nfc=True), "<|im_start|>cafe\u0301 the"
    told: dict[str, list[tuple[int, int]]] = {}
    encoding = layer(text, vocabulary).encoding
    found = TokenLayer(encoding, layer(text, vocabulary).known, told.get)
    assert len(found.between(12, len(text))) == 1
    told[text[12:]] = vocabulary.offsets(text[12:])[1]
    assert [(each.start, each.end) for each in found.between(12, len(text))] == vocabulary.offsets(text)[1][1:]


def test_there_is_no_token_behind_the_last() -> None:
    with pytest.raises(IndexError):
        layer("the", small()).token(1)


@given(TEXTS, st.integers(0, 60), st.integers(0, 60), st.text(max_size=5))
def test_an_edit_keeps_the_tokens_it_did_not_touch(text: str, one: int, other: int, new: str) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    before = layer(text, small())
    edited = text[:start] + new + text[end:]
    moved = MovedTokens(before, start, end, start + len(new)).between(0, len(edited))
    kept = [each for each in before.between(0, len(text)) if each.end <= start or each.start >= end]
    assert [(each.index, each.id) for each in moved] == [(each.index, each.id) for each in kept]
    for each in moved:
        assert before.piece(each.id) in edited[each.start : each.end].encode()
