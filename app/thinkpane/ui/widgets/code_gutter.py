"""The edge of the code editor: line numbers, where the fault is, and which lines ran."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from thinkpane.analysis.coverage_over import CoverageOver
from thinkpane.ui import theme
from thinkpane.ui.widgets.plain_tip import plain_tip

if TYPE_CHECKING:
    from thinkpane.ui.widgets.numbered_edit import NumberedEdit

_GAP = 8
_BAR = 3
_DOT = 8
_DASH = 3


@dataclass(frozen=True, slots=True)
class GutterMarks:
    """What the gutter tells of lines, counted from 1 as Jinja counts them.

    faults: sentences by line. lit: lines that are pointed at. coverage: which conversations ran which lines.
    """

    faults: dict[int, str]
    lit: frozenset[int]
    coverage: CoverageOver


NO_MARKS = GutterMarks({}, frozenset(), CoverageOver((), ()))


class CodeGutter(QWidget):
    """Paints the gutter of one editor.

    Signals:
        line_clicked(int): a line's number was clicked.
    """

    line_clicked = Signal(int)

    def __init__(self, editor: "NumberedEdit") -> None:
        super().__init__(editor)
        self._editor = editor
        self.marks = NO_MARKS
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName("Line numbers")
        theme.state().changed.connect(self.update)

    def set_marks(self, marks: GutterMarks) -> None:
        """Shows these marks in place of the former."""
        if marks != self.marks:
            self.marks = marks
            self.update()

    def width_for(self, lines: int) -> int:
        """How wide it must be for so many lines, in pixels."""
        digits = max(len(str(lines)), 2)
        advance = self._editor.fontMetrics().horizontalAdvance("0")
        return _DOT + _GAP + digits * advance + _GAP + _BAR + _GAP // 2

    def words_for(self, line: int) -> str:
        """What is to be said of a line, "" for nothing."""
        return self.marks.faults.get(line) or self.marks.coverage.words_for(line)

    def _paint_line(self, painter: QPainter, line: int, top: int, height: int) -> None:
        colours = theme.current()
        marks = self.marks
        band = QRect(0, top, self.width() - _GAP // 2, height)
        if line in marks.lit:
            painter.fillRect(band, QColor(colours.accent_ground))
        self._paint_coverage(painter, line, QRect(band.right() - _BAR + 1, top, _BAR, height))
        row = self._editor.fontMetrics().height()
        room = QRect(0, top, band.right() - _BAR - _GAP, row)
        if line in marks.faults:
            painter.setBrush(QColor(colours.bad))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawEllipse(QRect(2, top + (row - _DOT) // 2, _DOT, _DOT))
            painter.setPen(QColor(colours.bad))
        elif line in marks.lit:
            painter.setPen(QColor(colours.accent))
        else:
            painter.setPen(colours.color(colours.dim, 0.55 if line in marks.coverage.never else 0.9))
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(line))

    def _paint_coverage(self, painter: QPainter, line: int, bar: QRect) -> None:
        """A full bar: every conversation ran the line; a broken one: only some did; a thin one: the one that is open
        did not; a hollow one: a dead line, which none of several ran."""
        colours, found = theme.current(), self.marks.coverage
        if line in found.always:
            painter.fillRect(bar, colours.color(colours.good, 0.6))
        elif line in found.some:
            for top in range(bar.top(), bar.bottom(), 2 * _DASH):
                painter.fillRect(QRect(bar.left(), top, _BAR, _DASH), colours.color(colours.good, 0.8))
        elif line in found.never and len(found.counted) == 1:
            painter.fillRect(QRect(bar.left(), bar.top(), 1, bar.height()), colours.color(colours.dim, 0.6))
        elif line in found.never:
            for left in (bar.left() - 1, bar.right()):
                painter.fillRect(QRect(left, bar.top(), 1, bar.height()), colours.color(colours.warning))

    def sizeHint(self) -> QSize:
        """As wide as the editor's last number needs."""
        return QSize(self.width_for(self._editor.line_count), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the lines in sight."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(event.rect(), QColor(theme.current().pane))
        painter.setFont(self._editor.font())
        for line, top, height in self._editor.lines_in_sight():
            self._paint_line(painter, line, top, height)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The click is done when the button is let go."""
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click chooses the line."""
        line = self._editor.line_at(event.position().toPoint().y())
        if line and event.button() == Qt.MouseButton.LeftButton:
            self.line_clicked.emit(line)

    def event(self, event: QEvent) -> bool:
        """Says what a mark means."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            words = self.words_for(self._editor.line_at(event.pos().y()))
            if words:
                QToolTip.showText(event.globalPos(), plain_tip(words), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)
