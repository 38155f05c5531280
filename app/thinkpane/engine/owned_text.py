"""Text that knows where its characters came from: a `str` that carries runs of owners through what templates do.

A run covers some characters: (length, path, start, end, line, column, via).
    path, start, end   the input value they came from and the characters of it, None where they came from no input;
                       start and end are None where the characters stand for the value as a whole (a repr, a number)
    line, column       the place in the template that printed them, 0 until they are printed
    via                the lines of the macro calls they passed through, the innermost first
Whatever an operation cannot follow exactly keeps the path and gives up start and end. The text itself is always what
`str` would give: tracing never changes it (and the engine compares with the plain render all the same).
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, SupportsIndex, cast


class Run(NamedTuple):
    """One run of characters with one owner; see the module."""

    length: int
    path: str | None = None
    start: int | None = None
    end: int | None = None
    line: int = 0
    column: int = 0
    via: tuple[int, ...] = ()


def cut_runs(runs: Iterable[Run], start: int, stop: int) -> list[Run]:
    """The runs of the characters from `start` to before `stop`."""
    found: list[Run] = []
    at = 0
    for run in runs:
        first, last = max(start, at), min(stop, at + run.length)
        if first < last:
            found.append(_part(run, first - at, last - at))
        at += run.length
        if at >= stop:
            break
    return found


def _part(run: Run, first: int, last: int) -> Run:
    if first == 0 and last == run.length:
        return run
    if run.start is None or run.end is None or run.end - run.start != run.length:
        return run._replace(length=last - first)
    return run._replace(length=last - first, start=run.start + first, end=run.start + last)


def add_run(runs: list[Run], run: Run) -> None:
    """Appends `run`, as one with the last where both are one stretch of the same value and the same place."""
    if not run.length:
        return
    if runs and _goes_on(runs[-1], run):
        last = runs[-1]
        runs[-1] = last._replace(length=last.length + run.length, end=run.end)
        return
    runs.append(run)


def _goes_on(last: Run, run: Run) -> bool:
    if last[4:] != run[4:] or last.path != run.path:
        return False
    if last.end is None or run.start is None:
        return last.end is None and run.start is None
    return (
        last.end == run.start
        and last.end - (last.start or 0) == last.length
        and (run.end or 0) - run.start == run.length
    )


def runs_of(value: str) -> list[Run]:
    """The runs of any text: its own, or one of nobody."""
    if type(value) is OwnedText:
        return value._runs
    return [Run(len(value))] if value else []


def joined(parts: Iterable[Any]) -> "OwnedText":
    """The texts of `parts` one after another."""
    texts: list[str] = []
    runs: list[Run] = []
    for part in parts:
        text = part if isinstance(part, str) else str(part)
        texts.append(text)
        for run in runs_of(text):
            add_run(runs, run)
    return OwnedText("".join(texts), runs)


def attributed(text: str, operands: Iterable[object]) -> "OwnedText":
    """`text`, which something made of `operands`: exact where it is or holds one of them, else theirs as a whole."""
    path: str | None = None
    for operand in operands:
        if type(operand) is OwnedText and operand:
            if len(operand) == len(text):
                return OwnedText(text, operand._runs)
            at = text.find(operand)
            if at >= 0 and len(operand) > 1 and text.find(operand, at + 1) < 0:
                before, after = Run(at, path_of(operand)), Run(len(text) - at - len(operand), path_of(operand))
                return OwnedText(text, [run for run in (before, *operand._runs, after) if run.length])
        path = path or path_of(operand)
    return OwnedText(text, [Run(len(text), path)] if text else [])


def path_of(value: object) -> str | None:
    """The input path that `value` came from, None where it came from none."""
    if type(value) is OwnedText:
        return next((run.path for run in value._runs if run.path is not None), None)
    # Asked of the type: an Undefined raises for every attribute that it is asked for.
    return cast("Any", value)._path if getattr(type(value), "_knows_path", False) else None


class OwnedText(str):
    """A text with runs that cover it exactly."""

    __slots__ = ("_runs",)
    _runs: list[Run]

    def __new__(cls, text: str, runs: list[Run] | None = None) -> "OwnedText":
        self = super().__new__(cls, text)
        self._runs = [Run(len(text))] if runs is None and text else (runs or [])
        return self

    def __str__(self) -> str:
        return self

    def __add__(self, other: str) -> str:
        if not isinstance(other, str):
            return NotImplemented
        plain = super().__add__(other)
        return OwnedText(plain, joined((self, other))._runs)

    def __radd__(self, other: str) -> str:
        if not isinstance(other, str):
            return NotImplemented
        return joined((other, self))

    def __mul__(self, count: SupportsIndex) -> str:
        plain = super().__mul__(count)
        return OwnedText(plain, self._runs * (len(plain) // len(self) if self else 0))

    __rmul__ = __mul__

    def __mod__(self, values: Any) -> str:
        operands = values if isinstance(values, tuple) else (values,)
        plain = super().__mod__(values)
        return attributed(plain, operands if any(path_of(each) for each in operands) else (self,))

    def __iter__(self) -> Iterator[str]:
        return (self._slice(index, index + 1) for index in range(len(self)))

    def __getitem__(self, index: Any) -> str:
        plain = super().__getitem__(index)
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step == 1:
                return self._slice(start, max(start, stop))
            return joined(self._slice(each, each + 1) for each in range(start, stop, step))
        at = index.__index__()
        at += len(self) if at < 0 else 0
        return OwnedText(plain, cut_runs(self._runs, at, at + 1))

    def _slice(self, start: int, stop: int) -> "OwnedText":
        return OwnedText(str.__getitem__(self, slice(start, stop)), cut_runs(self._runs, start, stop))

    def strip(self, chars: str | None = None) -> str:
        start = len(self) - len(super().lstrip(chars))
        return self._slice(start, max(start, len(super().rstrip(chars))))

    def lstrip(self, chars: str | None = None) -> str:
        return self._slice(len(self) - len(super().lstrip(chars)), len(self))

    def rstrip(self, chars: str | None = None) -> str:
        return self._slice(0, len(super().rstrip(chars)))

    def removeprefix(self, prefix: str) -> str:
        return self._slice(len(self) - len(super().removeprefix(prefix)), len(self))

    def removesuffix(self, suffix: str) -> str:
        return self._slice(0, len(super().removesuffix(suffix)))

    def split(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        return self._located(super().split(sep, maxsplit), len(sep or ""))

    def rsplit(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        return self._located(super().rsplit(sep, maxsplit), len(sep or ""))

    def splitlines(self, keepends: bool = False) -> list[str]:
        return self._located(super().splitlines(keepends))

    def partition(self, sep: str) -> tuple[str, str, str]:
        return cast("tuple[str, str, str]", tuple(self._located(super().partition(sep))))

    def rpartition(self, sep: str) -> tuple[str, str, str]:
        return cast("tuple[str, str, str]", tuple(self._located(super().rpartition(sep))))

    def _located(self, pieces: Iterable[str], gap: int = 0) -> list[str]:
        # Pieces stand in order, `gap` apart; where white space parts them (gap 0), none begins with any.
        found: list[str] = []
        at = 0
        for piece in pieces:
            at = self.find(piece, at)
            found.append(self._slice(at, at + len(piece)))
            at += len(piece) + gap
        return found

    def replace(self, old: str, new: str, count: SupportsIndex = -1) -> str:
        plain = super().replace(old, new, count)
        if not old:
            return attributed(plain, (self,))
        times = count.__index__()
        parts: list[str] = []
        at = 0
        while times != 0 and (hit := self.find(old, at)) >= 0:
            parts += (self._slice(at, hit), new)
            at = hit + len(old)
            times -= 1
        return OwnedText(plain, joined((*parts, self._slice(at, len(self))))._runs)

    def join(self, parts: Iterable[str]) -> str:
        listed = list(parts)
        plain = super().join(listed)
        woven = [each for part in listed for each in (self, part)][1:]
        return OwnedText(plain, joined(woven)._runs)

    def upper(self) -> str:
        return attributed(super().upper(), (self,))

    def lower(self) -> str:
        return attributed(super().lower(), (self,))

    def casefold(self) -> str:
        return attributed(super().casefold(), (self,))

    def title(self) -> str:
        return attributed(super().title(), (self,))

    def capitalize(self) -> str:
        return attributed(super().capitalize(), (self,))

    def swapcase(self) -> str:
        return attributed(super().swapcase(), (self,))

    def ljust(self, width: SupportsIndex, fill: str = " ") -> str:
        return attributed(super().ljust(width, fill), (self,))

    def rjust(self, width: SupportsIndex, fill: str = " ") -> str:
        return attributed(super().rjust(width, fill), (self,))

    def center(self, width: SupportsIndex, fill: str = " ") -> str:
        return attributed(super().center(width, fill), (self,))

    def zfill(self, width: SupportsIndex) -> str:
        return attributed(super().zfill(width), (self,))

    def expandtabs(self, tabsize: SupportsIndex = 8) -> str:
        return attributed(super().expandtabs(tabsize), (self,))

    def translate(self, table: Any) -> str:
        return attributed(super().translate(table), (self,))
