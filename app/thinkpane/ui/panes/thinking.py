"""Thinking, apart from the answer: one card a block, folded away when the answer begins unless a person touched it."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from thinkpane.streaming.transcript import Transcript
from thinkpane.ui.context import Context
from thinkpane.ui.models.reply_state import is_growing, state_of, thinking_tokens
from thinkpane.ui.panes._api import Area
from thinkpane.ui.widgets.text_accessible import announce
from thinkpane.ui.widgets.thinking_card import ThinkingCard

if TYPE_CHECKING:
    from thinkpane.runs.run import Run


class ThinkingPane(QWidget):
    """The thinking of the latest run. Hidden while there is none and none is awaited."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("kind", "pane")
        self.cards: list[ThinkingCard] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self._rereads = 0
        context.runs.started.connect(self._on_runs_started)
        context.runs.events.connect(self._on_runs_events)
        context.runs.finished.connect(self._on_runs_finished)
        self.hide()
        if context.runs.run is not None:
            self._show(context.runs.run.transcript, over=context.runs.run.is_over)

    def _on_runs_started(self, run: "Run") -> None:
        self._clear()
        self._card(0).wait()
        self.show()

    def _on_runs_events(self, run: "Run", _events: list[object]) -> None:
        self._show(run.transcript, over=False)

    def _on_runs_finished(self, run: "Run") -> None:
        self._show(run.transcript, over=True)

    def _show(self, transcript: Transcript, *, over: bool) -> None:
        if transcript.rereads != self._rereads:
            self._clear()
            self._rereads = transcript.rereads
        blocks = transcript.thinking_blocks
        if not blocks:
            self.setVisible(not over and not transcript.blocks)
            return
        self.show()
        if not self.cards or not self.cards[0].badge("size"):
            announce(self, "Thinking")
        reply = state_of(transcript, over=over)
        tokens = thinking_tokens(transcript) if len(blocks) == 1 else None
        for index, block in enumerate(blocks):
            card = self._card(index)
            if transcript.answer_blocks and not card.touched:
                card.set_folded(True)
            growing = is_growing(transcript, block, over=over)
            if not growing and transcript.blocks[-1] is block and reply.word in ("error", "stopped"):
                card.show_block(block, growing=False, state=reply.word, tone=reply.tone, tokens=tokens)
            else:
                card.show_block(block, growing=growing, tokens=tokens)

    def _card(self, index: int) -> ThinkingCard:
        while len(self.cards) <= index:
            card = ThinkingCard(len(self.cards) + 1)
            self.cards.append(card)
            self._column.addWidget(card)
        return self.cards[index]

    def _clear(self) -> None:
        for card in self.cards:
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = []
        self._rereads = 0


class _ThinkingPane:
    id = "thinking"
    title = "Thinking"
    area: Area = "output"
    order = 10

    def build(self, context: Context) -> QWidget:
        return ThinkingPane(context)


PANE = _ThinkingPane()
