"""An excerpt laid out at a width, and painted row by row by the code that paints the pane."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from thinkpane.formats.finding import Hits
from thinkpane.ui import theme
from thinkpane.ui.excerpts.excerpt import Excerpt, Look
from thinkpane.ui.widgets.text_change import Change
from thinkpane.ui.widgets.text_geometry import Place, TextGeometry
from thinkpane.ui.widgets.text_gutter import gutter_width
from thinkpane.ui.widgets.text_layout import Style, face, without_ligatures
from thinkpane.ui.widgets.text_marks import Marks
from thinkpane.ui.widgets.text_paint import Scene, paint
from thinkpane.ui.widgets.text_selection import Selection

MARGIN = 16
"""Pixels around all."""

_LETTERS = 12
_TITLE, _FACTS = 13, 11
_GAP = 10
_LEAST_TEXT = 80


class Sheet:
    """One excerpt in one look. Heights are pixels of a scale of 1; rows are laid out when they are painted."""

    def __init__(self, excerpt: Excerpt, look: Look) -> None:
        self.look = look
        self._excerpt = excerpt
        with painted_in(look.theme):
            self._geometry = _geometry(excerpt, look)
            self._left = gutter_width(self._geometry, excerpt.labels) if look.gutter else 0
            width = max(look.width - 2 * MARGIN - self._left, _LEAST_TEXT)
            style = self._geometry.style
            self._geometry.set_style(Style(style.face, width, look.invisible))

    @property
    def title(self) -> str:
        """The title, whether it is shown or not."""
        return self._excerpt.title

    @property
    def row_height(self) -> int:
        """Pixels of a row."""
        return self._geometry.style.face.row_height

    @property
    def header_height(self) -> float:
        """Pixels of the title and what is below it, up to the first row."""
        if not self.look.title:
            return 0.0
        with painted_in(self.look.theme):
            return QFontMetricsF(_font(_TITLE, bold=True)).height() + QFontMetricsF(_font(_FACTS)).height() + _GAP

    def estimated_rows(self) -> int:
        """How many rows there are, about, without laying them out."""
        return self._geometry.lines.row_count()

    def count_rows(self, most: int) -> int:
        """How many rows there are, up to `most`."""
        with painted_in(self.look.theme):
            return self._geometry.count_rows(most)

    def height(self, rows: int) -> float:
        """Pixels of a picture with so many rows, whole ones."""
        return float(ceil(2 * MARGIN + self.header_height + rows * self.row_height))

    def first(self) -> Place:
        """The first row."""
        return self._geometry.first()

    def paint(self, painter: QPainter, top: Place, rows: int, height: float, *, title: bool = True) -> Place | None:
        """Paints so many rows from `top` on into a picture of that height; gives the next row, None at the end."""
        with painted_in(self.look.theme):
            painter.fillRect(QRectF(0, 0, self.look.width, height), QColor(self.look.theme.pane))
            above = MARGIN + (self._paint_header(painter) if title and self.look.title else 0.0)
            painter.save()
            painter.translate(MARGIN, above)
            # A pixel less: a row that only touches the area would be drawn too.
            area = QRectF(0, 0, self.look.width - 2 * MARGIN, rows * self.row_height - 1)
            paint(painter, area, self._scene(top))
            painter.restore()
            following = self._geometry.moved(top, rows)
            return following if self._geometry.moved(top, rows - 1) != following else None

    def _paint_header(self, painter: QPainter) -> float:
        y = float(MARGIN)
        lines = ((self._excerpt.title, _font(_TITLE, bold=True), "text"), (self._excerpt.facts, _font(_FACTS), "dim"))
        for text, font, colour in lines:
            metrics = QFontMetricsF(font)
            painter.setFont(font)
            painter.setPen(QColor(getattr(self.look.theme, colour)))
            room = QRectF(MARGIN, y, self.look.width - 2 * MARGIN, metrics.height())
            words = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words)
            y += metrics.height()
        return self.header_height

    def _scene(self, top: Place) -> Scene:
        look = self.look
        return Scene(
            geometry=self._geometry,
            top=top,
            left=self._left,
            above=0,
            selection=Selection(),
            hits=Hits(),
            hit=-1,
            ground="pane",
            gutter=look.gutter,
            focused=False,
            stale=False,
            dim=False,
            labels=self._excerpt.labels,
            lit={"forged": self._excerpt.forged},
            shaded=look.shaded,
        )


@contextmanager
def painted_in(chosen: theme.Theme) -> Iterator[None]:
    """Lets painting code take its colours and sizes from a theme that is not the window's, without a zoom; the window
    is not told, and must not be painted meanwhile."""
    state = theme.state()
    before = state.theme, state.zoom
    state.theme, state.zoom = chosen, 1.0
    try:
        yield
    finally:
        state.theme, state.zoom = before


def _geometry(excerpt: Excerpt, look: Look) -> TextGeometry:
    letters = face(without_ligatures(theme.mono_font(_LETTERS)), ids=look.ids)
    found = TextGeometry(Style(letters, look.width, look.invisible))
    found.tokens = excerpt.tokens
    found.lines.first_line = excerpt.first_line
    found.replace(Change(0, 0, excerpt.text), excerpt.text, Marks(excerpt.marks))
    return found


def _font(points: int, *, bold: bool = False) -> QFont:
    return theme.ui_font(points, bold=bold)
