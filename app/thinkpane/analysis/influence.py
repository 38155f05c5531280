"""What each tag and each variable of a conversation does to its prompt, found by leaving it out."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from thinkpane.analysis.rendering import Answered
from thinkpane.analysis.setters import CHOSEN, Setters
from thinkpane.analysis.tag_occurrences import TagOccurrence, known_tags, tag_occurrences, without_tags
from thinkpane.analysis.tier_states import TierState, TierTable, switched_requests, tier_requests
from thinkpane.analysis.trials import (
    PROBES,
    UNKNOWN_VALUE,
    candidates_with,
    probe_request,
    shown,
    tier_variables,
    trial_values,
    without,
)
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.template import Template, VariableCandidate

OCCURRENCES = 24
"""Tags of one conversation that are looked at, the last ones; a long transcript of code may hold hundreds."""


def unset(*names: str) -> Hashable:
    """The label of the actual conversation where these variables are not chosen (Setters.less)."""
    return ("unset", frozenset(names))


def bare_unset(*names: str) -> Hashable:
    """The label of the conversation without tags where these variables are not chosen."""
    return ("bare", frozenset(names))


@dataclass(slots=True)
class Influence:
    """One conversation with one template, and all renders of it so far.

    numbers: what sentences call each message, None = counted from 1. setters: who set its variables.
    all_tags: its control tags; occurrences: those of them that are looked at. bare: the request without tags.
    picker: the variables set that choosing a tier sets; controls: all that are set and may be controls.
    answers: renders by label: "actual"; "bare"; "default" (bare, picker left out); ("unknown", name); `unset(…)` and
    `bare_unset(…)`; ("without" | "only", occurrence); ("alone", occurrence, tier) and ("plain", tier), which set
    nothing but that tier; ("trial", name, probe, value).
    """

    template: Template
    request: RenderRequest
    numbers: Sequence[int] | None = None
    setters: Setters = CHOSEN
    occurrences: tuple[TagOccurrence, ...] = field(init=False)
    all_tags: tuple[TagOccurrence, ...] = field(init=False)
    answers: dict[Hashable, str | None] = field(default_factory=dict)
    table: TierTable = field(init=False)
    _folded: dict[Hashable, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        found = tag_occurrences(self.request.messages, known_tags(self.template), self.numbers)
        self.occurrences = found[-OCCURRENCES:]
        self.all_tags = found
        self.table = TierTable(self.template, found)

    @property
    def bare(self) -> RenderRequest:
        """The request without its control tags."""
        return replace(self.request, messages=without_tags(self.request.messages, self.all_tags))

    @property
    def picker(self) -> dict[str, JsonValue]:
        """The variables set that choosing a tier sets."""
        names = tier_variables(self.template)
        return {name: value for name, value in self.request.variables.items() if name in names}

    def less(self, *names: str) -> dict[str, JsonValue]:
        """The request's variables as they are once these are not chosen."""
        return self.setters.less(self.request.variables, *names)

    def repeats_body(self, name: str) -> bool:
        """Whether a variable was set to what the body says anyway."""
        beaten = self.setters.beaten
        return name in beaten and shown(beaten[name]) == shown(self.request.variables.get(name))

    def words(self, name: str) -> str:
        """A variable that is set, as sentences name it."""
        return f"{name} = {shown(self.request.variables[name])}"

    @property
    def controls(self) -> tuple[VariableCandidate, ...]:
        """The candidates that are set in the request."""
        known = candidates_with(self.template, self.request.variables)
        return tuple(each for each in known if each.name in self.request.variables)

    def learn(self, answered: Answered) -> None:
        """Keeps renders; a failed one is kept as None."""
        self.answers.update({label: answer.text for label, answer in answered.items()})
        self.table.add(answered)

    def differs(self, one: Hashable, other: Hashable) -> bool:
        """Whether two renders differ apart from the tags themselves. One that was not made, or failed, is no proof."""
        return self._fold(one) not in (None, self._fold(other)) and self._fold(other) is not None

    def _fold(self, label: Hashable) -> str | None:
        text = self.answers.get(label)
        if text is not None and label not in self._folded:
            self._folded[label] = self.table.folded(text)
        return self._folded.get(label)

    def decides(self, occurrence: TagOccurrence) -> bool:
        """Whether the prompt would be another without this tag."""
        return self.differs("actual", ("without", occurrence))

    def suffices(self, occurrence: TagOccurrence) -> bool:
        """Whether this tag alone, of all tags, gives the same prompt."""
        return self.answers.get(("only", occurrence)) is not None and not self.differs("actual", ("only", occurrence))

    def is_read(self, occurrence: TagOccurrence) -> bool:
        """Whether the template obeys this tag where it stands, when nothing else asks for anything."""
        return any(self.differs(("alone", occurrence, index), ("plain", index)) for index in _two_tiers(self.template))


