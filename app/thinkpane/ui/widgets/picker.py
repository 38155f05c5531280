"""A picker of the top bar: a caption, what is chosen, and a menu of the rest. Gives way when the window is narrow."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QStyle, QStyleOptionButton, QWidget

from thinkpane.ui import theme
from thinkpane.ui.widgets.plain_tip import plain_tip

_MARGIN = 10
_GAP = 8
_ARROW = 12
_LEAST = 104
"""Pixels, before the zoom, that it keeps in a narrow window."""


class Picker(QPushButton):
    """A button that shows “caption value ▾” and opens a menu.

    Signals:
        picked(object): a person chose the entry with this value.
    """

    picked = Signal(object)

    def __init__(self, caption: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._caption = caption
        self._value = ""
        self._short = False
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.menu_of_entries = QMenu(self)
        self.setMenu(self.menu_of_entries)
        self.show_value("")

    def show_value(self, text: str, hint: str = "") -> None:
        """What is chosen. hint: more about it, as a tooltip."""
        self._value = text
        self.setAccessibleName(f"{self._caption}: {text}")
        self.setToolTip(plain_tip(hint or f"{self._caption}: {text}"))
        self.updateGeometry()
        self.update()

    @property
    def shown_value(self) -> str:
        """What is shown as chosen."""
        return self._value

    def set_short(self, short: bool) -> None:
        """Leaves the caption out, for narrow windows."""
        if short != self._short:
            self._short = short
            self.updateGeometry()
            self.update()

    def set_entries(self, entries: Sequence[tuple[str, str, object]], current: object) -> None:
        """Fills the menu: (text, what stands dim beside it, value) each; `current` is marked."""
        menu = self.menu_of_entries
        menu.clear()
        for text, aside, value in entries:
            shown = text.replace("&", "&&")
            action = menu.addAction(f"{shown}\t{aside}" if aside else shown, partial(self.picked.emit, value))
            action.setCheckable(True)
            action.setChecked(value == current)

    def fill(self, menu: QMenu) -> None:
        """Puts its entries into a menu of others, for where it has no room."""
        shown = self._value.replace("&", "&&")
        inside = menu.addMenu(f"{self._caption}: {shown}")
        self.menu_of_entries.aboutToShow.emit()
        inside.addActions(self.menu_of_entries.actions())

    def sizeHint(self) -> QSize:
        """Room for all it says."""
        width = 2 * _MARGIN + _GAP + _ARROW + self._value_metrics().horizontalAdvance(self._value)
        if not self._short:
            width += self._caption_metrics().horizontalAdvance(self._caption) + _GAP
        return QSize(width + 2, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Room for a few letters; the rest is elided and stands in the tooltip."""
        least = round(_LEAST * theme.state().zoom)
        return QSize(min(least, self.sizeHint().width()), super().sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the button's own ground, then caption, value and arrow."""
        painter = QPainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        option.features &= ~QStyleOptionButton.ButtonFeature.HasMenu
        self.style().drawControl(QStyle.ControlElement.CE_PushButtonBevel, option, painter, self)
        colors = theme.current()
        area = self.rect().adjusted(_MARGIN, 0, -_MARGIN - _ARROW - _GAP, 0)
        if not self._short:
            painter.setFont(theme.ui_font(11))
            painter.setPen(QColor(colors.dim))
            painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._caption)
            area.setLeft(area.left() + self._caption_metrics().horizontalAdvance(self._caption) + _GAP)
        painter.setFont(theme.ui_font(13))
        painter.setPen(QColor(colors.text if self.isEnabled() else colors.dim))
        text = self._value_metrics().elidedText(self._value, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        arrow = QRect(self.width() - _MARGIN - _ARROW, 0, _ARROW, self.height())
        painter.setPen(QColor(colors.dim))
        painter.drawText(arrow, Qt.AlignmentFlag.AlignCenter, "▾")

    def _value_metrics(self) -> QFontMetrics:
        return QFontMetrics(theme.ui_font(13))

    def _caption_metrics(self) -> QFontMetrics:
        return QFontMetrics(theme.ui_font(11))
