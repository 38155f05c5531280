"""Marks on a text: which stretch is a special token, and whose part of the conversation each stretch is."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

MarkKind: TypeAlias = Literal["token", "text"]
"""token: painted as a chip; text: only gives the gutter's bar its colour."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One marked stretch. start, end: code points in the text, end exclusive. role: a message role, "" = nobody's."""

    start: int
    end: int
    kind: MarkKind
    role: str = ""


class Marks:
    """Marks in order of their start, without overlaps, found by position."""

    def __init__(self, marks: Iterable[Mark] = ()) -> None:
        self._marks = list(marks)
        self._starts = [mark.start for mark in self._marks]

    def add(self, marks: Iterable[Mark]) -> None:
        """Adds marks that stand after all others."""
        for mark in marks:
            self._marks.append(mark)
            self._starts.append(mark.start)

    def at(self, position: int) -> Mark | None:
        """The mark that holds the character at `position`."""
        index = bisect_right(self._starts, position) - 1
        if index >= 0 and position < self._marks[index].end:
            return self._marks[index]
        return None

    def between(self, start: int, end: int) -> Iterator[Mark]:
        """The marks that touch [start, end), in order."""
        index = max(bisect_right(self._starts, start) - 1, 0)
        while index < len(self._marks) and self._marks[index].start < end:
            if self._marks[index].end > start:
                yield self._marks[index]
            index += 1
