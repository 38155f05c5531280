"""The controls of a template: variables, tags, effective tiers and its thinking, each with its effect."""

from dataclasses import dataclass

from thinkpane.analysis.rendering import RenderMany, analyse, analyse_together
from thinkpane.analysis.tag_effects import TagEffect, tag_effects_analysis
from thinkpane.analysis.thinking_format import opens_thinking
from thinkpane.analysis.tier_effects import TierEffect, tier_effects_analysis
from thinkpane.analysis.trials import PROBES, probe_request
from thinkpane.analysis.variable_effects import VariableEffect, variable_effects_analysis
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject
from thinkpane.templates.template import Template


@dataclass(frozen=True, slots=True)
class ThinkingMarks:
    """The marks of a template's thinking, None where none is known, and whether its prompt opens the block itself."""

    open: str | None
    close: str | None
    opened_by_prompt: bool


@dataclass(frozen=True, slots=True)
class Controls:
    """All controls of a template, as far as its candidates go. problem: why it fails on one question, then no more."""

    variables: tuple[VariableEffect, ...]
    tags: tuple[TagEffect, ...]
    tiers: tuple[TierEffect, ...]
    thinking: ThinkingMarks
    problem: Problem | None = None

    def as_json(self) -> JsonObject:
        """The object of CLI.md's `controls`."""
        return {
            "variables": [each.as_json() for each in self.variables],
            "tags": [each.as_json() for each in self.tags],
            "tiers": [each.as_json() for each in self.tiers],
            "thinking": {
                "open": self.thinking.open,
                "close": self.thinking.close,
                "opened_by_prompt": self.thinking.opened_by_prompt,
            },
        }


def controls(
    template: Template,
    render_many: RenderMany,
    request: RenderRequest | None = None,
    names: frozenset[str] | None = None,
) -> Controls:
    """Finds what the controls do, in a few batches of renders shared by all questions.

    request: the conversation that effects of variables are told for, None = one question to the template's defaults.
    """
    asked = request or probe_request(
        RenderRequest(template.source, [], variables=template.variables), next(iter(PROBES)), template.variables
    )
    # One render first: a template that fails or never ends is then found out once, not once a question.
    plain = render_many([probe_request(asked, next(iter(PROBES)), asked.variables)])[0]
    end = opens_thinking(plain.text or "", template)
    marks = ThinkingMarks(*(template.thinking or (end.tag, end.close)), end.open)
    if plain.problem is not None:
        return Controls((), (), (), marks, plain.problem)
    variables, tags, tiers = analyse_together(
        render_many,
        variable_effects_analysis(template, asked, names),
        tag_effects_analysis(template, asked),
        tier_effects_analysis(template, asked),
    )
    return Controls(variables, tags, tiers, marks)


def variable_effects(
    template: Template, request: RenderRequest, render_many: RenderMany, names: frozenset[str] | None = None
) -> tuple[VariableEffect, ...]:
    """`variable_effects_analysis`, run by itself."""
    return analyse(render_many, variable_effects_analysis(template, request, names))


def tier_effects(template: Template, request: RenderRequest, render_many: RenderMany) -> tuple[TierEffect, ...]:
    """`tier_effects_analysis`, run by itself."""
    return analyse(render_many, tier_effects_analysis(template, request))


def tag_effects(template: Template, request: RenderRequest, render_many: RenderMany) -> tuple[TagEffect, ...]:
    """`tag_effects_analysis`, run by itself."""
    return analyse(render_many, tag_effects_analysis(template, request))
