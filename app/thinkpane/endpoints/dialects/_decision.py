"""What was decided about thinking, whoever said it: the controls, a template variable, or a parameter.

Only template servers take template variables. Everywhere else a variable that names thinking is the same wish as the
control, in the words of a template, and every other variable has no place.
"""

from dataclasses import dataclass

from thinkpane.endpoints.dialects._api import Call
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue

SWITCHES = ("enable_thinking", "thinking", "think")
EFFORTS = ("reasoning_effort", "thinking_level", "effort")
BUDGETS = ("thinking_budget", "reasoning_budget", "thinking_budget_tokens", "reasoning_budget_tokens", "budget_tokens")
_WORDS = {"on": True, "enabled": True, "adaptive": True, "off": False, "disabled": False, "none": False}


@dataclass(frozen=True, slots=True)
class Decision:
    """thinking, effort, budget (tokens): None = nothing was said. params: what is left of the call's parameters."""

    thinking: bool | None
    effort: str | None
    budget: int | None
    params: JsonObject


def decision_of(call: Call, where: str, warnings: list[Problem], keep: tuple[str, ...] = ()) -> Decision:
    """The decision of a call to a wire without template variables; a variable wins over the controls.

    where: the wire's name for people. keep: parameters that are the wire's own and stay what they are.
    """
    params: JsonObject = {name: value for name, value in call.params.items() if value is not None}
    said: JsonObject = dict(call.variables)
    for name in (*SWITCHES, *EFFORTS, *BUDGETS):
        if name in params and name not in keep:
            said.setdefault(name, params.pop(name))
    thinking, effort = _switch(_first(said, SWITCHES))
    thinking = call.thinking if thinking is None else thinking
    word = _first(said, EFFORTS)
    effort = word if isinstance(word, str) and word else effort or call.effort
    budget = _first(said, BUDGETS)
    if effort in ("none", "off"):
        thinking, effort = False, None
    others = [name for name in said if name not in (*SWITCHES, *EFFORTS, *BUDGETS)]
    if others:
        sentence = f"{where} takes no template variables; not sent: {', '.join(others)}."
        warnings.append(Problem("template-variables-not-sent", sentence))
    return Decision(thinking, effort, budget if isinstance(budget, int) else None, params)


def _switch(value: JsonValue) -> tuple[bool | None, str | None]:
    if isinstance(value, bool):
        return value, None
    if isinstance(value, dict):
        effort = value.get("effort")
        return _switch(value.get("type"))[0], effort if isinstance(effort, str) else None
    if isinstance(value, str) and value:
        return (_WORDS[value], None) if value in _WORDS else (None, value)
    return None, None


def _first(said: JsonObject, names: tuple[str, ...]) -> JsonValue:
    return next((said[name] for name in names if said.get(name) is not None), None)
