"""Encodes only a window around a change inside a long segment, and joins it where old and new tokens agree."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from thinkpane.tokens.encoding import ALIGNED, CONTINUED, PROVISIONAL, SPECIAL, Encoding
from thinkpane.tokens.ids import Ids
from thinkpane.tokens.pieces import Pieces
from thinkpane.tokens.regions import Region
from thinkpane.tokens.rows import Rows, parts, spliced

REACHES: Final = (512, 4096)
"""Characters of a window on each side of a change; where no join is found in the first the second is tried."""

AGREEING: Final = 8
"""Tokens in a row that must be the same in the old ids and in the window's before they are joined."""

Start = tuple[int, int]
"""A token's start in code points, and its id."""


@dataclass(frozen=True, slots=True)
class _Side:
    """Old tokens beside a change. index: of the first one. edge: its outer end is a segment's end: nothing to join."""

    index: int
    starts: list[Start]
    edge: bool


def joined(old: Encoding, text: str, region: Region, encode: Callable[[str], Ids]) -> Encoding | None:
    """The encoding of `text`, marked as provisional; None where no join can be found."""
    for reach in REACHES:
        found = _joined(old, text, region, encode, reach)
        if found is not None:
            return found
    return None


def _joined(old: Encoding, text: str, region: Region, encode: Callable[[str], Ids], reach: int) -> Encoding | None:
    left, right = _left(old, region, reach), _right(old, region, reach)
    if left is None or right is None:
        return None
    begin = left.starts[0][0] if left.starts else region.start
    end = region.end if right.edge else right.starts[-1][0] + region.moved
    window = text[begin:end]
    ids = encode(window)
    if not old.pieces.spell(ids, window):
        return None
    fresh = _starts(ids, begin, old.pieces)
    here = _left_join(left, [each for each in fresh if each[0] <= region.same_before], old.pieces)
    tail = bisect_left([at for at, _ in fresh], region.same_from)
    there = _right_join(right, fresh[tail:], region.moved, old.pieces)
    if here is None or there is None:
        return None
    kept, taken = here
    until = len(ids) if right.edge else tail + there[0]
    resumed = right.index + there[1]
    return _put(old, text, region, (left.index + kept, ids[taken:until], resumed), (left.edge, right.edge))


def _left(old: Encoding, region: Region, reach: int) -> _Side | None:
    """Old tokens from about `reach` before the change up to it."""
    target = region.same_before - reach
    row = max(region.first, old.row_at(max(0, target)))
    edge = target <= region.start
    found: list[Start] = []
    index = old.bounds[row]
    while row < region.last and old.starts[row] <= region.same_before:
        if not old.is_aligned(row):
            return None
        found += _starts(old.row_ids(row), old.starts[row], old.pieces)
        row += 1
    found = [each for each in found if each[0] <= region.same_before]
    skipped = 0 if edge else _boundary(found, target, old.pieces)
    return None if skipped is None else _Side(index + skipped, found[skipped:], edge)


def _right(old: Encoding, region: Region, reach: int) -> _Side | None:
    """Old tokens from the change on, to about `reach` behind it; the last one is not in the window."""
    begin = region.same_from - region.moved
    target = begin + reach
    if target >= old.starts[region.last]:
        return _Side(old.bounds[region.last], [], True)
    row = old.row_at(begin)
    index = old.bounds[row]
    found: list[Start] = []
    while row < region.last and (not found or found[-1][0] < target):
        if not old.is_aligned(row):
            return None
        found += _starts(old.row_ids(row), old.starts[row], old.pieces)
        row += 1
    skipped = bisect_left([at for at, _ in found], begin)
    last = _boundary(found, target, old.pieces)
    if last is None:
        return _Side(old.bounds[region.last], [], True) if row == region.last else None
    return _Side(index + skipped, found[skipped : last + 1], False)


def _boundary(starts: list[Start], target: int, pieces: Pieces) -> int | None:
    """The first of these tokens that begins at `target` or behind it, and does not begin inside a character."""
    at = bisect_left([each for each, _ in starts], target)
    return next((each for each in range(at, len(starts)) if not pieces.opens[starts[each][1]]), None)


