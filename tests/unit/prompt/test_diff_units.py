"""What texts are compared in: words and tokens, clipped at the ends of a stretch."""

from array import array
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from thinkpane.prompt.diff_units import Cut, EncodedTokens, PlacedTokens, Words, cut_of
from thinkpane.prompt.text_chunks import LONG_LINE, chunks
from thinkpane.tokens.encoding import Place
from thinkpane.tokens.ids import Ids
from thinkpane.tokens.incremental import IncrementalEncoder
from thinkpane.tokens.pieces import pieces_of

BYTES = pieces_of([bytes([each]) for each in range(256)])


def starts_of(cut: Cut) -> list[int]:
    return list(cut.starts)


def refuse(_text: str) -> list[Place]:
    raise AssertionError("every row is aligned")


def test_words_and_what_looks_like_a_special_token() -> None:
    cut = Words("…<|im_start|>user\n[INST] hi").cut(1, 27)
    assert cut.keys == ["<|im_start|>", "user", "\n", "[INST]", " ", "hi"]
    assert starts_of(cut) == [1, 13, 17, 18, 24, 25]
    assert Words("a b").count(1, 3) == 2


def test_tokens_are_clipped_at_the_ends_and_parts_of_a_character_are_one_unit() -> None:
    # “ab”, then the three bytes of one character, then “cd”.
    tokens = PlacedTokens("ab漢cd", [1, 7, 8, 9, 2], [0, 2, 2, 2, 3])
    whole = tokens.cut(0, 5)
    assert starts_of(whole) == [0, 2, 3]
    assert list(whole.tokens) == [1, 3, 1]
    clipped = tokens.cut(1, 4)
    assert starts_of(clipped) == [1, 2, 3]
    assert list(clipped.tokens) == [0, 3, 1]
    assert clipped.keys[0] == ("b", ())
    assert starts_of(tokens.cut(2, 3)) == [2]
    assert (tokens.count(0, 5), tokens.count(1, 3), tokens.count(5, 5)) == (5, 3, 0)


def test_what_no_token_covers_is_a_unit_of_none() -> None:
    cut = cut_of("  ab", 0, 4, [5], [2])
    assert (starts_of(cut), list(cut.tokens)) == ([0, 2], [0, 1])


@given(st.text(max_size=40), st.integers(0, 40), st.integers(0, 40))
def test_an_encoding_is_cut_as_its_tokens_are(text: str, one: int, other: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    text = text.encode("utf-8", "replace").decode("utf-8")
    encoding = IncrementalEncoder((), BYTES, _bytes_of).update(text)
    places = encoding.places(0, len(encoding.ids), refuse)
    known = PlacedTokens(text, encoding.ids, [begin for begin, _ in places])
    found = EncodedTokens(encoding, refuse)
    assert _told(found.cut(start, end)) == _told(known.cut(start, end))
    assert found.count(start, end) == known.count(start, end)


def _told(cut: Cut) -> tuple[list[object], ...]:
    return list(cut.starts), list(cut.keys), list(cut.tokens)


def _bytes_of(texts: Sequence[str]) -> list[Ids]:
    return [array("I", [*text.encode()]) for text in texts]


@given(st.text(alphabet="aqxy .\n漢🙂", max_size=60).map(lambda text: text * 30))
def test_chunks_make_up_the_text(text: str) -> None:
    found = list(chunks(text))
    assert "".join(found) == text
    assert all(found)


def test_an_edit_in_a_long_line_moves_no_other_cut() -> None:
    line = "the quick brown fox and all the rest of them " * 20
    assert len(line) > LONG_LINE
    before, after = set(chunks(line)), set(chunks(f"{line[:300]}new{line[300:]}"))
    assert len(after - before) <= 2
