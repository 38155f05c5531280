"""The runs of before, newest first: when, what, where, and how they ended."""

from collections import Counter
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

_HEADS = ("When", "Reply", "Model", "Endpoint", "How it ended")
_MODEL, _END = 2, 4
_UNTOLD = "…"
_WIDEST_END = "cut off by the token limit"
_NAMES = {"chat": "Chat", "raw": "Raw"}
_READING = "Reading the runs that are kept…"
_NONE = "Every run is kept here, byte for byte, until newer ones take its place. There is none yet."


class EarlierRunsDialog(QDialog):
    """Choose one to show it as the last reply.

    Signals:
        chosen(object): the PastRun that is to be shown; the dialog closes.
        both_chosen(object): that one and the other of its pair are to be shown beside each other; the dialog closes.
    """

    chosen = Signal(object)
    both_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Earlier runs")
        self._runs: list[PastRun] = []
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
        self.list.itemActivated.connect(self._on_list_item_activated)
        self.list.itemSelectionChanged.connect(self._on_list_item_selection_changed)
        head = self.list.header()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(_MODEL, QHeaderView.ResizeMode.Stretch)
        head.setSectionResizeMode(_END, QHeaderView.ResizeMode.Interactive)
        self.list.setColumnWidth(_END, self.fontMetrics().horizontalAdvance(_WIDEST_END) + 24)
        self.empty = plain_label(_READING, "dim")
        self.empty.setWordWrap(True)
        self.box = QDialogButtonBox(QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Close)
        self.open_button = self.box.button(QDialogButtonBox.StandardButton.Open)
        self.open_button.setText("Show it")
        self.open_button.setEnabled(False)
        self.both_button = self.box.addButton("Show both", QDialogButtonBox.ButtonRole.ActionRole)
        self.both_button.setToolTip(plain_tip("Both replies of one comparison, beside each other"))
        self.both_button.setAutoDefault(False)
        self.both_button.setEnabled(False)
        self.both_button.clicked.connect(self._on_both_button_clicked)
        self.box.accepted.connect(self._on_box_accepted)
        self.box.rejected.connect(self.reject)
        rows = QVBoxLayout(self)
        rows.setSpacing(8)
        for widget in (self.filter, self.empty):
            rows.addWidget(widget)
        rows.addWidget(self.list, 1)
        rows.addWidget(self.box)
        self.list.setFocus()
        self.resize(880, 460)

    def show_runs(self, runs: "Sequence[PastRun]") -> None:
        """Fills the list, newest first, and chooses the newest."""
        self._runs = list(runs)
        pairs = Counter(each.pair for each in self._runs if each.pair)
        self.list.clear()
        self.list.addTopLevelItems([_item(each, is_pair=pairs[each.pair] > 1) for each in self._runs])
        self.empty.setText(_NONE)
        self.empty.setVisible(not self._runs)
        self.open_button.setEnabled(bool(self._runs))
        first = self.list.topLevelItem(0)
        if first is not None:
            self.list.setCurrentItem(first)
        self._on_filter_text_changed(self.filter.text())

    def tell_end(self, place: int, word: str, why: str) -> None:
        """Says how the run at that place (from 0) ended, once that was read. why: a sentence, or ""."""
        item = self.list.topLevelItem(place)
        if item is not None:
            item.setText(_END, word)
            item.setData(_END, Qt.ItemDataRole.ToolTipRole, plain_tip(why))
            self._filter(item)

    def _on_filter_text_changed(self, _text: str) -> None:
        for row in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(row)
            if item is not None:
                self._filter(item)

    def _filter(self, item: QTreeWidgetItem) -> None:
        words = " ".join(item.text(column) for column in range(len(_HEADS)))
        item.setHidden(self.filter.text().casefold() not in words.casefold())

    def _on_list_item_selection_changed(self) -> None:
        past = self._current()
        self.both_button.setEnabled(past is not None and other_of(past, self._runs) is not None)

    def _on_both_button_clicked(self) -> None:
        past = self._current()
        if past is not None:
            self.both_chosen.emit(past)
            self.accept()

    def _current(self) -> "PastRun | None":
        item = self.list.currentItem()
        return None if item is None or item.isHidden() else self._runs[self.list.indexOfTopLevelItem(item)]

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
    """What it was: its path, for a run of its own its label, and the model."""
    return " · ".join(filter(None, [_kind(past), past.model]))


def other_of(past: "PastRun", runs: "Sequence[PastRun]") -> "PastRun | None":
    """The other run of its pair, None where it has none or that is not kept any more."""
    return next((each for each in runs if past.pair and each.pair == past.pair and each.file != past.file), None)


def _kind(past: "PastRun") -> str:
    path = _NAMES.get(past.header.path, past.header.dialect)
    # Both of a pair are labelled by whose prompt they are of, which the path says in a word.
    return path if past.pair else past.header.label or path


def _item(past: "PastRun", *, is_pair: bool) -> QTreeWidgetItem:
    name = ("pair · " if is_pair else "") + _kind(past)
    item = QTreeWidgetItem([when(past), name, past.model, past.endpoint, _UNTOLD])
    for column, words in enumerate((past.file.name, past.header.label or name, past.model, past.endpoint)):
        item.setData(column, Qt.ItemDataRole.ToolTipRole, plain_tip(words))
    return item
