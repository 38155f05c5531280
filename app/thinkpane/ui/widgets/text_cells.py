"""Where the characters of a row stand when writing directions are mixed.

Qt's cursorToX gives at the border of two directions the edge of the character before it (seen with 6.11: of a Hebrew
word after Latin text the first letter has no width), so places are taken from the glyphs themselves.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import TypeAlias, cast

from PySide6.QtGui import QGlyphRun, QTextLayout, QTextLine

from thinkpane.ui.widgets.text_spans import joined

_Cluster: TypeAlias = tuple[int, float, float, bool]
"""First unit, left, right, and whether it is written from right to left."""
_Edges: TypeAlias = dict[int, tuple[float, float, bool]]
_Asked: TypeAlias = tuple[tuple[int, int], list[QGlyphRun]]
"""A step, and what is drawn for it; never nothing."""

_FLAG = QTextLayout.GlyphRunRetrievalFlag
_WANTED = _FLAG.RetrieveGlyphIndexes | _FLAG.RetrieveGlyphPositions | _FLAG.RetrieveStringIndexes
_ISOLATES = frozenset(map(ord, "\u2066\u2069"))
"""What text_shown puts around escapes; it stands in no other text."""
_WITHOUT_WIDTH = frozenset(map(ord, "\u200c\u200d\ufe0e\ufe0f"))
"""Characters that Qt gives no width, whatever their glyph in the font has."""
_TAB = ord("\t")


@dataclass(frozen=True, slots=True)
class Cell:
    """What a caret passes in one step. start, end: UTF-16 units of the layout; left, right: pixels.

    backwards: it is written from right to left.
    """

    start: int
    end: int
    left: float
    right: float
    backwards: bool

    @property
    def before(self) -> float:
        """Where a caret before it stands."""
        return self.right if self.backwards else self.left

    def nearest(self, x: float) -> int:
        """The unit at its nearer edge."""
        is_left = x - self.left <= self.right - x
        return self.start if is_left != self.backwards else self.end


class RowCells:
    """The cells of one row. backwards: the line as a whole is written from right to left.

    atoms: units [start, end), in order, that a caret passes in one step, as escapes are.
    """

    def __init__(
        self, layout: QTextLayout, line: QTextLine, atoms: Sequence[tuple[int, int]], *, backwards: bool
    ) -> None:
        self._cells = _cells(layout, line, atoms, backwards=backwards)
        self._starts = [each.start for each in self._cells]
        self._seen = sorted(self._cells, key=lambda each: each.left)
        self._lefts = [each.left for each in self._seen]
        self._backwards = backwards
        self._empty = _x(line, line.textStart())

    def x_of(self, unit: int) -> float:
        """Where a caret before the unit stands; behind the last one, where the line goes on."""
        number = bisect_right(self._starts, unit) - 1
        if not self._cells:
            return self._empty
        if number < 0:
            return self._cells[0].before
        cell = self._cells[number]
        return cell.before if unit < cell.end else self._seen[0].left if self._backwards else self._seen[-1].right

    def nearest(self, x: float) -> int:
        """The unit whose caret is nearest to `x`."""
        if not self._cells:
            return 0
        first, last = self._cells[0].start, self._cells[-1].end
        if x < self._seen[0].left:
            return last if self._backwards else first
        if x >= self._seen[-1].right:
            return first if self._backwards else last
        return self._under(x).nearest(x)

    def under(self, x: float) -> int:
        """The first unit of what is drawn under `x`."""
        return self._under(x).start if self._cells else 0

    def is_backwards(self, unit: int) -> bool:
        """Whether what holds the unit is written from right to left."""
        number = bisect_right(self._starts, unit) - 1
        return self._cells[number].backwards if self._cells and unit < self._cells[-1].end else self._backwards

    def spans(self, first: int, stop: int) -> list[tuple[float, float]]:
        """The pixels that the units [first, stop) take."""
        number = max(bisect_right(self._starts, first) - 1, 0)
        found: list[tuple[float, float]] = []
        for cell in self._cells[number:]:
            if cell.start >= stop:
                break
            if cell.end > first:
                found.append((cell.left, cell.right))
        return joined(found)

    def _under(self, x: float) -> Cell:
        return self._seen[max(bisect_right(self._lefts, x) - 1, 0)]


def _cells(layout: QTextLayout, line: QTextLine, atoms: Sequence[tuple[int, int]], *, backwards: bool) -> list[Cell]:
    """The cells of a line, in the order of the text. atoms: units [start, end) that a caret passes in one step."""
    codes = array("H", layout.text().encode("utf-16-le", "surrogatepass"))
    every = [*_steps(layout, line)]
    steps = [step for step in every if codes[step[0]] not in _ISOLATES]
    edges = _edges_of(codes, line, every, backwards=backwards)
    clusters = _closed({start: edges[start] for start, _ in steps if start in edges})
    if not clusters:
        return []
    starts = [first for first, *_ in clusters]
    groups: dict[int, list[tuple[int, int]]] = {}
    for start, end in steps:
        groups.setdefault(max(bisect_right(starts, start) - 1, 0), []).append((start, end))
    found: list[Cell] = []
    for number, members in groups.items():
        _, left, right, runs_back = clusters[number]
        width = (right - left) / len(members)
        for place, (start, end) in enumerate(members):
            edge = right - width * (place + 1) if runs_back else left + width * place
            found.append(Cell(start, end, edge, edge + width, runs_back))
    return _as_atoms(found, atoms, edges, backwards=backwards)


def _as_atoms(found: list[Cell], atoms: Sequence[tuple[int, int]], edges: _Edges, *, backwards: bool) -> list[Cell]:
    """Makes one cell of each atom. It is written as the isolates around it are, which is not always as its line is:
    between digits that follow a Latin letter, for one."""
    kept: list[Cell] = []
    places = iter(atoms)
    atom = next(places, None)
    for cell in found:
        while atom is not None and atom[1] <= cell.start:
            atom = next(places, None)
        last = kept[-1] if kept else None
        if atom is None or cell.end <= atom[0]:
            kept.append(cell)
        elif last is not None and last.start == atom[0]:
            kept[-1] = Cell(*atom, min(last.left, cell.left), max(last.right, cell.right), last.backwards)
        else:
            around = edges.get(atom[0]) or edges.get(atom[1] - 1)
            kept.append(Cell(*atom, cell.left, cell.right, around[2] if around else backwards))
    return kept


def _steps(layout: QTextLayout, line: QTextLine) -> Iterator[tuple[int, int]]:
    at, stop = line.textStart(), line.textStart() + line.textLength()
    while at < stop:
        after = min(max(layout.nextCursorPosition(at), at + 1), stop)
        yield at, after
        at = after


def _edges_of(codes: "array[int]", line: QTextLine, steps: Sequence[tuple[int, int]], *, backwards: bool) -> _Edges:
    """Where what each step passes stands. steps: a caret's; marks belong to their letter."""
    edges = _at_once(line)
    if edges is None or any(codes[start] != _TAB and start not in edges for start, _ in steps):
        edges = _one_by_one(codes, line, steps)
    for start, _ in steps:
        if codes[start] == _TAB:
            edges[start] = (*_tab(line, start), backwards)
        elif codes[start] in _WITHOUT_WIDTH and start in edges:
            edges[start] = edges[start][0], edges[start][0], edges[start][2]
    return edges


