"""Thinking, apart from the answer: one card a block, folded away when the answer begins unless a person touched it."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from thinkpane.streaming.transcript import Transcript
from thinkpane.ui.context import Context
from thinkpane.ui.models.reply_state import is_growing, state_of, thinking_tokens
from thinkpane.ui.panes._api import Area
from thinkpane.ui.widgets.run_cards import RunCards
from thinkpane.ui.widgets.text_accessible import announce
from thinkpane.ui.widgets.thinking_card import ThinkingCard

if TYPE_CHECKING:
    from thinkpane.runs.run import Run


class ThinkingPane(RunCards[ThinkingCard]):
    """The thinking of the latest run. Hidden while there is none and none is awaited."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._rereads = 0
        self.follow(context)

    def _on_runs_started(self, run: "Run") -> None:
        self._clear()
        self._card(0).wait()
        self.show()

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
            self._add(card)
        return self.cards[index]

    def _clear(self) -> None:
        super()._clear()
        self._rereads = 0


class _ThinkingPane:
    id = "thinking"
    title = "Thinking"
    area: Area = "output"
    order = 10

    def build(self, context: Context) -> QWidget:
        return ThinkingPane(context)


PANE = _ThinkingPane()
