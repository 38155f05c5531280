"""The answer: plain while it comes, rendered block by block, raw on demand; with how the reply stands and why."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from thinkpane.streaming.blocks import AnswerBlock
from thinkpane.streaming.transcript import Transcript
from thinkpane.ui.context import Context
from thinkpane.ui.models.reply_state import first_token_seconds, speed, state_of, waited
from thinkpane.ui.models.wire_text import timings
from thinkpane.ui.panes._api import Area
from thinkpane.ui.widgets.answer_text import AnswerText
from thinkpane.ui.widgets.card_icons import IconButton
from thinkpane.ui.widgets.find_bar import FindBar
from thinkpane.ui.widgets.flat_button import flat_button
from thinkpane.ui.widgets.output_card import OutputCard, plain_label
from thinkpane.ui.widgets.plain_tip import plain_tip
from thinkpane.ui.widgets.reading_panel import ReadingPanel
from thinkpane.ui.widgets.text_accessible import announce
from thinkpane.ui.widgets.text_view import TextView, put_on_clipboard

if TYPE_CHECKING:
    from thinkpane.runs.run import Run

_EMPTY = "Thinking, the answer and tool calls appear here, each in its own place, when you press Run (Ctrl+Enter)."


class AnswerPart(OutputCard):
    """One run of answer text on a card of its own, for replies that are shown in order of arrival."""

    def __init__(self, block: AnswerBlock) -> None:
        super().__init__("assistant", "assistant")
        self.block = block
        self.text = AnswerText("Answer")
        self.body.addWidget(self.text)
        copy = IconButton("duplicate", "Copy this part of the answer")
        copy.clicked.connect(lambda: put_on_clipboard(block.text))
        self.add_to_header(copy)


class AnswerPane(QWidget):
    """The answer of the latest run.

    Signals:
        raw_pressed(): a person asks for the raw text, or for the rendered one again.
        reading_pressed(): a person wants to read the reply in another way, or no longer.
    """

    raw_pressed = Signal()
    reading_pressed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("kind", "pane")
        self._transcript = Transcript()
        self._blocks: list[AnswerBlock] = []
        self._sizes: list[int] = []
        self._in_parts = False
        self._stands: tuple[object, ...] | None = None
        self._has_blocks = False
        self._in_characters = False
        self.parts: list[AnswerPart] = []
        self.text = AnswerText("Answer")
        self.error = plain_label("", "error")
        self.warnings = plain_label("", "dim")
        for each in (self.error, self.warnings):
            each.setWordWrap(True)
            each.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            each.hide()
        self.figures = plain_label("", "dim")
        self.raw = flat_button("Raw", "Show the answer as the characters that came")
        self.raw.setCheckable(True)
        self.raw.clicked.connect(self.raw_pressed)
        self.raw.hide()
        self.read_as = flat_button("Read as…", "Read the reply's bytes again, with other settings")
        self.read_as.setCheckable(True)
        self.read_as.clicked.connect(self.reading_pressed)
        self.read_as.hide()
        self.panel = ReadingPanel()
        self.panel.hide()
        self.empty = plain_label(_EMPTY, "dim")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(16, 24, 16, 24)
        self.card = OutputCard("assistant", "assistant")
        self._lay_out()
        context.runs.started.connect(self._on_runs_started)
        context.runs.events.connect(self._on_runs_events)
        context.runs.finished.connect(self._on_runs_finished)
        context.runs.reread.connect(self._on_runs_reread)
        context.runs.tick.connect(self._on_runs_tick)
        if context.runs.run is not None:
            self._on_runs_started(context.runs.run)
            self._show(context.runs.run, over=context.runs.run.is_over)

    @property
    def view(self) -> TextView:
        """What shows the answer's plain text."""
        return self.text.view

    def copy(self) -> None:
        """Puts the whole answer on the clipboard, exactly."""
        put_on_clipboard(self._transcript.answer)

    def set_raw(self, raw: bool) -> None:
        """Shows the characters that came, or Markdown as it is meant."""
        self.raw.setChecked(raw)
        for each in (self.text, *(part.text for part in self.parts)):
            each.set_raw(raw)

    def set_in_characters(self, on: bool) -> None:
        """Whether the speed is told in characters, to stand beside a reply whose tokens nobody counted."""
        if on != self._in_characters:
            self._in_characters = on
            self._tell_figures()

    def set_in_parts(self, on: bool) -> None:
        """Whether each run of answer text is a card of its own; whoever asks for it places the cards."""
        self._in_parts = on
        self.text.setVisible(not on)
        self.card.set_title("reply" if on else "assistant")
        if not on:
            self._drop_parts()
        self._show_parts(over=self._transcript.ended)

    def _lay_out(self) -> None:
        copy = IconButton("duplicate", "Copy the answer")
        copy.clicked.connect(self.copy)
        for each in (self.figures, copy):
            self.card.add_to_header(each)
        for widget in (self.panel, self.text, _RawFindBar(self), self.error, self.warnings):
            self.card.body.addWidget(widget)
        foot = QHBoxLayout()
        foot.setSpacing(4)
        for button in (self.raw, self.read_as):
            foot.addWidget(button)
        foot.addStretch(1)
        self.card.body.addLayout(foot)
        self.card.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.empty)
        column.addWidget(self.card)

    def _on_runs_started(self, run: "Run") -> None:
        self._forget(run.transcript)
        self.empty.hide()
        self.card.show()
        self._show(run, over=False)

    def _on_runs_events(self, run: "Run", _events: list[object]) -> None:
        self._show(run, over=False)

    def _on_runs_finished(self, run: "Run") -> None:
        self._show(run, over=True)
        state = state_of(run.transcript, over=True)
        announce(self, f"{state.word}: {self.error.text()}" if run.transcript.problem else state.word)

    def _on_runs_reread(self, run: "Run") -> None:
        self._forget(run.transcript)
        self._show(run, over=True)

    def _on_runs_tick(self, run: "Run") -> None:
        """Figures that change with every piece are shown a few times a second."""
        if not run.transcript.blocks and not run.transcript.ended:
            self.card.set_badge("state", waited(run.clock.elapsed))
        self._show_figures(run)

    def _forget(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._blocks, self._sizes = [], []
        self._stands, self._has_blocks = None, False
        self._drop_parts()
        self.text.set_text("")

    def _show(self, run: "Run", *, over: bool) -> None:
        transcript = run.transcript
        self._show_text(transcript)
        if self.raw.isHidden() == bool(self._sizes):
            self.raw.setVisible(bool(self._sizes))
        if over:
            self.text.end()
        self._show_parts(over=over)
        stands = (over, transcript.finish, transcript.problem, len(transcript.warnings), transcript.ended)
        if stands != self._stands or bool(transcript.blocks) != self._has_blocks:
            self._stands, self._has_blocks = stands, bool(transcript.blocks)
            self._show_state(run, over=over)

    def _show_state(self, run: "Run", *, over: bool) -> None:
        transcript = run.transcript
        state = state_of(transcript, over=over)
        self.card.set_badge("state", state.word, state.tone)
        other = transcript.finish not in ("", "stop") and state.word == "done"
        self.card.set_badge("finish", f"finish: {transcript.finish}" if other else "")
        self.card.set_badge("reading", "reread" if run.reading is not None else "", "warning")
        self.read_as.setVisible(over)
        self._show_figures(run)
        self.error.setVisible(transcript.problem is not None)
        if transcript.problem is not None:
            kept = " What came before is kept." if transcript.blocks else ""
            self.error.setText(transcript.problem.message + kept)
        self.warnings.setText("\n".join(warned.message for warned in transcript.warnings))
        self.warnings.setVisible(bool(transcript.warnings))

    def _show_figures(self, run: "Run") -> None:
        self._tell_figures()
        self.figures.setToolTip(plain_tip("\n".join(timings(run.clock))))

    def _tell_figures(self) -> None:
        self.figures.setText(figures(self._transcript, in_characters=self._in_characters))

    def _show_text(self, transcript: Transcript) -> None:
        blocks = transcript.answer_blocks
        sizes = [block.growing.size for block in blocks]
        if sizes == self._sizes:
            return
        if not self.text.length:
            announce(self, "Answer")
        before = len(self._sizes)
        only_grown = blocks[:before] == self._blocks and sizes[: before - 1] == self._sizes[:-1] and before > 0
        if only_grown:
            self.text.append("".join(block.tail(seen) for block, seen in _grown(blocks, self._sizes)))
        else:
            self._drop_parts()
            self.text.set_text(transcript.answer)
        self._blocks, self._sizes = blocks, sizes

    def _show_parts(self, *, over: bool) -> None:
        if not self._in_parts:
            return
        for place, block in enumerate(self._blocks):
            if place == len(self.parts):
                part = AnswerPart(block)
                part.text.set_raw(self.raw.isChecked())
                self.parts.append(part)
            text = self.parts[place].text
            text.append(block.tail(text.length))
            if over or place < len(self._blocks) - 1:
                text.end()

    def _drop_parts(self) -> None:
        for part in self.parts:
            part.hide()
            part.deleteLater()
        self.parts = []


class _RawFindBar(FindBar):
    """Finds in the characters that came: what is rendered has others."""

    def __init__(self, pane: AnswerPane) -> None:
        super().__init__(pane.view, pane)
        self._pane = pane

    def start(self) -> None:
        """Shows the raw text, all of it, and the row."""
        self._pane.set_raw(True)
        self._pane.text.show()
        super().start()


class _AnswerPane:
    id = "answer"
    title = "Answer"
    area: Area = "output"
    order = 20

    def build(self, context: Context) -> QWidget:
        return AnswerPane(context)


PANE = _AnswerPane()


def figures(transcript: Transcript, *, in_characters: bool = False) -> str:
    """When the first token came and how fast the rest did. in_characters: as for `speed`."""
    first = first_token_seconds(transcript)
    if first is None:
        return ""
    return " · ".join(filter(None, (f"first token {first:.2f} s", speed(transcript, in_characters=in_characters))))


def _grown(blocks: list[AnswerBlock], sizes: list[int]) -> list[tuple[AnswerBlock, int]]:
    """The blocks that may have grown, and how much of each was seen."""
    last = len(sizes) - 1
    return [(block, sizes[place] if place == last else 0) for place, block in enumerate(blocks) if place >= last]
