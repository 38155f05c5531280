"""One block of thinking: how long, how much, why it is believed to be thinking, and its text."""

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication

from thinkpane.streaming.blocks import ThinkingBlock
from thinkpane.ui.models.reply_state import TokenEstimate, Tone, waited
from thinkpane.ui.models.thinking_words import why
from thinkpane.ui.pace import Pace
from thinkpane.ui.widgets.card_icons import IconButton
from thinkpane.ui.widgets.output_card import OutputCard
from thinkpane.ui.widgets.text_shown import shown
from thinkpane.ui.widgets.text_view import TextView, put_on_clipboard
from thinkpane.ui.widgets.thought_editor import ThoughtEditor

MOST_ROWS = 12
_PREVIEW = 300


@dataclass(frozen=True, slots=True)
class BlockStand:
    """How a block stands, beside its text.

    growing: more of it may come. state, tone: for a badge, where it did not simply end. tokens: as the server counted
    them, None = estimate.
    """

    growing: bool
    state: str = ""
    tone: Tone = ""
    tokens: int | None = None


class ThinkingCard(OutputCard):
    """Shows one block. While it is folded its text is not laid out; only the counts and the last line follow.

    Signals:
        thought_edited(): a person opened or closed its editor, or wrote in it.
        append_requested(): the reply is to go into the conversation with the edited thought.
    """

    thought_edited = Signal()
    append_requested = Signal()

    def __init__(self, number: int) -> None:
        """number: which block of the reply it is, from 1."""
        super().__init__("Thinking", "thinking", kind="thinking")
        self._number = number
        self._block: ThinkingBlock | None = None
        self._stand = BlockStand(growing=False)
        self._told: tuple[object, ...] | None = None
        self._estimate = TokenEstimate()
        self._pace = Pace(self._bring_up, self)
        self.view = TextView(f"Thinking {number}" if number > 1 else "Thinking")
        self.view.set_ground("thinking_ground", dim=True)
        self.view.set_prose()
        self.view.set_most_rows(MOST_ROWS)
        self.view.set_follow(True)
        self.view.hide()
        self.editor: ThoughtEditor | None = None
        self.edit = IconButton("edit", "Write another thought, and see how it would be replayed")
        self.edit.clicked.connect(self.open_editor)
        self._copy = IconButton("duplicate", "Copy the thinking")
        self._copy.clicked.connect(self._on_copy_clicked)
        for each in (self.edit, self._copy):
            self.add_to_header(each)
            each.hide()
        self.body.addWidget(self.view)
        self.set_foldable()
        self.folded_by_person.connect(self._on_folded)

    @property
    def is_in_use(self) -> bool:
        """Whether a person folded or opened it, reads further up in it, selects in it or edits it: then it stays so."""
        focus = QApplication.focusWidget()
        reads = self.view.isVisible() and not self.view.is_at_end()
        has_focus = focus is not None and self.isAncestorOf(focus)
        return self.touched or reads or has_focus or bool(self.view.selected_text) or self.editor is not None

    def open_editor(self) -> None:
        """Opens a field with the thought, to write another one."""
        if self._block is None or self.editor is not None:
            return
        self.set_folded(False)
        self.editor = ThoughtEditor(self._block.text)
        self.editor.edited.connect(lambda _: self.thought_edited.emit())
        self.editor.append_requested.connect(self.append_requested)
        self.editor.closed.connect(self.close_editor)
        self.body.addWidget(self.editor)
        self.view.hide()
        self.edit.hide()
        self.editor.field.setFocus()
        self.thought_edited.emit()

    def close_editor(self) -> None:
        """Shows the thought as it came again."""
        if self.editor is None:
            return
        editor, self.editor = self.editor, None
        editor.hide()
        editor.deleteLater()
        self.edit.show()
        self._on_folded()
        self.thought_edited.emit()

    def set_editable(self, on: bool) -> None:
        """Whether another thought may be written now."""
        self.edit.setVisible(on and self.editor is None and self._block is not None and not self._block.redacted)

    def wait(self, seconds: float = 0.0) -> None:
        """Shows that nothing has come yet, and for how long."""
        self.set_badge("state", waited(seconds))

    def show_block(self, block: ThinkingBlock, stand: BlockStand, seconds: float) -> None:
        """Shows `block` as it is now; while it grows, its figures are told by `show_figures` alone.

        seconds: how long it took, or has taken.
        """
        if self._block is not block:
            self._block, self._estimate, self._told = block, TokenEstimate(), None
            self.view.set_text("")
            self._pace.begin()
        self._stand = stand
        told = (stand, block.source, block.signature, bool(block.growing.size))
        if told != self._told:
            self._told = told
            self._tell(block, stand, seconds)
        elif not stand.growing and block.growing.size > self._estimate.size:
            self.show_figures(seconds)
        self._follow(block)

    def show_figures(self, seconds: float) -> None:
        """How long it took, or has taken so far, and how much it is."""
        number = f" {self._number}" if self._number > 1 else ""
        self.set_title(f"Thinking{number}{'…' if self._stand.growing else ' ·'} {seconds:.1f} s")
        if self._block is not None:
            self._estimate.add(self._block.tail(self._estimate.size))
            self.set_badge("size", *self._measure(self._block, self._stand.tokens))

    def _tell(self, block: ThinkingBlock, stand: BlockStand, seconds: float) -> None:
        self.set_badge("state", stand.state, stand.tone)
        self.show_figures(seconds)
        source = why(block.source)
        self.set_badge("source", source.badge, "", source.hint)
        proof = f"The server signed it ({len(block.signature):,} characters) and wants it back unchanged."
        self.set_badge("proof", "signed" if block.signature else "", "", proof)
        self._copy.setVisible(bool(block.growing.size))

    def _measure(self, block: ThinkingBlock, tokens: int | None) -> tuple[str, Tone, str]:
        if block.redacted:
            return "hidden by the provider", "", ""
        if tokens is not None:
            return f"{tokens:,} tok", "", "As the server counted them"
        return f"≈ {self._estimate.tokens:,} tok", "", "An estimate: the server has not counted them"

    def _follow(self, block: ThinkingBlock) -> None:
        if self.is_folded:
            self.set_preview(last_line(block.tail(max(0, block.growing.size - _PREVIEW))))
        elif block.growing.size != len(self.view.text):
            if self._stand.growing:
                self._pace.ask()
            else:
                self._pace.now()
        self.view.setVisible(bool(block.growing.size) and self.editor is None)

    def _bring_up(self) -> None:
        if self._block is not None and not self.is_folded:
            self.view.append(self._block.tail(len(self.view.text)))

    def _on_folded(self) -> None:
        if self._block is not None:
            self._pace.begin()
            self._follow(self._block)

    def _on_copy_clicked(self) -> None:
        if self._block is not None:
            put_on_clipboard(self._block.text)


def last_line(text: str) -> str:
    """The last line that is not blank, as it is shown; dots stand for what a long one begins with."""
    lines = text.rstrip().rsplit("\n", 1)
    line = lines[-1].strip()
    cut = len(lines) == 1 and len(text) >= _PREVIEW
    return shown(f"… {line}" if cut else line).text
