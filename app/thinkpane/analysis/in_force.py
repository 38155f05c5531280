"""Which tier is in force for a conversation, and why: told by rendering it with and without each tag and variable."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from thinkpane.analysis.in_force_words import Reason, reasons
from thinkpane.analysis.influence import Influence, first_round, second_round, state_of, unset
from thinkpane.analysis.rendering import Analysis, RenderMany, analyse
from thinkpane.analysis.setters import CHOSEN, Setters
from thinkpane.analysis.thinking_format import ThinkingEnd, opens_thinking
from thinkpane.analysis.tier_states import TierState
from thinkpane.analysis.tier_text import tier_text
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject
from thinkpane.prompt.owners import Stretch
from thinkpane.templates.template import Template


@dataclass(frozen=True, slots=True)
class InForce:
    """What is in force.

    tier: index in the template's tiers; None where none is, or where no tier gives this prompt. label: the tier, with
    the switch that goes with it, or that switch alone; "" where there is nothing to name.
    reasons: what won, then what lost. thinking: how the prompt ends. problem: why the template failed, and then
    nothing else is known. tier_text: the characters of the prompt that a tier or a variable brought (tier_text.py).
    """

    tier: int | None = None
    label: str = ""
    reasons: tuple[Reason, ...] = ()
    thinking: ThinkingEnd = field(default_factory=ThinkingEnd)
    problem: Problem | None = None
    tier_text: tuple[Stretch, ...] = ()

    def as_json(self) -> JsonObject:
        """The finding as one JSON object."""
        return {
            "tier": self.tier,
            "label": self.label,
            "thinking_open": self.thinking.open,
            "reasons": [reason.as_json() for reason in self.reasons],
        }


def in_force(
    template: Template,
    request: RenderRequest,
    render_many: RenderMany,
    names: frozenset[str] | None = None,
    numbers: Sequence[int] | None = None,
    setters: Setters = CHOSEN,
) -> InForce:
    """Finds it with one or two batches of renders.

    request: what is rendered now. names: the variables the template is known to read, None = go by its text.
    numbers: what the sentences call each message of the request, None = counted from 1; for windows in which some
    messages are not sent. setters: who set its variables.
    """
    return analyse(render_many, in_force_analysis(template, request, names, numbers, setters))


def in_force_analysis(
    template: Template,
    request: RenderRequest,
    names: frozenset[str] | None = None,
    numbers: Sequence[int] | None = None,
    setters: Setters = CHOSEN,
) -> Analysis[InForce]:
    """`in_force` as an analysis, to be run together with others."""
    case = Influence(template, request, numbers, setters)
    answered = yield first_round(case)
    actual = answered["actual"]
    if actual.text is None:
        return InForce(problem=actual.problem)
    case.learn(answered)
    case.learn((yield second_round(case)))
    state = state_of(case, "actual")
    return InForce(
        state.tier if state else None,
        _label(case, state) if state else "",
        reasons(case, names),
        opens_thinking(actual.text, template),
        tier_text=tier_text(case.answers, [unset(*case.picker), *(unset(each.name) for each in case.controls)]),
    )


def _label(case: Influence, state: TierState) -> str:
    label = state.label(case.template)
    if state.tier is None and state.extra is None:
        causes = [each.name for each in case.controls if case.table.freed_by(each.name)]
        return f"{label}, by {case.words(causes[0])}" if causes else label
    return label
