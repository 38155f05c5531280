"""The tiers of a template that declares none: values of its effort and its switch that give prompts of their own."""

from collections.abc import Hashable, Mapping
from dataclasses import replace

from thinkpane.analysis.rendering import Analysis, Answered
from thinkpane.analysis.thinking_format import opens_thinking
from thinkpane.analysis.trials import shown, without
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.thinking_variables import EFFORTS, SWITCHES
from thinkpane.templates.template import Template, TierCandidate, VariableCandidate

TRIED = 100
"""Values of one variable that are tried."""


def found_tiers_analysis(template: Template, request: RenderRequest) -> Analysis[tuple[TierCandidate, ...]]:
    """Candidates for tiers, by rendering the conversation: each value of a variable whose values give several prompts,
    and off, where a switch closes thinking. Empty where there is neither. Where several variables would do, a usual
    name decides.
    """
    choices = _usual_first([each for each in template.candidates if each.kind == "choice"], EFFORTS)
    switches = _usual_first([each for each in template.candidates if each.kind == "bool"], SWITCHES)
    rest = without(request.variables, *(each.name for each in template.candidates))
    answered = yield {
        (each.name, value): replace(request, variables={**rest, each.name: value})
        for each in switches
        for value in (True, False)
    }
    switch = next((each.name for each in switches if _switches(template, answered, each.name)), None)
    on = {switch: True} if switch else {}
    asked: dict[Hashable, RenderRequest] = {
        (each.name, shown(value)): replace(request, variables={**rest, **on, each.name: value})
        for each in choices
        for value in each.values[:TRIED]
    }
    answered = {**answered, **(yield asked)}
    effort = next((each for each in choices if len(_groups(answered, each)) > 1), None)
    return _tiers(template, answered, effort, switch)


def _usual_first(candidates: list[VariableCandidate], names: tuple[str, ...]) -> list[VariableCandidate]:
    return sorted(candidates, key=lambda each: names.index(each.name) if each.name in names else len(names))


def _switches(template: Template, answered: Answered, name: str) -> bool:
    on, off = answered[name, True].text, answered[name, False].text
    if on is None or off is None or on == off:
        return False
    return opens_thinking(on, template) != opens_thinking(off, template) or name in SWITCHES


def _groups(answered: Answered, effort: VariableCandidate) -> dict[str, JsonValue]:
    """The first value for each prompt."""
    found: dict[str, JsonValue] = {}
    for value in effort.values[:TRIED]:
        text = answered[effort.name, shown(value)].text
        if text is not None:
            found.setdefault(text, value)
    return found


def _tiers(
    template: Template, answered: Answered, effort: VariableCandidate | None, switch: str | None
) -> tuple[TierCandidate, ...]:
    off = [TierCandidate("No thinking", "Off", {switch: False}, summary=f"{switch} = false")] if switch else []
    on = [TierCandidate("Thinking", "On", {switch: True}, summary=f"{switch} = true")] if switch else []
    if effort is None:
        return (*on, *off)
    groups = _groups(answered, effort)
    if switch is not None and answered[switch, True].text in groups:
        on = []
    found = [_tier(effort.name, value, switch) for value in groups.values()]
    # Where an effort turns thinking off itself, the switch is no tier of its own.
    if len({opens_thinking(text, template).open for text in groups}) > 1:
        off = []
    return (*on, *found, *off)


def _tier(name: str, value: JsonValue, switch: str | None) -> TierCandidate:
    label = value if isinstance(value, str) and value else shown(value)
    on: Mapping[str, JsonValue] = {switch: True} if switch else {}
    return TierCandidate(label, label, {name: value, **on}, summary=f"{name} = {label}")
