"""A difference in sight: two texts side by side that scroll together, or both in one."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QStackedLayout, QWidget

from thinkpane.ui.models.diff_texts import ShownDiff, ShownSide
from thinkpane.ui.widgets.text_view import TextView

_EMPTY = ShownSide("", (), ())
_NOTHING = ShownDiff(_EMPTY, _EMPTY, _EMPTY)


class DiffView(QWidget):
    """Shows a ShownDiff; the difference at hand is lit.

    Signals:
        current_changed(int): the number of the difference at hand, from 0; -1 = none.
    """

    current_changed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._shown = _NOTHING
        self._filled: dict[TextView, ShownSide] = {}
        self._current = -1
        self._moving = False
        self.one = TextView("Prompt A")
        self.other = TextView("Prompt B")
        self.both = TextView("Both prompts in one")
        self.sides = QSplitter(Qt.Orientation.Horizontal)
        self.sides.setChildrenCollapsible(False)
        for each in (self.one, self.other):
            self.sides.addWidget(each)
        for each in (self.one, self.other, self.both):
            each.set_gutter(True)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.sides)
        self._stack.addWidget(self.both)
        self.one.verticalScrollBar().valueChanged.connect(self._on_one_scrolled)
        self.other.verticalScrollBar().valueChanged.connect(self._on_other_scrolled)

    @property
    def count(self) -> int:
        """How many differences there are."""
        return len(self._shown.both.changes)

    @property
    def current(self) -> int:
        """The number of the difference at hand, from 0; -1 = none."""
        return self._current

    @property
    def is_inline(self) -> bool:
        """Whether both texts are shown in one."""
        return self._stack.currentWidget() is self.both

    def set_inline(self, on: bool) -> None:
        """Shows both texts in one, or side by side; the difference at hand comes into sight."""
        if on != self.is_inline:
            self._stack.setCurrentWidget(self.both if on else self.sides)
            self._fill()
            self._choose(self._current)
            self.go(self._current)

    def set_invisible(self, on: bool) -> None:
        """Shows spaces, tabs, newlines and other invisible characters."""
        for each in (self.one, self.other, self.both):
            each.set_invisible(on)

    def set_shown(self, shown: ShownDiff | None) -> None:
        """Shows another difference; what is in sight stays where it can."""
        self._shown = shown or _NOTHING
        self._fill()
        self._choose(min(self._current, self.count - 1))

    def go(self, number: int) -> None:
        """Brings a difference into sight, round to the other end; does nothing where there is none."""
        if not self.count:
            return
        self._choose(number % self.count)
        self._moving = True
        for view, side in self._views():
            view.scroll_to(side.changes[self._current][0])
            view.scroll_rows(-(view.page_rows // 3))
        self._moving = False

    def next(self) -> None:
        """To the next difference."""
        self.go(self._current + 1)

    def previous(self) -> None:
        """To the difference before."""
        self.go(max(self._current, 0) - 1)

    def show_position(self, position: int) -> None:
        """Brings the difference nearest to a position of B into sight."""
        changes = self._shown.other.changes
        if changes:
            self.go(min(range(len(changes)), key=lambda number: abs(changes[number][0] - position)))

    def _fill(self) -> None:
        """Gives the texts to the views that are in front; the others get theirs when they come there."""
        self._moving = True
        for view, side in self._views():
            if self._filled.get(view) != side:
                view.set_text(side.text, list(side.marks))
                view.set_lit("inside", side.inside)
                self._filled[view] = side
        self._moving = False

    def _views(self) -> Sequence[tuple[TextView, ShownSide]]:
        """The views in front, with what they show."""
        if self.is_inline:
            return ((self.both, self._shown.both),)
        return (self.one, self._shown.one), (self.other, self._shown.other)

    def _choose(self, number: int) -> None:
        for view, side in self._views():
            stretch = side.changes[number] if 0 <= number < len(side.changes) else (0, 0)
            view.set_lit("chosen", [stretch] if stretch[0] < stretch[1] else [])
        self._current = number
        self.current_changed.emit(number)

    def _on_one_scrolled(self) -> None:
        self._follow(self.one, self.other, back=False)

    def _on_other_scrolled(self) -> None:
        self._follow(self.other, self.one, back=True)

    def _follow(self, moved: TextView, follower: TextView, *, back: bool) -> None:
        if self._moving:
            return
        self._moving = True
        if moved.is_at_end():
            follower.scroll_to_end()
        else:
            follower.scroll_to(self._shown.across(moved.position_at_top(), back=back))
        self._moving = False
