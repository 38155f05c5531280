"""How a decision about thinking becomes the template's own variables, on the raw path."""

from collections.abc import Mapping, Sequence

from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.template import VariableCandidate

# Names seen in chat templates (enable_thinking in most, thinking in DeepSeek and Granite; reasoning_effort in most,
# reasoning_strength beside it), the commoner one first. A template has to declare the name for it to be used.
SWITCHES = ("enable_thinking", "thinking", "thinking_mode", "reasoning")
EFFORTS = ("reasoning_effort", "reasoning_strength", "thinking_effort")
_ON = ("enabled", "on", "thinking", "true", "yes")
_OFF = ("disabled", "off", "none", "no_think", "chat", "false", "no")


def thinking_variables(
    candidates: Sequence[VariableCandidate], thinking: bool | None, effort: str | None
) -> Mapping[str, JsonValue]:
    """The variables that carry the decision; empty where nothing is decided or the template has no place for it.

    A switch takes true or false, or of its declared values the one that says on or off. Where there is no switch,
    “off” goes to the effort variable if that declares such a value.
    """
    found: dict[str, JsonValue] = {}
    strength = _first(candidates, EFFORTS)
    if thinking is not None:
        switch = _first(candidates, SWITCHES)
        if switch is not None:
            found[switch.name] = _switch_value(switch, thinking)
        elif not thinking and strength is not None and (off := _said(strength, _OFF)) is not None:
            found[strength.name] = off
    if effort is not None and strength is not None:
        found.setdefault(strength.name, effort)
    return found


def no_effect_sentences(
    variables: Mapping[str, JsonValue], thinking: bool | None, effort: str | None
) -> tuple[str, ...]:
    """A sentence for each part of the decision that `variables` (of `thinking_variables`) does not carry."""
    found = []
    if thinking is not None and not variables.keys() & set(SWITCHES) and (thinking or not variables):
        state = "on" if thinking else "off"
        found.append(f"Thinking {state} has no effect: this template reads no thinking switch.")
    if effort is not None and not variables.keys() & set(EFFORTS):
        found.append(f"Effort {effort} has no effect: this template reads no effort.")
    return tuple(found)


def _first(candidates: Sequence[VariableCandidate], names: Sequence[str]) -> VariableCandidate | None:
    known = {each.name: each for each in candidates}
    return next((known[name] for name in names if name in known), None)


def _switch_value(switch: VariableCandidate, thinking: bool) -> JsonValue:
    said = _said(switch, _ON if thinking else _OFF)
    return thinking if said is None or switch.kind == "bool" else said


def _said(candidate: VariableCandidate, words: Sequence[str]) -> str | None:
    values = [value for value in candidate.values if isinstance(value, str)]
    return next((value for word in words for value in values if value.lower() == word), None)
