"""The gutter of a text view: line numbers, the template line that wrote each row, and a bar in the role's colour."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from thinkpane.ui import theme
from thinkpane.ui.widgets.text_geometry import TextGeometry
from thinkpane.ui.widgets.text_layout import LaidPiece

_EDGE = 8
_BETWEEN = 10
_BAR = 3
_GAP = 8


@dataclass(frozen=True, slots=True)
class Labels:
    """Template lines beside the rows. at: the line that wrote the character at a position, 0 = none or not known;
    most: the highest line there can be. role: whose message stands in [start, end), "" = nobody's: then the text's
    own marks tell. are_known: False for nothing but the room of labels, so that the text stays where it is."""

    at: Callable[[int], int]
    most: int
    role: Callable[[int, int], str] = lambda _start, _end: ""
    are_known: bool = True


def gutter_width(geometry: TextGeometry, labels: Labels | None) -> int:
    """How wide the gutter is, in pixels: up to where the text begins."""
    return round(_EDGE + _numbers_width(geometry) + _labels_width(geometry, labels)) + _GAP + _BAR + _GAP


@dataclass(frozen=True, slots=True)
class GutterRow:
    """What stands beside one row. number, label: as they are written, "" = nothing."""

    number: str
    label: str
    role: str


def gutter_row(geometry: TextGeometry, labels: Labels | None, laid: LaidPiece, row: int) -> GutterRow:
    """What stands beside a row: the number of the line that begins in it, a template line that is not the one of the
    row above, a role."""
    position = laid.row_start(row)
    starts_line = row == 0 and laid.piece.start == laid.piece.line_start
    label = labels.at(position) if labels is not None else 0
    is_told = label and (starts_line or labels is None or labels.at(_row_before(laid, row)) != label)
    return GutterRow(
        str(geometry.lines.line_number(position)) if starts_line else "",
        f"L{label}" if is_told else "",
        _role(geometry, labels, position, laid.row_end(row)),
    )


def paint_gutter(
    painter: QPainter, geometry: TextGeometry, labels: Labels | None, laid: LaidPiece, row: int, band: QRectF, lit: bool
) -> None:
    """Paints what stands beside one row. band: the row's text area; lit: something in the row is lit."""
    colours = theme.current()
    found = gutter_row(geometry, labels, laid, row)
    right = band.left() - _GAP
    height = geometry.style.face.row_height
    if lit:
        painter.fillRect(QRectF(0, band.top(), right, height), QColor(colours.accent_ground))
    if found.role:
        painter.fillRect(QRectF(right - _BAR, band.top(), _BAR, height), QColor(colours.role(found.role)))
    painter.setFont(geometry.style.face.font)
    wide = _numbers_width(geometry)
    if found.number:
        painter.setPen(QColor(colours.dim))
        _number(painter, QRectF(_EDGE, band.top(), wide, band.height()), found.number)
    if found.label:
        painter.setPen(QColor(colours.accent if lit else colours.dim))
        room = QRectF(_EDGE + wide, band.top(), right - _BAR - _GAP - _EDGE - wide, band.height())
        _number(painter, room, found.label)


def _role(geometry: TextGeometry, labels: Labels | None, start: int, end: int) -> str:
    """Whose a row is: that of the message in it, else what the marks say."""
    found = labels.role(start, end) if labels is not None else ""
    mark = geometry.marks.at(start)
    if mark is None and start == len(geometry.lines) and start:
        mark = geometry.marks.at(start - 1)
    return found or (mark.role if mark is not None else "")


def _row_before(laid: LaidPiece, row: int) -> int:
    """Where the row above begins; the last character of the piece before, for a line that is cut into pieces."""
    return laid.row_start(row - 1) if row else max(laid.piece.start - 1, 0)


def _numbers_width(geometry: TextGeometry) -> float:
    last = geometry.lines.first_line + geometry.lines.line_count() - 1
    return max(len(str(last)), 2) * geometry.style.face.column + 1


def _labels_width(geometry: TextGeometry, labels: Labels | None) -> float:
    if labels is None:
        return 0.0
    return _BETWEEN + (len(str(labels.most)) + 1) * geometry.style.face.column + 1


def _number(painter: QPainter, room: QRectF, text: str) -> None:
    painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
