"""Which items of two sequences stand for each other: what is rare on both sides first, then the fewest edits.

Common ends are cut off, items (then short runs of them) that stand once on each side become anchors where their order
agrees (patience diff, Bram Cohen), and what is left between two anchors is aligned with the fewest edits (E. Myers, “An
O(ND) difference algorithm”, 1986). All of it is paid from an `Effort`; what it does not reach stays one stretch.
"""

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

Items: TypeAlias = "array[int]"
"""The items as numbers, equal where the items are (typecode "I")."""

Match: TypeAlias = tuple[int, int, int]
"""Where equal items begin in the first and in the second sequence, and how many they are."""

MOST_EDITS: Final = 400
"""Edits up to which the fewest are looked for between two anchors; the time grows with their square."""

MOST_GAPS: Final = 100_000
"""Gaps that are told one by one where nothing else is asked for; the last one is all the rest."""

_RUNS: Final = (1, 4)
"""Lengths of the runs of items that are tried as anchors."""

_SMALL: Final = 40
"""Items of both sides together that are aligned by the fewest edits at once: nothing is quicker."""


class Effort:
    """What a comparison may still cost. A unit is one step of an alignment, about a quarter of a microsecond."""

    def __init__(self, units: int) -> None:
        self.left = units

    def spend(self, units: int) -> bool:
        """Pays so many units; False where there are not as many left, and nothing is paid."""
        if units > self.left:
            return False
        self.left -= units
        return True


@dataclass(frozen=True, slots=True)
class Gap:
    """What has no equal between two matches: [start, end) of the first and of the second sequence.

    coarse: equal items may be in it, as looking for them would have cost too much.
    """

    start: int
    end: int
    other_start: int
    other_end: int
    coarse: bool = False


def gaps_of(one: Items, other: Items, effort: Effort, most: int = MOST_GAPS) -> list[Gap]:
    """The gaps, in order, at most so many; all items before, between and behind them are equal one by one."""
    found: list[Gap] = []
    waiting = [Gap(0, len(one), 0, len(other))]
    while waiting:
        if len(found) == most - 1 and len(waiting) > 1:
            # Those that wait stand in order, the first one on top.
            first, last = waiting[-1], waiting[0]
            waiting = [Gap(first.start, last.end, first.other_start, last.other_end, coarse=True)]
        gap = _trimmed(one, other, waiting.pop())
        if gap.start == gap.end or gap.other_start == gap.other_end:
            if gap.start < gap.end or gap.other_start < gap.other_end:
                found.append(gap)
            continue
        matches = None if gap.coarse else _matches(one, other, gap, effort)
        if matches is None:
            found.append(Gap(gap.start, gap.end, gap.other_start, gap.other_end, coarse=True))
        elif not matches:
            found.append(gap)
        else:
            waiting.extend(reversed(list(_between(gap, matches))))
    return found


def common_items(one: Items, other: Items) -> int:
    """How many items two sequences begin with in common."""
    return _common_start(one, 0, other, 0, min(len(one), len(other)))


def _common_start(one: Items, start: int, other: Items, other_start: int, most: int) -> int:
    """How many items, up to `most`, are equal from the two places on; slices are compared, which is far quicker."""
    known, step = 0, 16
    while known < most:
        step = min(step, most - known)
        at, other_at = start + known, other_start + known
        if one[at : at + step] == other[other_at : other_at + step]:
            known, step = known + step, step * 2
        elif step == 1:
            break
        else:
            step //= 2
    return known


def _common_end(one: Items, end: int, other: Items, other_end: int, most: int) -> int:
    """How many items, up to `most`, are equal before the two places."""
    known, step = 0, 16
    while known < most:
        step = min(step, most - known)
        at, other_at = end - known, other_end - known
        if one[at - step : at] == other[other_at - step : other_at]:
            known, step = known + step, step * 2
        elif step == 1:
            break
        else:
            step //= 2
    return known


def _trimmed(one: Items, other: Items, gap: Gap) -> Gap:
    most = min(gap.end - gap.start, gap.other_end - gap.other_start)
    head = _common_start(one, gap.start, other, gap.other_start, most)
    tail = _common_end(one, gap.end, other, gap.other_end, most - head)
    return Gap(gap.start + head, gap.end - tail, gap.other_start + head, gap.other_end - tail, gap.coarse)


def _between(gap: Gap, matches: Sequence[Match]) -> Iterator[Gap]:
    at, other_at = gap.start, gap.other_start
    for start, other_start, size in matches:
        if start > at or other_start > other_at:
            yield Gap(at, start, other_at, other_start)
        at, other_at = start + size, other_start + size
    if at < gap.end or other_at < gap.other_end:
        yield Gap(at, gap.end, other_at, gap.other_end)


