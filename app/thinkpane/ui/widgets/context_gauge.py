"""A thin gauge: how much of a model's context the prompt takes, and the reply that is asked for after it."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from thinkpane.ui import theme
from thinkpane.ui.models.context_room import Room

_HEIGHT = 4


class ContextGauge(QWidget):
    """Hidden while the length of the context is not known."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._room: Room | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Part of the context that is taken")
        theme.state().changed.connect(self.update)
        self.hide()

    def show_room(self, room: Room | None) -> None:
        """Shows it; None = not known."""
        self._room = room
        self.setAccessibleDescription(room.words if room is not None else "")
        self.setVisible(room is not None)
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as it may be."""
        return QSize(200, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The whole context, what the prompt takes of it, and in a lighter colour what the reply may take."""
        del event
        room = self._room
        if room is None:
            return
        colours = theme.current()
        tones = {"": colours.accent, "good": colours.good, "warning": colours.warning, "bad": colours.bad}
        painter = QPainter(self)
        painter.fillRect(QRectF(0, 0, self.width(), _HEIGHT), QColor(colours.chip))
        scale = self.width() / max(room.length.tokens, room.used + room.asked, 1)
        used, asked = room.used * scale, room.asked * scale
        painter.fillRect(QRectF(0, 0, max(used, 1.0), _HEIGHT), QColor(tones[room.tone]))
        painter.fillRect(QRectF(used, 0, asked, _HEIGHT), colours.color(tones[room.tone], 0.45))
        if room.tone == "bad":
            painter.fillRect(QRectF(room.length.tokens * scale - 1, 0, 2, _HEIGHT), QColor(colours.text))
        painter.end()
