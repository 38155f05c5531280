"""Tool calls of the reply, a card each, with a place to write what the tool answers."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from thinkpane.streaming.transcript import Transcript
from thinkpane.ui.context import Context
from thinkpane.ui.panes._api import Area
from thinkpane.ui.widgets.call_card import CallCard
from thinkpane.ui.widgets.run_cards import RunCards
from thinkpane.ui.widgets.text_accessible import announce

if TYPE_CHECKING:
    from thinkpane.runs.run import Run


class CallsPane(RunCards[CallCard]):
    """The tool calls of the latest run. Hidden while there are none.

    Signals:
        result_given(str, str): the id of a call, and the result that a person wrote for it.
    """

    result_given = Signal(str, str)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.follow(context)

    def _on_runs_started(self, run: "Run") -> None:
        self._clear()
        self.hide()

    def _show(self, transcript: Transcript, *, over: bool) -> None:
        ended = over or transcript.ended
        for index, call in enumerate(transcript.tool_calls):
            if index == len(self.cards):
                card = CallCard(call)
                card.result_given.connect(self.result_given)
                self._add(card)
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
