"""Template variables that a plain request body carries, and the render's own options among such variables."""

from collections.abc import Mapping
from dataclasses import replace

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.workspace.state import DocumentState

RENDER_OPTIONS = ("add_generation_prompt", "continue_final_message")
"""Names that mean the render's options, wherever template variables are given."""


def with_carried(state: DocumentState) -> DocumentState:
    """The document with what its body would send as template variables (chat_template_kwargs) among its variables."""
    body = dict(state.conversation.extra)
    sent = body.get("chat_template_kwargs")
    carried = {key: body[key] for key in RENDER_OPTIONS if key in body}
    if isinstance(sent, dict):
        carried = sent | carried
    return replace(state, variables={**carried, **state.variables}) if carried else state


def given_variables(state: DocumentState) -> dict[str, JsonValue]:
    """The template variables in force: those that are set, and under them those that the body carries."""
    return split_options(with_carried(state).variables)[0]


def carried_variables(state: DocumentState) -> dict[str, JsonValue]:
    """The template variables that the body carries, whether they are in force or not."""
    return given_variables(replace(state, variables={}))


def render_options(options: Mapping[str, JsonValue]) -> tuple[bool | None, bool | str]:
    """`add_generation_prompt` (None = not said) and `continue_final_message` (False, True or a field's name).

    options: what `split_options` gives. Raises ThinkpaneError (kind "request") for a value of another shape.
    """
    generate, going_on = options.get("add_generation_prompt"), options.get("continue_final_message", False)
    if generate is not None and not isinstance(generate, bool):
        raise _wrong("add_generation_prompt", "true or false")
    if not isinstance(going_on, bool | str):
        raise _wrong("continue_final_message", "true, false or a field's name")
    return generate, going_on


def state_options(state: DocumentState) -> tuple[bool | None, bool | str]:
    """The render's options that a document asks for, as in `render_options`. Raises ThinkpaneError likewise."""
    return render_options(split_options(with_carried(state).variables)[1])


def split_options(variables: Mapping[str, JsonValue]) -> tuple[dict[str, JsonValue], dict[str, JsonValue]]:
    """Template variables, and those among the given ones that are the render's own options."""
    plain = {name: value for name, value in variables.items() if name not in RENDER_OPTIONS}
    return plain, {name: variables[name] for name in RENDER_OPTIONS if variables.get(name) is not None}


def _wrong(name: str, what: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("request", f"“{name}” must be {what}.", field=name))
