"""Text that knows where its characters came from: a `str` that carries runs of owners through what templates do.

A run covers some characters: (length, path, start, end, line, column, via).
    path, start, end   the input value they came from and the characters of it, None where they came from no input;
                       start and end are None where the characters stand for the value as a whole (a repr, a number)
    line, column       the place in the template that printed them, 0 until they are printed
    via                the lines of the macro calls they passed through, the innermost first
Whatever an operation cannot follow exactly keeps the path and gives up start and end. The text itself is always what
`str` would give: tracing never changes it (and the engine compares with the plain render all the same).
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar, NamedTuple, SupportsIndex, cast


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
    if run.start is None or run.end is None:
        return run._replace(length=last - first)
    if run.end - run.start != run.length:
        # A piece of what stands for fewer characters, such as one half of an escape, must not pass for one of these.
        return run._replace(length=last - first, start=None, end=None)
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


def has_runs(value: object) -> bool:
    """Whether `value` is a text that knows its owners."""
    return getattr(type(value), "_carries_runs", False)


def runs_of(value: str) -> list[Run]:
    """The runs of any text: its own, or one of nobody."""
    if has_runs(value):
        return cast("OwnedText", value)._runs
    return [Run(len(value))] if value else []


def joined(parts: Iterable[str]) -> "OwnedText":
    """The texts of `parts` one after another."""
    texts: list[str] = []
    runs: list[Run] = []
    for text in parts:
        texts.append(text)
        for run in runs_of(text):
            add_run(runs, run)
    return OwnedText("".join(texts), runs)


def by_character(text: str, source: str, of: Callable[[str], str]) -> list[Run] | None:
    """The runs of `text`, which is what `of` makes of each character of `source`; None where it is not."""
    if len(text) == len(source):
        return runs_of(source)
    runs: list[Run] = []
    at = 0
    for character, run in zip(str.__iter__(source), _single_runs(source), strict=True):
        length = len(of(character))
        at += length
        add_run(runs, run._replace(length=length))
    return runs if at == len(text) else None


def attributed(made: str, operands: Iterable[object]) -> "OwnedText":
    """`made`, which something unknown made of `operands`: exact where it is one of them with letters changed, wrapped
    or put among others, else theirs as a whole."""
    text = str.__str__(made)
    path: str | None = None
    for operand in operands:
        if has_runs(operand) and operand:
            runs = _aligned(text, cast("str", operand))
            if runs is not None:
                return OwnedText(text, runs)
        path = path or path_of(operand)
    return OwnedText(text, [Run(len(text), path)] if text else [])


def _aligned(text: str, owned: str) -> list[Run] | None:
    """The runs of `text` in which all of `owned` stands in order, save for white space; None where it does not."""
    source = str.__str__(owned)
    if len(text) == len(source) and text.casefold() == source.casefold():
        return runs_of(owned)
    start = text.find(source)
    if start >= 0 and text.find(source, start + 1) < 0:
        runs = [Run(start), *runs_of(owned), Run(len(text) - start - len(source))]
        return [run for run in runs if run.length]
    owners = [*_single_runs(owned)]
    found: list[Run] = []
    at = 0
    for character in text:
        ahead = at
        while ahead < len(owners) and not _same(character, source[ahead]) and source[ahead].isspace():
            ahead += 1
        if ahead < len(owners) and _same(character, source[ahead]):
            add_run(found, owners[ahead])
            at = ahead + 1
        else:
            add_run(found, Run(1))
    return None if source[at:].strip() else found


def _same(one: str, other: str) -> bool:
    return one == other or one.casefold() == other.casefold()


def _single_runs(source: str) -> Iterator[Run]:
    """A run for each character."""
    for run in runs_of(source):
        for index in range(run.length):
            yield _part(run, index, index + 1)


def path_of(value: object) -> str | None:
    """The input path that `value` came from, None where it came from none."""
    if has_runs(value):
        return next((run.path for run in cast("OwnedText", value)._runs if run.path is not None), None)
    # Asked of the type: an Undefined raises for every attribute that it is asked for.
    return cast("Any", value)._path if getattr(type(value), "_knows_path", False) else None


class OwnedText(str):
    """A text with runs that cover it exactly."""

    __slots__ = ("_runs",)
    _carries_runs: ClassVar[bool] = True
    _runs: list[Run]

    def __new__(cls, text: str, runs: list[Run] | None = None) -> "OwnedText":
        self = super().__new__(cls, text)
        self._runs = [Run(len(text))] if runs is None and text else (runs or [])
        return self

    def __str__(self) -> str:
        return self

    def __add__(self, other: Any) -> str:
        # Markup that stands on the right escapes what stands on the left of it, as it would beside a `str`.
        if not isinstance(other, str) or hasattr(type(other), "__html__"):
            return NotImplemented
        return joined((self, other))

    def __radd__(self, other: str) -> str:
        if not isinstance(other, str):
            return NotImplemented
        return joined((other, self))

    def __mul__(self, count: SupportsIndex) -> str:
        plain = super().__mul__(count)
        return OwnedText(plain, self._runs * (len(plain) // len(self) if self else 0))

    __rmul__ = __mul__

    def __iter__(self) -> Iterator[str]:
        return (
            OwnedText(*each) for each in zip(super().__iter__(), ([run] for run in _single_runs(self)), strict=True)
        )

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
        times = count.__index__()
        parts: list[str] = []
        if not old:
            ends = len(self) + 1 if times < 0 else min(times, len(self) + 1)
            parts = [each for index in range(ends) for each in (new, self._slice(index, index + 1))]
            return OwnedText(plain, joined((*parts, self._slice(ends, len(self))))._runs)
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

    def _lettered(self, text: str, of: Callable[[str], str]) -> "OwnedText":
        runs = by_character(text, self, of)
        return attributed(text, (self,)) if runs is None else OwnedText(text, runs)

    def upper(self) -> str:
        return self._lettered(super().upper(), str.upper)

    def lower(self) -> str:
        return self._lettered(super().lower(), str.lower)

    def casefold(self) -> str:
        return self._lettered(super().casefold(), str.casefold)

    def title(self) -> str:
        return self._lettered(super().title(), str.title)

    def capitalize(self) -> str:
        return self._lettered(super().capitalize(), str.lower)

    def swapcase(self) -> str:
        return self._lettered(super().swapcase(), str.swapcase)

    def translate(self, table: Any) -> str:
        return self._lettered(super().translate(table), lambda each: each.translate(table))

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
