"""A row of controls that folds the least important of them into a menu where there is no room for all."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from thinkpane.ui.widgets.flat_button import flat_button

_RIGID = (QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Minimum, QSizePolicy.Policy.MinimumExpanding)
Fill = Callable[[QMenu], object]
"""Puts what a folded widget does into a menu."""


@dataclass(frozen=True, slots=True)
class _Member:
    """rank: the lowest goes first, None = it always stays. holder: hides the widget without its owner's flag."""

    widget: QWidget
    holder: QWidget
    rank: int | None
    fill: Fill | None

    @property
    def needed(self) -> int:
        rigid = self.widget.sizePolicy().horizontalPolicy() in _RIGID
        hint = self.widget.sizeHint() if rigid else self.widget.minimumSizeHint()
        return max(hint.width(), self.widget.minimumWidth())

    @property
    def comfort(self) -> int:
        """What it asks for, as far as it is given that anywhere."""
        return min(max(self.widget.sizeHint().width(), self.needed), self.widget.maximumWidth())


class FoldingRow(QWidget):
    """Widgets side by side. Each keeps its own visibility: its owner hides and shows it as elsewhere.

    The folded ones are in the menu of `more`; keys that belong to actions of the window go on working.
    """

    def __init__(self, spacing: int = 4, *, gives_way: bool = False) -> None:
        """gives_way: widgets are made as narrow as they may be before one is folded."""
        super().__init__()
        self._gives_way = gives_way
        self._members: list[_Member] = []
        self.more = flat_button("⋯", "More: what has no room in this row")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self.more)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.more.setMenu(self._menu)
        self.more.hide()
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(spacing)
        self.row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)

    def add(self, widget: QWidget, rank: int | None = None, fill: Fill | None = None) -> None:
        """Takes a widget in at the end. rank: the lowest is folded first, None = never.

        fill: puts it into the menu; None = it never is, or it is a button, which the menu presses.
        """
        holder = QWidget(self)
        inside = QHBoxLayout(holder)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(widget)
        holder.setSizePolicy(widget.sizePolicy())
        holder.setVisible(_is_wanted(widget))
        if fill is None and isinstance(widget, QToolButton):
            fill = _pressing(widget)
        self._members.append(_Member(widget, holder, rank, fill))
        widget.installEventFilter(self)
        self.row.addWidget(holder)

    def add_stretch(self) -> None:
        """Room that is left over goes here."""
        self.row.addStretch(1)

    def close_row(self) -> None:
        """Puts the menu's button at this place of the row."""
        self.row.addWidget(self.more)

    @property
    def folded(self) -> list[QWidget]:
        """What has no room now, in the row's order."""
        return [each.widget for each in self._members if each.holder.isHidden() and _is_wanted(each.widget)]

    def refold(self) -> None:
        """Folds what has no room, and unfolds what has it again."""
        wanted = [each for each in self._members if _is_wanted(each.widget)]
        margins = self.row.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        kept = list(wanted)
        for each in sorted((each for each in wanted if each.rank is not None), key=_rank):
            if self._taken(kept, menu=len(kept) < len(wanted)) <= room:
                break
            kept.remove(each)
        for each in self._members:
            if each.holder.isHidden() == (each in kept):
                each.holder.setVisible(each in kept)
        self.more.setVisible(len(kept) < len(wanted))

    def _taken(self, kept: list[_Member], *, menu: bool) -> int:
        widths = [each.needed if self._gives_way else each.comfort for each in kept]
        if menu:
            widths.append(self.more.sizeHint().width())
        return sum(widths) + self.row.spacing() * max(len(widths) - 1, 0)

    def _fill_menu(self) -> None:
        self._menu.clear()
        for each in self._members:
            if each.fill is not None and each.holder.isHidden() and _is_wanted(each.widget):
                each.fill(self._menu)

    # --- Qt

    def minimumSizeHint(self) -> QSize:
        """Room for what is never folded, and the menu."""
        always = [each for each in self._members if each.rank is None and _is_wanted(each.widget)]
        margins = self.row.contentsMargins()
        width = self._taken(always, menu=len(always) < len(self._members))
        return QSize(width + margins.left() + margins.right(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has room for others."""
        super().resizeEvent(event)
        self.refold()

    def event(self, event: QEvent) -> bool:
        """A widget in it asks for another width."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.refold()
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A widget was shown or hidden by its owner."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self.refold()
        return False


def _is_wanted(widget: QWidget) -> bool:
    """Whether its owner has not hidden it; a new one is not shown yet."""
    return not (widget.isHidden() and widget.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide))


def _rank(member: _Member) -> int:
    return member.rank or 0


def _pressing(button: QToolButton) -> Fill:
    """Puts a button into a menu: what it says, whether it is on, and its own menu."""

    def fill(menu: QMenu) -> None:
        own: QMenu | None = button.menu()
        words = button.accessibleName() or button.text()
        if own is not None:
            inside = menu.addMenu(words)
            if button.popupMode() == QToolButton.ToolButtonPopupMode.MenuButtonPopup:
                inside.addAction(words).triggered.connect(button.click)
            own.aboutToShow.emit()
            inside.addActions(own.actions())
            return
        action = menu.addAction(words)
        action.setEnabled(button.isEnabled())
        action.setCheckable(button.isCheckable())
        action.setChecked(button.isChecked())
        action.triggered.connect(button.click)

    return fill
