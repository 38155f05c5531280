"""What the status bar says, from the prompt, the run and the file."""

from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer

from thinkpane.analysis.thinking_format import opens_thinking
from thinkpane.errors import Problem
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.context import Context
from thinkpane.ui.document_files import DocumentFiles
from thinkpane.ui.models.reply_state import Tone, state_of
from thinkpane.ui.models.wire_text import counted
from thinkpane.ui.problems import Problems
from thinkpane.ui.widgets.status_bar import StatusBar

if TYPE_CHECKING:
    from thinkpane.runs.run import Run
    from thinkpane.ui.run_both import RunBoth

STATE_MILLISECONDS = 250
"""How often the words about a live run are made anew."""


class Status(QObject):
    """Keeps the bar in line with everything it tells of."""

    def __init__(self, bar: StatusBar, context: Context, files: DocumentFiles, both: "RunBoth | None" = None) -> None:
        super().__init__(bar)
        self._both = both
        self._bar = bar
        self._context = context
        self._files = files
        self._autosave: Problem | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(STATE_MILLISECONDS)
        self._timer.timeout.connect(self._show_run)
        context.prompts.changed.connect(self._show_prompt)
        context.problems.changed.connect(self._on_problems_changed)
        context.effects.changed.connect(self._show_thinking)
        context.runs.started.connect(self._on_runs_started)
        context.runs.finished.connect(self._on_runs_finished)
        if both is not None:
            both.started.connect(self._timer.start)
            both.changed.connect(self._show_pair)
        files.changed.connect(self._show_file)
        files.written.connect(self._on_files_written, Qt.ConnectionType.QueuedConnection)
        self._show_prompt(context.prompts.prompt)
        self._show_file()

    def _show_prompt(self, prompt: Prompt) -> None:
        self._bar.set_fact(
            "prompt", f"prompt {counted(len(prompt.text), 'character', 'characters')}" if prompt.text else ""
        )
        shown = prompt.request is not None and prompt.problem is None
        self._bar.set_fact("render", f"rendered in {prompt.milliseconds:.1f} ms" if shown else "")
        self._show_thinking()
        self._bar.set_fact("profile", rewrites(prompt), "\n".join(prompt.rewrites), "warning")
        self._show_problems()

    def _show_thinking(self) -> None:
        """How the prompt ends; said anew once the template's own marks of thinking are found."""
        prompt = self._context.prompts.prompt
        shown = prompt.request is not None and prompt.problem is None
        self._bar.set_fact("thinking", self._thinking(prompt) if shown else "")

    def _show_problems(self) -> None:
        """The newest count; a prompt that fails is a problem before its findings are there."""
        prompt, found = self._context.prompts.prompt, self._context.problems.problems
        failure = prompt.problem if not prompt.is_unwritten else None
        count = max(found.count if found else 0, 1 if failure else 0)
        worst = found.findings[0] if found and found.count else None
        hint = failure.message if failure else worst.summary if worst else ""
        tone: Tone = "bad" if failure or (worst and worst.severity == "error") else "warning"
        self._bar.set_fact("problems", _counted(count), hint, tone)

    def _thinking(self, prompt: Prompt) -> str:
        end = opens_thinking(prompt.text, self._context.effects.template)
        if end.open:
            return "thinking: opened by the prompt"
        return "thinking: closed by the prompt" if end.closed_empty else "thinking: not opened"

    def _show_file(self) -> None:
        document = self._context.document
        if self._autosave is not None:
            self._bar.set_fact("file", "not kept on disk", self._autosave.message, "bad")
        elif document.is_modified:
            self._bar.set_fact("file", "unsaved changes", "They are kept on disk by themselves.")
        elif document.path is not None:
            self._bar.set_fact("file", "saved", str(document.path))
        else:
            self._bar.set_fact("file", "")

    def _show_pair(self) -> None:
        """How the replies of a pair stand, each by its name."""
        words = [] if self._both is None else self._both.states()
        if not words:
            self._bar.set_state("Ready")
            self._show_run()
            return
        live = self._both is not None and self._both.is_live
        if not live:
            self._timer.stop()
        self._bar.set_state(" · ".join(words), "good" if live else "")

    def _show_run(self) -> None:
        if self._both is not None and self._both.is_live:
            self._show_pair()
            return
        run = self._context.runs.run
        if run is None:
            return
        state = state_of(run.transcript, over=run.is_over)
        tone = "good" if state.word in ("streaming", "waiting") else state.tone
        self._bar.set_state(state.word[:1].upper() + state.word[1:], tone)

    def _on_problems_changed(self, _problems: Problems) -> None:
        self._show_problems()

    def _on_runs_started(self, _run: "Run") -> None:
        self._timer.start()
        self._show_run()

    def _on_runs_finished(self, _run: "Run") -> None:
        self._timer.stop()
        self._show_run()

    def _on_files_written(self, problem: Problem | None) -> None:
        self._autosave = problem
        self._show_file()
        if problem is None and self._context.document.is_modified:
            self._bar.set_fact("file", "unsaved changes", f"Kept on disk at {datetime.now():%H:%M:%S}.")


def _counted(count: int) -> str:
    return f"{count} problem{'' if count == 1 else 's'}" if count else ""


def rewrites(prompt: Prompt) -> str:
    """How many things the runtime profile changed, "" for none."""
    count = len(prompt.rewrites)
    return f"profile changed {count} thing{'' if count == 1 else 's'}" if count else ""
