"""The control tags of the template, one chip each; a click puts the tag where the caret was."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QLayout, QLayoutItem, QPushButton, QVBoxLayout, QWidget

from thinkpane.templates.template import TagCandidate


class TagPalette(QWidget):
    """Chips for control tags.

    Signals:
        insert_requested(str): the `insert` text of the chip that was pressed; `…` in it marks the caret.
    """

    insert_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tags: tuple[TagCandidate, ...] = ()
        self._empty = QLabel("This template declares no control tags.")
        self._empty.setProperty("kind", "dim")
        self._empty.setWordWrap(True)
        self._chips = QWidget()
        self._flow = _FlowLayout(self._chips)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._empty)
        layout.addWidget(self._chips)
        self.set_tags(())

    def set_tags(self, tags: Sequence[TagCandidate]) -> None:
        """Shows these tags."""
        if tuple(tags) == self._tags and self._flow.count():
            return
        self._tags = tuple(tags)
        while (item := self._flow.takeAt(0)) is not None:
            widget = item.widget()
            if widget:
                widget.hide()
                widget.deleteLater()
        for tag in self._tags:
            self._flow.addWidget(self._chip(tag))
        self._empty.setVisible(not self._tags)
        self._chips.setVisible(bool(self._tags))

    def chips(self) -> list[QPushButton]:
        """The chips, in order."""
        return [each for each in self._chips.findChildren(QPushButton) if not each.isHidden()]

    def _chip(self, tag: TagCandidate) -> QPushButton:
        # A button would take "&" for a mnemonic.
        chip = QPushButton(tag.tag.replace("&", "&&"), self._chips)
        chip.setProperty("kind", "chip")
        chip.setProperty("mono", True)
        chip.setAccessibleName(f"Insert {tag.tag}")
        # Escaped and marked as rich text, because Qt guesses the kind of a tooltip and a template's author wrote this.
        chip.setToolTip(f"<qt>{escape(' · '.join(each for each in (tag.summary, tag.where) if each))}</qt>")
        chip.clicked.connect(lambda: self.insert_requested.emit(tag.insert))
        return chip


class _FlowLayout(QLayout):
    """Puts widgets beside each other and goes to the next line where the width ends."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(4)

    def addItem(self, item: QLayoutItem) -> None:
        """Takes an item in at the end."""
        self._items.append(item)

    def count(self) -> int:
        """How many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """The item at that place, None outside."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Takes the item at that place out, None outside."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """It takes no more room than it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Narrower means higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of all lines."""
        return self._place(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        """Places the widgets."""
        super().setGeometry(rect)
        self._place(rect, move=True)

    def sizeHint(self) -> QSize:
        """As small as it may be."""
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        """Wide enough for its widest widget."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _place(self, rect: QRect, *, move: bool) -> int:
        x, y, line = rect.x(), rect.y(), 0
        for item in self._items:
            size = item.sizeHint()
            if x + size.width() > rect.right() + 1 and x > rect.x():
                x, y, line = rect.x(), y + line + self.spacing(), 0
            if move:
                item.setGeometry(QRect(QPoint(x, y), size))
            x += size.width() + self.spacing()
            line = max(line, size.height())
        return y + line - rect.y()
