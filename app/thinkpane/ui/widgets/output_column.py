"""The output's cards one under another, in one column that scrolls and stays at its end while a person does not."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget
from shiboken6 import isValid

from thinkpane.ui.widgets.calm_scroll_area import CalmScrollArea
from thinkpane.ui.widgets.text_follow import FollowButton

NEAR = 80
"""Pixels from the end within which the column follows what comes."""

_SETTLE_MS = 80
_MARGIN = 10


class OutputColumn(CalmScrollArea):
    """Thinking, answer and tool calls in reading order."""

    def __init__(self, panes: Sequence[QWidget]) -> None:
        super().__init__()
        self.setAccessibleName("Output")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        inner = self._inner = QWidget()
        inner.setProperty("kind", "pane")
        column = self._column = QVBoxLayout(inner)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.setSpacing(8)
        for pane in panes:
            column.addWidget(pane)
        column.addStretch(1)
        self.setWidget(inner)
        self._follows = True
        self._is_live = False
        self.latest = FollowButton(self.viewport())
        self.latest.clicked.connect(self.follow)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._on_bar_moved)
        bar.rangeChanged.connect(self._on_bar_range_changed)

    def insert_first(self, widget: QWidget) -> None:
        """Puts one more above the panes, below the sentence about the reply's document."""
        self._column.insertWidget(1, widget)

    def follow(self) -> None:
        """Goes to the end and stays there, as for a new reply."""
        self._follows = True
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def set_live(self, live: bool) -> None:
        """Whether more may come; only then is there a button that goes to it."""
        self._is_live = live
        self._offer()

    def show_card(self, widget: QWidget) -> None:
        """Brings the top of one of its panes, or of what is in them, into view."""
        self._bring(widget)
        # What was shown or resized just now finds its place only later.
        QTimer.singleShot(_SETTLE_MS, self, lambda: self._bring(widget))

    def _bring(self, widget: QWidget) -> None:
        if isValid(widget) and self._inner.isAncestorOf(widget):
            self._follows = False
            self.verticalScrollBar().setValue(max(0, widget.mapTo(self._inner, QPoint(0, 0)).y() - _MARGIN))
            self._offer()

    def _on_bar_moved(self, value: int) -> None:
        self._follows = value >= self.verticalScrollBar().maximum() - NEAR
        self._offer()

    def _on_bar_range_changed(self, _low: int, high: int) -> None:
        if self._follows:
            self.verticalScrollBar().setValue(high)
        self._offer()

    def _offer(self) -> None:
        self.latest.place(shown=self._is_live and not self._follows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The button stays in its corner."""
        super().resizeEvent(event)
        self._offer()
