"""Makes one prompt of one job: steps, profile, render, cut at special tokens. Keeps the last good prompt."""

import threading
from dataclasses import replace
from datetime import datetime
from itertools import count
from typing import cast

from thinkpane.engine.host import Engine
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.prompt.cutting import Cut, TextCutter
from thinkpane.prompt.job import Prepared, PromptJob, prepare
from thinkpane.prompt.places import origins_of
from thinkpane.prompt.prompt import Prompt
from thinkpane.tokens.specials import special_tokens

CONSTANTS_KEPT = 16
"""Templates whose constants are remembered."""


class PromptMaker:
    """Makes prompts with `engine`; may be used from several threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._serials = count(1)
        self._lock = threading.Lock()
        self._cutter = TextCutter()
        self._good = Prompt()
        self._oldest = 0
        self._constants: dict[str, tuple[str, ...]] = {}

    def make(self, job: PromptJob, owner: object = None) -> Prompt:
        """The prompt of `job`; on any fault the last good text, stale, with the problem. owner: see Engine.cancel."""
        serial = next(self._serials)
        try:
            prepared = prepare(job, Asking(self._engine, owner))
        except ThinkpaneError as error:
            return replace(self._failed(serial, error.problem, None), epoch=job.epoch)
        started = datetime.now().isoformat()
        rendered = self._engine.render(prepared.request, owner=owner)
        origins = origins_of(job.conversation, prepared.steps.conversation, prepared.request.messages)
        if rendered.text is None:
            problem = rendered.problem or Problem("worker", "The render gave nothing.")
            return replace(self._failed(serial, problem, prepared), request_origins=origins, epoch=job.epoch)
        cut = self._cut(rendered, job, prepared.request, owner)
        prompt = Prompt(
            text=cut.text,
            segments=cut.segments,
            decisions=prepared.decisions,
            request=prepared.request,
            milliseconds=rendered.milliseconds,
            serial=serial,
            rewrites=prepared.rewrites,
            started=started,
            origins=origins,
            request_origins=origins,
            epoch=job.epoch,
            earlier=cut.earlier,
            change=cut.change,
        )
        with self._lock:
            if serial > max(self._good.serial, self._oldest):
                self._good = prompt
        return prompt

    def forget(self) -> None:
        """What was made so far belongs to another document: none of it stands in for a prompt that fails."""
        with self._lock:
            self._oldest = next(self._serials)
            self._good = Prompt()

    def keep(self, prompt: Prompt) -> None:
        """Takes `prompt` in place of the same one that was made here: its owners are known now."""
        with self._lock:
            if prompt.serial == self._good.serial:
                self._good = prompt

    def failed(self, problem: Problem, epoch: int = 0) -> Prompt:
        """The last good prompt, stale, with a problem that no job told of. epoch: of the job that was under way."""
        return replace(self._failed(next(self._serials), problem, None), epoch=epoch)

    def _failed(self, serial: int, problem: Problem, prepared: Prepared | None) -> Prompt:
        with self._lock:
            good = self._good
        return replace(
            good,
            problem=problem,
            stale=good.serial > 0,
            decisions=prepared.decisions if prepared else (),
            request=prepared.request if prepared else None,
            milliseconds=0.0,
            serial=serial,
            rewrites=prepared.rewrites if prepared else (),
            untraced="" if good.owners is not None else "the template fails",
        )

    def _cut(self, rendered: Rendered, job: PromptJob, request: RenderRequest, owner: object) -> Cut:
        template = job.template
        constants = () if template.special_tokens else self._constants_of(request.source, owner)
        variables = dict(template.variables) | dict(request.variables)
        tokens = special_tokens(template.special_tokens, constants, variables, template.thinking)
        known = rendered.earlier, rendered.change
        return self._cutter.cut(rendered.text or "", tokens, template.roles, template.thinking or (), known)

    def _constants_of(self, source: str, owner: object) -> tuple[str, ...]:
        with self._lock:
            known = self._constants.get(source)
        if known is not None:
            return known
        try:
            found = self._engine.job("constants", {"source": source}, owner=owner)
        except ThinkpaneError:
            return ()  # the text is there all the same; it only lacks its chips until the next render
        texts = tuple(cast("list[str]", found["constants"]) + cast("list[str]", found["data"]))
        with self._lock:
            while len(self._constants) >= CONSTANTS_KEPT:
                del self._constants[next(iter(self._constants))]
            self._constants[source] = texts
        return texts


class Asking:
    """The engine, as profiles ask it about a template, in jobs that end when their owner's do."""

    def __init__(self, engine: Engine, owner: object) -> None:
        self._engine = engine
        self._owner = owner

    def about(self, name: str, source: str) -> JsonObject:
        """As Engine.about."""
        return self._engine.about(name, source, self._owner)

    def render(self, request: RenderRequest) -> Rendered:
        """As Engine.render."""
        return self._engine.render(request, owner=self._owner)
