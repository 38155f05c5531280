"""Makes a run of the document as it stands: renders now, says how the reply is read, and hands it to the runner."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.fingerprint import fingerprint
from thinkpane.endpoints.profile import DEMO
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.job import Prepared, prepare
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.context import Context
from thinkpane.workspace.body_sampling import given_params
from thinkpane.workspace.body_variables import given_variables
from thinkpane.workspace.state import DocumentState

if TYPE_CHECKING:
    from thinkpane.endpoints.dialects._api import Call, SendPath
    from thinkpane.endpoints.profile import Endpoint
    from thinkpane.runs.pair import PairPlace
    from thinkpane.runs.repeating import Repeated
    from thinkpane.runs.run import Run
    from thinkpane.ui.services import Services


@dataclass(frozen=True, slots=True)
class Ready:
    """All that a run needs, so that nothing is sent where anything is missing. prompt: what the model gets.

    conversation: as it stands in the document. place: the run's in a pair, None for a run of its own.
    """

    endpoint: "Endpoint"
    prepared: Prepared
    prompt: Prompt
    call: "Call"
    conversation: Conversation
    place: "PairPlace | None" = None


class RunStarter:
    """Starts the runs of one window."""

    def __init__(self, context: Context, services: "Services") -> None:
        self._context = context
        self._services = services

    def ready(self, path: "SendPath", place: "PairPlace | None" = None) -> Ready:
        """What would be sent on that path. place: for a run of a pair.

        Raises ThinkpaneError where nothing can be sent: the template fails, or the endpoint is not known.
        """
        state = self._context.document.state
        endpoint = self._services.endpoints.named(state.endpoint)
        job = replace(self._context.prompts.job(), carry=path == "raw")
        prepared = prepare(job, self._services.engine)
        prompt = self._context.prompts.prompt
        if not prompt.is_current or prompt.request != prepared.request:
            prompt = self._context.prompts.render_now(job)
        if prompt.problem is not None:
            why = prompt.problem
            raise ThinkpaneError(replace(why, message=f"Nothing was sent, because the template fails: {why.message}"))
        call = call_of(replace(state, path=path), prepared, prompt, endpoint.model)
        if place is not None:
            call = replace(call, params={**call.params, **place.params})
        return Ready(endpoint, prepared, prompt, call, state.conversation, place)

    def start(self, ready: Ready, speed: float = 1.0) -> "Run":
        """Sends it. speed: how fast a recorded reply plays, 0 = at once. Raises ThinkpaneError where it cannot be."""
        from thinkpane.endpoints.dialects._registry import dialect_for
        from thinkpane.runs.past import CONVERSATION
        from thinkpane.runs.reading import decode_options
        from thinkpane.workspace.run_bounds import deadlines, limits, loop_guard, retries, think_mode

        settings, services, path = self._context.settings, self._services, ready.call.path
        is_demo = ready.endpoint.dialect == DEMO
        template, source = self._context.prompts.template, ready.prepared.request.source
        found = None if path == "chat" else self._context.effects.formats.known(source, template.variables)
        guard = loop_guard(settings)
        if guard is not None:
            guard.seed(ready.prepared.request.messages)
        return services.runner.start(
            ready.endpoint,
            None if is_demo else dialect_for(ready.endpoint.dialect, path),
            ready.call,
            key=services.keys.key(ready.endpoint),
            options=decode_options(path, ready.prompt.text, template, source, found, think_mode(settings)),
            limits=limits(settings),
            deadlines=deadlines(settings),
            retries=retries(settings),
            label=ready.place.label if ready.place is not None else "",
            pair=ready.place.id if ready.place is not None else "",
            prompt=ready.prompt.text,
            noted={CONVERSATION: fingerprint(ready.conversation)},
            guard=guard,
            demo=services.demo if is_demo else None,
            speed=speed,
        )

    def repeated(self, run: "Run", place: "PairPlace") -> "Repeated":
        """What `run` sent, to be sent once more. Raises ThinkpaneError where that cannot be."""
        from thinkpane.runs.repeating import repeated

        return repeated(run, self._services.endpoints.named(run.endpoint), place)

    def start_repeated(self, asked: "Repeated", answered: str) -> "Run":
        """Sends it. answered: the fingerprint of the conversation that it is of. Raises ThinkpaneError as `start`."""
        from thinkpane.runs.past import CONVERSATION
        from thinkpane.workspace.run_bounds import deadlines, limits, loop_guard, retries

        settings, services = self._context.settings, self._services
        return services.runner.start(
            asked.endpoint,
            asked.dialect,
            asked.call,
            key=services.keys.key(asked.endpoint),
            options=asked.options,
            limits=limits(settings),
            deadlines=deadlines(settings),
            retries=retries(settings),
            label=asked.place.label,
            pair=asked.place.id,
            noted={CONVERSATION: answered},
            guard=loop_guard(settings),
        )


def call_of(state: DocumentState, prepared: Prepared, prompt: Prompt, model: str) -> "Call":
    """What is asked of the endpoint. model: the endpoint's own, for a document that names none."""
    from thinkpane.runs.calls import chat_call, raw_call

    chosen = state.model or model
    if state.path == "chat":
        return chat_call(prepared, model=chosen, variables=given_variables(state), params=given_params(state))
    return raw_call(prompt.text, model=chosen, params=given_params(state))


def sampling_of(ready: Ready) -> Mapping[str, JsonValue]:
    """The sampling that goes out, in the endpoint's own body too."""
    return {**ready.call.params, **ready.endpoint.extra_body}
