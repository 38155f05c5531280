"""Changed conversations to try, each as a fix that a person can have."""

import json
import re
from collections.abc import Callable
from dataclasses import replace

from thinkpane.analysis.lint.findings import Fix, MessageEdit, Step
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonObject, JsonValue

_STEPS = re.compile(r'\.?([A-Za-z_]\w*)|\["(.*?)"\]|\[(\d+)\]', re.DOTALL)


def with_edits(request: RenderRequest, edits: tuple[MessageEdit, ...]) -> RenderRequest:
    """The request with the edits done to its messages."""
    return replace(request, messages=edited(request.messages, edits))


def edited(messages: JsonValue, edits: tuple[MessageEdit, ...]) -> JsonValue:
    """The messages with the edits done; those of places that are not there are left out."""
    if not isinstance(messages, list):
        return messages
    made: list[JsonValue] = list(messages)
    gone: set[int] = set()
    for edit in edits:
        if edit.delete:
            gone.add(edit.index)
        elif edit.index < len(made):
            made[edit.index] = put(made[edit.index], edit.path, edit.value)
    return [each for index, each in enumerate(made) if index not in gone]


def put(value: JsonValue, path: tuple[Step, ...], new: JsonValue) -> JsonValue:
    """`value` with `new` at `path`; as it was where there is no such place. Keys may be new ones."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(value, dict) and isinstance(step, str):
        return {**value, step: put(value.get(step), rest, new)}
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return [*value[:step], put(value[step], rest, new), *value[step + 1 :]]
    return value


def arguments_edits(
    messages: list[tuple[int, JsonObject]], change: Callable[[JsonValue], JsonValue]
) -> tuple[MessageEdit, ...]:
    """Edits that put `change(arguments)` in place of each call's arguments; those that stay the same make none."""
    edits: list[MessageEdit] = []
    for index, message in messages:
        calls = message.get("tool_calls")
        for place, call in enumerate(calls if isinstance(calls, list) else ()):
            nested = isinstance(call, dict) and isinstance(call.get("function"), dict)
            holder = call["function"] if nested and isinstance(call, dict) else call
            if not isinstance(holder, dict) or "arguments" not in holder:
                continue
            changed = change(holder["arguments"])
            if changed is not holder["arguments"]:
                way: tuple[Step, ...] = ("function", "arguments") if nested else ("arguments",)
                edits.append(MessageEdit(index, ("tool_calls", place, *way), changed))
    return tuple(edits)


def as_object(arguments: JsonValue) -> JsonValue:
    """JSON text of an object as that object; anything else as it is."""
    if isinstance(arguments, str):
        try:
            found = json.loads(arguments)
        except (ValueError, RecursionError):
            return arguments
        if isinstance(found, dict):
            return found
    return arguments


def as_text(arguments: JsonValue) -> JsonValue:
    """An object as JSON text; JSON text of an object in the same spelling; anything else as it is."""
    found = as_object(arguments)
    if isinstance(found, dict):
        text = json.dumps(found, ensure_ascii=False)
        return arguments if text == arguments else text
    return arguments


def fix_of(title: str, edits: tuple[MessageEdit, ...]) -> Fix:
    """A fix that edits messages."""
    return Fix(title, messages=edits)


def message_fix(title: str, path: str, value: JsonValue) -> Fix | None:
    """A fix that puts `value` at a path of a message (`messages[0].content`); None for any other path."""
    steps = [int(place) if place else name or key for name, key, place in _STEPS.findall(path)]
    if len(steps) < 2 or steps[0] != "messages" or not isinstance(steps[1], int):
        return None
    return Fix(title, messages=(MessageEdit(steps[1], tuple(steps[2:]), value),))
