"""Compares the prompt of a job with the one that an endpoint's server makes of the same messages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from thinkpane.endpoints.dialects._api import HttpRequest
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.parity import ServerPrompt, refused, server_prompt
from thinkpane.endpoints.parity_causes import Cause, Change, Sides, cause_of
from thinkpane.endpoints.profile import DEMO, Endpoint
from thinkpane.endpoints.server import Send, Server
from thinkpane.engine.host import Engine
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.job import PromptJob, prepare
from thinkpane.prompt.making import Asking
from thinkpane.runs.calls import chat_call, request_for

Verdict: TypeAlias = Literal["same", "differs", "unknown"]

_PROFILES = {
    "llamacpp": ("llamacpp",),
    "vllm": ("vllm",),
    "sglang": ("sglang",),
    "ollama": ("ollama",),
}


@dataclass(frozen=True, slots=True)
class Parity:
    """How our prompt compares.

    ours: our prompt. theirs: the server's, None where it does not tell. cause: why they differ, or why it cannot be
    told, in one sentence; "" where they are the same. cause_kind: a fixed word for it. how: by which question.
    """

    verdict: Verdict
    ours: str
    theirs: str | None = None
    cause: str = ""
    cause_kind: str = ""
    server: str = ""
    how: str = ""

    def as_json(self) -> JsonObject:
        """The object that `thinkpane parity` prints (docs/cli.md); same is null where it cannot be told."""
        same: JsonValue = {"same": True, "differs": False, "unknown": None}[self.verdict]
        found: JsonObject = {"same": same, "ours": self.ours, "theirs": self.theirs}
        more = {"cause": self.cause, "cause_kind": self.cause_kind, "server": self.server, "how": self.how}
        return found | {name: value for name, value in more.items() if value}


def compare(
    endpoint: Endpoint,
    job: PromptJob,
    engine: Engine,
    send: Send,
    *,
    model: str,
    params: Mapping[str, JsonValue],
    owner: object = None,
) -> Parity:
    """Asks the server and compares; waits for both. owner: see Engine.cancel.

    A server that does not answer or does not tell gives the verdict "unknown". Raises ThinkpaneError where our own
    prompt fails.
    """
    ours = _rendered(job, engine, owner)
    if endpoint.dialect == DEMO:
        return Parity("unknown", ours, cause="The demo endpoint replays recordings; it makes no prompts.")

    def make(dialect: str) -> HttpRequest:
        prepared = prepare(replace(job, carry=False), Asking(engine, owner))
        call = chat_call(prepared, model=model, variables=job.variables, params=params, stream=False)
        return request_for(replace(endpoint, dialect=dialect), dialect_named(dialect), call)

    try:
        found = server_prompt(Server(endpoint, send), ours, make)
    except ThinkpaneError as error:
        return Parity("unknown", ours, cause=_unanswered(error))
    title = found.kind.title
    if found.text is None:
        verdict: Verdict = "differs" if found.same_tokens is False else "unknown"
        return Parity(verdict, ours, cause=found.why, server=title, how=found.how)
    if found.same_tokens or found.text == ours:
        return Parity("same", ours, found.text, server=title, how=found.how)
    cause = _cause(found, job, ours, lambda change: _changed(job, change, engine, owner))
    return Parity("differs", ours, found.text, cause.sentence, cause.kind, title, found.how)


def _cause(found: ServerPrompt, job: PromptJob, ours: str, render: Callable[[Change], str | None]) -> Cause:
    sides = Sides(
        ours,
        found.text or "",
        found.kind.server,
        job.profile,
        _PROFILES.get(found.kind.name, ()),
        job.template.source,
        found.template,
    )
    return cause_of(sides, render)


def _changed(job: PromptJob, change: Change, engine: Engine, owner: object) -> str | None:
    changed = replace(
        job,
        profile=change.profile or job.profile,
        variables={**change.variables, **job.variables},
        carry=job.carry if change.carry is None else change.carry,
    )
    if change.generation is not None:
        changed = replace(changed, add_generation_prompt=change.generation, continue_final_message=False)
    try:
        return _rendered(changed, engine, owner)
    except ThinkpaneError:
        return None


def _rendered(job: PromptJob, engine: Engine, owner: object) -> str:
    """The prompt. Raises ThinkpaneError where it fails."""
    prepared = prepare(job, Asking(engine, owner))
    rendered = engine.render(prepared.request, owner=owner)
    if rendered.text is None:
        raise ThinkpaneError(rendered.problem or Problem("worker", "The render gave nothing."))
    return rendered.text


def _unanswered(error: ThinkpaneError) -> str:
    if refused(error):
        return f"The server makes no prompt of these messages: {error.problem.message}"
    return error.problem.message
