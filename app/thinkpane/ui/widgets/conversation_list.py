"""The conversations that a template's coverage is counted over: what each ran, or why it could not; added, removed."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QScrollArea, QToolButton, QVBoxLayout, QWidget

from thinkpane.ui.widgets.badge import Tone
from thinkpane.ui.widgets.calm_scroll_area import CalmScrollArea
from thinkpane.ui.widgets.elided_label import ElidedBadge, ElidedLabel
from thinkpane.ui.widgets.flat_button import flat_button
from thinkpane.ui.widgets.plain_tip import plain_tip

_HIGHEST = 112
"""Pixels; a longer list scrolls, so that the template keeps its room."""

_LEAST_TITLE = 96
"""Pixels that a title keeps beside a long sentence."""


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """One row. key: "" for the document's own conversation, which cannot be removed. told: what it ran, or why not."""

    key: str
    title: str
    hint: str
    told: str
    tone: Tone = ""


class ConversationList(QFrame):
    """The rows, and a button with the menu of what can be added.

    Signals:
        removed(str): the key of the row whose ✕ was pressed.
    """

    removed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "pane")
        self.setAccessibleName("Conversations that coverage is counted over")
        self.add = flat_button("＋  Add", "Open a further conversation for coverage")
        self.add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.add)
        self.add.setMenu(self.menu)
        title = ElidedLabel("dim")
        title.set_whole("Each with its own variables:")
        head = QHBoxLayout()
        head.setContentsMargins(8, 4, 4, 0)
        head.addWidget(title, 1)
        head.addWidget(self.add)
        self._inside = QWidget()
        self._inside.setProperty("kind", "pane")
        self._inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(8, 0, 4, 4)
        self._column.setSpacing(2)
        self._area = CalmScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QScrollArea.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(self._inside)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._area)
        self._rows: list[_Row] = []

    @property
    def rows(self) -> list[ConversationRow]:
        """What is shown, in order."""
        return [each.shown for each in self._rows]

    def show_rows(self, rows: Sequence[ConversationRow]) -> None:
        """Shows these rows; one whose key stays is the same widget, so that the focus does not jump."""
        if [each.shown.key for each in self._rows] != [each.key for each in rows]:
            for old in self._rows:
                old.hide()
                self._column.removeWidget(old)
                old.deleteLater()
            self._rows = [_Row(each) for each in rows]
            for place, row in enumerate(self._rows):
                row.cross.clicked.connect(lambda _checked=False, key=rows[place].key: self.removed.emit(key))
                self._column.addWidget(row)
        for row, found in zip(self._rows, rows, strict=True):
            row.show_row(found)
        self._inside.adjustSize()
        self._area.setFixedHeight(min(self._inside.sizeHint().height(), _HIGHEST))

    def cross(self, key: str) -> QToolButton:
        """The button that removes a row. Raises KeyError where there is none of that key."""
        found = next((each.cross for each in self._rows if each.shown.key == key), None)
        if found is None:
            raise KeyError(key)
        return found


class _Row(QWidget):
    def __init__(self, row: ConversationRow) -> None:
        super().__init__()
        self.shown = row
        self._title = ElidedLabel("setting")
        self._title.setMinimumWidth(_LEAST_TITLE)
        self._told = ElidedBadge()
        self.cross = flat_button("✕", "")
        kept = self.cross.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.cross.setSizePolicy(kept)
        self.cross.setVisible(bool(row.key))
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(self._title, 1)
        line.addWidget(self._told)
        line.addWidget(self.cross)

    def show_row(self, row: ConversationRow) -> None:
        self.shown = row
        self._title.set_whole(row.title)
        self._title.setToolTip(plain_tip(row.hint))
        self._told.say(row.told, row.tone)
        words = f"Remove “{row.title}” from the conversations"
        self.cross.setAccessibleName(words)
        self.cross.setToolTip(plain_tip(words))
