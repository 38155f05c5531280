"""Works out what the controls do to a prompt: the template's controls once, then variants of the prompt at hand."""

from collections.abc import Sequence
from dataclasses import replace

from thinkpane.analysis.controls import variables_of
from thinkpane.analysis.discovery import Discovery, discover, discovery_key
from thinkpane.analysis.effects import EffectAnswer, EffectQuestion, Effects
from thinkpane.analysis.in_force import in_force
from thinkpane.analysis.rendering import RenderMany
from thinkpane.analysis.thinking_formats import ThinkingFormats
from thinkpane.engine.host import Engine
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.engine.template_facts import TemplateFacts, facts_from_json
from thinkpane.errors import ThinkpaneError
from thinkpane.templates.template import Template

DEADLINE = 5.0
"""Seconds that one batch of variants may take."""

DISCOVERIES_KEPT = 8
"""Templates whose controls are remembered; each edit of a template's text is another one."""


class EffectMaker:
    """Works effects out, and remembers what is true of a template in every conversation. For one thread at a time."""

    def __init__(self, engine: Engine, formats: ThinkingFormats) -> None:
        """formats: where thinking formats are found and kept."""
        self._engine = engine
        self._formats = formats
        self._discoveries: dict[str, Discovery] = {}

    def make(self, question: EffectQuestion, ticket: object) -> EffectAnswer:
        """The effects for one prompt. ticket: see Engine.cancel.

        Raises ThinkpaneError where the question was overtaken (kind "cancelled"), or the template cannot be parsed.
        """

        def render_many(requests: Sequence[RenderRequest]) -> Sequence[Rendered]:
            found = self._engine.render_many(requests, deadline=DEADLINE, owner=ticket)
            problem = next((each.problem for each in found if each.problem is not None), None)
            if problem is not None and problem.kind == "cancelled":
                raise ThinkpaneError(problem)
            return found

        request = question.request
        template = replace(question.template, source=request.source)
        facts = facts_from_json(self._engine.about("facts", template.source, ticket))
        discovery = self._discovery(template, facts, request, render_many)
        force = in_force(discovery.template, request, render_many, numbers=question.numbers, setters=question.setters)
        variables = variables_of(discovery, request, render_many, setters=question.setters)
        effects = Effects(question.template, discovery, force, variables, question.serial, question.numbers)
        return EffectAnswer(effects, self._formats.known(template.source, template.variables), template.variables)

    def _discovery(
        self, template: Template, facts: TemplateFacts, request: RenderRequest, render_many: RenderMany
    ) -> Discovery:
        key = discovery_key(template, facts, request)
        found = self._discoveries.pop(key, None) or self._with_thinking(
            discover(template, facts, render_many, request), template, render_many
        )
        if found.problem is None or found.problem.kind == "template":
            # Anything else, such as a time-out on a busy machine, may go well the next time.
            self._discoveries[key] = found
        while len(self._discoveries) > DISCOVERIES_KEPT:
            del self._discoveries[next(iter(self._discoveries))]
        return found

    def _with_thinking(self, found: Discovery, template: Template, render_many: RenderMany) -> Discovery:
        """With the marks of the template's thinking, where its template.toml does not say them."""
        if template.thinking:
            return found
        tags = self._formats.of(template.source, template.variables, render_many).tags
        return replace(found, template=replace(found.template, thinking=tags)) if tags else found
