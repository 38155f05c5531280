"""Tool calls of the reply, a card each, with a place to write what the tool answers."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

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
        result_given(int, str): which call (from 0), and the result that a person wrote for it.
        undo_requested, redo_requested: asked for in a result's field that has no steps of its own.
    """

    result_given = Signal(int, str)
    undo_requested = Signal()
    redo_requested = Signal()

    def __init__(self, context: Context, *, takes_results: bool = True) -> None:
        """takes_results: a person may write what a tool answers."""
        super().__init__()
        self._given: frozenset[int] = frozenset()
        self._takes_results = self._may_give = takes_results
        self.follow(context)

    def give_typed(self) -> None:
        """Gives every result that is typed and not given yet, as their buttons do."""
        for card in self.cards:
            if card.typed:
                card.give()

    def show_given(self, given: frozenset[int], *, may_give: bool) -> None:
        """Says which calls (from 0) the conversation holds results of, and whether it takes others."""
        self._given, self._may_give = given, may_give
        for place, card in enumerate(self.cards):
            card.set_given(given=place in given, may_give=may_give)

    def _on_runs_started(self, run: "Run") -> None:
        self._clear()
        self._given, self._may_give = frozenset(), self._takes_results
        self.hide()

    def _on_runs_reread(self, run: "Run") -> None:
        """What is typed for a call stays while the other reading has the same calls."""
        calls = run.transcript.tool_calls
        if len(calls) != len(self.cards) or not all(map(CallCard.take_over, self.cards, calls)):
            self._clear()
        super()._on_runs_reread(run)

    def _show(self, run: "Run", *, over: bool) -> None:
        transcript = run.transcript
        ended = over or transcript.ended
        for index, call in enumerate(transcript.tool_calls):
            if index == len(self.cards):
                card = CallCard(call)
                card.result_given.connect(partial(self.result_given.emit, index))
                card.undo_requested.connect(self.undo_requested)
                card.redo_requested.connect(self.redo_requested)
                card.set_given(given=index in self._given, may_give=self._may_give)
                self._add(card)
                announce(self, f"Tool call {card.title()}")
            self.cards[index].show_call(growing=not ended)
        self.reveal(bool(self.cards))


class _CallsPane:
    id = "calls"
    title = "Tool calls"
    area: Area = "output"
    order = 30

    def build(self, context: Context) -> QWidget:
        return CallsPane(context)


PANE = _CallsPane()
