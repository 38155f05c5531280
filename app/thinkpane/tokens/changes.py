"""What changed between two texts: one stretch, found by what they begin and end with."""

from dataclasses import dataclass
from typing import Final

_BLOCK: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Change:
    """Code points that two texts have in common. before: at their start. after: at their end; they do not overlap."""

    before: int
    after: int


def change_between(old: str, new: str) -> Change:
    """The shortest stretch of `old` whose replacement gives `new`; of equally short ones the last."""
    most = min(len(old), len(new))
    before = _same(old, new, most)
    return Change(before, _same_end(old, new, most - before))


def _same(old: str, new: str, most: int) -> int:
    """How many code points are the same from the start, `most` at most: whole blocks first, then ever smaller ones."""
    at, step = 0, _BLOCK
    while step:
        while at + step <= most and old[at : at + step] == new[at : at + step]:
            at += step
        step //= 2
    return at


def _same_end(old: str, new: str, most: int) -> int:
    at, step, first, second = 0, _BLOCK, len(old), len(new)
    while step:
        while at + step <= most and old[first - at - step : first - at] == new[second - at - step : second - at]:
            at += step
        step //= 2
    return at
