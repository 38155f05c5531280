"""The answer, as plain text while it comes, with how the reply stands and why it failed where it did."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from thinkpane.streaming.transcript import Transcript
from thinkpane.ui.context import Context
from thinkpane.ui.models.reply_state import first_token_seconds, speed, state_of, waited
from thinkpane.ui.panes._api import Area
from thinkpane.ui.widgets.card_icons import IconButton
from thinkpane.ui.widgets.find_bar import FindBar
from thinkpane.ui.widgets.output_card import OutputCard, plain_label
from thinkpane.ui.widgets.text_accessible import announce
from thinkpane.ui.widgets.text_view import TextView, put_on_clipboard

if TYPE_CHECKING:
    from thinkpane.runs.run import Run

MOST_ROWS = 40
_EMPTY = "Thinking, the answer and tool calls appear here, each in its own place, when you press Run (Ctrl+Enter)."


class AnswerPane(QWidget):
    """The answer of the latest run."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("kind", "pane")
        self._transcript = Transcript()
        self._sizes: list[int] = []
        self._rereads = 0
        self.view = TextView("Answer")
        self.view.set_ground("card")
        self.view.set_prose()
        self.view.set_most_rows(MOST_ROWS)
        self.view.set_follow(True)
        self.error = plain_label("", "error")
        self.warnings = plain_label("", "dim")
        for each in (self.error, self.warnings):
            each.setWordWrap(True)
            each.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            each.hide()
        self.figures = plain_label("", "dim")
        copy = IconButton("duplicate", "Copy the answer")
        copy.clicked.connect(self.copy)
        self.card = OutputCard("assistant", "assistant")
        self.card.add_to_header(self.figures)
        self.card.add_to_header(copy)
        self.card.body.addWidget(self.view)
        self.card.body.addWidget(FindBar(self.view, self))
        self.card.body.addWidget(self.error)
        self.card.body.addWidget(self.warnings)
        self.card.hide()
        self.empty = plain_label(_EMPTY, "dim")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(16, 24, 16, 24)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.empty)
        column.addWidget(self.card)
        context.runs.started.connect(self._on_runs_started)
        context.runs.events.connect(self._on_runs_events)
        context.runs.finished.connect(self._on_runs_finished)
        context.runs.reread.connect(self._on_runs_reread)
        context.runs.tick.connect(self._on_runs_tick)
        if context.runs.run is not None:
            self._on_runs_started(context.runs.run)
            self._show(context.runs.run.transcript, over=context.runs.run.is_over)

    def copy(self) -> None:
        """Puts the whole answer on the clipboard, exactly."""
        put_on_clipboard(self._transcript.answer)

    def _on_runs_started(self, run: "Run") -> None:
        self._transcript = run.transcript
        self._sizes, self._rereads = [], 0
        self.view.set_text("")
        self.empty.hide()
        self.card.show()
        self._show(run.transcript, over=False)

    def _on_runs_events(self, run: "Run", _events: list[object]) -> None:
        self._show(run.transcript, over=False)

    def _on_runs_finished(self, run: "Run") -> None:
        self._show(run.transcript, over=True)
        state = state_of(run.transcript, over=True)
        announce(self, f"{state.word}: {self.error.text()}" if run.transcript.problem else state.word)

    def _on_runs_reread(self, run: "Run") -> None:
        self._transcript, self._sizes = run.transcript, []
        self._show(run.transcript, over=True)

    def _on_runs_tick(self, run: "Run") -> None:
        if not run.transcript.blocks and not run.transcript.ended:
            self.card.set_badge("state", waited(run.clock.elapsed))

    def _show(self, transcript: Transcript, *, over: bool) -> None:
        self._show_text(transcript)
        state = state_of(transcript, over=over)
        self.card.set_badge("state", state.word, state.tone)
        other = transcript.finish not in ("", "stop") and state.word == "done"
        self.card.set_badge("finish", f"finish: {transcript.finish}" if other else "")
        self.view.setVisible(bool(self.view.text))
        self.figures.setText(figures(transcript))
        self.error.setVisible(transcript.problem is not None)
        if transcript.problem is not None:
            kept = " What came before is kept." if transcript.blocks else ""
            self.error.setText(transcript.problem.message + kept)
        self.warnings.setText("\n".join(warned.message for warned in transcript.warnings))
        self.warnings.setVisible(bool(transcript.warnings))

    def _show_text(self, transcript: Transcript) -> None:
        sizes = [block.growing.size for block in transcript.answer_blocks]
        if sizes == self._sizes:
            return
        if not self.view.text:
            announce(self, "Answer")
        if self._has_only_grown(sizes, transcript.rereads):
            text = transcript.answer
            self.view.append(text[len(self.view.text) :])
        else:
            self.view.set_text(transcript.answer)
        self._sizes, self._rereads = sizes, transcript.rereads

    def _has_only_grown(self, sizes: list[int], rereads: int) -> bool:
        """Whether all that is new stands at the end."""
        before = len(self._sizes)
        return 0 < before <= len(sizes) and sizes[: before - 1] == self._sizes[:-1] and rereads == self._rereads


class _AnswerPane:
    id = "answer"
    title = "Answer"
    area: Area = "output"
    order = 20

    def build(self, context: Context) -> QWidget:
        return AnswerPane(context)


PANE = _AnswerPane()


def figures(transcript: Transcript) -> str:
    """When the first token came and how fast the rest did."""
    first = first_token_seconds(transcript)
    if first is None:
        return ""
    return " · ".join(filter(None, (f"first token {first:.2f} s", speed(transcript))))
