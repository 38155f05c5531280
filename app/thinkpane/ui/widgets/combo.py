"""A combo box that shows its arrow: style sheets give theirs none without an image file."""

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget

from thinkpane.ui import theme

_ARROW = 18


class Combo(QComboBox):
    """A choice of values. editable: one may be typed that is not listed.

    Signals:
        opened(): its list is about to be shown.
    """

    opened = Signal()

    def __init__(self, parent: QWidget | None = None, *, editable: bool = True) -> None:
        super().__init__(parent)
        self.setEditable(editable)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)

    def showPopup(self) -> None:
        """Shows the list."""
        self.opened.emit()
        super().showPopup()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel scrolls what the box stands in; a value that it changed in passing would be an accident."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the box, then the arrow."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setPen(QColor(theme.current().dim))
        place = QRect(self.width() - _ARROW - 2, 0, _ARROW, self.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, "▾")
