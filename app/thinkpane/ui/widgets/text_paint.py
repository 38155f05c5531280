"""Paints the visible rows of a text: ground, gutter, chips, hits, selection, letters, caret."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor
from typing import Literal, TypeAlias

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from thinkpane.formats.finding import Hits
from thinkpane.ui import theme
from thinkpane.ui.widgets.text_geometry import Place, TextGeometry
from thinkpane.ui.widgets.text_gutter import Labels, paint_gutter
from thinkpane.ui.widgets.text_ids import paint_ids
from thinkpane.ui.widgets.text_layout import LaidPiece
from thinkpane.ui.widgets.text_lit import Light, Lit
from thinkpane.ui.widgets.text_selection import Selection
from thinkpane.ui.widgets.text_shades import boxes, paint_shades

Ground: TypeAlias = Literal["pane", "card", "thinking_ground"]

_CHIP_SHARE = 0.22
_LIT_SHARES: dict[Light, float] = {"forged": 0.26, "chosen": 0.24, "pointed": 0.30, "inside": 0.20}


@dataclass(frozen=True, slots=True)
class Scene:
    """What is painted. top: the first visible row; left, above: where the text begins, in pixels; hit: the current one.

    stale: the text is an old one, greyed. dim: it is less important than its surroundings. labels: template lines in
    the gutter. lit: layers of light. shaded: every token is shaded.
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
    labels: Labels | None
    lit: Mapping[Light, Lit]
    shaded: bool


def paint(painter: QPainter, area: QRectF, scene: Scene, part: QRectF | None = None) -> None:
    """Paints the scene into `area`; of its rows only those in `part`, None = all."""
    colours = theme.current()
    asked = part if part is not None else area
    painter.fillRect(asked, QColor(getattr(colours, scene.ground)))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    face = scene.geometry.style.face
    height = face.row_height
    tokens = scene.geometry.tokens if scene.shaded or face.ids_font is not None else None
    y = float(scene.above)
    drawn: list[tuple[LaidPiece, float]] = []
    for laid, row in scene.geometry.rows_from(scene.top):
        if y >= asked.bottom():
            break
        if y + height <= asked.top():
            y += height
            continue
        band = QRectF(scene.left, y, area.right() - scene.left, face.text_height)
        found = boxes(laid, row, tokens) if tokens is not None else []
        if scene.shaded:
            paint_shades(painter, found, band, stale=scene.stale)
        lit = _paint_lit(painter, scene, laid, row, band)
        if scene.gutter:
            paint_gutter(painter, scene.geometry, scene.labels, laid, row, band, lit)
        _paint_row(painter, scene, laid, row, band)
        if face.ids_font is not None:
            below = QRectF(band.left(), band.bottom(), band.width(), height - face.text_height)
            paint_ids(painter, found, face.ids_font, below, stale=scene.stale)
        if not drawn or drawn[-1][0] is not laid:
            drawn.append((laid, y - row * height))
        y += height
    # Letters come last: a layout draws all of its rows at once, and the ground of a later row would lie over them.
    painter.setPen(QColor(colours.dim if scene.dim or scene.stale else colours.text))
    # A PDF draws emoji, which are pictures, as transparent as the brush.
    painter.setBrush(painter.pen().color())
    clip = area
    if part is not None:
        # A row out of sight above has letters that hang into the margin.
        clip = asked.intersected(QRectF(area.left(), scene.above, area.width(), area.height()))
        painter.setClipRect(clip)
        clip = clip.adjusted(0, -height, 0, height)
    for laid, top in drawn:
        laid.layout.draw(painter, QPointF(scene.left, top), [], clip)
    if scene.focused:
        _paint_caret(painter, area, scene)


def _paint_lit(painter: QPainter, scene: Scene, laid: LaidPiece, row: int, band: QRectF) -> bool:
    """Paints the lights of a row under its text; whether any of them is for something that is chosen or pointed at."""
    lights = [(light, stretches) for light, stretches in scene.lit.items() if stretches]
    if not lights:
        return False
    start, end = laid.row_start(row), laid.row_end(row)
    newline = laid.piece.newline and row == laid.rows - 1
    found = False
    painter.setPen(Qt.PenStyle.NoPen)
    for light, stretches in lights:
        colours = theme.current()
        is_forged = light == "forged"
        colour = colours.bad if is_forged else colours.text if light == "inside" else colours.accent
        painter.setBrush(_tint(colour, _LIT_SHARES[light]))
        for first, stop in stretches.between(start, end + newline):
            found = found or not is_forged
            for left, right in laid.spans(row, first, stop):
                painter.drawRect(QRectF(band.left() + left, band.top(), right - left, band.height()))
                if is_forged:
                    painter.fillRect(QRectF(band.left() + left, band.bottom() - 2, right - left, 2), QColor(colour))
            if newline and first <= end < stop:
                column = scene.geometry.style.face.column / 2
                painter.drawRect(QRectF(band.left() + laid.x_of(end, row), band.top(), column, band.height()))
    return found


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
    bottom = y + geometry.style.face.text_height
    painter.drawLine(QPointF(floor(x) + 0.5, y + 2), QPointF(floor(x) + 0.5, bottom - 2))


def _tint(colour: str, share: float) -> QColor:
    return theme.current().color(colour, share)
