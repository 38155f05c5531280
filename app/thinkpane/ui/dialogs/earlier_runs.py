"""The runs of before, newest first: when, what, where, and how they ended."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.plain_tip import plain_tip

if TYPE_CHECKING:
    from thinkpane.runs.past import PastRun

_HEADS = ("When", "Reply", "Endpoint", "How it ended")
_NONE = "Every run is kept here, byte for byte, until newer ones take its place. There is none yet."


class EarlierRunsDialog(QDialog):
    """Choose one to show it as the last reply.

    Signals:
        chosen(object): the PastRun that is to be shown; the dialog closes.
    """

    chosen = Signal(object)

    def __init__(self, runs: "Sequence[PastRun]", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Earlier runs")
        self._runs = list(runs)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter: only what holds this text")
        self.filter.setAccessibleName("Filter the runs")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._on_filter_text_changed)
        self.list = QTreeWidget()
        self.list.setAccessibleName("Earlier runs")
        self.list.setHeaderLabels(_HEADS)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.addTopLevelItems([_item(each, self._runs) for each in self._runs])
        self.list.itemActivated.connect(self._on_list_item_activated)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        for place in (0, 2, 3):
            self.list.resizeColumnToContents(place)
        self.empty = plain_label(_NONE, "dim")
        self.empty.setWordWrap(True)
        self.empty.setVisible(not self._runs)
        self.box = QDialogButtonBox(QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Close)
        self.open_button = self.box.button(QDialogButtonBox.StandardButton.Open)
        self.open_button.setText("Show it")
        self.open_button.setEnabled(bool(self._runs))
        self.box.accepted.connect(self._on_box_accepted)
        self.box.rejected.connect(self.reject)
        rows = QVBoxLayout(self)
        rows.setSpacing(8)
        for widget in (self.filter, self.empty):
            rows.addWidget(widget)
        rows.addWidget(self.list, 1)
        rows.addWidget(self.box)
        first = self.list.topLevelItem(0)
        if first is not None:
            self.list.setCurrentItem(first)
        self.list.setFocus()
        self.resize(760, 460)

    def _on_filter_text_changed(self, text: str) -> None:
        wanted = text.casefold()
        for row in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(row)
            if item is not None:
                words = " ".join(item.text(column) for column in range(len(_HEADS)))
                item.setHidden(wanted not in words.casefold())

    def _on_list_item_activated(self, item: QTreeWidgetItem) -> None:
        self._choose(item)

    def _on_box_accepted(self) -> None:
        item = self.list.currentItem()
        if item is not None and not item.isHidden():
            self._choose(item)

    def _choose(self, item: QTreeWidgetItem) -> None:
        self.chosen.emit(self._runs[self.list.indexOfTopLevelItem(item)])
        self.accept()


def when(past: "PastRun") -> str:
    """When it began, in this place's time."""
    return f"{past.at.astimezone():%Y-%m-%d %H:%M:%S}"


def name_of(past: "PastRun") -> str:
    """What it was: its label, else the path, and the model."""
    path = {"chat": "Chat", "raw": "Raw"}.get(past.header.path, past.header.dialect)
    return " · ".join(filter(None, [past.header.label or path, past.model]))


def _item(past: "PastRun", runs: "Sequence[PastRun]") -> QTreeWidgetItem:
    pair = sum(each.pair == past.pair for each in runs) > 1 if past.pair else False
    how = past.problem.rstrip(".") if past.ended else "cut off: the program ended"
    name = ("pair · " if pair else "") + name_of(past)
    item = QTreeWidgetItem([when(past), name, past.endpoint, how or "done"])
    for column, words in enumerate((past.file.name, name, past.endpoint, how)):
        item.setData(column, Qt.ItemDataRole.ToolTipRole, plain_tip(words))
    return item
