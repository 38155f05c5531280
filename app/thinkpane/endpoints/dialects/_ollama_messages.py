"""Conversations in Ollama's form and back.

Ollama holds images as base64 beside the content, arguments as objects, and a tool's name in its result. It has no place
for parts in order, for addresses of images, and for signed thinking: what is lost is told.
"""

from collections.abc import Iterator

from thinkpane.conversation.part_edits import part_address, part_kind
from thinkpane.endpoints.dialects._data_urls import data_of, image_url
from thinkpane.endpoints.dialects._turns import Turn, has_detail, left_over_warning, turns
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue

_WIRE = "Ollama"


def to_ollama(messages: list[JsonValue], warnings: list[Problem]) -> list[JsonValue]:
    """Our messages as Ollama's; what cannot be said is added to `warnings`."""
    names: dict[str, str] = {}
    found: list[JsonValue] = []
    for turn in turns(messages):
        names |= {call.id: call.name for call in turn.calls if call.id}
        found.append(_message(turn, names, warnings))
    return found


def from_ollama(messages: list[JsonValue]) -> list[JsonValue]:
    """Ollama's messages as ours. Calls without an id get one, and results find their call by name and order."""
    open_calls: list[tuple[str, str]] = []
    found: list[JsonValue] = []
    for turn in turns(messages):
        data = {key: value for key, value in turn.data.items() if key not in ("images", "tool_name", "thinking")}
        if turn.field("thinking"):
            data["reasoning_content"] = turn.field("thinking")
        images = turn.data.get("images")
        if isinstance(images, list) and images:
            data["content"] = [*_text_part(turn.field("content")), *map(_image_part, images)]
        if turn.calls:
            data["tool_calls"] = list(_calls(turn, open_calls))
        if turn.role == "tool":
            _name_result(turn, data, open_calls)
        found.append(data)
    return found


def _message(turn: Turn, names: dict[str, str], warnings: list[Problem]) -> JsonObject:
    role = turn.role
    if role == "developer":
        role = "system"
        warnings.append(turn.warning("role-changed", f"is sent as system: {_WIRE} has no role developer."))
    found: JsonObject = {"role": role, "content": turn.text}
    if images := list(_images(turn, warnings)):
        found["images"] = images
    if turn.thinking:
        found["thinking"] = turn.thinking
    if calls := list(_asked(turn, warnings)):
        found["tool_calls"] = calls
    if role == "tool":
        if name := turn.field("name") or turn.field("tool_name") or names.get(turn.call_id, ""):
            found["tool_name"] = name
        if turn.call_id:
            found["tool_call_id"] = turn.call_id
    elif turn.field("name"):
        warnings.append(turn.warning("field-not-sent", f"has a name, for which {_WIRE} has no place."))
    if turn.thinking_blocks or any("signature" in detail or "data" in detail for detail in turn.details):
        warnings.append(
            turn.warning("signature-not-sent", f"has signed or hidden thinking; {_WIRE} takes only its text.")
        )
    warnings += left_over_warning(turn, _WIRE, ("tool_name",))
    return found


def _images(turn: Turn, warnings: list[Problem]) -> Iterator[JsonValue]:
    after_image = False
    for part in turn.parts:
        kind = part_kind(part)
        if kind == "text":
            if after_image:
                warnings.append(turn.warning("part-order-lost", f"has text after an image; {_WIRE} puts images last."))
                after_image = False
            continue
        data = data_of(part_address(part)) if kind == "image" else None
        if data is not None:
            after_image = True
            if has_detail(part):
                sentence = f"says how closely to look at a picture; {_WIRE} has no place for it."
                warnings.append(turn.warning("field-not-sent", sentence))
            yield data.base64
        elif kind == "image":
            sentence = f"points at an image elsewhere; {_WIRE} takes images only as data, so it is not sent."
            warnings.append(turn.warning("part-not-sent", sentence))
        else:
            name = part.get("type") if isinstance(part, dict) else part
            warnings.append(turn.warning("part-not-sent", f"has a part “{name}”, for which {_WIRE} has no place."))


def _asked(turn: Turn, warnings: list[Problem]) -> Iterator[JsonValue]:
    for call in turn.calls:
        arguments: JsonValue = call.object
        if arguments is None:
            arguments = call.arguments
            sentence = f"calls {call.name} with arguments that are no JSON object; {_WIRE} will refuse them."
            warnings.append(turn.warning("tool-arguments-not-object", sentence))
        function: JsonObject = {"name": call.name, "arguments": arguments}
        yield {"id": call.id, "function": function} if call.id else {"function": function}


def _text_part(text: str) -> list[JsonValue]:
    return [{"type": "text", "text": text}] if text else []


def _image_part(content: JsonValue) -> JsonValue:
    return {"type": "image_url", "image_url": {"url": image_url(str(content))}}


def _calls(turn: Turn, open_calls: list[tuple[str, str]]) -> Iterator[JsonValue]:
    for number, call in enumerate(turn.calls, 1):
        id = call.id or f"call_{turn.index}_{number}"
        open_calls.append((id, call.name))
        yield {"id": id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _name_result(turn: Turn, data: JsonObject, open_calls: list[tuple[str, str]]) -> None:
    name = turn.field("tool_name")
    if name:
        data["name"] = name
    for place, (id, called) in enumerate(open_calls):
        if turn.call_id == id or (not turn.call_id and name in ("", called)):
            data["tool_call_id"] = id
            del open_calls[place]
            return
