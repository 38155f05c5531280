"""Lit stretches of a text: a layer of light that changes without the text being set or laid out anew."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, TypeAlias

from thinkpane.ui.widgets.text_change import Change

Light: TypeAlias = Literal["forged", "chosen", "pointed", "inside"]
"""forged: what must not be there, in red; chosen: stays until something else is chosen; pointed: what is under the
pointer, over the others; inside: the very characters that differ, in a difference."""


class Lit:
    """Stretches [start, end) in code points, in order and not overlapping, as two flat lists.

    An edit moves all that stand behind it: that is remembered as one number, so that a hundred thousand stretches cost
    a key nothing.
    """

    __slots__ = ("_by", "_ends", "_starts", "_tail")

    def __init__(
        self, starts: tuple[int, ...] = (), ends: tuple[int, ...] = (), tail: int | None = None, by: int = 0
    ) -> None:
        """tail, by: from that stretch on, all of them stand so much further on than the lists say."""
        self._starts = starts
        self._ends = ends
        self._tail = len(starts) if tail is None else tail
        self._by = by

    def __len__(self) -> int:
        return len(self._starts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lit) and (self.starts, self.ends) == (other.starts, other.ends)

    __hash__ = None  # type: ignore[assignment]  # compared by what it holds, and never a key

    @property
    def starts(self) -> tuple[int, ...]:
        """Where the stretches begin."""
        return self._starts[: self._tail] + _moved(self._starts[self._tail :], self._by)

    @property
    def ends(self) -> tuple[int, ...]:
        """Where they end."""
        return self._ends[: self._tail] + _moved(self._ends[self._tail :], self._by)

    def between(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The stretches that touch [start, end)."""
        for number in range(self._place(bisect_right, self._ends, start), self._place(bisect_left, self._starts, end)):
            yield self._stretch(number)

    def moved(self, change: Change) -> "Lit":
        """The stretches where they are after a change of the text; those that are gone are left out."""
        first = self._place(bisect_right, self._ends, change.start)
        is_empty = change.start == change.end
        last = self._place(bisect_right if is_empty else bisect_left, self._starts, change.end)
        last = max(first, last)
        pairs = [(change.moved(start), change.moved(end)) for start, end in map(self._stretch, range(first, last))]
        pairs = [each for each in pairs if each[0] < each[1]]
        by = self._by + len(change.text) - (change.end - change.start)
        tails = (self._behind(last, each) for each in (self._starts, self._ends))
        heads = (self._before(first, each) for each in (self._starts, self._ends))
        starts, ends = (
            head + tuple(pair[side] for pair in pairs) + tail
            for side, (head, tail) in enumerate(zip(heads, tails, strict=True))
        )
        return Lit(starts, ends, first + len(pairs), by)

    def _stretch(self, number: int) -> tuple[int, int]:
        by = self._by if number >= self._tail else 0
        return self._starts[number] + by, self._ends[number] + by

    def _place(self, bisect: Callable[[tuple[int, ...], int, int, int], int], values: tuple[int, ...], at: int) -> int:
        found = bisect(values, at, 0, self._tail)
        return found if found < self._tail else bisect(values, at - self._by, self._tail, len(values))

    def _before(self, first: int, values: tuple[int, ...]) -> tuple[int, ...]:
        """The values before `first`, as they are."""
        if first <= self._tail:
            return values[:first]
        return values[: self._tail] + _moved(values[self._tail : first], self._by)

    def _behind(self, last: int, values: tuple[int, ...]) -> tuple[int, ...]:
        """The values from `last` on, less what they all are moved by."""
        if last >= self._tail:
            return values[last:]
        return _moved(values[last : self._tail], -self._by) + values[self._tail :]


def lit(stretches: Iterable[tuple[int, int]]) -> Lit:
    """Stretches, in order, as a Lit."""
    pairs = list(stretches)
    return Lit(tuple(start for start, _ in pairs), tuple(end for _, end in pairs))


def _moved(values: tuple[int, ...], by: int) -> tuple[int, ...]:
    return tuple(each + by for each in values) if by else values
