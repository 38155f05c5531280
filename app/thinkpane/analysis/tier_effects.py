"""The tiers a template really has: its candidates and their values, grouped by the prompt they give."""

from collections.abc import Hashable
from dataclasses import dataclass

from thinkpane.analysis.rendering import Analysis
from thinkpane.analysis.text_change import text_change
from thinkpane.analysis.thinking_format import opens_thinking
from thinkpane.analysis.trials import PROBES, probe_request, shown, tier_variables, without
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.templates.template import Template


@dataclass(frozen=True, slots=True)
class TierEffect:
    """One effective tier.

    tiers: indexes of the candidates that give this prompt. label: theirs, or the first value. values: those of the
    variable that tiers set first which, alone, give it. sample_effect: what it changes in a small conversation.
    opens_thinking: whether the prompt ends inside a thinking block there.
    """

    tiers: tuple[int, ...]
    label: str
    values: tuple[JsonValue, ...]
    sample_effect: str
    opens_thinking: bool

    def as_json(self) -> JsonObject:
        """The object of CLI.md's `controls`."""
        return {
            "label": self.label,
            "values": list(self.values),
            "sample_effect": self.sample_effect,
            "opens_thinking": self.opens_thinking,
        }


def tier_effects_analysis(template: Template, request: RenderRequest) -> Analysis[tuple[TierEffect, ...]]:
    """Renders one question in every tier candidate, and with every declared value of the variable they set first.

    Other variables are as the request sets them. Candidates that fail are left out. The measure is the first tier
    that keeps thinking closed while another opens it, else the one with the shortest prompt.
    """
    probe = next(iter(PROBES))
    rest = without(request.variables, *tier_variables(template))
    asked: dict[Hashable, RenderRequest] = {
        ("tier", index): probe_request(request, probe, {**rest, **tier.variables})
        for index, tier in enumerate(template.tiers)
    }
    values = _values(template)
    for number, (name, value) in enumerate(values):
        asked["value", number] = probe_request(request, probe, {**rest, name: value})
    answered = yield asked
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
