"""Lit stretches of a text: a layer of light that changes without the text being set or laid out anew."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from thinkpane.ui.widgets.text_change import Change

Light: TypeAlias = Literal["forged", "chosen", "pointed", "inside"]
"""forged: what must not be there, in red; chosen: stays until something else is chosen; pointed: what is under the
pointer, over the others; inside: the very characters that differ, in a difference."""


@dataclass(frozen=True, slots=True)
class Lit:
    """Stretches [start, end) in code points, in order and not overlapping, as two flat lists."""

    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.starts)

    def between(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The stretches that touch [start, end)."""
        for number in range(bisect_right(self.ends, start), bisect_left(self.starts, end)):
            yield self.starts[number], self.ends[number]

    def moved(self, change: Change) -> "Lit":
        """The stretches where they are after a change of the text; those that are gone are left out."""
        pairs = ((change.moved(start), change.moved(end)) for start, end in zip(self.starts, self.ends, strict=True))
        return lit(pair for pair in pairs if pair[0] < pair[1])


def lit(stretches: Iterable[tuple[int, int]]) -> Lit:
    """Stretches, in order, as a Lit."""
    pairs = list(stretches)
    return Lit(tuple(start for start, _ in pairs), tuple(end for _, end in pairs))
