"""Owners of a prompt's characters: which template line wrote each, and which input it came from.

Millions of characters have at most as many spans, so they are kept as flat arrays and found by bisection; `Owner` and
`OwnedSpan` values are made only where one is looked at.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias, cast

from thinkpane.engine.owner_columns import COLUMNS, columns_of
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue

Stretch: TypeAlias = tuple[int, int]
"""[start, end) in code points of the prompt's text."""

GroupKind: TypeAlias = Literal["template", "tools", "documents", "message", "messages", "variables", "unknown"]
"""message: one of them; messages: all as one value, or a raw text; unknown: characters that have no owner."""

INPUTS: frozenset[GroupKind] = frozenset(("messages", "message", "tools", "documents"))
"""The groups that are input: what strangers write. Variables are set by whoever sits at the window."""

_PATHS_KEPT = 65_536
"""Paths whose group is remembered: each key asks for those of all messages again."""

_INPUTS: Mapping[str, GroupKind] = {"messages": "messages", "tools": "tools", "documents": "documents"}


@dataclass(frozen=True, slots=True)
class Group:
    """Whose characters they are, roughly. index: of the message in the request, from 0; None for the other kinds."""

    kind: GroupKind
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of some characters (docs/architecture.md, Exact terms).

    line, column: the place in the template that printed them, from 1; line 0 = not known.
    via: the lines of the macro calls they went through, the innermost first.
    path: the input value they came from (`messages[0].content`), None where they are the template's own.
    at: the characters [start, end) of that value, None where they stand for the value as a whole.
    """

    line: int
    column: int = 1
    via: tuple[int, ...] = ()
    path: str | None = None
    at: Stretch | None = None

    @property
    def group(self) -> Group:
        """The group that the characters are counted in."""
        return group_of(self.path) if self.path is not None or self.line else Group("unknown")


@dataclass(frozen=True, slots=True)
class OwnedSpan:
    """Characters [start, end) of the prompt and their owner."""

    start: int
    end: int
    owner: Owner

    @property
    def is_exact(self) -> bool:
        """Whether each character of it is one character of the value at `owner.at`."""
        at = self.owner.at
        return at is not None and at[1] - at[0] == self.end - self.start

    def part(self, start: int, end: int) -> "OwnedSpan":
        """What of it lies in [start, end), with its characters in the value where they are known one by one."""
        first, last = max(start, self.start), min(end, self.end)
        at = self.owner.at
        if at is None or not self.is_exact:
            return OwnedSpan(first, last, self.owner)
        return OwnedSpan(first, last, replace(self.owner, at=(at[0] + first - self.start, at[0] + last - self.start)))


@dataclass(frozen=True, eq=False)
class Owners:
    """The owners of all characters of one text; made by `owners_of` or `owners_from_columns`. Never changed.

    length: characters of the text; the spans cover exactly these. counts: characters by group, in order of first
    appearance. _by_path: the numbers of the spans that came from each path, by its number; _sorted: the paths and their
    numbers in order; both so that lighting a field is no pass over all spans. The other fields are flat: one entry a
    span.
    """

    length: int
    counts: Mapping[Group, int]
    _starts: "array[int]"
    _lines: "array[int]"
    _columns: "array[int]"
    _via_numbers: "array[int]"
    _path_numbers: "array[int]"
    _from: "array[int]"
    _to: "array[int]"
    _vias: tuple[tuple[int, ...], ...]
    _paths: tuple[str | None, ...]
    _by_path: "Mapping[int, array[int]]"
    _sorted: Sequence[tuple[str, int]]

    def __len__(self) -> int:
        """How many spans there are."""
        return len(self._starts)

    def span(self, number: int) -> OwnedSpan:
        """The span with that number, from 0."""
        end = self._starts[number + 1] if number + 1 < len(self) else self.length
        at = (self._from[number], self._to[number]) if self._from[number] >= 0 else None
        via, path = self._vias[self._via_numbers[number]], self._paths[self._path_numbers[number]]
        owner = Owner(self._lines[number], self._columns[number], via, path, at)
        return OwnedSpan(self._starts[number], end, owner)

    @property
    def paths(self) -> tuple[str | None, ...]:
        """Every path that something came from, each once; None for the template's own text."""
        return self._paths

    def rows(self) -> Iterator[tuple[int, int, int, int]]:
        """Start, end, number of the path among `paths` and template line (0 = not known) of every span, in order; for
        passes over all of them, which are too many to be made `OwnedSpan` values."""
        ends = (*self._starts[1:], self.length)
        return zip(self._starts, ends, self._path_numbers, self._lines, strict=False)

    def number_at(self, offset: int) -> int:
        """The number of the span that holds the character at `offset`, -1 outside the text."""
        return bisect_right(self._starts, offset) - 1 if 0 <= offset < self.length else -1

    def at(self, offset: int) -> OwnedSpan | None:
        """The span that holds the character at `offset`, None outside the text."""
        number = self.number_at(offset)
        return self.span(number) if number >= 0 else None

    def line_at(self, offset: int) -> int:
        """The template line that wrote the character at `offset`, 0 where that is not known."""
        number = self.number_at(offset)
        return self._lines[number] if number >= 0 else 0

    @cached_property
    def last_line(self) -> int:
        """The highest template line that wrote something, 0 where none is known."""
        return max(self._lines, default=0)

    def path_number(self, start: int, end: int) -> int | None:
        """The number among `paths` of what all of [start, end) came from, in one span; None where there are several."""
        number = self.number_at(start)
        if number < 0 or (self._starts[number + 1] if number + 1 < len(self) else self.length) < end:
            return None
        return self._path_numbers[number]

    def between(self, start: int, end: int) -> Iterator[OwnedSpan]:
        """The spans that touch [start, end), in order."""
        number = self.number_at(max(start, 0))
        while 0 <= number < len(self) and self._starts[number] < end:
            yield self.span(number)
            number += 1

    def spans_of_line(self, line: int) -> list[Stretch]:
        """All that a template line wrote, through the macros it calls too; neighbours are one stretch."""
        vias = {number for number, via in enumerate(self._vias) if line in via}
        pairs = zip(self._lines, self._via_numbers, strict=True)
        return self._stretches([number for number, (own, via) in enumerate(pairs) if own == line or via in vias])

    def spans_of_path(self, prefix: str) -> list[Stretch]:
        """All that came from the input at `prefix` or inside it; neighbours are one stretch."""
        at = bisect_left(self._sorted, (prefix, 0))
        found: list[int] = []
        while at < len(self._sorted) and self._sorted[at][0].startswith(prefix):
            path, number = self._sorted[at]
            if lies_in(path, prefix):
                found += self._by_path.get(number, ())
            at += 1
        return self._stretches(sorted(found))

    def spans_of_value(self, path: str, start: int, end: int) -> list[Stretch]:
        """What the characters [start, end) of the value at `path` became; the whole span where that is not known."""
        found: list[Stretch] = []
        wanted = self._paths.index(path) if path in self._paths else -1
        for number in self._by_path.get(wanted, ()):
            span = self.span(number)
            at = span.owner.at
            if at is None or not (at[0] < end and start < at[1]):
                continue
            if span.is_exact:
                first = span.start + max(start - at[0], 0)
                found.append((first, span.start + min(end, at[1]) - at[0]))
            else:
                found.append((span.start, span.end))
        return _merged(found)

    def spans_of_group(self, group: Group) -> list[Stretch]:
        """All characters of a group; neighbours are one stretch."""
        wanted = {number for number, path in enumerate(self._paths) if path is not None and group_of(path) == group}
        own = self._paths.index(None) if None in self._paths else -1
        pairs = zip(self._path_numbers, self._lines, strict=True)
        if group.kind in ("template", "unknown"):
            known = group.kind == "template"
            return self._stretches([at for at, (path, line) in enumerate(pairs) if path == own and (line > 0) == known])
        return self._stretches([number for number, (path, _) in enumerate(pairs) if path in wanted])

    def _stretches(self, numbers: Sequence[int]) -> list[Stretch]:
        """The stretches of some spans, in order; spans that follow each other leave no gap, so they are one."""
        found: list[Stretch] = []
        first = last = -2
        for number in (*numbers, len(self) + 1):
            if number != last + 1:
                if first >= 0:
                    found.append((self._starts[first], self._starts[last + 1] if last + 1 < len(self) else self.length))
                first = number
            last = number
        return found


