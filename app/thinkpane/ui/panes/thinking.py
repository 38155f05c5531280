"""Thinking, apart from the answer: one card a block, folded away when the answer begins unless a person uses it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from thinkpane.runs.reply_end import STOPPED
from thinkpane.streaming.transcript import Transcript
from thinkpane.ui.context import Context
from thinkpane.ui.models.replayed import Replayed
from thinkpane.ui.models.reply_state import block_seconds, is_growing, state_of, thinking_tokens
from thinkpane.ui.panes._api import Area
from thinkpane.ui.widgets.run_cards import RunCards
from thinkpane.ui.widgets.text_accessible import announce
from thinkpane.ui.widgets.thinking_card import BlockStand, ThinkingCard

if TYPE_CHECKING:
    from thinkpane.runs.run import Run


class ThinkingPane(RunCards[ThinkingCard]):
    """The thinking of the latest run. Hidden while there is none and none is awaited.

    Signals:
        thinking_edited(str): all thinking of the reply, as it would be with what is written in the editors.
        append_requested(str): the reply is to go into the conversation with that thinking.
        thoughts_changed(): `edited_thoughts` gives others now.
    """

    thinking_edited = Signal(str)
    append_requested = Signal(str)
    thoughts_changed = Signal()

    def __init__(self, context: Context, *, editable: bool = True) -> None:
        """editable: another thought may be written in place of one that came."""
        super().__init__()
        self._editable = editable
        self._rereads = 0
        self._transcript = Transcript()
        self.follow(context)

    def show_replayed(self, found: Replayed) -> None:
        """How the next prompt would hold the edited thinking."""
        for card in self.cards:
            if card.editor is not None:
                card.editor.show_replayed(found)

    def close_editors(self) -> None:
        """The edited thinking is in the conversation."""
        for card in self.cards:
            card.close_editor()

    def _on_runs_started(self, run: "Run") -> None:
        self._clear()
        self._card(0).wait()
        self.reveal(True)

    def _on_runs_reread(self, run: "Run") -> None:
        self._clear()
        super()._on_runs_reread(run)

    def _on_runs_tick(self, run: "Run") -> None:
        """Counts the seconds of what is awaited, and of the block that grows."""
        blocks = run.transcript.blocks
        if not self.cards:
            return
        if not blocks:
            self.cards[0].wait(run.clock.elapsed)
            return
        for card, block in zip(self.cards, run.transcript.thinking_blocks, strict=False):
            if is_growing(run.transcript, block, over=run.is_over):
                card.show_figures(block_seconds(run.transcript, block, run.clock.elapsed))

    def _show(self, run: "Run", *, over: bool) -> None:
        transcript = self._transcript = run.transcript
        if transcript.rereads != self._rereads:
            self._clear()
            self._rereads = transcript.rereads
        blocks = transcript.thinking_blocks
        if not blocks:
            if self.cards and (over or transcript.blocks):
                self._clear()
            self.reveal(not over and not transcript.blocks)
            return
        self.reveal(True)
        if not self.cards or not self.cards[0].badge("size"):
            announce(self, "Thinking")
        reply = state_of(transcript, over=over)
        tokens = thinking_tokens(transcript) if len(blocks) == 1 else None
        for index, block in enumerate(blocks):
            card = self._card(index)
            growing = is_growing(transcript, block, over=over)
            if transcript.answer_blocks and not growing and not card.is_folded and not card.is_in_use:
                card.set_folded(True)
            broke_off = (
                not growing and transcript.blocks[-1] is block and (reply.tone == "bad" or reply.word == STOPPED)
            )
            word, tone = (reply.word, reply.tone) if broke_off else ("", "")
            stand = BlockStand(growing=growing, state=word, tone=tone, tokens=tokens)
            card.show_block(block, stand, block_seconds(transcript, block, run.clock.elapsed))
            card.set_editable(over and self._editable)

    def _card(self, index: int) -> ThinkingCard:
        while len(self.cards) <= index:
            card = ThinkingCard(len(self.cards) + 1)
            card.thought_edited.connect(self._on_card_thought_edited)
            card.append_requested.connect(lambda: self.append_requested.emit(self._edited()))
            self._add(card)
        return self.cards[index]

    def _edited(self) -> str:
        texts = {place: card.editor.field.text for place, card in enumerate(self.cards) if card.editor is not None}
        return self._transcript.thinking_with(texts)

    def edited_thoughts(self) -> dict[int, str]:
        """What is written in place of thoughts and not appended yet, by their numbers from 0."""
        fields = {place: card.editor.field.text for place, card in enumerate(self.cards) if card.editor is not None}
        came = [block.text for block in self._transcript.thinking_blocks]
        return {place: text for place, text in fields.items() if place < len(came) and text != came[place]}

    def _on_card_thought_edited(self) -> None:
        self.thoughts_changed.emit()
        if any(card.editor is not None for card in self.cards):
            self.thinking_edited.emit(self._edited())

    def _clear(self) -> None:
        super()._clear()
        self._rereads = 0
        self.thoughts_changed.emit()


class _ThinkingPane:
    id = "thinking"
    title = "Thinking"
    area: Area = "output"
    order = 10

    def build(self, context: Context) -> QWidget:
        return ThinkingPane(context)


PANE = _ThinkingPane()
