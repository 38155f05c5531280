"""The text view as screen readers see it: its text, caret, and where characters stand.

Measured with PySide6 6.11.3: a Python QAccessibleTextInterface works for text, caret, rectangles and hit tests. The
two functions with out-parameters (selection, attributes) cannot be written in Python, so the selection is told by
events and `selectionCount` says 0: a reader that asked for one would get numbers that nobody set.
"""

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleInterface,
    QAccessibleObject,
    QAccessibleTextCursorEvent,
    QAccessibleTextInterface,
    QAccessibleTextSelectionEvent,
)
from PySide6.QtWidgets import QWidget

from thinkpane.ui.widgets.text_selection import Selection
from thinkpane.ui.widgets.text_shown import without_surrogates

if TYPE_CHECKING:
    from thinkpane.ui.widgets.text_view import TextView

_interfaces: dict[int, QAccessibleObject] = {}
_registered = False


class _Text(QAccessibleTextInterface):
    def __init__(self, view: "TextView") -> None:
        super().__init__()
        self._view = view

    def characterCount(self) -> int:
        return len(self._view.text)

    def text(self, startOffset: int, endOffset: int) -> str:
        return without_surrogates(self._view.text[startOffset:endOffset])

    def cursorPosition(self) -> int:
        return self._view.selection.caret

    def setCursorPosition(self, position: int) -> None:
        self._view.set_selection(Selection(position, position))

    def selectionCount(self) -> int:
        return 0

    def addSelection(self, startOffset: int, endOffset: int) -> None:
        self._view.select(startOffset, endOffset)

    def setSelection(self, selectionIndex: int, startOffset: int, endOffset: int) -> None:
        self._view.select(startOffset, endOffset)

    def removeSelection(self, selectionIndex: int) -> None:
        self.setCursorPosition(self._view.selection.caret)

    def characterRect(self, offset: int) -> QRect:
        found = self._view.rect_of(offset)
        return QRect(self._view.viewport().mapToGlobal(found.topLeft()), found.size())

    def offsetAtPoint(self, point: QPoint) -> int:
        return self._view.character_at(self._view.viewport().mapFromGlobal(point))

    def scrollToSubstring(self, startIndex: int, endIndex: int) -> None:
        self._view.reveal(startIndex)


class _Interface(QAccessibleObject):
    def __init__(self, view: "TextView") -> None:
        super().__init__(view)
        self._view = view
        self._text = _Text(view)

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.EditableText

    def state(self) -> QAccessible.State:
        found = QAccessible.State()
        for name, on in (
            ("readOnly", True),
            ("multiLine", True),
            ("selectableText", True),
            ("focusable", True),
            ("focused", self._view.hasFocus()),
            ("invisible", not self._view.isVisible()),
        ):
            setattr(found, name, on)
        return found

    def text(self, t: QAccessible.Text) -> str:
        if t == QAccessible.Text.Name:
            return self._view.accessibleName()
        if t != QAccessible.Text.Description:
            return ""
        from thinkpane.ui.widgets.text_spoken import words_at_caret

        return self._view.accessibleDescription() or without_surrogates(words_at_caret(self._view))

    def parent(self) -> QAccessibleInterface:
        return QAccessible.queryAccessibleInterface(self._view.parentWidget() or self._view.window())

    def child(self, index: int) -> QAccessibleInterface:
        return cast("QAccessibleInterface", None)

    def childCount(self) -> int:
        return 0

    def indexOfChild(self, arg__1: QAccessibleInterface) -> int:
        return -1

    def rect(self) -> QRect:
        return QRect(self._view.mapToGlobal(QPoint(0, 0)), self._view.size())

    def interface_cast(self, t: QAccessible.InterfaceType) -> int:
        return cast("int", self._text if t == QAccessible.InterfaceType.TextInterface else None)


def register() -> None:
    """Lets screen readers read text views; the first call does it."""
    global _registered
    if not _registered:
        QAccessible.installFactory(_interface_of)
        _registered = True


def announce_caret(view: "TextView") -> None:
    """Tells screen readers where the caret is and what is selected."""
    if not QAccessible.isActive():
        return
    at = view.selection
    if at.start == at.end:
        QAccessible.updateAccessibility(QAccessibleTextCursorEvent(view, at.caret))
    else:
        QAccessible.updateAccessibility(QAccessibleTextSelectionEvent(view, at.start, at.end))


def announce(widget: QWidget, words: str) -> None:
    """Lets screen readers say `words` when they have a moment; for what happened, never for each token."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words))


def _interface_of(_key: str, object: QObject) -> QAccessibleInterface | None:
    from thinkpane.ui.widgets.text_view import TextView

    if not isinstance(object, TextView):
        return None
    found = _Interface(object)
    number = id(object)
    _interfaces[number] = found
    object.destroyed.connect(lambda: _interfaces.pop(number, None))
    return found
