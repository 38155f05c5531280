"""Paints the visible rows of a text: ground, gutter, chips, hits, selection, letters, caret."""

from dataclasses import dataclass
from math import floor
from typing import Literal, TypeAlias

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from thinkpane.ui import theme
from thinkpane.ui.widgets.text_find import Hits
from thinkpane.ui.widgets.text_geometry import Place, TextGeometry
from thinkpane.ui.widgets.text_layout import LaidPiece
from thinkpane.ui.widgets.text_selection import Selection

Ground: TypeAlias = Literal["pane", "card", "thinking_ground"]

_CHIP_SHARE = 0.22
_BAR = 3
_GUTTER_GAP = 10


@dataclass(frozen=True, slots=True)
class Scene:
    """What is painted. top: the first visible row; left, above: where the text begins, in pixels; hit: the current one.

    stale: the text is an old one, greyed. dim: it is less important than its surroundings.
    """

    geometry: TextGeometry
    top: Place
    left: int
    above: int
    selection: Selection
    hits: Hits
    hit: int
    ground: Ground
    gutter: bool
    focused: bool
    stale: bool
    dim: bool


def gutter_width(geometry: TextGeometry) -> int:
    """How wide the gutter is, in pixels: room for the last line number and the bar."""
    digits = max(len(str(geometry.lines.line_count())), 2)
    return round(digits * geometry.style.face.column) + 2 * _GUTTER_GAP + _BAR


def paint(painter: QPainter, area: QRectF, scene: Scene) -> None:
    """Paints the scene into `area`."""
    colours = theme.current()
    painter.fillRect(area, QColor(getattr(colours, scene.ground)))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    height = scene.geometry.style.face.row_height
    y = float(scene.above)
    drawn: LaidPiece | None = None
    for laid, row in scene.geometry.rows_from(scene.top):
        if y >= area.bottom():
            break
        band = QRectF(scene.left, y, area.right() - scene.left, height)
        if scene.gutter:
            _paint_gutter(painter, scene, laid, row, band)
        _paint_row(painter, scene, laid, row, band)
        if laid is not drawn:
            painter.setPen(QColor(colours.dim if scene.dim or scene.stale else colours.text))
            laid.layout.draw(painter, QPointF(scene.left, y - row * height), [], area)
            drawn = laid
        y += height
    if scene.focused:
        _paint_caret(painter, area, scene)


def _paint_row(painter: QPainter, scene: Scene, laid: LaidPiece, row: int, band: QRectF) -> None:
    colours = theme.current()
    start, end = laid.row_start(row), laid.row_end(row)
    painter.setPen(Qt.PenStyle.NoPen)
    share = _CHIP_SHARE / 2 if scene.stale else _CHIP_SHARE
    for first, stop, role in laid.chips:
        if first < end and stop > start:
            painter.setBrush(_tint(colours.warning if role == "!" else colours.role(role), share))
            for left, right in laid.spans(row, first, stop):
                chip = QRectF(band.left() + left, band.top() + 1.5, right - left, band.height() - 3)
                painter.drawRoundedRect(chip.adjusted(0.5, 0, -0.5, 0), 4, 4)
    _paint_selection(painter, scene, laid, row, band)
    for number in scene.hits.between(start, end):
        painter.setBrush(_tint(colours.warning, 0.55 if number == scene.hit else 0.28))
        for left, right in laid.spans(row, scene.hits.starts[number], scene.hits.ends[number]):
            painter.drawRoundedRect(QRectF(band.left() + left, band.top() + 1, right - left, band.height() - 2), 2, 2)


def _paint_selection(painter: QPainter, scene: Scene, laid: LaidPiece, row: int, band: QRectF) -> None:
    first, stop = scene.selection.start, scene.selection.end
    hit = scene.hit
    if hit >= 0 and (first, stop) == (scene.hits.starts[hit], scene.hits.ends[hit]):
        return
    if first == stop or stop <= laid.row_start(row) or first > laid.row_end(row):
        return
    painter.setBrush(_tint(theme.current().accent, 0.34 if scene.focused else 0.22))
    for left, right in laid.spans(row, first, stop):
        painter.drawRect(QRectF(band.left() + left, band.top(), right - left, band.height()))
    newline = laid.piece.newline and row == laid.rows - 1
    if newline and first <= laid.piece.end < stop:
        column = scene.geometry.style.face.column
        painter.drawRect(QRectF(band.left() + laid.x_of(laid.piece.end, row), band.top(), column, band.height()))


def _paint_gutter(painter: QPainter, scene: Scene, laid: LaidPiece, row: int, band: QRectF) -> None:
    colours = theme.current()
    geometry = scene.geometry
    right = band.left() - _GUTTER_GAP
    mark = geometry.marks.at(laid.row_start(row))
    if mark is None and laid.row_start(row) == len(geometry.lines) and laid.row_start(row):
        mark = geometry.marks.at(laid.row_start(row) - 1)
    if mark is not None and mark.role:
        painter.fillRect(QRectF(right - _BAR, band.top(), _BAR, band.height()), QColor(colours.role(mark.role)))
    if row == 0 and laid.piece.start == laid.piece.line_start:
        painter.setFont(geometry.style.face.font)
        painter.setPen(_tint(colours.dim, 0.8))
        number = str(geometry.lines.line_number(laid.piece.start))
        room = QRectF(0, band.top(), right - _BAR - _GUTTER_GAP, band.height())
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, number)


def _paint_caret(painter: QPainter, area: QRectF, scene: Scene) -> None:
    geometry = scene.geometry
    height = geometry.style.face.row_height
    most = int(area.height() // height) + 1
    place = geometry.place_of(scene.selection.caret, upstream=scene.selection.upstream)
    rows = geometry.rows_between(scene.top, place, most)
    if rows == most:
        return
    x = scene.left + geometry.laid(place.piece).x_of(scene.selection.caret, place.row)
    painter.setPen(QPen(QColor(theme.current().accent), 1.5))
    y = scene.above + rows * height
    painter.drawLine(QPointF(floor(x) + 0.5, y + 2), QPointF(floor(x) + 0.5, y + height - 2))


def _tint(colour: str, share: float) -> QColor:
    return theme.current().color(colour, share)
