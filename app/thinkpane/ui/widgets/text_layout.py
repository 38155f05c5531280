"""One laid-out piece of a text: its rows, and the way between positions and pixels.

x is in pixels from the left edge of the text; rows count from 0 within the piece; positions are code points of the
whole text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QTextCharFormat, QTextLayout, QTextLine, QTextOption

from thinkpane.ui import theme
from thinkpane.ui.models.token_layer import Token
from thinkpane.ui.widgets.text_breaks import broken
from thinkpane.ui.widgets.text_cells import RowCells
from thinkpane.ui.widgets.text_lines import Piece
from thinkpane.ui.widgets.text_marks import Marks
from thinkpane.ui.widgets.text_shades import KeptBoxes
from thinkpane.ui.widgets.text_shown import runs_left, shown
from thinkpane.ui.widgets.text_stretches import stretches

_SAMPLE = "Ag|漢字한글😀ก์ع"
_LEADING = 1.6
_IDS_SHARE = 0.75
_LEAST_IDS = 7
_BELOW_IDS = 4
_SPACES = re.compile(r"[ \t]+")
_QUIET_SPACE = "\u2002"
"""In a note where spaces are shown: it breaks lines as a space does, and is not drawn as one of the text's."""


@dataclass(frozen=True, slots=True)
class Face:
    """The font and what follows from it.

    row_height: pixels of a row. text_height: those of its text, the tallest fallback font fits; below are the ids.
    ascent: from a row's top to its base line; column: the width of a digit. ids_font: None = no ids are shown.
    """

    font: QFont
    row_height: int
    ascent: float
    column: float
    text_height: int
    ids_font: QFont | None = None


def face(font: QFont, *, ids: bool = False) -> Face:
    """The face of `font`; asks Qt for the fonts it falls back to (East Asian and emoji are taller). ids: with room for
    a line of ids below each row."""
    layout = QTextLayout(_SAMPLE, font)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(100_000)
    layout.endLayout()
    height = max(round(font.pixelSize() * _LEADING), round(line.height() + 0.5))
    ascent = (height - line.height()) / 2 + line.ascent()
    column = max(QFontMetricsF(font).horizontalAdvance("0"), 1.0)
    if not ids:
        return Face(font, height, ascent, column, height)
    small = QFont(font)
    small.setPixelSize(max(round(font.pixelSize() * _IDS_SHARE), _LEAST_IDS))
    return Face(font, height + round(QFontMetricsF(small).height()) + _BELOW_IDS, ascent, column, height, small)


def without_ligatures(font: QFont) -> QFont:
    """The font with ligatures off: a ligature hides characters."""
    found = QFont(font)
    for tag in ("liga", "clig", "calt", "dlig"):
        found.setFeature(QFont.Tag(tag), 0)
    return found


@dataclass(frozen=True, slots=True)
class Style:
    """How pieces are laid out. width: pixels a row may take. note: shown after the text's end, no part of it."""

    face: Face
    width: float
    invisible: bool = False
    note: str = ""


