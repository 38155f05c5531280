"""The tiers a template really has: its candidates and their values, grouped by the prompt they give."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

from thinkpane.analysis.rendering import Analysis
from thinkpane.analysis.text_change import text_change
from thinkpane.analysis.thinking_format import opens_thinking
from thinkpane.analysis.trials import UNKNOWN_VALUE, shown, tier_variables, without
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.templates.template import Template


@dataclass(frozen=True, slots=True)
class TierEffect:
    """One effective tier.

    tiers: indexes of the candidates that give this prompt. label: theirs, or the first value. values: those of the
    variable that tiers set first which, alone, give it; others: so does any value the template does not know.
    sample_effect: what it changes in a small conversation. opens_thinking: whether the prompt ends inside a thinking
    block there.
    """

    tiers: tuple[int, ...]
    label: str
    values: tuple[JsonValue, ...]
    sample_effect: str
    opens_thinking: bool
    others: bool = False

    def as_json(self) -> JsonObject:
        """The object of docs/cli.md's `controls`."""
        return {
            "label": self.label,
            "values": list(self.values),
            "sample_effect": self.sample_effect,
            "opens_thinking": self.opens_thinking,
            "others": self.others,
        }


def tier_effects_analysis(template: Template, request: RenderRequest) -> Analysis[tuple[TierEffect, ...]]:
    """Renders the conversation in every tier candidate, and with every known value of the variable they set first,
    the others being as the first tier that sets it has them.

    Other variables are as the request sets them. Candidates that fail are left out. The measure is the first tier
    that keeps thinking closed while another opens it, else the one with the shortest prompt.
    """
    rest = without(request.variables, *tier_variables(template))
    asked: dict[Hashable, RenderRequest] = {
        ("tier", index): replace(request, variables={**rest, **tier.variables})
        for index, tier in enumerate(template.tiers)
    }
    values = _values(template)
    for number, (name, value) in enumerate(values):
        beside = next((tier.variables for tier in template.tiers if name in tier.variables), {})
        asked["value", number] = replace(request, variables={**rest, **beside, name: value})
        asked["other"] = replace(request, variables={**rest, **beside, name: UNKNOWN_VALUE})
    answered = yield asked
    kinds = {each.name: each.kind for each in template.candidates}
    other = answered["other"].text if values and kinds.get(values[0][0]) != "bool" else None
    groups: dict[str, tuple[list[int], list[JsonValue]]] = {}
    for index in range(len(template.tiers)):
        if (text := answered["tier", index].text) is not None:
            groups.setdefault(text, ([], []))[0].append(index)
    for number, (_, value) in enumerate(values):
        if (text := answered["value", number].text) is not None:
            groups.setdefault(text, ([], []))[1].append(value)
    measure = _measure(template, list(groups))
    return tuple(
        TierEffect(
            tuple(indexes),
            " / ".join(template.tiers[index].label for index in indexes) or shown(found[0]),
            tuple(found),
            _sample_effect(template, groups, measure, text),
            opens_thinking(text, template).open,
            text == other,
        )
        for text, (indexes, found) in groups.items()
    )


def _values(template: Template) -> list[tuple[str, JsonValue]]:
    """The variable that tiers set first, with each value that is declared for it."""
    name = next(iter(tier_variables(template)), None)
    found = [tier.variables[name] for tier in template.tiers if name is not None and name in tier.variables]
    declared = [value for each in template.candidates if each.name == name for value in each.values]
    return [(name, value) for value in {shown(each): each for each in found + declared}.values()] if name else []


def _measure(template: Template, texts: list[str]) -> str:
    closed = [text for text in texts if not opens_thinking(text, template).open]
    return closed[0] if 0 < len(closed) < len(texts) else min(texts, key=len, default="")


def _sample_effect(
    template: Template, groups: dict[str, tuple[list[int], list[JsonValue]]], measure: str, text: str
) -> str:
    indexes, values = groups[measure]
    label = template.tiers[indexes[0]].label if indexes else shown(values[0])
    return (
        "the others are measured against it"
        if text == measure
        else f"{text_change(measure, text).words} against {label}"
    )
