"""Tabs of panes: upper-case titles, panes by their ids."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QTabBar, QTabWidget, QWidget

from thinkpane.ui.widgets.plain_tip import plain_tip

_SPACING = 1.0
"""Pixels between letters."""

_FRAME = 16
"""Pixels beside a title: the style sheet's padding and margins, and what Qt keeps free before it cuts a text."""

MARK = "● "
"""Before the title of a pane in which something waits, where it is not cut."""


class _Bar(QTabBar):
    """Asks for what the titles need: Qt forgets the letters' spacing when it measures tabs of a style sheet."""

    def __init__(self) -> None:
        super().__init__()
        font = self.font()
        font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, _SPACING)
        self.setFont(font)

    def tabSizeHint(self, index: int) -> QSize:
        """Room for the whole title."""
        hint = super().tabSizeHint(index)
        metrics = self.fontMetrics()
        return QSize(max(hint.width(), metrics.horizontalAdvance(self.tabText(index)) + _FRAME), hint.height())


class PaneTabs(QTabWidget):
    """A tab a pane."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._ids: list[str] = []
        self._titles: dict[str, str] = {}
        self._marks: dict[str, str] = {}
        self.setAccessibleName(name)
        self.setTabBar(_Bar())
        self.setDocumentMode(True)
        self.tabBar().setExpanding(False)
        # Titles are cut where there is no room: every tab stays in sight and in reach.
        self.tabBar().setUsesScrollButtons(False)
        self.tabBar().setElideMode(Qt.TextElideMode.ElideRight)

    def add_pane(self, id: str, title: str, pane: QWidget) -> None:
        """Takes a pane in at the end."""
        self._ids.append(id)
        self._titles[id] = title
        self.addTab(pane, title.upper())
        self.setTabToolTip(self.count() - 1, plain_tip(title))

    def set_title(self, id: str, title: str) -> None:
        """What a pane's tab says."""
        self._titles[id] = title
        self._show(id)

    def set_mark(self, id: str, words: str) -> None:
        """Says with a dot and a tooltip that something in a pane waits for a person; "" takes that away."""
        self._marks[id] = words
        self._show(id)

    def show_pane(self, id: str) -> bool:
        """Brings a pane to the front; False where it is none of these."""
        if id not in self._ids:
            return False
        self.setCurrentIndex(self._ids.index(id))
        return True

    @property
    def current_id(self) -> str:
        """The pane in front."""
        return self._ids[self.currentIndex()]

    def _show(self, id: str) -> None:
        place, title, words = self._ids.index(id), self._titles[id], self._marks.get(id, "")
        text = (MARK if words else "") + title.upper()
        if text != self.tabText(place):
            self.setTabText(place, text)
        self.setTabToolTip(place, plain_tip(f"{title}: {words}" if words else title))
