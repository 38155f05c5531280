"""The list of a variable's values, each with what it gives standing dim beside it: “low … L2 Apollo”."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from thinkpane.ui import theme

ASIDE = Qt.ItemDataRole.UserRole + 1
"""The role under which an item holds what stands beside its text."""

_GAP = 24
_MARGIN = 8


class ValueDelegate(QStyledItemDelegate):
    """Paints an item's text, and its aside at the right."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Both texts; the aside is dim."""
        super().paint(painter, option, index)
        aside = index.data(ASIDE)
        if aside:
            painter.save()
            painter.setPen(QColor(theme.current().dim))
            place = option.rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
            painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, aside)
            painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Room for both."""
        size = super().sizeHint(option, index)
        aside = index.data(ASIDE)
        width = option.fontMetrics.horizontalAdvance(aside) + _GAP if aside else 0
        return QSize(size.width() + width, size.height())
