"""What two prompts are compared in: the tokens of a tokenizer, or words where none is known."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol

from thinkpane.tokens.encoding import AskPlaces, Encoding

_WORD = re.compile(r"<[^<>\s]{1,60}>|\[/?[A-Z_]{1,40}\]|\w+|\s+|[^\w\s]")
"""A word, white space, a sign, or something that looks like a special token."""

_ROWS_KEPT = 8


@dataclass(frozen=True, slots=True)
class Cut:
    """A stretch of a text in units, without gaps.

    starts: where each begins, in code points. keys: equal where two units are. tokens: how many each counts for: the
    parts of one character are one unit, and what a tokenizer leaves out counts for none. Words count their characters.
    """

    starts: Sequence[int]
    keys: Sequence[Hashable]
    tokens: Sequence[int]


class Units(Protocol):
    """A text that can be cut."""

    @property
    def exact(self) -> bool:
        """Whether the units are a tokenizer's tokens."""

    def cut(self, start: int, end: int) -> Cut:
        """The units of the code points [start, end); one that reaches over an end is cut off there."""

    def count(self, start: int, end: int) -> int:
        """How many tokens begin in [start, end); how many characters it has, where no tokenizer is known."""


class Words:
    """Words, and what looks like a special token; how many tokens they are is not known, so characters count."""

    exact = False

    def __init__(self, text: str) -> None:
        self._text = text

    def cut(self, start: int, end: int) -> Cut:
        """As in Units."""
        words = _WORD.findall(self._text[start:end])
        starts: list[int] = []
        at = start
        for word in words:
            starts.append(at)
            at += len(word)
        return Cut(starts, words, [*map(len, words)])

    def count(self, start: int, end: int) -> int:
        """As in Units."""
        return end - start


class PlacedTokens:
    """Tokens whose places are known. starts: where each begins in `text`, in order, in code points."""

    exact = True

    def __init__(self, text: str, ids: Sequence[int], starts: Sequence[int]) -> None:
        self._text = text
        self._ids = ids
        self._starts = starts

    def cut(self, start: int, end: int) -> Cut:
        """As in Units."""
        first = max(bisect_right(self._starts, start) - 1, 0)
        # All parts of one character belong to its unit.
        first = bisect_left(self._starts, self._starts[first]) if self._starts else 0
        last = bisect_left(self._starts, end)
        return cut_of(self._text, start, end, self._ids[first:last], self._starts[first:last])

    def count(self, start: int, end: int) -> int:
        """As in Units."""
        return bisect_left(self._starts, end) - bisect_left(self._starts, start)


class EncodedTokens:
    """The tokens of an encoding. ask: see Encoding.places. Cuts are asked for in order: the last rows are kept."""

    exact = True

    def __init__(self, encoding: Encoding, ask: AskPlaces) -> None:
        self._encoding = encoding
        self._ask = ask
        self._kept: dict[int, list[int]] = {}

    def cut(self, start: int, end: int) -> Cut:
        """As in Units."""
        found = self._encoding
        if start == end:
            return Cut((), (), ())
        first, last = self._begun_before(start), self._begun_before(end)
        row = found.row_of(max(first - 1, 0))
        begins = [each for number in range(row, found.row_at(end - 1) + 1) for each in self._starts(number)]
        base = found.bounds[row]
        # A token that begins before reaches in, with all parts of the same character.
        if first == last or begins[first - base] > start:
            first = base + bisect_left(begins, begins[max(first - 1 - base, 0)])
        return cut_of(found.text, start, end, found.ids[first:last], begins[first - base : last - base])

    def count(self, start: int, end: int) -> int:
        """As in Units."""
        return self._begun_before(end) - self._begun_before(start)

    def _begun_before(self, position: int) -> int:
        row = self._encoding.row_at(position)
        if row == len(self._encoding) or self._encoding.starts[row] == position:
            return self._encoding.bounds[row]
        return self._encoding.bounds[row] + bisect_left(self._starts(row), position)

    def _starts(self, row: int) -> list[int]:
        """Where the row's tokens begin."""
        if row not in self._kept:
            if len(self._kept) == _ROWS_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[row] = self._begins(row)
        return self._kept[row]

    def _begins(self, row: int) -> list[int]:
        found = self._encoding
        if not found.is_aligned(row):
            places = found.places(found.bounds[row], found.bounds[row + 1], self._ask)
            return [begin for begin, _ in places]
        # What Pieces.places tells, in a quarter of the time: a comparison asks for every row.
        ids, widths, opens = found.row_ids(row), found.pieces.widths, found.pieces.opens
        begins = [*accumulate(map(widths.__getitem__, ids), initial=found.starts[row])][:-1]
        if not any(map(opens.__getitem__, ids)):
            return begins
        return [begin - opens[id] for begin, id in zip(begins, ids, strict=True)]


def cut_of(text: str, start: int, end: int, ids: Sequence[int], starts: Sequence[int]) -> Cut:
    """The units of [start, end) from the tokens that touch it. ids, starts: of these tokens, in order."""
    groups = list(_groups(start, end, ids, starts))
    ends = [first for first, _, _ in groups[1:]] + [end]
    # The same id may stand for another text where a normaliser changed it, so both make up the key.
    keys = [(text[first:last], own) for (first, own, _), last in zip(groups, ends, strict=False)]
    return Cut([first for first, _, _ in groups], keys, [count for _, _, count in groups])


def _groups(start: int, end: int, ids: Sequence[int], starts: Sequence[int]) -> Iterator[tuple[int, object, int]]:
    """Where each unit begins, its ids, and how many tokens begin in it; a clipped unit has no ids."""
    at, count = start, 0
    own: list[int] = []
    for id, first in zip(ids, starts, strict=True):
        if first >= end:
            break
        if first > at:
            yield at, tuple(own), count
            at, own, count = first, [], 0
        if first == at:
            own.append(id)
            count += 1
    if at < end:
        yield at, tuple(own), count
