"""The controls of a template: variables, tags, effective tiers and its thinking, each with its effect."""

from dataclasses import dataclass, field, replace

from thinkpane.analysis.discovery import Discovery, discover
from thinkpane.analysis.documents_effect import documents_effect_analysis
from thinkpane.analysis.rendering import RenderMany, analyse, analyse_together
from thinkpane.analysis.setters import CHOSEN, Setters
from thinkpane.analysis.tag_effects import TagEffect
from thinkpane.analysis.thinking_format import ThinkingFormat, thinking_format_analysis
from thinkpane.analysis.tier_effects import TierEffect
from thinkpane.analysis.variable_effects import VariableEffect, variable_effects_analysis
from thinkpane.engine.request import RenderRequest
from thinkpane.engine.template_facts import TemplateFacts
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject
from thinkpane.templates.template import Template


@dataclass(frozen=True, slots=True)
class Controls:
    """All controls of a template. problem: why it fails on one question, and then no more is known."""

    variables: tuple[VariableEffect, ...] = ()
    tags: tuple[TagEffect, ...] = ()
    tiers: tuple[TierEffect, ...] = ()
    thinking: ThinkingFormat = field(default_factory=ThinkingFormat)
    problem: Problem | None = None

    def as_json(self) -> JsonObject:
        """The object of docs/cli.md's `controls`."""
        return {
            "variables": [each.as_json() for each in self.variables],
            "tags": [each.as_json() for each in self.tags],
            "tiers": [each.as_json() for each in self.tiers],
            "thinking": self.thinking.as_json(),
        }


def controls(template: Template, facts: TemplateFacts, render_many: RenderMany) -> Controls:
    """The controls of a template by itself. facts: those of its source. An effect in any small conversation counts."""
    found = discover(template, facts, render_many)
    if found.problem is not None or found.probed is None or found.request is None:
        return Controls(problem=found.problem)
    request = found.request
    # The special tokens that were put in for missing ones are nothing that anybody set.
    template = replace(found.template, variables=request.variables)
    found = replace(found, probed=replace(found.probed, template=template))
    thinking = analyse(render_many, thinking_format_analysis(request))
    return Controls(variables_of(found, request, render_many, anywhere=True), found.tags, found.tiers, thinking)


def variables_of(
    found: Discovery,
    request: RenderRequest,
    render_many: RenderMany,
    anywhere: bool = False,
    setters: Setters = CHOSEN,
) -> tuple[VariableEffect, ...]:
    """What each variable does to the conversation of `request`, in batches shared by all; documents come last. Empty
    where the template fails on every small conversation.

    anywhere, setters: see `variable_effects_analysis`.
    """
    if found.probed is None:
        return ()
    variables, documents = analyse_together(
        render_many,
        variable_effects_analysis(found.probed, request, anywhere, setters),
        documents_effect_analysis(found.template, request),
    )
    return (*variables, *documents)