def first_round(case: Influence) -> Mapping[Hashable, RenderRequest]:
    """The conversation as it is, bare, in every tier, and without each tag and variable."""
    request, bare = case.request, case.bare
    picker, less = tuple(case.picker), case.less
    asked: dict[Hashable, RenderRequest] = {
        "actual": request,
        "bare": bare,
        "default": replace(bare, variables=less(*picker)),
        unset(*picker): replace(request, variables=less(*picker)),
        **tier_requests(case.template, bare),
    }
    for name in picker:
        asked["unknown", name] = replace(bare, variables={**bare.variables, name: UNKNOWN_VALUE})
    for control in case.controls:
        rest = less(control.name)
        asked[unset(control.name)] = replace(request, variables=rest)
        asked[bare_unset(control.name)] = replace(bare, variables=rest)
    for each in case.occurrences:
        asked["without", each] = replace(request, messages=without_tags(request.messages, {each}))
    return asked


def second_round(case: Influence) -> Mapping[Hashable, RenderRequest]:
    """What is still to be asked after the first round; empty where nothing is open."""
    asked: dict[Hashable, RenderRequest] = {}
    open_tags = [each for each in case.occurrences if not case.decides(each)]
    for each in open_tags:
        asked |= _alone(case, each)
    idle = [each for each in case.controls if not case.differs("actual", unset(each.name))]
    asked |= _pairs(case, idle)
    asked |= _trials(case, idle)
    told = ["actual", *(("without", each) for each in case.occurrences)]
    if case.template.tiers and (
        case.table.flat or any(case.table.state(case.answers.get(each)) is None for each in told)
    ):
        asked |= switched_requests(case.template, case.bare)
    return asked


def _alone(case: Influence, occurrence: TagOccurrence) -> dict[Hashable, RenderRequest]:
    others = [each for each in case.all_tags if each != occurrence]
    only = replace(case.request, messages=without_tags(case.request.messages, others))
    rest = without(
        case.request.variables, *(each.name for each in candidates_with(case.template, case.request.variables))
    )
    asked: dict[Hashable, RenderRequest] = {("only", occurrence): only}
    for index in _two_tiers(case.template):
        tier = case.template.tiers[index].variables if case.template.tiers else {}
        asked["alone", occurrence, index] = replace(only, variables={**rest, **tier})
        asked["plain", index] = replace(case.bare, variables={**rest, **tier})
    return asked


def _two_tiers(template: Template) -> tuple[int, ...]:
    # Under one tier alone, a tag that asks for just this tier would look like one that is not read.
    return tuple(dict.fromkeys((0, max(len(template.tiers) - 1, 0))))


def _pairs(case: Influence, idle: list[VariableCandidate]) -> dict[Hashable, RenderRequest]:
    """For variables without effect: the bare conversation without another one, with and without them."""
    asked: dict[Hashable, RenderRequest] = {}
    for one, other in combinations(case.controls, 2):
        if one in idle or other in idle:
            rest = case.less(one.name, other.name)
            asked[bare_unset(one.name, other.name)] = replace(case.bare, variables=rest)
    return asked


def _trials(case: Influence, idle: list[VariableCandidate]) -> dict[Hashable, RenderRequest]:
    """For variables without effect: their values on the probe conversations, to tell “never” from “not here”."""
    asked: dict[Hashable, RenderRequest] = {}
    for each in idle:
        rest = without(
            case.request.variables, *(c.name for c in candidates_with(case.template, case.request.variables))
        )
        for probe in PROBES:
            plain = {**rest, **{name: value for name, value in case.setters.beaten.items() if name == each.name}}
            asked["trial", each.name, probe, None] = probe_request(case.request, probe, plain)
            for value in (case.request.variables[each.name], *trial_values(case.template, each)):
                variables = {**rest, each.name: value}
                asked["trial", each.name, probe, shown(value)] = probe_request(case.request, probe, variables)
    return asked


def probe_with_effect(case: Influence, name: str, *values: JsonValue) -> str | None:
    """The first probe conversation whose prompt one of these values of the variable changed, None = none."""
    for probe in PROBES:
        plain = ("trial", name, probe, None)
        if any(case.differs(plain, ("trial", name, probe, shown(value))) for value in values):
            return probe
    return None


def state_of(case: Influence, label: Hashable) -> TierState | None:
    """The tier state of a render, None where no tier gives it."""
    return case.table.state(case.answers.get(label), case.request.variables)
