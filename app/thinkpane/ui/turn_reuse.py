"""Cache reuse between the document's turns, worked out beside the window, and the strip that shows it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from thinkpane.analysis.prefix import Reuse, Turn, characters, reuse, tokens_by
from thinkpane.analysis.thinking_format import thinking_tags
from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.comparison import Side
from thinkpane.prompt.job import PromptJob
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.text_encoder import TextEncoder
from thinkpane.tokens.segments import cut
from thinkpane.ui.bridge import RENDERED_PARTS
from thinkpane.ui.context import Context
from thinkpane.ui.newest import Newest
from thinkpane.ui.widgets.elided_label import ElidedLabel
from thinkpane.ui.widgets.plain_tip import plain_tip
from thinkpane.ui.widgets.turn_strip import TurnStrip
from thinkpane.workspace.document import Change

PAUSE: Final = 0.6
"""Seconds without a change before turns are rendered: they are dozens of renders, a keystroke is one."""


MOST_CUT: Final = 1_000_000
"""Characters of a turn's prompt that is cut at its special tokens while the window waits."""


@dataclass(frozen=True, slots=True)
class _Question:
    job: PromptJob
    tags: tuple[str, str]
    tokenizer: Path | None


class TurnReuse(QObject):
    """Follows the document; `panel` shows it, and hides while there is no turn.

    Signals:
        found(object): a Reuse is shown now.
        chosen(object, object, int): two Sides are to be compared, at a place in the second.
    """

    found = Signal(object)
    chosen = Signal(object, object, int)
    _answered = Signal(object)

    def __init__(self, parent: QObject, context: Context, pause: float = PAUSE) -> None:
        super().__init__(parent)
        self._context = context
        self._encoder: TextEncoder | None = None
        self._request: object = None
        self._file: Path | None = None
        self._serial = context.document.serial
        self.strip = TurnStrip()
        self.words = ElidedLabel("dim")
        self.panel = QWidget()
        column = QVBoxLayout(self.panel)
        column.setContentsMargins(8, 0, 8, 0)
        column.setSpacing(2)
        column.addWidget(self.strip)
        column.addWidget(self.words)
        self.panel.hide()
        self._newest = Newest[_Question, tuple[Reuse, str]](
            "turns", self._answer, self._answered.emit, context.prompts.engine.overtake, 0.0
        )
        self._rest = QTimer(self, singleShot=True, interval=round(pause * 1000))
        self._rest.timeout.connect(self._on_rest_timeout)
        self._answered.connect(self._on_newest_answered, Qt.ConnectionType.QueuedConnection)
        self.strip.told.connect(self._on_strip_told)
        self.strip.turn_chosen.connect(self._on_strip_turn_chosen)
        context.prompts.changed.connect(self._on_prompts_changed)
        context.tokens.encoded.connect(self._on_tokens_encoded)
        self._end_listening = context.document.listen(self._on_document_changed)

    def close(self) -> None:
        """Ends the thread and the tokenizer."""
        self._end_listening()
        # Before, so that what is at work ends; and after, should it have opened another tokenizer meanwhile.
        self._close_encoder()
        self._newest.close()
        self._close_encoder()

    def _close_encoder(self) -> None:
        if self._encoder is not None:
            self._encoder.close()

    def _on_document_changed(self, change: Change) -> None:
        """What is at work answers a question that nobody asks any more; what is shown stays until there is more."""
        if change.parts & RENDERED_PARTS:
            self._rest.stop()
            self._newest.drop()
            self._request = None
        if self._context.document.serial != self._serial:
            # What is shown is another document's.
            self._serial = self._context.document.serial
            self._show(Reuse(), "character")

    def _on_prompts_changed(self, prompt: Prompt) -> None:
        if not prompt.is_current or prompt.request is self._request:
            return
        self._request = prompt.request
        self._rest.start()

    def _on_rest_timeout(self) -> None:
        try:
            job = self._context.prompts.job()
        except ThinkpaneError:
            return  # without a template there are no turns, and the prompt pane says so
        if not any(each.role == "assistant" and not each.excluded for each in job.conversation.messages):
            self._newest.drop()
            self._show(Reuse(), "character")
            return
        tags = next(iter(thinking_tags(self._context.effects.template)))
        self._newest.ask(_Question(job, tags, self._context.tokens.file))

    def _on_tokens_encoded(self) -> None:
        """Another tokenizer was chosen, maybe."""
        file, self._file = self._file, self._context.tokens.file
        if file != self._file:
            self._request = None
            self._on_prompts_changed(self._context.prompts.prompt)

    def _answer(self, question: _Question, ticket: object) -> tuple[Reuse, str] | None:
        engine, replies = self._context.prompts.engine, self._context.runs.replies.reply
        file = question.tokenizer
        count, what = (characters, "character") if file is None else (tokens_by(self._opened(file)), "token")
        try:
            return reuse(question.job, engine, question.tags, count, ticket, replies), what
        except ThinkpaneError:
            return None  # cancelled: another question takes its place

    def _opened(self, path: Path) -> TextEncoder:
        if self._encoder is None or self._encoder.path != path:
            self._close_encoder()
            self._encoder = TextEncoder(path, self._context.tokens.tokenizers)
        return self._encoder

    @Slot(object)
    def _on_newest_answered(self, answered: tuple[Reuse, str]) -> None:
        if self._newest.is_newest(answered):
            self._show(*answered)

    def _show(self, found: Reuse, what: str) -> None:
        self.strip.set_reuse(found, what)
        self.panel.setVisible(bool(found.turns) or found.problem is not None)
        self.found.emit(found)

    def _on_strip_told(self, words: str) -> None:
        self.words.set_whole(words)
        self.words.setToolTip(plain_tip(words))

    def _on_strip_turn_chosen(self, turn: Turn, number: int) -> None:
        title = "A next turn’s prompt" if turn.assumed else f"Turn {number + 1}’s prompt"
        one = Side(f"Turn {number} with its answer", self._cut(turn.before))
        self.chosen.emit(one, Side(title, self._cut(turn.after)), turn.at)

    def _cut(self, text: str) -> Prompt:
        """The text with its special tokens, as they stand in the prompt at hand."""
        prompt, template = self._context.prompts.prompt, self._context.effects.template
        if len(text) > MOST_CUT:
            return Prompt(text=text)
        tokens = {prompt.text[each.start : each.end] for each in prompt.segments if each.special}
        return Prompt(text=text, segments=cut(text, sorted(tokens), template.roles, template.thinking or ()))