def owners_of(spans: Sequence[JsonValue], length: int) -> Owners:
    """The owners that the engine's job "trace" told of a text of `length` characters.

    Raises ThinkpaneError (kind "owners") where the spans do not cover exactly the text.
    """
    return owners_from_columns(columns_of(spans), length)


def owners_from_columns(columns: JsonObject, length: int) -> Owners:
    """The owners that the engine's job "owners" told of a text of `length` characters.

    Raises ThinkpaneError (kind "owners") where they do not end with the text.
    """
    if columns["length"] != length:
        raise ThinkpaneError(Problem("owners", f"the owners end after character {columns['length']} of {length}"))
    starts, lines, *others = (array("q", cast("list[int]", columns[name])) for name in COLUMNS)
    paths = tuple(cast("list[str | None]", columns["paths"]))
    sums: dict[int, int] = {}
    by_path: dict[int, array[int]] = {}
    ends = [*starts[1:], length][: len(starts)]
    for number, (start, end, line, path) in enumerate(zip(starts, ends, lines, others[2], strict=True)):
        # Tens of thousands of spans: whether there is a line is the key's last bit.
        key = 2 * path + (line > 0)
        if key in sums:
            sums[key] += end - start
            by_path[path].append(number)
        else:
            sums[key] = end - start
            by_path.setdefault(path, array("I")).append(number)
    counts: dict[Group, int] = {}
    for key, count in sums.items():
        path, has_line = divmod(key, 2)
        group = group_of(paths[path]) if has_line or paths[path] is not None else Group("unknown")
        counts[group] = counts.get(group, 0) + count
    vias = tuple(tuple(each) for each in cast("list[list[int]]", columns["vias"]))
    column, via, path_number, first, last = others
    ordered = sorted((path, number) for number, path in enumerate(paths) if path is not None)
    return Owners(length, counts, starts, lines, column, via, path_number, first, last, vias, paths, by_path, ordered)


@lru_cache(maxsize=_PATHS_KEPT)
def group_of(path: str | None) -> Group:
    """The group of what came from the input at `path`; None is the template's own text."""
    if path is None:
        return Group("template")
    name = path.split(".", 1)[0].split("[", 1)[0]
    kind = _INPUTS.get(name, "variables")
    if kind == "messages" and path.startswith("messages["):
        return Group("message", int(path[len("messages[") : path.index("]")]))
    return Group(kind)


def lies_in(path: str, prefix: str) -> bool:
    """Whether `path` is `prefix` or a place inside it."""
    return path == prefix or path.startswith((f"{prefix}.", f"{prefix}["))


def _merged(stretches: list[Stretch]) -> list[Stretch]:
    found: list[Stretch] = []
    for start, end in stretches:
        if found and found[-1][1] >= start:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
