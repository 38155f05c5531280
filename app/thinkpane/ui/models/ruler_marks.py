"""What stands beside a long text, as flat arrays: whose parts they are, and marks that are found by position."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

MarkKind: TypeAlias = Literal["error", "warning", "note", "injection"]
KINDS: tuple[MarkKind, ...] = ("note", "warning", "error", "injection")
"""In the order of painting: the last is on top."""


@dataclass(frozen=True, slots=True)
class RulerMark:
    """A place that somebody should see. start, end: code points. words: one line that says what is there."""

    start: int
    end: int
    kind: MarkKind
    words: str


@dataclass(frozen=True, slots=True)
class Boundary:
    """Where a message begins. words: which one."""

    start: int
    words: str


class Runs:
    """Whose the characters are: runs without gaps. One entry where the role changes."""

    def __init__(self, runs: Iterable[tuple[int, str]] = ()) -> None:
        """runs: where each begins, in order, and its role, "" = nobody's."""
        self.starts = array("I")
        self.roles: list[str] = []
        for start, role in runs:
            if not self.roles or self.roles[-1] != role:
                self.starts.append(start)
                self.roles.append(role)

    def at(self, position: int) -> str:
        """The role at a position."""
        number = bisect_right(self.starts, position) - 1
        return self.roles[number] if number >= 0 else ""


class MarkList:
    """Marks of all kinds, by start; found by stretch in time that grows with what is found, not with what there is."""

    def __init__(self, marks: Iterable[RulerMark] = ()) -> None:
        self._marks = sorted(marks, key=lambda each: each.start)
        self._starts = array("I", (each.start for each in self._marks))
        self._longest = max((each.end - each.start for each in self._marks), default=0)
        self._by_kind = {kind: array("I", (each.start for each in self._marks if each.kind == kind)) for kind in KINDS}

    def __len__(self) -> int:
        return len(self._marks)

    def starts(self, kind: MarkKind) -> Sequence[int]:
        """Where the marks of a kind begin."""
        return self._by_kind[kind]

    def between(self, start: int, end: int, most: int) -> list[RulerMark]:
        """The marks that touch [start, end), `most` at most."""
        found: list[RulerMark] = []
        for number in range(bisect_left(self._starts, start - self._longest), bisect_left(self._starts, end)):
            if self._marks[number].end > start or self._marks[number].start >= start:
                found.append(self._marks[number])
                if len(found) == most:
                    break
        return found

    def count(self, start: int, end: int) -> int:
        """How many marks begin in [start, end)."""
        return bisect_left(self._starts, end) - bisect_left(self._starts, start)


def pixels_of(starts: Sequence[int], edges: Sequence[int]) -> list[int]:
    """The pixels in which one of `starts` lies; edges: the position at the top of each pixel, and the last's bottom."""
    found: list[int] = []
    at = bisect_left(starts, edges[0])
    pixel = 0
    while at < len(starts) and pixel < len(edges) - 1:
        # The last edge is the text's end, where nothing begins but what is empty.
        pixel = min(max(bisect_right(edges, starts[at]) - 1, pixel), len(edges) - 2)
        found.append(pixel)
        at = bisect_left(starts, edges[pixel + 1], at + 1)
        pixel += 1
    return found
