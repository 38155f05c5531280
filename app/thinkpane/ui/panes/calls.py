"""Tool calls of the reply, a card each, with a place to write what the tool answers."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from thinkpane.streaming.transcript import Transcript
from thinkpane.ui.context import Context
from thinkpane.ui.panes._api import Area
from thinkpane.ui.widgets.call_card import CallCard
from thinkpane.ui.widgets.text_accessible import announce

if TYPE_CHECKING:
    from thinkpane.runs.run import Run


class CallsPane(QWidget):
    """The tool calls of the latest run. Hidden while there are none.

    Signals:
        result_given(str, str): the id of a call, and the result that a person wrote for it.
    """

    result_given = Signal(str, str)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("kind", "pane")
        self.cards: list[CallCard] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        context.runs.started.connect(self._on_runs_started)
        context.runs.events.connect(self._on_runs_events)
        context.runs.finished.connect(self._on_runs_finished)
        self.hide()
        if context.runs.run is not None:
            self._show(context.runs.run.transcript, over=context.runs.run.is_over)

    def _on_runs_started(self, _run: "Run") -> None:
        for card in self.cards:
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = []
        self.hide()

    def _on_runs_events(self, run: "Run", _events: list[object]) -> None:
        self._show(run.transcript, over=False)

    def _on_runs_finished(self, run: "Run") -> None:
        self._show(run.transcript, over=True)

    def _show(self, transcript: Transcript, *, over: bool) -> None:
        ended = over or transcript.ended
        for index, call in enumerate(transcript.tool_calls):
            if index == len(self.cards):
                card = CallCard(call)
                card.result_given.connect(self.result_given)
                self.cards.append(card)
                self._column.addWidget(card)
                announce(self, f"Tool call {card.title()}")
            self.cards[index].show_call(growing=not ended)
        self.setVisible(bool(self.cards))


class _CallsPane:
    id = "calls"
    title = "Tool calls"
    area: Area = "output"
    order = 30

    def build(self, context: Context) -> QWidget:
        return CallsPane(context)


PANE = _CallsPane()
