"""Which tier a prompt was rendered in, told by comparing it with the prompts of every tier."""

from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace

from thinkpane.analysis.rendering import Answered
from thinkpane.analysis.tag_occurrences import TagOccurrence, without_tag_texts
from thinkpane.analysis.trials import shown, tier_variables, without
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.template import Template

Extra = tuple[str, JsonValue] | None
"""A switch that was turned besides the tier, None where none was."""


@dataclass(frozen=True, slots=True)
class TierState:
    """tier: index in the template's tiers, None where all of them give this prompt. extra: see `Extra`."""

    tier: int | None
    extra: Extra = None

    def label(self, template: Template) -> str:
        """In words: “L5 Prometheus”, “L5 Prometheus with enable_thinking = false”, “no tier, as with …”."""
        if self.tier is None:
            return f"no tier, as with {self._switch}" if self.extra else "no tier"
        label = template.tiers[self.tier].label
        return f"{label} with {self._switch}" if self.extra else label

    @property
    def _switch(self) -> str:
        name, value = self.extra or ("", None)
        return f"{name} = {shown(value)}"


def tier_requests(template: Template, request: RenderRequest) -> dict[Hashable, RenderRequest]:
    """The conversation of `request` (its tags taken out already) in each tier, labelled by its state."""
    rest = without(request.variables, *tier_variables(template))
    return {
        TierState(index): replace(request, variables={**rest, **tier.variables})
        for index, tier in enumerate(template.tiers)
    }


def switched_requests(template: Template, request: RenderRequest) -> dict[Hashable, RenderRequest]:
    """The same with each switch turned besides, one at a time; the value None leaves it out."""
    found: dict[Hashable, RenderRequest] = {}
    for index, tiered in enumerate(tier_requests(template, request).values()):
        for name, value in _switches(template, request.variables):
            rest = without(tiered.variables, name)
            variables = rest if value is None else {**rest, name: value}
            found[TierState(index, (name, value))] = replace(tiered, variables=variables)
    return found


def _switches(template: Template, variables: Mapping[str, JsonValue]) -> Iterator[tuple[str, JsonValue]]:
    for candidate in template.candidates:
        if candidate.kind == "bool":
            yield from (
                (candidate.name, value) for value in (False, True) if variables.get(candidate.name) is not value
            )
        if candidate.name in variables and candidate.name not in tier_variables(template):
            yield candidate.name, None


class TierTable:
    """Prompts by what they hold besides the tags that were taken out, and the states that give them."""

    def __init__(self, template: Template, occurrences: Collection[TagOccurrence]) -> None:
        self._template = template
        self._occurrences = occurrences
        self._states: dict[str, list[TierState]] = {}

    def add(self, answers: Answered) -> None:
        """Takes in the answers to `tier_requests` or `switched_requests`; others, and failed ones, are passed over."""
        for label, answer in answers.items():
            if isinstance(label, TierState) and answer.text is not None:
                self._states.setdefault(self.folded(answer.text), []).append(label)

    def folded(self, text: str) -> str:
        """The text by which prompts are compared: without the conversation's tags and without white space."""
        return without_tag_texts(text, self._occurrences)

    @property
    def flat(self) -> bool:
        """True where the tiers, without any switch turned, all give one prompt though there are several."""
        plain = [key for key, states in self._states.items() if any(state.extra is None for state in states)]
        return len(self._template.tiers) > 1 and len(plain) == 1

    def freed_by(self, name: str) -> bool:
        """Whether the tiers give several prompts once that variable is left out."""
        return sum(any(state.extra == (name, None) for state in states) for states in self._states.values()) > 1

    def state(self, text: str | None, prefer: Mapping[str, JsonValue] | None = None) -> TierState | None:
        """The state that gives `text`: with no switch turned, else with one tier and a switch, else a switch alone.

        prefer: variables; where several tiers fit, the one that sets just these. None: no state gives it.
        """
        states = self._states.get(self.folded(text), []) if text is not None else []
        by_extra: dict[str, list[TierState]] = {}
        for state in states:
            by_extra.setdefault(repr(state.extra), []).append(state)
        found = [self._one(group, prefer or {}) for group in by_extra.values()]
        return min(found, key=lambda state: (state.extra is not None, state.tier is None), default=None)

    def _one(self, group: list[TierState], prefer: Mapping[str, JsonValue]) -> TierState:
        if len(group) == len(self._template.tiers) > 1:
            return TierState(None, group[0].extra)
        tiers = self._template.tiers
        return next(
            (s for s in group if s.tier is not None and prefer.items() >= tiers[s.tier].variables.items()), group[0]
        )
