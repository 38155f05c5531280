"""Tabs of panes: upper-case titles, panes by their ids."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QTabBar, QTabWidget, QWidget

from thinkpane.ui.widgets.plain_tip import plain_tip

_SPACING = 1.0
"""Pixels between letters."""

_FRAME = 16
"""Pixels beside a title: the style sheet's padding and margins, and what Qt keeps free before it cuts a text."""

_BESIDE = 24
"""Pixels between the titles and what stands in the corner."""

MARK = "● "
"""Before the title of a pane in which something waits, where it is not cut."""


class _Bar(QTabBar):
    """Asks for what the titles need: Qt forgets the letters' spacing when it measures tabs of a style sheet."""

    def __init__(self) -> None:
        super().__init__()
        self._spacing = _SPACING
        self._space()

    def fit(self, room: int) -> None:
        """Takes the letters closer together where that spares scrolling."""
        wanted = _SPACING if self.length(_SPACING) <= room else 0.0
        if wanted != self._spacing:
            self._spacing = wanted
            self._space()

    def _space(self) -> None:
        font = self.font()
        font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, self._spacing)
        self.setFont(font)

    def length(self, spacing: float) -> int:
        """Pixels of all tabs, with their letters so far apart."""
        font = self.font()
        font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, spacing)
        metrics = QFontMetrics(font)
        return sum(metrics.horizontalAdvance(self.tabText(index)) + _FRAME for index in range(self.count()))

    def tabSizeHint(self, index: int) -> QSize:
        """Room for the whole title."""
        hint = super().tabSizeHint(index)
        return QSize(self.fontMetrics().horizontalAdvance(self.tabText(index)) + _FRAME, hint.height())


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
            corner.setVisible(self._bar.length(0.0) + corner.sizeHint().width() + _BESIDE <= self.width())
        taken = corner.sizeHint().width() if corner is not None and not corner.isHidden() else 0
        self._bar.fit(self.width() - taken)

    def _show(self, id: str) -> None:
        place, title, words = self._ids.index(id), self._titles[id], self._marks.get(id, "")
        text = (MARK if words else "") + title.upper()
        if text != self.tabText(place):
            self.setTabText(place, text)
            self._fit()
        self.setTabToolTip(place, plain_tip(f"{title}: {words}" if words else title))
