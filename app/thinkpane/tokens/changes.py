"""What changed between two texts: one stretch, found by what they begin and end with."""

from dataclasses import dataclass


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
    """How many code points are the same from the start, `most` at most: by ever smaller blocks.

    Only blocks of one text are copied out; at a million tokens copying costs more than comparing.
    """
    at, step = 0, _largest(most)
    while step:
        if at + step <= most and new.startswith(old[at : at + step], at):
            at += step
        else:
            step //= 2
    return at


def _same_end(old: str, new: str, most: int) -> int:
    at, step, first, second = 0, _largest(most), len(old), len(new)
    while step:
        if at + step <= most and new.endswith(old[first - at - step : first - at], 0, second - at):
            at += step
        else:
            step //= 2
    return at


def _largest(most: int) -> int:
    """The block to begin with: a quarter of all, so that little is copied in vain where a change comes early."""
    return 1 << max(0, most.bit_length() - 2)
