"""One block of thinking: how long, how much, why it is believed to be thinking, and its text."""

from thinkpane.streaming.blocks import ThinkingBlock
from thinkpane.ui.models.reply_state import Tone, estimated_tokens
from thinkpane.ui.widgets.output_card import OutputCard
from thinkpane.ui.widgets.text_shown import shown
from thinkpane.ui.widgets.text_view import TextView

MOST_ROWS = 12
_PREVIEW = 300


class ThinkingCard(OutputCard):
    """Shows one block. While it is folded its text is not laid out; only the counts and the last line follow."""

    def __init__(self, number: int) -> None:
        """number: which block of the reply it is, from 1."""
        super().__init__("Thinking", "thinking", kind="thinking")
        self._number = number
        self._block: ThinkingBlock | None = None
        self._size = 0
        self._tokens = 0
        self.view = TextView(f"Thinking {number}" if number > 1 else "Thinking")
        self.view.set_ground("thinking_ground", dim=True)
        self.view.set_prose()
        self.view.set_most_rows(MOST_ROWS)
        self.view.set_follow(True)
        self.view.hide()
        self.body.addWidget(self.view)
        self.set_foldable()
        self.folded_by_person.connect(self._on_folded)

    def wait(self) -> None:
        """Shows that nothing has come yet."""
        self.set_badge("state", "waiting")

    def show_block(
        self, block: ThinkingBlock, *, growing: bool, state: str = "", tone: Tone = "", tokens: int | None = None
    ) -> None:
        """Shows `block` as it is now.

        growing: more of it may come. state: for a badge, where it did not simply end. tokens: as the server counted
        them, None = estimate.
        """
        if self._block is not block:
            self._block, self._size, self._tokens = block, 0, 0
            self.view.set_text("")
        if block.growing.size > self._size:
            self._tokens += estimated_tokens(block.text[self._size :])
            self._size = block.growing.size
        number = f" {self._number}" if self._number > 1 else ""
        going = "…" if growing else " ·"
        self.set_title(f"Thinking{number}{going} {block.latest - block.started:.1f} s")
        self.set_badge("state", state, tone)
        self.set_badge("size", self._measure(block, tokens))
        self.set_badge("source", block.source)
        self.set_badge("proof", "signed" if block.signature else "")
        self._follow(block)

    def _measure(self, block: ThinkingBlock, tokens: int | None) -> str:
        if block.redacted:
            return "hidden by the provider"
        return f"{tokens:,} tokens" if tokens is not None else f"≈ {self._tokens:,} tokens"

    def _follow(self, block: ThinkingBlock) -> None:
        if self.is_folded:
            self.set_preview(last_line(block.text))
        elif block.growing.size != len(self.view.text):
            self.view.append(block.text[len(self.view.text) :])
        self.view.setVisible(bool(block.growing.size))

    def _on_folded(self) -> None:
        if self._block is not None:
            self._follow(self._block)


def last_line(text: str) -> str:
    """The last line that is not blank, as it is shown, without its beginning where it is long."""
    lines = text[-_PREVIEW:].rstrip().rsplit("\n", 1)
    return shown(lines[-1].strip()).text
