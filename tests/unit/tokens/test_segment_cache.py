"""Texts that were encoded are kept, the ones asked for last the longest."""

from array import array
from collections.abc import Sequence

from thinkpane.tokens.ids import Ids
from thinkpane.tokens.segment_cache import SegmentCache


class Letters:
    """Encodes letters, and notes the texts."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts: Sequence[str]) -> list[Ids]:
        self.asked += texts
        return [array("I", map(ord, text)) for text in texts]


def test_a_repeated_text_is_encoded_once() -> None:
    letters = Letters()
    cache = SegmentCache(letters)
    assert cache.encoded(["a", "b", "a"]) == [array("I", [97]), array("I", [98]), array("I", [97])]
    assert cache.encoded(["b"]) == [array("I", [98])]
    assert letters.asked == ["a", "b"]


def test_the_one_that_was_not_asked_for_longest_goes_first() -> None:
    letters = Letters()
    cache = SegmentCache(letters, most=6)
    cache.encoded(["aa", "bb", "cc"])
    cache.encoded(["aa"])
    cache.encoded(["dd"])
    letters.asked.clear()
    cache.encoded(["aa", "cc", "dd"])
    assert letters.asked == []
    cache.encoded(["bb"])
    assert letters.asked == ["bb"]


def test_what_is_larger_than_all_room_is_encoded_and_not_kept() -> None:
    letters = Letters()
    cache = SegmentCache(letters, most=3)
    assert cache.encoded(["abcde"]) == cache.encoded(["abcde"])
    assert letters.asked == ["abcde", "abcde"]
