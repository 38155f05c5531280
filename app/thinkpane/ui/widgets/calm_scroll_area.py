"""A scroll area that does not fit its widget for ever."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QScrollArea, QWidget

_MOST_TRIES = 8
"""Sizes that are tried inside each other; honest widgets need two or three, with and without the scroll bar."""


class CalmScrollArea(QScrollArea):
    """Gives up where its widget wants another height for a width at each try, until it is laid out anew.

    While a style sheet is taken over, some of the widgets inside have the old look and some the new one, and Qt keeps
    heights of both: the area would resize its widget inside of that widget's resizing until the stack ends.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tries = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Sees the widget's new size, by which Qt tells whether there is room for it."""
        if event.type() != QEvent.Type.Resize or watched != self.widget():
            return super().eventFilter(watched, event)
        if self._tries >= _MOST_TRIES:
            return False
        self._tries += 1
        try:
            return super().eventFilter(watched, event)
        finally:
            self._tries -= 1
