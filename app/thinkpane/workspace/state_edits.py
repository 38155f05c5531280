"""Edits of what a document sets beside its conversation: pure functions, each gives a new state."""

from collections.abc import Mapping
from dataclasses import replace

from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import same
from thinkpane.prompt.step_table import Step, step_settings
from thinkpane.templates.template import Template
from thinkpane.workspace.state import DocumentState


def set_variable(state: DocumentState, name: str, value: JsonValue) -> DocumentState:
    """The state with that template variable set."""
    return replace(state, variables={**state.variables, name: value})


def unset_variable(state: DocumentState, name: str) -> DocumentState:
    """The state in which that template variable is not passed at all."""
    return replace(state, variables=_without(state.variables, name))


def pick_tier(state: DocumentState, template: Template, index: int | None) -> DocumentState:
    """The state that asks for that tier; None leaves it to the template. Other variables stay as they are."""
    names = {name for tier in template.tiers for name in tier.variables}
    variables = _without(state.variables, *names)
    chosen = template.tiers[index].variables if index is not None else {}
    return replace(state, variables={**variables, **chosen})


def picked_tier(state: DocumentState, template: Template) -> int | None:
    """The tier that the document's variables ask for by their very values; of several the one that sets most."""
    fitting = [
        (len(tier.variables), -index)
        for index, tier in enumerate(template.tiers)
        if tier.variables
        and all(
            name in state.variables and same(state.variables[name], value) for name, value in tier.variables.items()
        )
    ]
    return -max(fitting)[1] if fitting else None


def next_tier(state: DocumentState, template: Template, by: int, start: int | None) -> DocumentState:
    """The state that asks for the tier `by` places on from the one picked, else from `start`; it goes round."""
    count = len(template.tiers)
    if not count:
        return state
    picked = picked_tier(state, template)
    at = picked if picked is not None else start
    index = (at + by) % count if at is not None else (0 if by > 0 else count - 1)
    return pick_tier(state, template, index)


def switch_step(state: DocumentState, step: Step, on: bool) -> DocumentState:
    """The state with that step on or off; its own settings stay."""
    kept = state.steps.get(step.id)
    if isinstance(kept, dict):
        return replace(state, steps={**state.steps, step.id: {**kept, "on": on}})
    if on == step.default:
        return replace(state, steps=_without(state.steps, step.id))
    return replace(state, steps={**state.steps, step.id: on})


def set_step_fields(state: DocumentState, step: Step, values: Mapping[str, JsonValue]) -> DocumentState:
    """The state with these settings of a step; those that are the defaults are left out of the document.

    Raises ThinkpaneError (kind "json") where a value has the wrong shape.
    """
    on = step_settings(step, state.steps.get(step.id)).on
    own = {field.name: values[field.name] for field in step.fields if field.name in values}
    step_settings(step, {"on": on, **own})
    changed = {
        field.name: own[field.name]
        for field in step.fields
        if field.name in own and not same(own[field.name], field.default)
    }
    if not changed:
        bare = replace(state, steps=_without(state.steps, step.id))
        return switch_step(bare, step, on)
    return replace(state, steps={**state.steps, step.id: {"on": on, **changed}})


def _without(found: Mapping[str, JsonValue], *names: str) -> dict[str, JsonValue]:
    return {name: value for name, value in found.items() if name not in names}
