"""Where the work of other threads reaches the window: prompts as they are made, and the events of a run in batches."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt.job import PromptJob
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.service import PromptService
from thinkpane.runs.kept_replies import KeptReplies
from thinkpane.templates.edited import load_edited
from thinkpane.templates.template import Template
from thinkpane.ui.template_feed import TemplateFeed
from thinkpane.workspace.body_variables import given_variables, state_options
from thinkpane.workspace.document import Change, Document
from thinkpane.workspace.state import DocumentState

if TYPE_CHECKING:
    from thinkpane.engine.host import Engine
    from thinkpane.runs.rereading import Reading
    from thinkpane.runs.run import Run

DRAIN_MILLISECONDS = 16
"""One frame at 60 Hz: events reach the panes in batches, never one signal each."""

DRAIN_SECONDS = 0.006
"""Of a frame for taking events; what comes faster than that waits for the next ones."""

TICK_MILLISECONDS = 100

RENDERED_PARTS = frozenset({"template", "messages", "tools", "documents", "raw_text", "variables", "steps", "profile"})
"""Parts of a document that its prompt depends on; of "endpoint" only the path does."""


_NO_TEMPLATE = Template("", "")


class PromptFeed(QObject):
    """The prompt of the open document, made anew after each change of it; the first one when it is asked for.

    While the document's template is not there, the last prompt stays, stale, and nothing can be sent.

    Signals:
        changed(object): the new Prompt, in the window's thread, in order of serial.
        template_changed(object): the Template that is in force now; not for each edit of its text.
    """

    changed = Signal(object)
    template_changed = Signal(object)
    _made = Signal(object)

    def __init__(self, document: Document, engine: "Engine", templates: TemplateFeed) -> None:
        """templates: reads the document's template; it is closed with this feed."""
        super().__init__()
        self._document = document
        self._engine = engine
        self._templates = templates
        self._prompt = Prompt()
        self._template = templates.template
        self._told: Template | str | None = None
        self._fault: Problem | None = None
        self._with_steps = True
        self._options: tuple[bool | None, bool | str, str | None] = (None, False, None)
        self._path = document.state.path
        self._serial = document.serial
        self._ref = document.state.template
        self._epoch = 0
        self._made.connect(self._on_service_made, Qt.ConnectionType.QueuedConnection)
        self._service = PromptService(engine, self._made.emit)
        self._end_listening = document.listen(self._on_document_changed)
        templates.changed.connect(self._on_templates_changed)

    @property
    def prompt(self) -> Prompt:
        """The newest prompt; an empty one before the first."""
        return self._prompt

    @property
    def engine(self) -> "Engine":
        """What renders; for whoever compares renders, beside the window."""
        return self._engine

    @property
    def templates(self) -> TemplateFeed:
        """What reads the document's template."""
        return self._templates

    @property
    def template(self) -> Template:
        """The document's template with the text that the document has for it; while it cannot be had, the last one."""
        return self._template

    @property
    def has_template(self) -> bool:
        """Whether the document's template, or its edited text, is there, so that prompts are made of it."""
        return self._fault is None

    @property
    def original(self) -> Template | None:
        """The template as its REF gives it, whatever the document made of its text; None while it cannot be had."""
        return self._templates.template if self._templates.is_ready and self._templates.wanted else None

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
        if not self._templates.want(self._document.state.template):
            self._make()

    def reload_template(self) -> None:
        """Reads the template anew, for a file that was changed outside."""
        self._templates.want(self._document.state.template)
        self._templates.reload()

    def job(self) -> PromptJob:
        """What is sent is made of, from the document as it stands.

        Raises ThinkpaneError where the template is not there: it is still being read (kind "loading"), or cannot be.
        """
        self._templates.want(self._document.state.template)
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
        self._templates.close()
        self._service.close()

    def use_options(
        self, *, generation_prompt: bool | None = None, continue_final: bool | str = False, now: str | None = None
    ) -> None:
        """Renders with these options from now on, as in RenderRequest; for pictures that a command line asks for."""
        self._options = (generation_prompt, continue_final, now)
        self.refresh()

    def _job(self, state: DocumentState) -> PromptJob:
        """Raises ThinkpaneError where the document asks for a render's option that is none."""
        generate, going_on = state_options(state)
        return PromptJob(
            template=self._template,
            conversation=state.conversation,
            template_name=state.template_name if state.edited is None else "",
            variables=given_variables(state),
            steps=state.steps,
            profile=state.profile,
            carry=state.path == "raw",
            add_generation_prompt=generate if self._options[0] is None else self._options[0],
            continue_final_message=self._options[1] or going_on,
            now=self._options[2],
            epoch=self._epoch,
        )

    def _make(self) -> None:
        self._read_template()
        problem = None if self._templates.is_loading else self._fault
        if self._fault is None:
            try:
                job = self._job(self._document.state)
            except ThinkpaneError as error:
                problem = error.problem
            else:
                self._service.ask(job if self._with_steps else replace(job, steps=None))
                return
        if problem is not None and self._told is None and self._template != _NO_TEMPLATE:
            self._template = _NO_TEMPLATE
            self.template_changed.emit(_NO_TEMPLATE)
        self._show(replace(self._prompt, problem=problem, stale=bool(self._prompt.text), request=None))

    def _read_template(self) -> None:
        """Takes what the document's REF and its edited text give now, or why there is nothing."""
        edited = self._document.state.edited
        self._fault = self._templates.loading
        if self._fault is not None:
            return
        try:
            self._template = (
                self._original("") if edited is None else load_edited(self._original, self._templates.wanted, edited)
            )
        except ThinkpaneError as error:
            self._fault = error.problem
            return
        told = self._templates.wanted if self._templates.problem is not None else self._templates.template
        if told is not self._told:
            self._told = told
            self.template_changed.emit(self._template)

    def _original(self, _ref: str) -> Template:
        if self._templates.problem is not None:
            raise ThinkpaneError(self._templates.problem)
        return self._templates.template

    def _show(self, prompt: Prompt) -> None:
        self._prompt = prompt
        self.changed.emit(prompt)

    def _on_document_changed(self, change: Change) -> None:
        path, self._path = self._path, self._document.state.path
        if self._document.serial != self._serial:
            self._serial = self._document.serial
            self._forget()
        if self._document.state.template != self._ref:
            self._ref = self._document.state.template
            self._epoch += 1
        if change.parts & RENDERED_PARTS or path != self._path:
            self.refresh()

    def _forget(self) -> None:
        """What is shown belongs to another document: its prompt and its template stand in for nothing of this one."""
        self._service.forget()
        self._epoch += 1
        self._prompt = Prompt()
        self._told = None

    def _on_templates_changed(self) -> None:
        if self._templates.wanted == self._document.state.template:
            self._make()

    @Slot(object)
    def _on_service_made(self, prompt: Prompt) -> None:
        # One that was under way when another template was asked for would stand for that one's, or hide why it cannot
        # be had.
        if self._fault is None and prompt.epoch == self._epoch:
            self._show(prompt)