def _at_once(line: QTextLine) -> _Edges | None:
    """The glyphs by the unit they stand for; None where a unit is told twice: Qt counts wrong in right-to-left text
    that needs several fonts (seen with 6.11)."""
    edges: _Edges = {}
    for run in line.glyphRuns(-1, -1, _WANTED):
        found = _of_run(run)
        if not found.keys().isdisjoint(edges):
            return None
        edges |= found
    return edges


def _one_by_one(codes: "array[int]", line: QTextLine, steps: Sequence[tuple[int, int]]) -> _Edges:
    """The same, asked for each step by itself; letters that are drawn with the one before have none.

    Of a part of right-to-left text Qt tells the right glyphs at wrong places where the text ends with a mark (seen
    with 6.11): there the places are those of the whole stretch, whose glyphs come in the same order.
    """
    edges: _Edges = {}
    for asked in _between_tabs(codes, line, steps):
        for backwards, group in groupby(asked, lambda each: each[1][0].isRightToLeft()):
            edges |= _of_stretch(line, [*group], backwards=backwards)
    return edges


def _between_tabs(codes: "array[int]", line: QTextLine, steps: Sequence[tuple[int, int]]) -> Iterator[list[_Asked]]:
    """The steps with the glyphs of each, tab by tab: a tab goes the line's way, whatever stands around it."""
    for is_tab, group in groupby(steps, lambda step: codes[step[0]] == _TAB):
        if not is_tab:
            asked = ((step, line.glyphRuns(step[0], step[1] - step[0], _WANTED)) for step in group)
            yield [(step, runs) for step, runs in asked if runs]


