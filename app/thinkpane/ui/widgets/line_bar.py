"""The row below an editor in which one types the line to go to."""

import re

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

_PLACE = re.compile(r"\s*(\d{1,9})\s*(?:[:,]\s*(\d{1,9})\s*)?")


class LineBar(QWidget):
    """Asks for a line, or line:column. Enter goes there, Escape closes. Hidden until `start`.

    Signals:
        chosen(int, int): line and column, from 1.
        closed(): it was put away.
    """

    chosen = Signal(int, int)
    closed = Signal()

    def __init__(self, scope: QWidget) -> None:
        super().__init__(scope)
        self.field = QLineEdit()
        self.field.setPlaceholderText("Line, or line:column")
        self.field.setAccessibleName("Go to line")
        self._said = QLabel()
        self._said.setProperty("kind", "dim")
        self._said.setTextFormat(Qt.TextFormat.PlainText)
        close = QToolButton()
        close.setText("×")
        close.setProperty("kind", "flat")
        close.setToolTip("Close (Esc)")
        close.setAccessibleName("Close")
        close.clicked.connect(self.stop)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 8, 4)
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        row.addWidget(self._said)
        row.addWidget(close)
        self.hide()

    def start(self, lines: int) -> None:
        """Shows the row. lines: how many there are to choose from."""
        self._said.setText(f"of {lines:,}")
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def stop(self) -> None:
        """Hides the row."""
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes there, Escape closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.stop()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._go()
        else:
            super().keyPressEvent(event)

    def _go(self) -> None:
        found = _PLACE.fullmatch(self.field.text())
        if found is None:
            self._said.setText("not a line")
            return
        self.hide()
        self.chosen.emit(int(found[1]), int(found[2] or 1))
