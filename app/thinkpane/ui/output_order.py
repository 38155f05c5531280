"""Puts the output's cards in the order in which they came, or each kind together again."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from thinkpane.streaming.blocks import AnswerBlock, ThinkingBlock
from thinkpane.ui.context import Context
from thinkpane.ui.panes.answer import AnswerPane
from thinkpane.ui.panes.calls import CallsPane
from thinkpane.ui.panes.thinking import ThinkingPane
from thinkpane.ui.widgets.output_column import OutputColumn

if TYPE_CHECKING:
    from thinkpane.runs.run import Run
    from thinkpane.streaming.transcript import Block


class OutputOrder:
    """Moves the cards that the panes made; the panes go on to fill them. Made after the panes follow the runs."""

    def __init__(
        self, column: OutputColumn, thinking: ThinkingPane, answer: AnswerPane, calls: CallsPane, context: Context
    ) -> None:
        self._thinking, self._answer, self._calls = thinking, answer, calls
        self._runs = context.runs
        self._in_order = False
        self._box = QWidget()
        self._box.setProperty("kind", "pane")
        self._box.hide()
        self._cards = QVBoxLayout(self._box)
        self._cards.setContentsMargins(0, 0, 0, 0)
        self._cards.setSpacing(8)
        column.insert_first(self._box)
        for signal in (context.runs.started, context.runs.events, context.runs.finished, context.runs.reread):
            signal.connect(self._on_runs_news)

    def set_in_order(self, on: bool) -> None:
        """Whether cards stand in the order in which they came."""
        if on == self._in_order:
            return
        self._in_order = on
        for pane in (self._thinking, self._calls):
            pane.lend(on)
        self._answer.set_in_parts(on)
        self._box.setVisible(on)
        if on:
            self._place()

    def _on_runs_news(self, *_: object) -> None:
        if self._in_order:
            self._place()

    def _place(self) -> None:
        """Every card at its block's place; nothing is touched that stands right."""
        wanted = self._wanted()
        for place, card in enumerate(wanted):
            item = self._cards.itemAt(place)
            if item is None or item.widget() is not card:
                self._cards.insertWidget(place, card)
                card.show()
        self._box.setVisible(bool(wanted))

    def _wanted(self) -> list[QWidget]:
        run: Run | None = self._runs.run
        blocks: list[Block] = [] if run is None else run.transcript.blocks
        thoughts, answers, calls = iter(self._thinking.cards), iter(self._answer.parts), iter(self._calls.cards)
        found: list[QWidget | None] = []
        for block in blocks:
            if isinstance(block, ThinkingBlock):
                found.append(next(thoughts, None))
            elif isinstance(block, AnswerBlock):
                found.append(next(answers, None))
            else:
                found.append(next(calls, None))
        # What is left is a card that waits for its first word.
        return [card for card in (*found, *thoughts) if card is not None]
