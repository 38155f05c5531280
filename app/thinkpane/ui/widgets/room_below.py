"""What stands below the window's columns now and then, over their whole width: it shares the height, or has it all."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

SHARE = 0.52
"""Of the height, for what is below, where both are to be seen."""

LEAST = 240
"""Pixels of height that what is below needs to be of any use."""


class RoomBelow(QSplitter):
    """Columns above, one widget below; nothing is below before `put`.

    Signals:
        arranged(bool): what is below has all the height now, or shares it.
    """

    arranged = Signal(bool)

    def __init__(self, columns: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._columns = columns
        self._below: QWidget | None = None
        self._shared: list[int] = []
        self._chosen: bool | None = None
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.addWidget(columns)

    @property
    def is_open(self) -> bool:
        """Whether anything is to be seen below."""
        return self._below is not None and not self._below.isHidden()

    @property
    def has_all(self) -> bool:
        """Whether what is below has all the height."""
        return self._columns.isHidden()

    def areas(self) -> list[QWidget]:
        """What is below, where it is seen."""
        return [self._below] if self._below is not None and self.is_open else []

    def put(self, widget: QWidget) -> None:
        """What is to stand below; hidden until `open`."""
        widget.hide()
        self._below = widget
        self.addWidget(widget)

    def open(self) -> None:
        """Shows it, with all the height where there is not enough for both."""
        if self._below is not None and not self.is_open:
            self._below.show()
            self._arrange(everything=not self._fits())

    def shut(self) -> None:
        """The columns have all the height again."""
        if self._below is not None and self.is_open:
            self._arrange(everything=False)
            self._shared, self._chosen = self.sizes(), None
            self._below.hide()

    def give_all(self, on: bool) -> None:
        """What a person chose: it has all the height, or shares it whatever there is. Holds until it is shut."""
        self._chosen = on
        self._arrange(everything=on)

    def give_way(self) -> bool:
        """Lets the columns be seen: shares the height where there is enough for both, else shuts. Whether it shares."""
        if self._fits():
            if self.has_all:
                self.give_all(False)
            return True
        self.shut()
        return False

    def _fits(self) -> bool:
        return self.height() >= self._columns.minimumSizeHint().height() + LEAST

    def _arrange(self, *, everything: bool) -> None:
        if everything and not self.has_all:
            self._shared = self.sizes()
        changed = everything != self.has_all
        self._columns.setVisible(not everything)
        if not everything:
            low = round(self.height() * SHARE)
            self.setSizes(self._shared if sum(self._shared) == self.height() - 1 else [self.height() - low, low])
        if changed:
            self.arranged.emit(everything)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A window that becomes low shows one of the two, and both again when it is high."""
        super().resizeEvent(event)
        if self.is_open and self._chosen is None and self.has_all == self._fits():
            self._arrange(everything=not self._fits())