class LaidPiece:
    """A piece with its rows. Never empty: an empty line has one row.

    boxes: by row, the latest tokens it was painted with and where they stand.
    """

    def __init__(
        self,
        piece: Piece,
        text: str,
        style: Style,
        marks: Marks,
        tokens: Sequence[Token] = (),
        head: str = "",
        *,
        last: bool,
    ) -> None:
        """tokens: those of the piece where their ids are shown below. head: how its line begins, where the piece is a
        later part of it: the first letter with a direction gives the line's (Unicode's bidirectional algorithm, P2)."""
        self.piece = piece
        self._is_last = last
        self._face = style.face
        self._shown = shown(text, invisible=style.invisible)
        self._roles = _roles(piece, marks)
        numbered = style.face.ids_font is not None and bool(tokens)
        tail = "↵" if (style.invisible or numbered) and piece.newline else ""
        note = ("  " if text else "") + style.note if last and style.note else ""
        if style.invisible:
            note = note.replace(" ", _QUIET_SPACE)
        self._backwards = self._shown.mixed and runs_left(head or text)
        self.layout = QTextLayout(self._shown.text + tail + note, style.face.font)
        self.layout.setCacheEnabled(True)
        self.layout.setTextOption(_option(style.face.column * 4, self._backwards, style.invisible))
        self._end = self._shown.unit(len(text))
        self._tail = len(tail)
        spaces = _SPACES.finditer(text) if style.invisible else ()
        formats = [self._format(*match.span(), theme.current().dim) for match in spaces]
        if tail or note:
            formats.append(_format(self._end, self._end + len(tail + note), theme.current().dim))
        formats += self._chip_formats()
        if style.face.ids_font is not None:
            formats += stretches(self.layout, self._shown, piece.start, self._tail, tokens, style.face.ids_font)
        if formats:
            self.layout.setFormats(formats)
        width = max(style.width, self._face.column * 2)
        self._lines = broken(self.layout, width, self._face.row_height, self._face.ascent, at_right=self._backwards)
        self._cells: dict[int, RowCells] = {}
        self.boxes: dict[int, KeptBoxes] = {}

    @property
    def rows(self) -> int:
        """How many rows it takes, at least 1."""
        return len(self._lines)

    @property
    def mixed(self) -> bool:
        """Whether it holds right-to-left text, so that positions do not grow along its rows."""
        return self._shown.mixed

    @property
    def backwards(self) -> bool:
        """Whether its line as a whole is written from right to left."""
        return self._backwards

    @property
    def chips(self) -> list[tuple[int, int, str]]:
        """What is drawn as a chip: [start, end) in positions, and its role ("!" = an escape)."""
        start = self.piece.start
        tokens = [(start + first, start + end, role) for first, end, role in self._roles]
        escapes = ((self._shown.offset(first), self._shown.offset(end)) for first, end in self._shown.escapes)
        return tokens + [(start + first, start + end, "!") for first, end in escapes]

    def move(self, by: int) -> None:
        """The text before the piece's line has got so much longer, or shorter where negative."""
        self.piece = self.piece.moved(by)

    def looks_as_marked(self, marks: Marks) -> bool:
        """Whether it is laid out as these marks of the text want it."""
        return self._roles == _roles(self.piece, marks)

    def row_start(self, row: int) -> int:
        """The position at which a row begins."""
        return self.piece.start + self._shown.offset(self._lines[row].textStart())

    def row_end(self, row: int) -> int:
        """The position at which a row ends: where the next begins, or the piece's end."""
        return self.row_start(row + 1) if row + 1 < self.rows else self.piece.end

    def goes_on(self, row: int) -> bool:
        """Whether the line goes on in the row below."""
        return row + 1 < self.rows or not (self.piece.newline or self._is_last)

    def row_of(self, position: int, *, upstream: bool = False) -> int:
        """The row of a position. upstream: a position between two rows belongs to the upper one."""
        unit = self._shown.unit(min(max(position, self.piece.start), self.piece.end) - self.piece.start)
        row = self.layout.lineForTextPosition(unit).lineNumber() if self.layout.text() else 0
        row = min(max(row, 0), self.rows - 1)
        return row - 1 if upstream and row and self.row_start(row) == position else row

    def x_of(self, position: int, row: int) -> float:
        """Where a position stands on a row; positions of other rows stand at the row's edge."""
        unit = self._shown.unit(min(max(position, self.piece.start), self.piece.end) - self.piece.start)
        return self._row(row).x_of(unit) if self.mixed else _x(self._lines[row], unit)

    def position_at(self, x: float, row: int) -> int:
        """The position nearest to `x` on a row."""
        line = self._lines[row]
        if self.mixed:
            unit = self._row(row).nearest(x)
        else:
            left, right = self._around(line, x)
            unit = left if x - _x(line, left) <= _x(line, right) - x else right
        found = self.piece.start + self._shown.nearest(unit)
        return min(max(found, self.row_start(row)), self.row_end(row))

    def character_at(self, x: float, row: int) -> int:
        """The position of the character that stands under `x` on a row."""
        unit = self._row(row).under(x) if self.mixed else self._around(self._lines[row], x)[0]
        return self.piece.start + self._shown.offset(unit)

    def right_edge(self, row: int) -> float:
        """Where a row's drawing ends: behind the mark of its newline, or half a column where that is not shown."""
        return self.newline_span(row)[1]

    def newline_span(self, row: int) -> tuple[float, float]:
        """The pixels [left, right) that the newline behind a row takes; half a column where it is not shown."""
        at, column = self.x_of(self.piece.end, row), self._face.column / 2
        if not self._tail:
            return (at - column, at) if self._backwards else (at, at + column)
        if self.mixed:
            return self._row(row).spans(self._end, self._end + self._tail)[0]
        return at, _x(self._lines[row], self._end + self._tail)

    def runs_left(self, row: int, position: int) -> bool:
        """Whether the character at a position of a row is written from right to left."""
        return self.mixed and self._row(row).is_backwards(self._shown.unit(position - self.piece.start))

    def spans(self, row: int, start: int, end: int) -> list[tuple[float, float]]:
        """The pixels [left, right) that the positions [start, end) take on a row; several with mixed directions."""
        line = self._lines[row]
        first = max(self._shown.unit(max(start, self.piece.start) - self.piece.start), line.textStart())
        stop = self._shown.unit(min(end, self.piece.end) - self.piece.start)
        stop = min(stop, line.textStart() + line.textLength())
        if first >= stop:
            return []
        return self._row(row).spans(first, stop) if self.mixed else [(_x(line, first), _x(line, stop))]

    def next_position(self, position: int) -> int:
        """The next place a caret can stand in the piece, `position` itself at its end."""
        unit = self._shown.unit(position - self.piece.start)
        while unit < self._end:
            unit = self.layout.nextCursorPosition(unit)
            found = self.piece.start + self._shown.offset(unit)
            if found > position:
                return min(found, self.piece.end)
        return position

    def previous_position(self, position: int) -> int:
        """The place before for a caret in the piece, `position` itself at its start."""
        unit = self._shown.unit(position - self.piece.start)
        return self.piece.start + self._shown.offset(self.layout.previousCursorPosition(unit)) if unit else position

    def is_caret_place(self, position: int) -> bool:
        """Whether a caret can stand there: not inside characters that are drawn as one."""
        unit = self._shown.unit(position - self.piece.start)
        return self.layout.isValidCursorPosition(unit) and self._shown.nearest(unit) == position - self.piece.start

    def _row(self, row: int) -> RowCells:
        found = self._cells.get(row)
        if found is None:
            found = RowCells(self.layout, self._lines[row], self._shown.escapes, backwards=self._backwards)
            self._cells[row] = found
        return found

    def _around(self, line: QTextLine, x: float) -> tuple[int, int]:
        """The places for a caret to the left and right of `x`, in units, where positions grow along the row.

        Qt's own xToCursor goes wrong beside combining marks in fixed-width fonts (seen with 6.11).
        """
        left, stop = line.textStart(), line.textStart() + line.textLength()
        above = stop + 1
        while above - left > 1:
            middle = (left + above) // 2
            if _x(line, middle) <= x:
                left = middle
            else:
                above = middle
        if not self.layout.isValidCursorPosition(left):
            left = self.layout.previousCursorPosition(left)
        return left, min(self.layout.nextCursorPosition(left), stop)

    def _chip_formats(self) -> list[QTextLayout.FormatRange]:
        colours = theme.current()
        found = [self._format(start, end, colours.role(role)) for start, end, role in self._roles]
        return found + [_format(start, end, colours.warning) for start, end in self._shown.escapes]

    def _format(self, start: int, end: int, colour: str) -> QTextLayout.FormatRange:
        return _format(self._shown.unit(start), self._shown.unit(end), colour)


@cache
def _option(tab: float, backwards: bool, invisible: bool) -> QTextOption:
    """How a piece is laid out. tab: pixels between two stops."""
    found = QTextOption()
    found.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    found.setTextDirection(Qt.LayoutDirection.RightToLeft if backwards else Qt.LayoutDirection.LeftToRight)
    if backwards:
        found.setAlignment(Qt.AlignmentFlag.AlignRight)
    found.setTabStopDistance(tab)
    if invisible:
        found.setFlags(QTextOption.Flag.ShowTabsAndSpaces)
    return found


def _roles(piece: Piece, marks: Marks) -> list[tuple[int, int, str]]:
    """The special tokens of a piece: [start, end) from its start on, and the role."""
    return [
        (max(mark.start, piece.start) - piece.start, min(mark.end, piece.end) - piece.start, mark.role)
        for mark in marks.between(piece.start, piece.end)
        if mark.kind == "token"
    ]


def _x(line: QTextLine, unit: int) -> float:
    return cast("tuple[float, int]", line.cursorToX(unit))[0]


def _format(start: int, end: int, colour: str) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start, found.length = start, end - start
    look = QTextCharFormat()
    look.setForeground(QColor(colour))
    found.format = look
    return found
