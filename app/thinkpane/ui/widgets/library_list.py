"""The left column's lists: a title at the left, a dim word at the right, one entry a line."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from thinkpane.ui import theme

_ASIDE = Qt.ItemDataRole.UserRole + 1
_VALUE = Qt.ItemDataRole.UserRole
_MARGIN = 12


class LibraryList(QListWidget):
    """A list that is as high as its entries.

    Signals:
        opened(object): the value of the entry that a person clicked, or chose with Enter.
    """

    opened = Signal(object)

    def __init__(self, name: str, empty: str = "") -> None:
        """empty: what stands there while there are no entries."""
        super().__init__()
        self._empty = empty
        self.setAccessibleName(name)
        self.setItemDelegate(_TwoTexts(self))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.itemClicked.connect(self._on_item_opened)
        self.itemActivated.connect(self._on_item_opened)

    def set_entries(self, entries: Sequence[tuple[str, str, str, object]], current: object = None) -> None:
        """Shows (text, what stands at the right, tooltip, value) each; the one with the value `current` is lit."""
        self.clear()
        for text, aside, hint, value in entries:
            item = QListWidgetItem(text)
            item.setData(_ASIDE, aside)
            item.setData(_VALUE, value)
            item.setToolTip(hint)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{text}, {aside}" if aside else text)
            self.addItem(item)
            if value == current:
                self.setCurrentItem(item)
        if not entries and self._empty:
            item = QListWidgetItem(self._empty)
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.addItem(item)
        self.updateGeometry()

    def _on_item_opened(self, item: QListWidgetItem) -> None:
        if item.flags() & Qt.ItemFlag.ItemIsEnabled:
            self.opened.emit(item.data(_VALUE))

    def sizeHint(self) -> QSize:
        """As high as all entries."""
        rows = max(self.count(), 1)
        return QSize(180, rows * (self.sizeHintForRow(0) if self.count() else 26) + 2)

    def minimumSizeHint(self) -> QSize:
        """A few entries; it scrolls then."""
        return QSize(80, min(self.sizeHint().height(), 90))


class _TwoTexts(QStyledItemDelegate):
    """Paints an entry's text, elided where the word at the right leaves too little room."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)

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
        taken = QFontMetrics(theme.ui_font(11)).horizontalAdvance(aside) + 8 if aside else 0
        area.setRight(area.right() - taken)
        font = theme.ui_font(13)
        enabled = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.setPen(QColor((colors.accent if selected else colors.text) if enabled else colors.dim))
        painter.setFont(font)
        text = QFontMetrics(font).elidedText(str(index.data() or ""), Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """One line and some air."""
        return QSize(80, QFontMetrics(theme.ui_font(13)).height() + 10)
