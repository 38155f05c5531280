"""Where the characters of a row stand when writing directions are mixed.

Qt's cursorToX gives at the border of two directions the edge of the character before it (seen with 6.11: of a Hebrew
word after Latin text the first letter has no width), so places are taken from the glyphs themselves.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from PySide6.QtGui import QGlyphRun, QTextLayout, QTextLine

from thinkpane.ui.widgets.text_spans import joined

_Cluster: TypeAlias = tuple[int, float, float, bool]
"""First unit, left, right, and whether it is written from right to left."""
_Edges: TypeAlias = dict[int, tuple[float, float, bool]]

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
    steps = [step for step in _steps(layout, line) if codes[step[0]] not in _ISOLATES]
    clusters = _clusters(codes, line, steps, backwards=backwards)
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
    return _as_atoms(found, atoms, backwards=backwards)


def _as_atoms(found: list[Cell], atoms: Sequence[tuple[int, int]], *, backwards: bool) -> list[Cell]:
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
            kept[-1] = Cell(*atom, min(last.left, cell.left), max(last.right, cell.right), backwards)
        else:
            kept.append(Cell(*atom, cell.left, cell.right, backwards))
    return kept


def _steps(layout: QTextLayout, line: QTextLine) -> Iterator[tuple[int, int]]:
    at, stop = line.textStart(), line.textStart() + line.textLength()
    while at < stop:
        after = min(max(layout.nextCursorPosition(at), at + 1), stop)
        yield at, after
        at = after


def _clusters(
    codes: "array[int]", line: QTextLine, steps: Sequence[tuple[int, int]], *, backwards: bool
) -> list[_Cluster]:
    """The clusters of a line in the order of the text. Each ends where the next one to its right begins, so that
    what a letter was stretched by belongs to it. steps: a caret's; marks belong to their letter."""
    edges = _at_once(line)
    if edges is None or any(codes[start] != _TAB and start not in edges for start, _ in steps):
        edges = _one_by_one(line, steps)
    for start, _ in steps:
        if codes[start] == _TAB:
            edges[start] = (*_tab(line, start), backwards)
        elif codes[start] in _WITHOUT_WIDTH and start in edges:
            edges[start] = edges[start][0], edges[start][0], edges[start][2]
    starts = {start for start, _ in steps}
    return _closed({unit: edge for unit, edge in edges.items() if unit in starts})


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


def _one_by_one(line: QTextLine, steps: Sequence[tuple[int, int]]) -> _Edges:
    """The same, asked for each step by itself; letters that are drawn with the one before have none."""
    edges: _Edges = {}
    for start, end in steps:
        runs = line.glyphRuns(start, end - start, _WANTED)
        if runs:
            edges[start] = next(iter(_of_run(runs[0]).values()))
    return edges


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
