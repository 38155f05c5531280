"""A row that goes from one marked place of a text to the next, and says which is at hand."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.plain_tip import plain_tip


class PlaceSteps(QWidget):
    """Previous (Shift+F7) and Next (F7), round at the ends. noun: what a place is, for words.

    Signals:
        reached(int): the place that is at hand now, from 0.
    """

    reached = Signal(int)

    def __init__(self, noun: str, count: int) -> None:
        super().__init__()
        self._count = count
        self._at = -1
        self.where = plain_label("", "dim")
        self.where.setWordWrap(True)
        self.where.setAccessibleName(f"{noun.capitalize()} at hand")
        self.previous = _button("Previous", noun, "Shift+F7")
        self.next = _button("Next", noun, "F7")
        self.previous.clicked.connect(lambda: self.go(self._at - 1))
        self.next.clicked.connect(lambda: self.go(self._at + 1))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.where, 1)
        for each in (self.previous, self.next):
            each.setEnabled(count > 0)
            row.addWidget(each)

    def go(self, number: int) -> None:
        """To that place; nothing happens where there is none."""
        if self._count:
            self._at = number % self._count
            self.reached.emit(self._at)


def _button(text: str, noun: str, keys: str) -> QPushButton:
    found = QPushButton(text)
    found.setShortcut(QKeySequence(keys))
    found.setToolTip(plain_tip(f"{text} {noun} ({keys})"))
    found.setAutoDefault(False)
    return found
