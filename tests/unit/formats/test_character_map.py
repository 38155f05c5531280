"""The character map of a SentencePiece model, as the package built it, and what is no such map."""

from pathlib import Path

import pytest

from thinkpane.errors import ThinkpaneError
from thinkpane.formats.character_map import CharacterMap
from thinkpane.formats.sentencepiece_model import read_model

DATA = Path(__file__).parents[2] / "data" / "sentencepiece"


def charsmap(name: str) -> bytes:
    return read_model((DATA / f"{name}.model").read_bytes()).charsmap


@pytest.fixture(scope="module")
def nfkc() -> CharacterMap:
    return CharacterMap(charsmap("unigram-nmt_nfkc"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ａx", (3, "A")),
        ("ｶﾞ", (6, "ガ")),
        ("ｶx", (3, "カ")),
        ("e\u0301", (3, "é")),
        ("\u1100\u1161\u11a8", (9, "각")),
        ("\t", (1, " ")),
        ("\x01", (1, "")),
        ("ex", None),
        ("", None),
    ],
)
def test_the_longest_key_gives_way(nfkc: CharacterMap, text: str, found: tuple[int, str] | None) -> None:
    assert nfkc.longest(text.encode(), 0) == found
    assert nfkc.longest(b"x" + text.encode(), 1) == found


def test_what_may_change_is_known(nfkc: CharacterMap) -> None:
    assert {"Ａ", "\t", "①"} <= nfkc.alone
    assert {"\u0301", "ﾞ"} <= nfkc.following
    assert not {"e", "a", " "} & (nfkc.alone | nfkc.following)


def test_a_small_map_is_read_whole() -> None:
    made = CharacterMap(charsmap("bpe-rules"))
    assert made.alone == frozenset("b\tzé🙂#")
    assert made.following == frozenset("bc\u0301y")
    assert made.longest(b"abc", 0) == (3, "q")
    assert made.longest(b"abd", 0) == (2, "xy")


@pytest.mark.parametrize("cut", [0, 3, 5, 1024, 4000])
def test_a_map_that_was_cut_off_is_one_sentence(cut: int) -> None:
    with pytest.raises(ThinkpaneError, match=r"cannot be read: .+\."):
        CharacterMap(charsmap("unigram-nmt_nfkc")[:cut])


def test_a_map_without_its_texts_is_one_sentence() -> None:
    data = charsmap("bpe-rules")
    size = 4 + int.from_bytes(data[:4], "little")
    with pytest.raises(ThinkpaneError, match="a rule has no text"):
        CharacterMap(data[:size] + b"x")
