"""The ruler beside a text's scroll bar: messages in their colours, find hits, problems, and what is in sight."""

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from thinkpane.ui import theme
from thinkpane.ui.models.ruler_marks import KINDS, Boundary, MarkKind, MarkList, Runs, pixels_of
from thinkpane.ui.models.ruler_scale import Scale
from thinkpane.ui.widgets.plain_tip import told_in_tip
from thinkpane.ui.widgets.text_selection import caret
from thinkpane.ui.widgets.text_view import TextView

_WIDTH: Final = 16
_ROLES = (1, 3)
_HITS = (5, 4)
_MARKS = (10, 5)
"""Left edge and width of each lane: what is told apart by colour is told apart by place, too."""

_REACH = 3
"""Pixels around the pointer in which something counts as under it."""

_TICK = 2
_LEAST_GAP = 6
"""Pixels between two lines of message boundaries; nearer ones would be a grey field."""

_MOST_TOLD = 4
_PAUSE_MS = 200
"""Rows are counted while one scrolls; the ruler follows when that pauses."""


class Ruler(QWidget):
    """Stands beside one view. A click or a drag goes there; what is under the pointer is told by its tooltip.

    Not for the keyboard: all that it shows is reached by going and finding, too.
    """

    def __init__(self, view: TextView) -> None:
        super().__init__()
        self._view = view
        self._runs = Runs()
        self._boundaries: list[Boundary] = []
        self._marks = MarkList()
        self._scale = Scale((0, 0), (0, 0), 1.0)
        self._edges: list[int] = [0, 0]
        self._drawn: QPixmap | None = None
        self._later = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._later.timeout.connect(self.refresh)
        self.setAccessibleName("Overview of the text")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        view.hits_changed.connect(self._on_view_hits_changed)
        bar = view.verticalScrollBar()
        bar.valueChanged.connect(self.update)
        bar.rangeChanged.connect(self._later.start)
        theme.state().changed.connect(self.refresh)

    @property
    def marks(self) -> MarkList:
        """The marks that it shows."""
        return self._marks

    @property
    def boundaries(self) -> list[Boundary]:
        """Where messages begin."""
        return self._boundaries

    def set_runs(self, runs: Runs) -> None:
        """Whose the characters are."""
        self._runs = runs
        self._later.start()

    def set_boundaries(self, boundaries: list[Boundary]) -> None:
        """Where messages begin, in order."""
        self._boundaries = boundaries
        self._later.start()

    def set_marks(self, marks: MarkList) -> None:
        """What somebody should see."""
        self._marks = marks
        self._later.start()

    def refresh(self) -> None:
        """Shows the view's text as it is now."""
        self._later.stop()
        positions, rows = self._view.rows.lines.knots()
        row_height = self._view.rows.style.face.row_height
        self._scale = Scale(positions, rows, min(float(self.height()), rows[-1] * row_height))
        self._edges = self._scale.edges()
        self._drawn = None
        self.setAccessibleDescription(self.summary())
        self.update()

    def summary(self) -> str:
        """What it shows, in one line."""
        hits, marks = len(self._view.hits), len(self._marks)
        told = [
            _many(len(self._boundaries), "message"),
            _many(hits, "hit") if hits else "",
            _many(marks, "marked place") if marks else "",
        ]
        return ", ".join(each for each in told if each)

    def words_at(self, y: int) -> str:
        """What is there at a pixel, a line each."""
        start = self._scale.position_at(y - _REACH)
        end = max(self._scale.position_at(y + _REACH), start + 1)
        found = self._marks.between(start, end, _MOST_TOLD)
        lines = [self._message_at(self._scale.position_at(y))]
        hits = len(self._view.hits.between(start, end))
        lines += [_many(hits, "hit")] if hits else []
        lines += [each.words for each in found]
        more = self._marks.count(start, end) - len(found)
        lines += [f"and {more:,} more"] if len(found) == _MOST_TOLD and more > 0 else []
        return "\n".join(each for each in lines if each)

    def go(self, y: int) -> None:
        """Goes to what is marked at a pixel, else to the text that stands there."""
        start, end = self._scale.position_at(y - _REACH), self._scale.position_at(y + _REACH) + 1
        hits = self._view.hits.between(start, end)
        marks = self._marks.between(start, end, 1)
        if hits:
            self._view.select(self._view.hits.starts[hits[0]], self._view.hits.ends[hits[0]])
        elif marks:
            self._view.reveal(marks[0].start)
            self._view.set_selection(caret(marks[0].start))
        else:
            self.scroll_to(y)

    def scroll_to(self, y: int) -> None:
        """Brings the text at a pixel into the middle of what is in sight."""
        row = y / max(self._scale.height, 1.0) * self._scale.rows
        self._view.verticalScrollBar().setValue(round(row - self._view.page_rows / 2))

    def _message_at(self, position: int) -> str:
        before = [each for each in self._boundaries if each.start <= position]
        return before[-1].words if before else ""

    def _on_view_hits_changed(self, count: int, _number: int) -> None:
        if count >= 0:
            self._later.start()

    # --- painting

    def _draw(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        found = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
        found.setDevicePixelRatio(ratio)
        found.fill(QColor(theme.current().pane))
        painter = QPainter(found)
        self._draw_roles(painter)
        self._draw_boundaries(painter)
        colours = theme.current()
        self._draw_ticks(painter, pixels_of(self._view.hits.starts, self._edges), _HITS, colours.warning)
        for kind in KINDS:
            self._draw_ticks(painter, pixels_of(self._marks.starts(kind), self._edges), _MARKS, _colour(kind))
        painter.end()
        return found

    def _draw_roles(self, painter: QPainter) -> None:
        first, role = 0, self._runs.at(self._edges[0])
        for pixel in range(1, len(self._edges)):
            found = self._runs.at(self._edges[pixel]) if pixel < len(self._edges) - 1 else None
            if found != role:
                if role:
                    colour = theme.current().color(theme.current().role(role), 0.75)
                    painter.fillRect(QRectF(_ROLES[0], first, _ROLES[1], pixel - first), colour)
                first, role = pixel, found or ""

    def _draw_boundaries(self, painter: QPainter) -> None:
        last = -_LEAST_GAP
        colour = theme.current().color(theme.current().dim, 0.4)
        for pixel in pixels_of([each.start for each in self._boundaries], self._edges):
            if pixel - last >= _LEAST_GAP and pixel:
                painter.fillRect(QRectF(1, pixel, _WIDTH - 1, 1), colour)
                last = pixel

    def _draw_ticks(self, painter: QPainter, pixels: list[int], lane: tuple[int, int], colour: str) -> None:
        for pixel in pixels:
            painter.fillRect(QRectF(lane[0], pixel, lane[1], _TICK), QColor(colour))

    # --- Qt

    def sizeHint(self) -> QSize:
        """Narrow, and as high as it is given."""
        return QSize(_WIDTH, 80)

    def minimumSizeHint(self) -> QSize:
        """Narrow."""
        return QSize(_WIDTH, 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        """What is marked, and over it what is in sight."""
        if self._drawn is None:
            self._drawn = self._draw()
        painter = QPainter(self)
        painter.drawPixmap(QPoint(0, 0), self._drawn)
        colours = theme.current()
        painter.fillRect(QRectF(0, 0, 1, self.height()), QColor(colours.line))
        bar = self._view.verticalScrollBar()
        if bar.maximum() > 0:
            height = self._scale.height / max(bar.maximum() + bar.pageStep(), 1)
            area = QRectF(1, bar.value() * height, _WIDTH - 1, max(bar.pageStep() * height, 6))
            painter.fillRect(area, colours.color(colours.text, 0.12))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Takes the new height."""
        self.refresh()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Goes there."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.go(round(event.position().y()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Scrolls along while dragging."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.scroll_to(round(event.position().y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ends a drag, which is nobody else's."""

    def event(self, event: QEvent) -> bool:
        """Tells what is under the pointer."""
        return told_in_tip(event, lambda point: self.words_at(point.y()), self) or super().event(event)


def _colour(kind: MarkKind) -> str:
    colours = theme.current()
    return {"error": colours.bad, "injection": colours.bad, "warning": colours.warning, "note": colours.dim}[kind]


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
