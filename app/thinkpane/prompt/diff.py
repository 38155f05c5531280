"""What changed between two prompts: token by token, and character by character inside the tokens that changed.

Pure, and quick on big texts: what both have in common at their ends is cut off, the rest is aligned by lines, and only
lines that differ are cut into tokens. Where even that would cost too much, a stretch is told as one change, marked as
coarse; the two texts always come out exactly.
"""

import re
from array import array
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Literal, TypeAlias

from thinkpane.prompt.alignment import Effort, Gap, Items, gaps_of
from thinkpane.prompt.diff_units import Units, Words
from thinkpane.prompt.owners import Stretch
from thinkpane.prompt.text_chunks import LONG_LINE, chunks

Kind: TypeAlias = Literal["same", "removed", "added"]

EFFORT: Final = 1_500_000
"""Steps of alignment that one comparison may take; about half a second."""

MOST_PLACES: Final = 10_000
"""Places where lines differ that are told one by one; what follows is one coarse change."""

CHARACTERS_CUT: Final = 2_000_000
"""Characters, of both texts together, that are cut into tokens; lines that differ beyond them stay coarse."""

CHARACTERS_INSIDE: Final = 2_000
"""Characters, of both sides together, of a change that is looked into character by character."""

_TRIFLE: Final = 2
"""Characters of a same stretch between two changes that is told as a part of them: they read as one."""

MOST_SLIDES: Final = 64
"""Items by which something that only came or only went is moved to where it reads best."""

_ALIKE: Final = 0.4
"""The part of the shorter side of a change that must be the same for it to be looked into."""

