"""The strip of turns: how much of each prompt and answer the next one reuses, and where history was rewritten."""

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from thinkpane.analysis.prefix import Reuse, Turn
from thinkpane.ui import theme
from thinkpane.ui.models.reuse_words import first_number, reuse_words, turn_hint, turn_words
from thinkpane.ui.widgets.plain_tip import told_in_tip
from thinkpane.ui.widgets.text_accessible import announce

_HEIGHT = 16
_GAP = 3
_WIDEST = 72
_MARK = 5


class TurnStrip(QWidget):
    """A cell for each turn: what is reused is filled; a corner marks a cell whose history was rewritten.

    Arrow keys go from one to the next, Return or a click chooses one.

    Signals:
        told(str): the turn under the pointer or the keys in words, else the newest one.
        turn_chosen(object, int): that Turn was clicked, and its number from 1.
    """

    told = Signal(str)
    turn_chosen = Signal(object, int)

    def __init__(self) -> None:
        super().__init__()
        self._found = Reuse()
        self._what = "character"
        self._at = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Cache reuse between turns")
        theme.state().changed.connect(self.update)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """What is shown."""
        return self._found.turns

    def set_reuse(self, found: Reuse, what: str) -> None:
        """Shows these turns. what: what is counted, "token" or "character"."""
        self._found, self._what = found, what
        self._at = min(self._at, len(self.turns) - 1)
        self.setAccessibleDescription(reuse_words(found, what))
        self._tell()
        self.update()

    def turn_at(self, x: int) -> int:
        """The index of the turn that is painted at a pixel from the left; -1 = none."""
        found = int(x // (self._width() + _GAP)) if self.turns else -1
        return found if 0 <= found < len(self.turns) and x >= 0 else -1

    def _width(self) -> float:
        """The width of a cell."""
        count = max(len(self.turns), 1)
        return min((self.width() + _GAP) / count - _GAP, _WIDEST)

    def _go_to(self, index: int) -> None:
        if index != self._at:
            self._at = index
            self._tell()
            self.update()

    def _tell(self) -> None:
        self.told.emit(
            turn_words(self.turns[self._at], first_number(self._found) + self._at, self._what)
            if self._at >= 0
            else reuse_words(self._found, self._what)
        )

    def _choose(self) -> None:
        if self._at >= 0:
            self.turn_chosen.emit(self.turns[self._at], first_number(self._found) + self._at)

    # --- Qt

    def sizeHint(self) -> QSize:
        """As wide as it may be."""
        return QSize(120, _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """A few cells."""
        return QSize(40, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the cells."""
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = self._width()
        for index, turn in enumerate(self.turns):
            cell = QRectF(index * (width + _GAP), 1, width, _HEIGHT - 2)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.line))
            painter.drawRoundedRect(cell, 3, 3)
            share = turn.reused / turn.total if turn.total else 1.0
            colour = colours.good if turn.kept == "all" else colours.bad if turn.kept == "history" else colours.warning
            painter.setBrush(colours.color(colour, 0.72))
            painter.drawRoundedRect(QRectF(cell.left(), cell.top(), max(width * share, 2), cell.height()), 3, 3)
            if turn.kept == "history":
                painter.setBrush(QColor(colours.text))
                painter.drawEllipse(QRectF(cell.right() - _MARK - 3, cell.center().y() - _MARK / 2, _MARK, _MARK))
            if turn.assumed:
                painter.setPen(QPen(QColor(colours.dim), 1, Qt.PenStyle.DashLine))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
            if index == self._at:
                painter.setPen(QPen(QColor(colours.accent), 1.5))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(cell.adjusted(0.75, 0.75, -0.75, -0.75), 3, 3)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tells of the turn under the pointer."""
        self._go_to(self.turn_at(round(event.position().x())))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Chooses the turn under the pointer."""
        self._go_to(self.turn_at(round(event.position().x())))
        self._choose()

    def leaveEvent(self, event: QEvent) -> None:
        """No turn is pointed at any more."""
        if not self.hasFocus():
            self._go_to(-1)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keys are on the newest turn."""
        super().focusInEvent(event)
        if self._at < 0:
            self._go_to(len(self.turns) - 1)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The keys are on no turn any more."""
        super().focusOutEvent(event)
        self._go_to(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Goes from turn to turn, and chooses."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if event.key() in steps and self.turns:
            self._go_to(min(max(self._at + steps[Qt.Key(event.key())], 0), len(self.turns) - 1))
            announce(self, turn_words(self.turns[self._at], first_number(self._found) + self._at, self._what))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Shows the tooltip of the turn under the pointer."""
        return told_in_tip(event, self._words_at, self) or super().event(event)

    def _words_at(self, point: QPoint) -> str:
        index = self.turn_at(point.x())
        return turn_hint(self.turns[index], first_number(self._found) + index, self._what) if index >= 0 else ""
