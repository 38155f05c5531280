"""The output's cards one under another, in one column that scrolls and stays at its end while a person does not."""

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

NEAR = 80
"""Pixels from the end within which the column follows what comes."""

_MARGIN = 10


class OutputColumn(QScrollArea):
    """Thinking, answer and tool calls in reading order."""

    def __init__(self, panes: Sequence[QWidget]) -> None:
        super().__init__()
        self.setAccessibleName("Output")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        inner = QWidget()
        inner.setProperty("kind", "pane")
        column = QVBoxLayout(inner)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.setSpacing(8)
        for pane in panes:
            column.addWidget(pane)
        column.addStretch(1)
        self.setWidget(inner)
        self._follows = True
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._on_bar_moved)
        bar.rangeChanged.connect(self._on_bar_range_changed)

    def follow(self) -> None:
        """Goes to the end and stays there, as for a new reply."""
        self._follows = True
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def show_card(self, widget: QWidget) -> None:
        """Brings the top of one of its panes into view."""
        self._follows = False
        self.verticalScrollBar().setValue(max(0, widget.y() - _MARGIN))

    def _on_bar_moved(self, value: int) -> None:
        self._follows = value >= self.verticalScrollBar().maximum() - NEAR

    def _on_bar_range_changed(self, _low: int, high: int) -> None:
        if self._follows:
            self.verticalScrollBar().setValue(high)
