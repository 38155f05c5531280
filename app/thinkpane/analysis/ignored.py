"""What the template ignored: of what it was given, all that this render never read, in words."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from thinkpane.analysis.trials import shown
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonValue

_STEP = re.compile(r"""\.?([^.\[\]]+)|\[(\d+)\]|\["(.*?)"\]""")
_NAMED = 5  # places that a sentence names one by one; of more it gives the first ones and how many there are


@dataclass(frozen=True, slots=True)
class Ignored:
    """One thing that was never read.

    text: one sentence. paths: the input paths it tells of. messages: indexes of the messages concerned, from 0.
    variable: the variable's name where it is one, else "".
    """

    text: str
    paths: tuple[str, ...]
    messages: tuple[int, ...] = ()
    variable: str = ""


def ignored(
    paths: Sequence[str],
    request: RenderRequest,
    numbers: Sequence[int] | None = None,
    own: Mapping[str, JsonValue] | None = None,
) -> tuple[Ignored, ...]:
    """Puts the trace's `ignored` paths into sentences; equal fields of several messages or tools make one.

    numbers: what sentences call each message, None = counted from 1. own: variables that came with the template
    (bos_token, …); nobody asked for these, so they are left out.
    """
    groups: dict[tuple[str, str, str], list[str]] = {}
    for path in paths:
        steps = [name or odd or int(index) for name, index, odd in _STEP.findall(path)]
        head, index, rest = str(steps[0]), steps[1] if len(steps) > 1 else None, steps[2:]
        if head in (own or {}) or _is_empty(path, request):
            continue
        field = _field(rest)
        role = _role(request, index) if head == "messages" and field in ("", "content") else ""
        groups.setdefault((head, field if isinstance(index, int) else str(index or ""), role), []).append(path)
    return tuple(_told(*key, found, request, numbers) for key, found in groups.items())


def _field(steps: Sequence[str | int]) -> str:
    """The way below one message or tool, counted places left open: tool_calls.function.name."""
    return ".".join(step for step in steps if isinstance(step, str))


def _told(
    head: str,
    field: str,
    role: str,
    paths: list[str],
    request: RenderRequest,
    numbers: Sequence[int] | None,
) -> Ignored:
    places = tuple(dict.fromkeys(int(match[1]) for path in paths if (match := re.match(r"\w+\[(\d+)\]", path))))
    if head == "messages":
        return Ignored(_message_words(field, role, places, numbers), tuple(paths), places)
    if head in ("tools", "documents"):
        return Ignored(_list_words(head, field, places, request), tuple(paths))
    value = request.variables.get(head)
    what = f"{head} = {shown(value)}" if not field else f"“{field}” of {head}"
    return Ignored(f"{what} is set, and not read in this render.", tuple(paths), variable=head)


def _message_words(field: str, role: str, places: tuple[int, ...], numbers: Sequence[int] | None) -> str:
    if not places:
        return "The messages are not read at all."
    called = [numbers[place] if numbers and place < len(numbers) else place + 1 for place in places]
    whose = f"{_counted('message', called)}{f' ({role})' if role else ''}"
    several = len(places) > 1
    if field == "":
        return f"{whose[0].upper()}{whose[1:]} {'are' if several else 'is'} not read at all."
    if field == "content":
        return f"The text of {whose} never reaches the prompt."
    return f"“{field}” of {whose} is not read."


def _list_words(head: str, field: str, places: tuple[int, ...], request: RenderRequest) -> str:
    one = head.removesuffix("s")
    if not places:
        count = len((request.tools if head == "tools" else request.documents) or ())
        return f"{count} {one if count == 1 else head} given, and none of {'it' if count == 1 else 'them'} is read."
    whose = _counted(one, [place + 1 for place in places])
    if field == "":
        return f"{whose[0].upper()}{whose[1:]} {'are' if len(places) > 1 else 'is'} not read."
    return f"“{field}” of {whose} is not read."


def _counted(word: str, numbers: Sequence[int]) -> str:
    """“message 2”, “messages 2 and 4”, “messages 1, 2, 3, 4, 5 and 12 more”."""
    named = [str(number) for number in numbers[:_NAMED]]
    left = len(numbers) - len(named)
    if left:
        return f"{word}s {', '.join(named)} and {left} more"
    if len(named) == 1:
        return f"{word} {named[0]}"
    return f"{word}s {', '.join(named[:-1])} and {named[-1]}"


def _role(request: RenderRequest, index: object) -> str:
    messages = request.messages
    message = messages[index] if isinstance(messages, list) and isinstance(index, int) else None
    role = message.get("role") if isinstance(message, dict) else None
    return role if isinstance(role, str) else ""


def _is_empty(path: str, request: RenderRequest) -> bool:
    """Whether nothing stands there that could have been lost: null, "" or an empty list."""
    given: dict[str, JsonValue] = {
        **request.variables,
        "messages": request.messages,
        "tools": request.tools,
        "documents": request.documents,
    }
    value: JsonValue = given
    for name, index, odd in _STEP.findall(path):
        if (name or odd) and isinstance(value, dict):
            value = value.get(name or odd)
        elif index and isinstance(value, list) and int(index) < len(value):
            value = value[int(index)]
        else:
            return False
    return value is None or value == "" or value == [] or value == {}