def _starts(ids: Ids, start: int, pieces: Pieces) -> list[Start]:
    return [*zip(accumulate(map(pieces.widths.__getitem__, ids), initial=start), ids, strict=False)]


def _left_join(left: _Side, fresh: list[Start], pieces: Pieces) -> tuple[int, int] | None:
    """How many of the old tokens are kept, and of the window's passed over: up to the last agreement."""
    for first, second in _agreements(left.starts[::-1], fresh[::-1], -1):
        # Counted from the other end, the last of a run in a row is its first.
        end, at = len(left.starts) - first + AGREEING - 2, len(fresh) - second + AGREEING - 2
        for back in range(AGREEING):
            if not pieces.opens[fresh[at - back][1]]:
                return end - back, at - back
    return (0, 0) if left.edge else None


def _right_join(right: _Side, fresh: list[Start], moved: int, pieces: Pieces) -> tuple[int, int] | None:
    """How many of the window's tokens are taken, and of the old ones passed over: up to the first agreement."""
    if right.edge:
        return 0, 0
    old = [(at + moved, id) for at, id in right.starts]
    for end, at in _agreements(old, fresh, 1):
        for back in reversed(range(AGREEING)):
            if not pieces.opens[fresh[at - back][1]]:
                return at - back, end - back
    return None


def _agreements(old: list[Start], fresh: list[Start], way: int) -> Iterator[tuple[int, int]]:
    """Where AGREEING tokens in a row are the same in both: the index of the last of them in `old` and in `fresh`.

    way: 1 where the starts ascend, -1 where they descend.
    """
    first, second, run = 0, 0, 0
    while first < len(old) and second < len(fresh):
        if old[first] == fresh[second]:
            run += 1
            if run >= AGREEING:
                yield first, second
            first, second = first + 1, second + 1
        else:
            run = 0
            behind = way * (old[first][0] - fresh[second][0])
            first, second = first + (behind <= 0), second + (behind >= 0)


def _put(
    old: Encoding, text: str, region: Region, join: tuple[int, Ids, int], sharp: tuple[bool, bool]
) -> Encoding | None:
    """join: the old ids before it are kept, the fresh ids, and the old ones from there on are kept."""
    here, fresh, there = join
    first = max(region.first, old.row_of(here) if here < old.bounds[region.last] else region.last - 1)
    last = max(first + 1, bisect_left(old.bounds, there, first, region.last))
    start = old.starts[first]
    ids = old.ids[old.bounds[first] : here] + fresh + old.ids[there : old.bounds[last]]
    end = old.starts[last] + region.moved
    edges = [each for each in region.edges if start <= each[0] and (each[0] < end or last == region.last)]
    goes_on = not edges or edges[0][0] != start
    parted = parts(ids, start, [at for at, _ in (edges if goes_on else edges[1:])], old.pieces)
    if parted is None:
        return None
    rows = Rows(old.pieces)
    kinds = [(start, CONTINUED)] if goes_on else []
    kinds += [(at, SPECIAL if special else 0) for at, special in edges]
    for (at, kind), part in zip(kinds, parted, strict=True):
        rows.add_aligned(at, part, kind)
    kept = first + len(rows.kinds) if last < region.last else None
    return _marked(spliced(old, first, last, rows, text), region, kept, sharp)


def _marked(changed: Encoding, region: Region, kept: int | None, sharp: tuple[bool, bool]) -> Encoding:
    """The same with the segments marked whose ids were joined. kept: the first old row behind the fresh ones.

    That row may have begun a segment that now begins before it, or the other way round.
    """
    kinds = bytearray(changed.kinds)
    if kept is not None:
        begins = any(at == changed.starts[kept] for at, _ in region.edges)
        kinds[kept] = ALIGNED if begins else ALIGNED | CONTINUED
    if not sharp[0]:
        kinds[region.first] |= PROVISIONAL
    if not sharp[1]:
        kinds[changed.row_at(region.edges[-1][0])] |= PROVISIONAL
    return replace(changed, kinds=bytes(kinds))