class RunFeed(QObject):
    """The run that is live or was last, and its events.

    Signals:
        started(object): the Run that began.
        events(object, list): the Run and the events that came since the last batch; its transcript holds them already.
            The list is empty where only its wire or its state changed.
        finished(object): the Run, after its last events.
        reread(object): the Run, whose bytes are read another way now; its transcript and clock are others.
        tick(object): the live Run, some times a second, for what counts seconds.
    """

    started = Signal(object)
    events = Signal(object, list)
    finished = Signal(object)
    reread = Signal(object)
    tick = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.replies = KeptReplies()
        """Those that became messages of the conversation."""
        self._run: Run | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(DRAIN_MILLISECONDS)
        self._timer.timeout.connect(self._on_timer_timeout)
        self._ticks = QTimer(self)
        self._ticks.setInterval(TICK_MILLISECONDS)
        self._ticks.timeout.connect(self._on_ticks_timeout)

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
        self._ticks.start()
        self.started.emit(run)

    def adopt(self, run: "Run") -> None:
        """Takes over a run that is over, as the last one. Raises ValueError while another one is live."""
        if self.is_live or not run.is_over:
            raise ValueError("only a run that is over can take the place of another")
        self._run = run
        self.started.emit(run)
        self.finished.emit(run)

    def stop(self) -> None:
        """Stops the live run; what came stays, and `finished` follows. Does nothing where none is live."""
        if self._run is not None and self.is_live:
            self._run.stop()

    def show(self, reading: "Reading | None") -> None:
        """Shows another reading of the last run, None = the one that came. Raises ValueError where it is live."""
        run = self._run
        if run is None:
            raise ValueError("there is no run")
        run.show(reading)
        self.reread.emit(run)

    @Slot()
    def _on_ticks_timeout(self) -> None:
        if self._run is not None:
            self.tick.emit(self._run)

    @Slot()
    def _on_timer_timeout(self) -> None:
        run = self._run
        if run is None:
            return
        before = (len(run.wire), run.state)
        batch = run.drain(DRAIN_SECONDS)
        if batch or before != (len(run.wire), run.state):
            self.events.emit(run, batch)
        if run.is_over:
            self._timer.stop()
            self._ticks.stop()
            self.finished.emit(run)
