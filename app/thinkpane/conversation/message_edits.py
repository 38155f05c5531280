"""Edits of one message, as pure functions: each gives a new message with the same key.

Unknown keys and the order of keys are kept: a key that is there is overwritten in its place, a new one goes last.
"""

from collections.abc import Mapping

from thinkpane.conversation.messages import Message, call_function
from thinkpane.formats.json_values import JsonObject, JsonValue


def set_field(message: Message, name: str, value: JsonValue) -> Message:
    """The message with `value` under any key of its object."""
    return message.with_data({**message.data, name: value})


def remove_field(message: Message, name: str) -> Message:
    """The message without that key."""
    return message.with_data({key: value for key, value in message.data.items() if key != name})


def set_text_field(message: Message, name: str, text: str) -> Message:
    """Like `set_field`, but an empty text removes the key (tool_call_id, name, …)."""
    return set_field(message, name, text) if text else remove_field(message, name)


def set_role(message: Message, role: str) -> Message:
    """The message with another role; any text is a role, templates decide what they make of it."""
    return set_field(message, "role", role)


def set_content(message: Message, content: JsonValue) -> Message:
    """The message with another content: text, parts, None, or whatever a template takes."""
    return set_field(message, "content", content)


def set_reasoning(message: Message, text: str) -> Message:
    """The message with other stored thinking, under the name it has already, else `reasoning_content`.

    An empty text removes the field, because templates tell "no thinking" from "thinking that is empty".
    """
    return set_text_field(message, message.reasoning_field or "reasoning_content", text)


def add_tool_call(message: Message, name: str = "", arguments: JsonValue = None, call_id: str | None = None) -> Message:
    """The message with one more tool call in OpenAI's nested form; None for arguments is an empty object."""
    call: JsonObject = {
        "id": call_id if call_id is not None else unused_call_id(message),
        "type": "function",
        "function": {"name": name, "arguments": {} if arguments is None else arguments},
    }
    return set_field(message, "tool_calls", [*_calls(message), call])


def unused_call_id(message: Message) -> str:
    """An id that none of the message's calls has."""
    taken = {call.get("id") for call in message.tool_calls}
    return next(name for n in range(1, len(taken) + 2) if (name := f"call_{n}") not in taken)


def set_tool_call_id(message: Message, index: int, call_id: str) -> Message:
    """The message with another id on its `index`-th call (from 0, as in `Message.tool_calls`)."""
    return _with_call(message, index, {**message.tool_calls[index], "id": call_id})


def set_tool_call_name(message: Message, index: int, name: str) -> Message:
    """The message with another function name on its `index`-th call."""
    return _with_function(message, index, {"name": name})


def set_tool_call_arguments(message: Message, index: int, arguments: JsonValue) -> Message:
    """The message with other arguments on its `index`-th call: an object, or JSON text, as given."""
    return _with_function(message, index, {"arguments": arguments})


def remove_tool_call(message: Message, index: int) -> Message:
    """The message without its `index`-th call; with the last one the key `tool_calls` goes too."""
    places = _call_places(message)
    rest = [call for place, call in enumerate(_calls(message)) if place != places[index]]
    return set_field(message, "tool_calls", rest) if rest else remove_field(message, "tool_calls")


def _calls(message: Message) -> list[JsonValue]:
    calls = message.data.get("tool_calls")
    return list(calls) if isinstance(calls, list) else []


def _call_places(message: Message) -> list[int]:
    """Where the calls that are objects stand in the list, which may hold anything."""
    return [place for place, call in enumerate(_calls(message)) if isinstance(call, dict)]


def _with_call(message: Message, index: int, call: JsonObject) -> Message:
    calls = _calls(message)
    calls[_call_places(message)[index]] = call
    return set_field(message, "tool_calls", calls)


def _with_function(message: Message, index: int, fields: Mapping[str, JsonValue]) -> Message:
    call = message.tool_calls[index]
    function = {**call_function(call), **fields}
    nested = isinstance(call.get("function"), dict)
    return _with_call(message, index, {**call, "function": function} if nested else function)
