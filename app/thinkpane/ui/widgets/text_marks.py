"""Marks on a text: which stretch is a special token, and whose part of the conversation each stretch is."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from thinkpane.tokens.changes import NOTHING, Change, Version

MarkKind: TypeAlias = Literal["token", "text"]
"""token: painted as a chip; text: only gives the gutter's bar its colour."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One marked stretch. start, end: code points in the text, end exclusive. role: a message role, "" = nobody's."""

    start: int
    end: int
    kind: MarkKind
    role: str = ""


class _Stretch(Protocol):
    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


class Marks:
    """Marks in order of their start, without overlaps, found by position.

    They may be handed in as anything that has a start and an end, which `as_mark` makes a mark of where it is looked
    at: a prompt has tens of thousands.
    """

    def __init__(self, marks: Iterable[Mark] = ()) -> None:
        self._marks: Sequence[_Stretch] = sorted(marks, key=_start)
        self._as_mark: Callable[[Any], Mark] = _same
        self._starts: Sequence[int] | None = None
        self._made: dict[int, Mark] = {}
        self._version: Version | None = None

    @classmethod
    def of(
        cls,
        stretches: Sequence[_Stretch],
        as_mark: Callable[[Any], Mark],
        starts: Sequence[int] | None = None,
        version: Version | None = None,
    ) -> "Marks":
        """Marks that are made of `stretches`, in order of their start, when they are looked at. starts: where they
        begin, where that is known as numbers, so that finding one makes no other. version: of the stretches."""
        found = cls()
        found._marks, found._as_mark, found._starts, found._version = stretches, as_mark, starts, version
        return found

    def shared(self, former: "Marks", length: int) -> Change:
        """The code points, at the ends of both texts, that are known to have the same marks as in `former`. length:
        of the text that `former` marks now; it may have been changed without its marks."""
        if self._version is None or former._version is None or self._as_mark is not former._as_mark:
            return NOTHING
        return self._version.shared(former._version) if former._version.length == length else NOTHING

    def add(self, marks: Iterable[Mark]) -> None:
        """Adds marks that stand after all others."""
        if not isinstance(self._marks, list):
            self._marks, self._as_mark = [*map(self._as_mark, self._marks)], _same
            self._starts = None
        self._version = None
        self._marks.extend(marks)

    def at(self, position: int) -> Mark | None:
        """The mark that holds the character at `position`."""
        index = self._index(position)
        found = self._mark(index) if index >= 0 else None
        return found if found is not None and position < found.end else None

    def between(self, start: int, end: int) -> Iterator[Mark]:
        """The marks that touch [start, end), in order."""
        first, last = max(self._index(start), 0), self._index(end - 1) + 1
        yield from (each for each in map(self._mark, range(first, last)) if each.end > start)

    def _mark(self, index: int) -> Mark:
        # One message is many rows, and each asks for its mark.
        found = self._made.get(index)
        if found is None:
            found = self._made[index] = self._as_mark(self._marks[index])
        return found

    def _index(self, position: int) -> int:
        """The last mark that begins there or before it; -1 for none."""
        if self._starts is not None:
            return bisect_right(self._starts, position) - 1
        return bisect_right(self._marks, position, key=_start) - 1


def _start(stretch: _Stretch) -> int:
    return stretch.start


def _same(mark: Mark) -> Mark:
    return mark
