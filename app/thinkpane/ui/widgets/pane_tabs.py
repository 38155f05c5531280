"""Tabs of panes: upper-case titles, panes by their ids."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabWidget, QWidget


class PaneTabs(QTabWidget):
    """A tab a pane."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._ids: list[str] = []
        self.setAccessibleName(name)
        self.setDocumentMode(True)
        self.tabBar().setExpanding(False)
        self.tabBar().setUsesScrollButtons(True)
        self.tabBar().setElideMode(Qt.TextElideMode.ElideNone)

    def add_pane(self, id: str, title: str, pane: QWidget) -> None:
        """Takes a pane in at the end."""
        self._ids.append(id)
        self.addTab(pane, title.upper())

    def set_title(self, id: str, title: str) -> None:
        """What a pane's tab says."""
        self.setTabText(self._ids.index(id), title.upper())

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
