"""The left column's lists: a title at the left, of two lines at most, and a dim word at the right."""

from collections.abc import Sequence
from typing import TypeAlias

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QFontMetrics, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from thinkpane.ui import theme
from thinkpane.ui.widgets.plain_tip import plain_tip

_ASIDE = Qt.ItemDataRole.UserRole + 1
_VALUE = Qt.ItemDataRole.UserRole
_MARGIN = 12
_GAP = 8
_AIR = 10
_LINES = 2


Entry: TypeAlias = tuple[str, str, str, object]
"""One line: its text, what stands at the right, its tooltip, its value."""


class LibraryList(QListWidget):
    """A list that is as high as its entries.

    Signals:
        opened(object): the value of the entry that a person clicked, or chose with Enter.
        removal_asked(object): the value of the entry that is to be removed; never without `let_remove`.
    """

    opened = Signal(object)
    removal_asked = Signal(object)

    def __init__(self, name: str, empty: str = "") -> None:
        """empty: what stands there while there are no entries."""
        super().__init__()
        self._empty = empty
        self.setAccessibleName(name)
        self.setItemDelegate(_TwoTexts(self))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.itemClicked.connect(self._on_item_opened)
        self.itemActivated.connect(self._on_item_opened)

    def let_remove(self) -> None:
        """Entries can be asked to be removed, by Delete or the menu at the pointer."""
        self._remove = QAction("Remove…", self)
        self._remove.setShortcut(QKeySequence.StandardKey.Delete)
        self._remove.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._remove.triggered.connect(self._on_remove_triggered)
        self.addAction(self._remove)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def set_entries(self, entries: Sequence[Entry], current: object = None) -> None:
        """Shows the entries; the one with the value `current` is lit."""
        self.clear()
        for text, aside, hint, value in entries:
            item = QListWidgetItem(text)
            item.setData(_ASIDE, aside)
            item.setData(_VALUE, value)
            # The whole title, for where the column is too narrow for it.
            item.setToolTip(plain_tip(hint or text))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{text}, {aside}" if aside else text)
            self.addItem(item)
            if value == current:
                self.setCurrentItem(item)
        if not entries and self._empty:
            item = QListWidgetItem(self._empty)
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            item.setToolTip(plain_tip(self._empty))
            self.addItem(item)
        self.updateGeometry()

    def _on_item_opened(self, item: QListWidgetItem) -> None:
        if item.flags() & Qt.ItemFlag.ItemIsEnabled:
            self.opened.emit(item.data(_VALUE))

    def _on_remove_triggered(self) -> None:
        item = self.currentItem()
        if self.currentRow() >= 0 and item.flags() & Qt.ItemFlag.ItemIsEnabled:
            self.removal_asked.emit(item.data(_VALUE))

    def sizeHint(self) -> QSize:
        """As high as all entries."""
        return QSize(180, sum(self.sizeHintForRow(row) for row in range(self.count())) + 2)

    def minimumSizeHint(self) -> QSize:
        """A few entries; it scrolls then."""
        return QSize(80, min(self.sizeHint().height(), 90))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Breaks the titles anew."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()
        self.updateGeometry()


class _TwoTexts(QStyledItemDelegate):
    """Paints an entry's text in one line, or in two where the word at the right leaves too little room; then elided."""

    def __init__(self, parent: LibraryList) -> None:
        super().__init__(parent)
        self._list = parent

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paints the ground as the style sheet has it, then both texts."""
        self.initStyleOption(option, index)
        option.text = ""
        widget = option.widget
        widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, widget)
        colors = theme.current()
        aside = str(index.data(_ASIDE) or "")
        area = QRect(option.rect).adjusted(_MARGIN, 0, -_MARGIN, 0)
        painter.save()
        painter.setFont(theme.ui_font(11))
        painter.setPen(QColor(colors.dim))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, aside)
        area.setRight(area.right() - _aside_width(index))
        font = theme.ui_font(13)
        enabled = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.setPen(QColor((colors.accent if selected else colors.text) if enabled else colors.dim))
        painter.setFont(font)
        metrics = QFontMetrics(font)
        lines = broken(str(index.data() or ""), metrics, area.width())
        area.translate(0, (area.height() - len(lines) * metrics.height()) // 2)
        for line in lines:
            painter.drawText(area, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, line)
            area.translate(0, metrics.height())
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Its lines and some air."""
        metrics = QFontMetrics(theme.ui_font(13))
        room = self._list.viewport().width() - 2 * _MARGIN - _aside_width(index)
        return QSize(80, len(broken(str(index.data() or ""), metrics, room)) * metrics.height() + _AIR)


def broken(text: str, metrics: QFontMetrics, width: int) -> list[str]:
    """`text` in at most two lines of that width, broken at blanks; what does not fit is cut with an ellipsis."""
    words = text.split(" ")
    lines = [words[0]]
    for word in words[1:]:
        longer = f"{lines[-1]} {word}"
        if len(lines) == _LINES or metrics.horizontalAdvance(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return [metrics.elidedText(line, Qt.TextElideMode.ElideRight, width) for line in lines]


def _aside_width(index: QModelIndex | QPersistentModelIndex) -> int:
    aside = str(index.data(_ASIDE) or "")
    return QFontMetrics(theme.ui_font(11)).horizontalAdvance(aside) + _GAP if aside else 0