def _matches(one: Items, other: Items, gap: Gap, effort: Effort) -> list[Match] | None:
    """Some equal items of the gap, [] where there are none; None where finding out would cost too much."""
    size = gap.end - gap.start + gap.other_end - gap.other_start
    if size == 2:  # one on each side, which differ
        return []
    if size <= _SMALL:
        return _fewest_edits(one, other, gap, effort)
    if not effort.spend(size // 2):
        return None
    left, right = one[gap.start : gap.end], other[gap.other_start : gap.other_end]
    if set(left).isdisjoint(right):
        return []
    for run in _RUNS:
        found = _anchors(left, right, run)
        if found:
            return [(gap.start + start, gap.other_start + other_start, run) for start, other_start in found]
        if run == 1 and (edits := _fewest_edits(one, other, gap, effort)) is not None:
            return edits
    return None


def _anchors(left: Items, right: Items, run: int) -> list[tuple[int, int]]:
    """Where runs of so many items stand that each side has once, as far as their order agrees; they do not overlap."""
    ours, theirs = _once(left, run), _once(right, run)
    pairs = [(place, theirs[key]) for key, place in ours.items() if key in theirs]
    chosen = _rising(pairs)
    if run == 1:
        return chosen
    apart: list[tuple[int, int]] = []
    for pair in chosen:
        if not apart or (pair[0] >= apart[-1][0] + run and pair[1] >= apart[-1][1] + run):
            apart.append(pair)
    return apart


def _once(items: Items, run: int) -> dict[object, int]:
    """Where each run of so many items stands that is there once, in order of their places."""
    keys: Sequence[object] = items if run == 1 else list(zip(*(items[at:] for at in range(run)), strict=False))
    counts = Counter(keys)
    return {key: place for place, key in enumerate(keys) if counts[key] == 1}


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The most pairs whose second numbers rise; the first ones rise already."""
    ends: list[int] = []
    tops: list[int] = []
    before: list[int] = []
    for number, (_, place) in enumerate(pairs):
        pile = bisect_left(ends, place)
        before.append(tops[pile - 1] if pile else -1)
        if pile == len(ends):
            ends.append(place)
            tops.append(number)
        else:
            ends[pile], tops[pile] = place, number
    found: list[tuple[int, int]] = []
    at = tops[-1] if tops else -1
    while at >= 0:
        found.append(pairs[at])
        at = before[at]
    return found[::-1]


def _fewest_edits(one: Items, other: Items, gap: Gap, effort: Effort) -> list[Match] | None:
    """The matches that leave the fewest items over; None where those are too many, or the effort is spent."""
    left, right = one[gap.start : gap.end].tolist(), other[gap.other_start : gap.other_end].tolist()
    rows = _edit_rows(left, right, effort)
    if rows is None:
        return None
    found: list[Match] = []
    x, y = len(left), len(right)
    for edits in range(len(rows) - 1, -1, -1):
        row, k = rows[edits], x - y
        down = k == -edits or (k != edits and row.get(k - 1, -1) < row.get(k + 1, -1))
        before = k + 1 if down else k - 1
        from_x = row.get(before, 0) if edits else 0
        from_y = from_x - before if edits else 0
        size = min(x - from_x, y - from_y) if edits else x
        if size:
            found.append((gap.start + x - size, gap.other_start + y - size, size))
        x, y = from_x, from_y
    return found[::-1]


def _edit_rows(left: list[int], right: list[int], effort: Effort) -> list[dict[int, int]] | None:
    """By number of edits: how far the first sequence was reached on each diagonal before that edit."""
    width, height = len(left), len(right)
    reached = {1: 0}
    rows: list[dict[int, int]] = []
    for edits in range(min(MOST_EDITS, width + height) + 1):
        rows.append(dict(reached))
        steps = edits + 1
        for k in range(-edits, edits + 1, 2):
            if k == -edits or (k != edits and reached[k - 1] < reached[k + 1]):
                first = reached[k + 1]
            else:
                first = reached[k - 1] + 1
            x, y = first, first - k
            while x < width and y < height and left[x] == right[y]:
                x, y = x + 1, y + 1
            reached[k] = x
            steps += x - first
            if x >= width and y >= height:
                effort.spend(min(steps, effort.left))
                return rows
            if steps > effort.left:
                return None
        effort.spend(steps)
    return None
