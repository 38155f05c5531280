"""Where the work of other threads reaches the window: prompts as they are made, and the events of a run in batches."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt.job import PromptJob
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.service import PromptService
from thinkpane.templates.template import Template
from thinkpane.workspace.document import Change, Document
from thinkpane.workspace.state import DocumentState

if TYPE_CHECKING:
    from thinkpane.engine.host import Engine
    from thinkpane.runs.run import Run

DRAIN_MILLISECONDS = 16
"""One frame at 60 Hz: events reach the panes in batches, never one signal each."""

RENDERED_PARTS = frozenset({"template", "messages", "tools", "documents", "raw_text", "variables", "steps", "profile"})
"""Parts of a document that its prompt depends on; of "endpoint" only the path does."""

_NO_TEMPLATE = Template("", "")


class PromptFeed(QObject):
    """The prompt of the open document, made anew after each change of it; the first one when it is asked for.

    Signals:
        changed(object): the new Prompt, in the window's thread, in order of serial.
        template_changed(object): the Template that is in force now.
    """

    changed = Signal(object)
    template_changed = Signal(object)
    _made = Signal(object)

    def __init__(self, document: Document, engine: "Engine", load: Callable[[str], Template]) -> None:
        """load: gives the template of a REF, and raises ThinkpaneError (templates/library.py)."""
        super().__init__()
        self._document = document
        self._load = load
        self._prompt = Prompt()
        self._template = _NO_TEMPLATE
        self._loaded: str | None = None
        self._fault: Problem | None = None
        self._with_steps = True
        self._options: tuple[bool | None, bool | str, str | None] = (None, False, None)
        self._path = document.state.path
        self._made.connect(self._on_service_made, Qt.ConnectionType.QueuedConnection)
        self._service = PromptService(engine, self._made.emit)
        self._end_listening = document.listen(self._on_document_changed)

    @property
    def prompt(self) -> Prompt:
        """The newest prompt; an empty one before the first."""
        return self._prompt

    @property
    def template(self) -> Template:
        """The document's template; while it cannot be read, the last one that could."""
        return self._template

    @property
    def with_steps(self) -> bool:
        """Whether the prompt is shown with the steps before rendering, as it is sent."""
        return self._with_steps

    def show_steps(self, on: bool) -> None:
        """Shows the prompt with or without the steps; what is sent always has them."""
        self._with_steps = on
        self.refresh()

    def refresh(self) -> None:
        """Asks for the prompt of the document as it stands."""
        self._read_template()
        if self._fault is None:
            job = self._job(self._document.state)
            self._service.ask(job if self._with_steps else replace(job, steps=None))

    def reload_template(self) -> None:
        """Reads the template anew, for a file that was changed outside."""
        self._loaded = None
        self.refresh()

    def job(self) -> PromptJob:
        """What is sent is made of, from the document as it stands.

        Raises ThinkpaneError where the template cannot be read.
        """
        self._read_template()
        if self._fault is not None:
            raise ThinkpaneError(self._fault)
        return self._job(self._document.state)

    def render_now(self, job: PromptJob) -> Prompt:
        """The prompt of `job`, made while the caller waits (at most the engine's deadline)."""
        return self._service.render_now(job)

    def close(self) -> None:
        """Ends the thread; nothing is delivered any more."""
        self._end_listening()
        self._service.close()

    def use_options(
        self, *, generation_prompt: bool | None = None, continue_final: bool | str = False, now: str | None = None
    ) -> None:
        """Renders with these options from now on, as in RenderRequest; for pictures that a command line asks for."""
        self._options = (generation_prompt, continue_final, now)
        self.refresh()

    def _job(self, state: DocumentState) -> PromptJob:
        return PromptJob(
            template=self._template,
            conversation=state.conversation,
            template_name=state.template_name,
            variables=state.variables,
            steps=state.steps,
            profile=state.profile,
            carry=state.path == "raw",
            add_generation_prompt=self._options[0],
            continue_final_message=self._options[1],
            now=self._options[2],
        )

    def _read_template(self) -> None:
        ref = self._document.state.template
        if ref == self._loaded:
            return
        self._loaded = ref
        try:
            self._template = self._load(ref)
        except ThinkpaneError as error:
            self._fault = error.problem
            shown = replace(self._prompt, problem=error.problem, stale=bool(self._prompt.text), request=None)
            self._show(shown)
        else:
            self._fault = None
            self.template_changed.emit(self._template)

    def _show(self, prompt: Prompt) -> None:
        self._prompt = prompt
        self.changed.emit(prompt)

    def _on_document_changed(self, change: Change) -> None:
        path, self._path = self._path, self._document.state.path
        if change.parts & RENDERED_PARTS or path != self._path:
            self.refresh()

    @Slot(object)
    def _on_service_made(self, prompt: Prompt) -> None:
        # One that was under way when the template became unreadable would hide why.
        if self._fault is None:
            self._show(prompt)


class RunFeed(QObject):
    """The run that is live or was last, and its events.

    Signals:
        started(object): the Run that began.
        events(object, list): the Run and the events that came since the last batch; its transcript holds them already.
            The list is empty where only its wire or its state changed.
        finished(object): the Run, after its last events.
    """

    started = Signal(object)
    events = Signal(object, list)
    finished = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._run: Run | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(DRAIN_MILLISECONDS)
        self._timer.timeout.connect(self._on_timer_timeout)

    @property
    def run(self) -> "Run | None":
        """The run that is live or was last, None before the first."""
        return self._run

    @property
    def is_live(self) -> bool:
        """Whether events of the run are still to come."""
        return self._timer.isActive()

    def start(self, run: "Run") -> None:
        """Takes over `run`, which was started by its Runner. Raises ValueError while another one is live."""
        if self.is_live:
            raise ValueError("a run is live already")
        self._run = run
        self._timer.start()
        self.started.emit(run)

    def stop(self) -> None:
        """Stops the live run; what came stays, and `finished` follows. Does nothing where none is live."""
        if self._run is not None and self.is_live:
            self._run.stop()

    @Slot()
    def _on_timer_timeout(self) -> None:
        run = self._run
        if run is None:
            return
        before = (len(run.wire), run.state)
        batch = run.drain()
        if batch or before != (len(run.wire), run.state):
            self.events.emit(run, batch)
        if run.is_over:
            self._timer.stop()
            self.finished.emit(run)
