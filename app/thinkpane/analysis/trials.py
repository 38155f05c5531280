"""What is tried on a template to see what a variable does: values, probe conversations, and words for both."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace

from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.template import Template, VariableCandidate

DOCUMENTS_NAME = "documents"

UNKNOWN_VALUE = "no-such-value"
"""A value no template names: what it renders is what unknown values fall through to."""

_ANY: tuple[JsonValue, ...] = (True, False, "high", "low", "none", "3", UNKNOWN_VALUE)
_NUMBERS: tuple[JsonValue, ...] = (0, 1, 1000)
_TRIED = 12  # values a variable; a template that lists more of them groups them, so these show whether it is alive

_TOOL: JsonValue = {
    "type": "function",
    "function": {"name": "look", "description": "Looks.", "parameters": {"type": "object", "properties": {}}},
}
_PLAIN: JsonValue = [{"role": "user", "content": "hi"}]
_HISTORY: JsonValue = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "first"},
    {"role": "assistant", "content": "one", "reasoning_content": "because", "reasoning": "because"},
    {"role": "user", "content": "second"},
]
_INLINE: JsonValue = [
    {"role": "user", "content": "first"},
    {"role": "assistant", "content": "<think>because</think>one"},
    {"role": "user", "content": "second"},
    {"role": "assistant", "content": "<think>as before</think>two"},
    {"role": "user", "content": "third"},
]
_ANSWERED: JsonValue = [
    {"role": "user", "content": "first"},
    {"role": "assistant", "content": "one", "reasoning_content": "because"},
    {"role": "user", "content": "second"},
    {"role": "assistant", "content": "two", "reasoning_content": "as before"},
]
_CALLS: JsonValue = [
    {"role": "user", "content": "look"},
    {
        "role": "assistant",
        "content": "",
        "reasoning_content": "I look",
        "tool_calls": [{"id": "call00001", "type": "function", "function": {"name": "look", "arguments": {"at": "x"}}}],
    },
    {"role": "tool", "tool_call_id": "call00001", "content": "seen"},
]
_IMAGE: JsonValue = [
    {"role": "user", "content": [{"type": "image", "image": "picture.png"}, {"type": "text", "text": "hi"}]}
]
DOCUMENTS: list[JsonValue] = [{"title": "Notes", "text": "A fact.", "data": {"text": "A fact."}}]
"""What is tried as documents."""

PROBES: Mapping[str, Mapping[str, JsonValue]] = {
    "a single question": {"messages": _PLAIN},
    "a conversation with earlier thinking": {"messages": _HISTORY},
    "a conversation with a tool call": {"messages": _CALLS, "tools": [_TOOL]},
    "a conversation with documents": {"messages": _PLAIN, "documents": DOCUMENTS},
    "a conversation with tools and documents": {"messages": _PLAIN, "tools": [_TOOL], "documents": DOCUMENTS},
    "a conversation with an image": {"messages": _IMAGE},
    "a conversation with thinking in its text": {"messages": _INLINE},
    "a conversation that ends with an answer": {"messages": _ANSWERED},
}
"""Small conversations in which different variables come to bear."""


def probe_request(request: RenderRequest, name: str, variables: Mapping[str, JsonValue]) -> RenderRequest:
    """The request for a probe conversation of `PROBES`, with a generation prompt and these variables."""
    probe = PROBES[name]
    tools, documents = probe.get("tools"), probe.get("documents")
    return replace(
        request,
        messages=probe["messages"],
        tools=tools if isinstance(tools, list) else None,
        documents=documents if isinstance(documents, list) else None,
        variables=variables,
        add_generation_prompt=None,
        continue_final_message=False,
    )


def without(variables: Mapping[str, JsonValue], *names: str) -> dict[str, JsonValue]:
    """The variables less those of that name."""
    return {name: value for name, value in variables.items() if name not in names}


def trial_values(template: Template, candidate: VariableCandidate) -> tuple[JsonValue, ...]:
    """The values worth trying: the known ones and those of tiers, else some of each kind that templates know."""
    if candidate.kind == "bool":
        return (True, False)
    if candidate.kind == "number":
        return _distinct([*candidate.values[:_TRIED], *_NUMBERS])
    if candidate.kind in ("list", "object"):
        return _structures(candidate)
    declared = [*candidate.values, *(tier.variables.get(candidate.name) for tier in template.tiers)]
    found = _distinct([value for value in declared if value is not None])
    return (*found[:_TRIED], UNKNOWN_VALUE) if found else _ANY


def _structures(candidate: VariableCandidate) -> tuple[JsonValue, ...]:
    """Lists or objects of the shape that the template reads; a list of tools is worth trying for any."""
    entry: JsonValue = {name: f"a {name}" for name in candidate.fields}
    if candidate.kind == "object":
        types = [{**entry, "type": value} for value in candidate.values[:_TRIED]] if isinstance(entry, dict) else []
        return (entry, *types)
    return _distinct([*([value] for value in candidate.values[:_TRIED]), [entry], [_TOOL], ["an entry"]])


def tier_variables(template: Template) -> tuple[str, ...]:
    """The names of the variables that choosing a tier may set."""
    return tuple(dict.fromkeys(name for tier in template.tiers for name in tier.variables))


def candidates_with(template: Template, variables: Mapping[str, JsonValue]) -> tuple[VariableCandidate, ...]:
    """The template's candidates, then those that tiers set, then any others that are set in the document.

    Documents are a control too, but no variable that a person sets by name (documents_effect.py).
    """
    found = {each.name: each for each in template.candidates if each.name != DOCUMENTS_NAME}
    for name in (*tier_variables(template), *variables):
        if name not in found and name not in template.variables:
            found[name] = VariableCandidate(name)
    return tuple(found.values())


def may_read(source: str, name: str, names: frozenset[str] | None) -> bool:
    """Whether the template can read the variable: it is among the `names` it is known to read, else in its text.

    Jinja has no way to reach a variable whose name does not stand in the template.
    """
    return name in names if names is not None else re.search(rf"\b{re.escape(name)}\b", source) is not None


def is_named(source: str, value: JsonValue) -> bool:
    """Whether the template's text has this value as a literal, in its own spelling or trimmed and in lower case."""
    text = value if isinstance(value, str) else shown(value)
    spellings = {text, text.strip().lower()}
    return any(f"{mark}{each}{mark}" in source for each in spellings for mark in "'\"")


def shown(value: JsonValue) -> str:
    """A value as sentences show it: text in quotation marks unless it is a number, anything else as JSON."""
    if isinstance(value, str):
        return value if value.isdigit() else f"“{value}”"
    return json.dumps(value, ensure_ascii=False)


def _distinct(values: list[JsonValue]) -> tuple[JsonValue, ...]:
    # Not by ==: 1, 1.0 and True are three values to a template.
    return tuple({json.dumps(value): value for value in values}.values())
