"""Tabs of panes by their ids: titles in capitals, closer together and then in small letters where room is short."""

from collections.abc import Iterable
from typing import NamedTuple

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QTabBar, QTabWidget, QWidget

from thinkpane.ui.widgets.plain_tip import plain_tip


class _Look(NamedTuple):
    """spacing: pixels between letters; frame: pixels beside a title: the style sheet's padding and margins, and what
    Qt keeps free before it cuts a text; capitals: how titles are written."""

    spacing: float
    frame: int
    capitals: bool

    def written(self, title: str) -> str:
        """The title as a tab has it."""
        return title.upper() if self.capitals else title


_LOOKS = (_Look(1.0, 16, True), _Look(0.0, 16, True), _Look(0.0, 12, True), _Look(0.0, 12, False))
"""From the widest to the narrowest; the style sheet knows those with the small frame by the property "tight"."""

_BESIDE = 24
"""Pixels between the titles and what stands in the corner."""

MARK = "● "
"""Before the title of a pane in which something waits, where it is not cut."""


class _Bar(QTabBar):
    """Asks for what the titles need in its look: Qt forgets the letters' spacing when it measures styled tabs."""

    def __init__(self) -> None:
        super().__init__()
        self.look = _LOOKS[0]
        self._space()

    def take(self, look: _Look) -> None:
        """Takes another look."""
        self.look = look
        if bool(self.property("tight")) != (look.frame < _LOOKS[0].frame):
            self.setProperty("tight", look.frame < _LOOKS[0].frame)
            self.style().unpolish(self)
            self.style().polish(self)
        # Polishing takes the letters' spacing back.
        self._space()

    def _space(self) -> None:
        font = self.font()
        font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, self.look.spacing)
        self.setFont(font)

    def length(self, titles: Iterable[str], look: _Look) -> int:
        """Pixels of tabs with these titles in a look."""
        font = self.font()
        font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, look.spacing)
        metrics = QFontMetrics(font)
        return sum(metrics.horizontalAdvance(look.written(each)) + look.frame for each in titles)

    def tabSizeHint(self, index: int) -> QSize:
        """Room for the whole title."""
        hint = super().tabSizeHint(index)
        return QSize(self.fontMetrics().horizontalAdvance(self.tabText(index)) + self.look.frame, hint.height())


class PaneTabs(QTabWidget):
    """A tab a pane."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._ids: list[str] = []
        self._titles: dict[str, str] = {}
        self._marks: dict[str, str] = {}
        self.setAccessibleName(name)
        self._bar = _Bar()
        self.setTabBar(self._bar)
        self.setDocumentMode(True)
        self.tabBar().setExpanding(False)
        # Titles stay whole: those that have no room are scrolled to, by arrows, wheel and keys.
        self.tabBar().setUsesScrollButtons(True)
        self.tabBar().setElideMode(Qt.TextElideMode.ElideNone)

    def add_pane(self, id: str, title: str, pane: QWidget) -> None:
        """Takes a pane in at the end."""
        self._ids.append(id)
        self._titles[id] = title
        self.addTab(pane, self._bar.look.written(title))
        self.setTabToolTip(self.count() - 1, plain_tip(title))

    def set_title(self, id: str, title: str) -> None:
        """What a pane's tab says."""
        if self._titles[id] != title:
            self._titles[id] = title
            self._show(id)

    def set_mark(self, id: str, words: str) -> None:
        """Says with a dot and a tooltip that something in a pane waits for a person; "" takes that away."""
        if self._marks.get(id, "") != words:
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

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has room for other titles."""
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """What stands in the corner may want another width."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        corner: QWidget | None = self.cornerWidget()
        if isinstance(corner, QLabel):
            # What is only told there gives way to the titles as a whole.
            least = self._bar.length(self._whole_titles(), _LOOKS[-1])
            corner.setVisible(least + corner.sizeHint().width() + _BESIDE <= self.width())
        taken = corner.sizeHint().width() if corner is not None and not corner.isHidden() else 0
        titles, room = self._whole_titles(), self.width() - taken
        look = next((each for each in _LOOKS if self._bar.length(titles, each) <= room), _LOOKS[-1])
        if look != self._bar.look:
            self._bar.take(look)
            for place, title in enumerate(titles):
                self.setTabText(place, look.written(title))

    def _whole_titles(self) -> list[str]:
        return [(MARK if self._marks.get(id) else "") + self._titles[id] for id in self._ids]

    def _show(self, id: str) -> None:
        place, title, words = self._ids.index(id), self._titles[id], self._marks.get(id, "")
        text = self._bar.look.written((MARK if words else "") + title)
        if text != self.tabText(place):
            self.setTabText(place, text)
            self._fit()
        self.setTabToolTip(place, plain_tip(f"{title}: {words}" if words else title))
