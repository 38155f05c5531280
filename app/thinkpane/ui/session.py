"""What Run does: the prompt as it stands goes out, the reply comes in, and what a person does with it afterwards."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from thinkpane.analysis.thinking_formats import ThinkingFormats
from thinkpane.conversation import edits
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.endpoints.profile import DEMO
from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.job import Prepared, prepare
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.context import Context
from thinkpane.workspace.state import DocumentState

if TYPE_CHECKING:
    from thinkpane.endpoints.dialects._api import Call, SendPath
    from thinkpane.runs.run import Run
    from thinkpane.ui.services import Services

_BY = "session"


class Session(QObject):
    """Runs, and their replies in the conversation.

    Signals:
        refused(object): a Problem, because of which nothing was sent.
        looped(object): the Run that the loop guard stopped.
        appended(int): the conversation has a new last message, at that index; it should be seen.
        changed(): what may be done is another thing now.
    """

    refused = Signal(object)
    looped = Signal(object)
    appended = Signal(int)
    changed = Signal()

    def __init__(self, context: Context, services: "Services") -> None:
        super().__init__()
        self._context = context
        self._services = services
        self._appended = ""
        self._formats = ThinkingFormats(services.engine.render_many)
        context.runs.started.connect(lambda _: self.changed.emit())
        context.runs.finished.connect(self._on_runs_finished)

    @property
    def is_live(self) -> bool:
        """Whether a reply is coming."""
        return self._context.runs.is_live

    @property
    def may_run(self) -> bool:
        """Whether Run would send."""
        return not self.is_live

    @property
    def may_append(self) -> bool:
        """Whether there is a reply that the conversation does not hold yet."""
        run = self._context.runs.run
        over = run is not None and run.is_over and run.id != self._appended
        takes = self._context.document.state.conversation.raw_text is None
        return run is not None and over and takes and bool(run.transcript.blocks)

    def run(self, demo_speed: float | None = None) -> None:
        """Sends the document as it stands; says why where it cannot.

        demo_speed: how fast a recorded reply plays, 0 = at once; None = as the settings say.
        """
        if self.is_live:
            return
        speed = self._context.settings.number("demo.speed") if demo_speed is None else demo_speed
        try:
            self._context.runs.start(self._start(speed))
        except ThinkpaneError as error:
            self.refused.emit(error.problem)

    def stop(self) -> None:
        """Stops the reply; what came stays."""
        self._context.runs.stop()

    def append_reply(self) -> None:
        """Puts thinking, answer and tool calls of the last reply at the end of the conversation."""
        run = self._context.runs.run
        if run is None or not self.may_append:
            return
        transcript = run.transcript
        state = self._context.document.state
        talk = edits.append_reply(state.conversation, transcript.thinking, transcript.answer, transcript.tool_calls)
        self._appended = run.id
        self._change(talk, "Append reply")
        self.changed.emit()

    def give_result(self, call_id: str, result: str) -> None:
        """Answers a tool call of the last reply: the reply goes in first, where it is not there yet."""
        self.append_reply()
        state = self._context.document.state
        run = self._context.runs.run
        calls = run.transcript.tool_calls if run is not None else []
        name = next((call.name for call in calls if call.id == call_id), "")
        talk = edits.append_tool_result(state.conversation, call_id, name, result)
        self._change(talk, "Add tool result")

    def break_loop(self) -> None:
        """Appends what came and the words that break a loop, and sends again."""
        from thinkpane.runs.loop_guard import BREAKER_TEXT

        self.append_reply()
        state = self._context.document.state
        talk = edits.add(state.conversation, message("user", BREAKER_TEXT))
        self._change(talk, "Break the loop")
        self.run()

    def _change(self, talk: Conversation, label: str) -> None:
        document = self._context.document
        document.change(replace(document.state, conversation=talk), ["messages"], _BY, label)
        self.appended.emit(len(talk.messages) - 1)

    def _start(self, speed: float) -> "Run":
        """Starts the run. Raises ThinkpaneError where it cannot be."""
        from thinkpane.endpoints.dialects._registry import dialect_for
        from thinkpane.runs.reading import decode_options
        from thinkpane.workspace.run_bounds import deadlines, limits, loop_guard

        state, settings, services = self._context.document.state, self._context.settings, self._services
        endpoint = services.endpoints.named(state.endpoint)
        path: SendPath = "chat" if state.path == "chat" else "raw"
        is_demo = endpoint.dialect == DEMO
        prepared = prepare(self._context.prompts.job(), self._services.engine)
        prompt = self._prompt(prepared)
        template, source = self._context.prompts.template, prepared.request.source
        found = None if path == "chat" else self._formats.of(source, template.variables)
        guard = loop_guard(settings)
        if guard is not None:
            guard.seed(prepared.request.messages)
        return services.runner.start(
            endpoint,
            None if is_demo else dialect_for(endpoint.dialect, path),
            call_of(state, prepared, prompt, endpoint.model),
            key=services.keys.key(endpoint),
            options=decode_options(path, prompt.text, template, source, found),
            limits=limits(settings),
            deadlines=deadlines(settings),
            prompt=prompt.text,
            guard=guard,
            demo=services.demo if is_demo else None,
            speed=speed,
        )

    def _prompt(self, prepared: Prepared) -> Prompt:
        """The prompt that is shown, where it is the one to be sent; else it is made now. Raises ThinkpaneError."""
        prompt = self._context.prompts.prompt
        if not prompt.is_current or prompt.request != prepared.request:
            prompt = self._context.prompts.render_now(self._context.prompts.job())
        if prompt.problem is not None:
            why = prompt.problem
            raise ThinkpaneError(replace(why, message=f"Nothing was sent, because the template fails: {why.message}"))
        return prompt

    def _on_runs_finished(self, run: "Run") -> None:
        self.changed.emit()
        if run.loop_guard_fired:
            self.looped.emit(run)


def call_of(state: DocumentState, prepared: Prepared, prompt: Prompt, model: str) -> "Call":
    """What is asked of the endpoint. model: the endpoint's own, for a document that names none."""
    from thinkpane.runs.calls import chat_call, raw_call

    chosen = state.model or model
    if state.path == "chat":
        return chat_call(prepared, model=chosen, variables=state.variables, params=state.params)
    return raw_call(prompt.text, model=chosen, params=state.params)