def _of_stretch(line: QTextLine, members: Sequence[_Asked], *, backwards: bool) -> _Edges:
    """The edges of steps that follow each other in one direction."""
    edges = {start: next(iter(_of_run(runs[0]).values())) for (start, _), runs in members}
    counts = [sum(len(run.glyphIndexes()) for run in runs) for _, runs in members] if backwards else []
    if sum(counts) == len(counts):
        return edges
    begin, end = members[0][0][0], members[-1][0][1]
    glyphs = _from_right(line.glyphRuns(begin, end - begin, _WANTED))
    if sum(counts) == len(glyphs):
        for ((start, _), _), stop, count in zip(members, accumulate(counts), counts, strict=True):
            own = glyphs[stop - count : stop]
            edges[start] = min(left for left, _ in own), max(right for _, right in own), True
    return edges


def _from_right(runs: Sequence[QGlyphRun]) -> list[tuple[float, float]]:
    """The edges of right-to-left glyphs in the order of the text; runs come from left to right."""
    found: list[tuple[float, float]] = []
    for run in reversed(runs):
        widths = run.rawFont().advancesForGlyphIndexes(run.glyphIndexes())
        found += [(at.x(), at.x() + width.x()) for at, width in zip(run.positions(), widths, strict=True)]
    return found


def _of_run(run: QGlyphRun) -> _Edges:
    edges: _Edges = {}
    widths = run.rawFont().advancesForGlyphIndexes(run.glyphIndexes())
    backwards = run.isRightToLeft()
    for unit, place, width in zip(run.stringIndexes(), run.positions(), widths, strict=True):
        left, right = place.x(), place.x() + width.x()
        if unit in edges:
            left, right = min(left, edges[unit][0]), max(right, edges[unit][1])
        edges[unit] = left, right, backwards
    return edges


def _closed(edges: _Edges) -> list[_Cluster]:
    """The clusters of a line in the order of the text. Each ends where the next one to its right begins, so that
    what a letter was stretched by belongs to it."""
    seen = sorted((left, right, unit, backwards) for unit, (left, right, backwards) in edges.items())
    found: list[_Cluster] = []
    for number, (left, right, unit, backwards) in enumerate(seen):
        follower = seen[number + 1][0] if number + 1 < len(seen) else right
        found.append((unit, left, max(follower, left), backwards))
    return sorted(found)


def _tab(line: QTextLine, unit: int) -> tuple[float, float]:
    left, right = sorted((_x(line, unit), _x(line, unit + 1)))
    return left, right


def _x(line: QTextLine, unit: int) -> float:
    return cast("tuple[float, int]", line.cursorToX(unit))[0]
