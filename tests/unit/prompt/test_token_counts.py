"""Tokens by part: each belongs to one, they add up, and the rule for tokens that several wrote holds."""

from array import array

from hypothesis import given
from hypothesis import strategies as st

from support.owned import TEXTS_OWNERS, Piece, owned
from support.patient import PATIENT
from support.small_vocabularies import byte_pairs
from thinkpane.prompt.parts import TEMPLATE_KINDS, Part, Parts, parts_from
from thinkpane.prompt.token_counts import token_counts
from thinkpane.tokens.encoding import Encoding
from thinkpane.tokens.incremental import IncrementalEncoder
from thinkpane.tokens.pieces import pieces_of
from thinkpane.tokens.vocabulary import Vocabulary

ADDED = ("<|im_start|>", "<|im_end|>")
PLAIN, NFC = byte_pairs(ADDED), byte_pairs(ADDED, nfc=True)


def encoded(text: str, vocabulary: Vocabulary = PLAIN) -> Encoding:
    return IncrementalEncoder(vocabulary.cuts, pieces_of(vocabulary.pieces()), vocabulary.encode).update(text)


def counted(pieces: list[Piece]) -> dict[Part, int]:
    return token_counts(parts_from(owned(pieces)), encoded("".join(text for text, _ in pieces))).by_part


def one_by_one(parts: Parts, text: str, vocabulary: Vocabulary = PLAIN) -> dict[Part, int]:
    """The rule as it is written, token by token and character by character."""
    whose = [Part("unknown")] * len(text)
    for name in parts.names:
        for start, end in parts.spans_of([name]):
            whose[start:end] = [name] * (end - start)
    found = dict.fromkeys(parts.names, 0)
    for start, end in vocabulary.offsets(text)[1]:
        inside = whose[start:end]
        found[next((each for each in inside if each.kind not in TEMPLATE_KINDS), inside[0])] += 1
    return found


@PATIENT
@given(TEXTS_OWNERS)
def test_each_token_is_counted_by_the_rule(pieces: list[Piece]) -> None:
    text = "".join(each for each, _ in pieces)
    parts = parts_from(owned(pieces))
    found = token_counts(parts, encoded(text))
    assert found.exact
    assert found.by_part == one_by_one(parts, text)


@PATIENT
@given(TEXTS_OWNERS, st.sampled_from([PLAIN, NFC]))
def test_counts_add_up_to_all_tokens(pieces: list[Piece], vocabulary: Vocabulary) -> None:
    encoding = encoded("".join(each for each, _ in pieces), vocabulary)
    found = token_counts(parts_from(owned(pieces)), encoding)
    assert sum(found.by_part.values()) == len(encoding.ids)
    assert all(count >= 0 for count in found.by_part.values())


@PATIENT
@given(TEXTS_OWNERS)
def test_with_places_from_the_tokenizer_the_rule_holds_in_normalised_text(pieces: list[Piece]) -> None:
    text = "".join(each for each, _ in pieces)
    parts = parts_from(owned(pieces))
    found = token_counts(parts, encoded(text, NFC), lambda asked: NFC.offsets(asked)[1])
    assert found.exact
    assert found.by_part == one_by_one(parts, text, NFC)


def test_a_token_begun_by_the_template_is_the_messages_whose_word_it_is() -> None:
    assert [*encoded(" the").ids] == [PLAIN.encode([" the"])[0][0]], "one token"
    assert counted([(" ", None), ("the", "messages[0].content")]) == {Part("scaffolding"): 0, Part("message", 0): 1}
    assert counted([(" th", "tools[0].name"), ("e", "messages[0].content")]) == {
        Part("tool", 0): 1,
        Part("message", 0): 0,
    }
    assert counted([(" ", None), ("t", "-"), ("he", "messages[0].content"), ("\n", None)]) == {
        Part("scaffolding"): 1,
        Part("unknown"): 0,
        Part("message", 0): 1,
    }


def test_parts_of_one_character_belong_where_it_does() -> None:
    text = "𒀀"
    many = len(PLAIN.encode([text])[0])
    assert many > 1
    assert counted([("a", None), (text, "messages[0].content"), ("b", None)]) == {
        Part("scaffolding"): 2,
        Part("message", 0): many,
    }


def test_of_leading_spaces_the_first_may_be_the_tokenizers_own() -> None:
    pieces: list[Piece] = [(" ", None), ("a", "messages[0].content")]
    ids = array("I", [0, 0, 1])
    with_its_space = Encoding(" a", ids, array("I", [0, 2]), array("I", [0, 3]), b"\0", pieces_of([b" ", b"a"]))
    assert token_counts(parts_from(owned(pieces)), with_its_space).by_part == {
        Part("scaffolding"): 2,
        Part("message", 0): 1,
    }


def test_where_a_normaliser_changed_the_text_counts_are_told_to_be_near() -> None:
    pieces: list[Piece] = [("e\u0301 th", None), ("e\u0301 the", "messages[0].content")]
    text = "".join(each for each, _ in pieces)
    assert not token_counts(parts_from(owned(pieces)), encoded(text, NFC)).exact
    whole: list[Piece] = [("<|im_start|>", None), (text, "messages[0].content"), ("<|im_end|>", None)]
    found = token_counts(parts_from(owned(whole)), encoded("".join(each for each, _ in whole), NFC))
    assert found.exact, "a segment that has one owner needs no places"
    assert found.by_part[Part("scaffolding")] == 2


def test_a_huge_segment_is_counted_row_by_row() -> None:
    pieces: list[Piece] = []
    for number in range(400):
        pieces += [(" the other one ", None), ("then there 123 are", f"messages[{number}].content")]
    text = "".join(each for each, _ in pieces)
    parts = parts_from(owned(pieces))
    encoding = encoded(text)
    assert len(encoding) > 3, "several rows"
    assert token_counts(parts, encoding).by_part == one_by_one(parts, text)


def test_no_text_has_no_tokens() -> None:
    assert token_counts(parts_from(owned([])), encoded("")).by_part == {}