_LINE_BEGINS = re.compile(r"\n[^\n]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text: in both, only in the first ("removed") or only in the second ("added"). Never empty."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """One stretch that differs.

    before, after: [start, end) in the first and the second text, in code points; at most one of them is empty.
    removed, added: tokens that begin in it, or its characters where no tokenizer is known. coarse: what it
    holds was not compared further, so that parts of it may be equal.
    """

    before: Stretch
    after: Stretch
    removed: int
    added: int
    coarse: bool = False


@dataclass(frozen=True, slots=True)
class PromptDiff:
    """What changed from one text to another. changes: in order. exact: counts are tokens, not characters."""

    before: str
    after: str
    changes: tuple[Change, ...]
    exact: bool

    @property
    def removed(self) -> int:
        """Tokens (or characters) that are only in the first text."""
        return sum(each.removed for each in self.changes)

    @property
    def added(self) -> int:
        """Tokens (or characters) that are only in the second text."""
        return sum(each.added for each in self.changes)

    @property
    def is_coarse(self) -> bool:
        """Whether some of it was too much to be compared token by token."""
        return any(each.coarse for each in self.changes)

    def pieces(self) -> Iterator[Piece]:
        """The pieces in order: the same and removed ones make up `before`, the same and added ones `after`."""
        at = 0
        for each in self.changes:
            found: tuple[tuple[Kind, str], ...] = (
                ("same", self.before[at : each.before[0]]),
                ("removed", self.before[each.before[0] : each.before[1]]),
                ("added", self.after[each.after[0] : each.after[1]]),
            )
            yield from (Piece(kind, text) for kind, text in found if text)
            at = each.before[1]
        if at < len(self.before):
            yield Piece("same", self.before[at:])

    def inside(self, change: Change) -> tuple[list[Stretch], list[Stretch]]:
        """The characters of a change that differ, in the first and in the second text; all of them where it is long."""
        (start, end), (other_start, other_end) = change.before, change.after
        gaps = _characters(self.before[start:end], self.after[other_start:other_end])
        before = [(start + gap.start, start + gap.end) for gap in gaps if gap.start < gap.end]
        after = [(other_start + gap.other_start, other_start + gap.other_end) for gap in gaps]
        return before, [each for each in after if each[0] < each[1]]


def compare(before: str, after: str, units: Units | None = None, other_units: Units | None = None) -> PromptDiff:
    """The difference. units, other_units: the first and the second text's tokens, of one tokenizer; None = words."""
    if units is None or other_units is None:
        units, other_units = Words(before), Words(after)
    changes = _Comparison(before, after, units, other_units).changes()
    return PromptDiff(before, after, tuple(changes), units.exact)


def diff(before: str, after: str) -> tuple[Piece, ...]:
    """The pieces in order, by words."""
    return tuple(compare(before, after).pieces())


def changed_characters(pieces: Sequence[Piece]) -> int:
    """How many characters differ: those that are removed, and those that are added beyond them, stretch by stretch."""
    total = removed = added = 0
    for piece in (*pieces, Piece("same", "")):
        if piece.kind == "same":
            total += max(removed, added)
            removed = added = 0
        elif piece.kind == "removed":
            removed += len(piece.text)
        else:
            added += len(piece.text)
    return total


def common_start(one: str, other: str) -> int:
    """How many characters two texts begin with in common."""
    return _bisected(min(len(one), len(other)), lambda low, high: one[low:high] == other[low:high])


def common_end(one: str, other: str) -> int:
    """How many characters two texts end with in common."""
    size, other_size = len(one), len(other)
    return _bisected(
        min(size, other_size),
        lambda low, high: one[size - high : size - low] == other[other_size - high : other_size - low],
    )


def _bisected(size: int, holds: Callable[[int, int], bool]) -> int:
    """The largest number up to `size` up to which `holds` does; comparing slices is far quicker than characters."""
    low, high = 0, size
    while low < high:
        middle = (low + high + 1) // 2
        if holds(low, middle):
            low = middle
        else:
            high = middle - 1
    return low


_Side: TypeAlias = tuple[Items, Sequence[int]]
"""One side's items, and where each begins in its text, and the end."""


class _Comparison:
    """One comparison, with what it may still cost."""

    def __init__(self, before: str, after: str, units: Units, other_units: Units) -> None:
        self._before, self._after = before, after
        self._units, self._other_units = units, other_units
        self._effort = Effort(EFFORT)
        self._characters = CHARACTERS_CUT

    def changes(self) -> Iterator[Change]:
        return (each for gap in self._lines() for each in self._inside(gap))

    def _lines(self) -> list[Gap]:
        """The lines that differ, as gaps in characters."""
        before, after = self._before, self._after
        if before == after:
            return []
        start, end = _whole_lines(before, after)
        one, other = (list(chunks(text[start : len(text) - end])) for text in (before, after))
        bounds, other_bounds = ([*accumulate(map(len, each), initial=start)] for each in (one, other))
        items, other_items = _numbered(one, other)
        gaps = gaps_of(items, other_items, Effort(EFFORT), MOST_PLACES)
        settled = self._settled(gaps, (items, bounds), (other_items, other_bounds))
        return [_moved(each, bounds, other_bounds) for each in settled]

    def _settled(self, gaps: Sequence[Gap], one: _Side, other: _Side) -> list[Gap]:
        """The gaps with what only came or only went moved to where it reads best; the same is in them."""
        found: list[Gap] = []
        for number, gap in enumerate(gaps):
            last = found[-1] if found else Gap(0, 0, 0, 0)
            room = gap.start - last.end if gap.start == gap.end else gap.other_start - last.other_end
            following = gaps[number + 1].start if number + 1 < len(gaps) else len(one[0])
            if gap.start == gap.end:
                by = _slide(self._after, other, (gap.other_start, gap.other_end), room, following - gap.end)
            elif gap.other_start == gap.other_end:
                by = _slide(self._before, one, (gap.start, gap.end), room, following - gap.end)
            else:
                by = 0
            found.append(Gap(gap.start + by, gap.end + by, gap.other_start + by, gap.other_end + by, gap.coarse))
        return found

    def _inside(self, gap: Gap) -> Iterator[Change]:
        """The tokens that differ in some lines."""
        size = gap.end - gap.start + gap.other_end - gap.other_start
        if gap.coarse or size > self._characters:
            yield self._coarse(gap)
            return
        self._characters -= size
        one = self._units.cut(gap.start, gap.end)
        other = self._other_units.cut(gap.other_start, gap.other_end)
        bounds, other_bounds = [*one.starts, gap.end], [*other.starts, gap.other_end]
        items, other_items = _numbered(one.keys, other.keys)
        gaps = gaps_of(items, other_items, self._effort)
        settled = self._settled(gaps, (items, bounds), (other_items, other_bounds))
        for each in _without_trifles(settled, bounds, _TRIFLE):
            place = _moved(each, bounds, other_bounds)
            removed, added = one.tokens[each.start : each.end], other.tokens[each.other_start : each.other_end]
            yield _change(place, sum(removed), sum(added))

    def _coarse(self, gap: Gap) -> Change:
        removed = self._units.count(gap.start, gap.end)
        added = self._other_units.count(gap.other_start, gap.other_end)
        return _change(Gap(gap.start, gap.end, gap.other_start, gap.other_end, coarse=True), removed, added)


def _change(gap: Gap, removed: int, added: int) -> Change:
    return Change((gap.start, gap.end), (gap.other_start, gap.other_end), removed, added, gap.coarse)


def _whole_lines(before: str, after: str) -> tuple[int, int]:
    """How many characters both begin and end with in common, less than lines (or what is left of long ones)."""
    start = common_start(before, after)
    end = min(common_end(before, after), min(len(before), len(after)) - start)
    first = max(0, start - LONG_LINE)
    line = before[first:start].rstrip("\n").rfind("\n")
    tail = before[len(before) - end : len(before) - end + LONG_LINE]
    begins = _LINE_BEGINS.search(tail)
    return first + line + 1 if line >= 0 else first, end - (begins.start() + 1 if begins else len(tail))


def _slide(text: str, side: _Side, stretch: Stretch, back: int, forth: int) -> int:
    """By how many items a stretch that the other side lacks is moved, so that it is whole lines or begins and ends
    with a special token where it can; back, forth: how far the sides are the same around it."""
    items, bounds = side
    start, end = stretch
    first = next((at for at in range(min(back, MOST_SLIDES)) if items[start - 1 - at] != items[end - 1 - at]), None)
    last = next((at for at in range(min(forth, MOST_SLIDES)) if items[start + at] != items[end + at]), None)
    lowest = -min(back, MOST_SLIDES) if first is None else -first
    highest = min(forth, MOST_SLIDES) if last is None else last
    return max(
        range(lowest, highest + 1), key=lambda by: (_fit(text, bounds[start + by], bounds[end + by]), by == 0, by)
    )


def _fit(text: str, start: int, end: int) -> int:
    """How well a stretch reads as something of its own."""
    before, last = text[start - 1 : start], text[end - 1]
    stop = text[max(start, end - 2) : end].rstrip("\n")[-1:]
    return (before in "\n>]") + 2 * (text[start] in "<[") + (stop in ">]" if stop else 0) + 2 * (last == "\n" == before)


def _numbered(one: Sequence[Hashable], other: Sequence[Hashable]) -> tuple[Items, Items]:
    """The items as numbers, equal where the items are."""
    numbers: dict[Hashable, int] = {}
    ours, theirs = (array("I", [numbers.setdefault(key, len(numbers)) for key in keys]) for keys in (one, other))
    return ours, theirs


def _moved(gap: Gap, bounds: Sequence[int], other_bounds: Sequence[int]) -> Gap:
    """A gap of items as one of characters."""
    other = other_bounds[gap.other_start], other_bounds[gap.other_end]
    return Gap(bounds[gap.start], bounds[gap.end], *other, gap.coarse)


def _without_trifles(gaps: Sequence[Gap], bounds: Sequence[int], most: int) -> list[Gap]:
    """The gaps, those as one that only so few same characters part. bounds: of the first side's items."""
    found: list[Gap] = []
    for each in gaps:
        if found and bounds[each.start] - bounds[found[-1].end] <= most:
            last = found[-1]
            found[-1] = Gap(last.start, each.end, last.other_start, each.other_end, last.coarse or each.coarse)
        else:
            found.append(each)
    return found


def _characters(one: str, other: str) -> list[Gap]:
    """What differs inside a change, in characters from its start."""
    whole = Gap(0, len(one), 0, len(other))
    if not one or not other or len(one) + len(other) > CHARACTERS_INSIDE:
        return [whole]
    gaps = _without_trifles(
        gaps_of(*_numbered(one, other), Effort(CHARACTERS_INSIDE * 8)), range(len(one) + 1), _TRIFLE
    )
    same = len(one) - sum(gap.end - gap.start for gap in gaps)
    return gaps if same >= _ALIKE * min(len(one), len(other)) else [whole]
