"""Conversations as Responses' input items.

Calls, their results and thinking are items of their own there. Thinking goes back only as the item it came as, known by
its id or its encrypted text (kept in `reasoning_details`); plain text of it has no place.
"""

from collections.abc import Iterator

from thinkpane.endpoints.dialects._blocks import to_responses_part
from thinkpane.endpoints.dialects._tool_calls import arguments_text
from thinkpane.endpoints.dialects._turns import AskedCall, Turn, left_over_warning, turns
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue

ITEM_FORMAT = "openai-responses-v1"
"""The format (OpenRouter's word) of a `reasoning_details` entry that came from a Responses item."""
_WIRE = "Responses"


def to_items(messages: list[JsonValue], warnings: list[Problem]) -> list[JsonValue]:
    """Our messages as input items; what cannot be said is added to `warnings`."""
    found: list[JsonValue] = []
    open_calls: list[str] = []
    for turn in turns(messages):
        warnings += left_over_warning(turn, _WIRE)
        if turn.field("name") and turn.role != "tool":
            warnings.append(turn.warning("field-not-sent", f"has a name, for which {_WIRE} has no place."))
        if turn.role == "tool":
            found.append(_result(turn, open_calls, warnings))
            continue
        found += _thoughts(turn, warnings)
        content = _content(turn, warnings)
        if content or not turn.calls:
            found.append(_message(turn.role, content))
        for number, call in enumerate(turn.calls, 1):
            found.append(_call(turn, call, number, open_calls, warnings))
    return found


def _thoughts(turn: Turn, warnings: list[Problem]) -> Iterator[JsonValue]:
    items: dict[str, JsonObject] = {}
    for detail in turn.details:
        id = detail.get("id")
        if detail.get("format") not in (None, ITEM_FORMAT) or not (isinstance(id, str) or detail.get("data")):
            continue
        item = items.setdefault(str(id or ""), {"type": "reasoning", **({"id": id} if id else {}), "summary": []})
        _add(item, detail)
    yield from items.values()
    if turn.thinking and not items:
        sentence = f"has thinking as plain text; {_WIRE} takes it back only as the item it came as, so it is not sent."
        warnings.append(turn.warning("thinking-not-sent", sentence))
    if any(block.get("signature") or block.get("data") for block in turn.thinking_blocks):
        warnings.append(turn.warning("signature-not-sent", "has thinking signed by another provider; it is not sent."))


def _add(item: JsonObject, detail: JsonObject) -> None:
    summary, text, data = detail.get("summary"), detail.get("text"), detail.get("data")
    if isinstance(data, str):
        item["encrypted_content"] = data
    for name, kind, words in (("summary", "summary_text", summary), ("content", "reasoning_text", text)):
        if isinstance(words, str):
            parts = item.setdefault(name, [])
            assert isinstance(parts, list)
            parts.append({"type": kind, "text": words})


def _message(role: str, content: JsonValue) -> JsonObject:
    """A message item. The model's own words take the form in which they came: llama.cpp knows them in no other."""
    if role != "assistant":
        return {"role": role, "content": content}
    if isinstance(content, str):
        content = [{"type": "output_text", "text": content}]
    return {"type": "message", "role": role, "content": content}


def _content(turn: Turn, warnings: list[Problem]) -> JsonValue:
    content = turn.data.get("content")
    if content is None or isinstance(content, str):
        return content or ""
    return list(_parts(turn, warnings))


def _parts(turn: Turn, warnings: list[Problem]) -> Iterator[JsonValue]:
    for part in turn.parts:
        made = to_responses_part(part, turn.role)
        if made is None:
            name = part.get("type") if isinstance(part, dict) else part
            warnings.append(turn.warning("part-not-sent", f"has a part “{name}”, for which {_WIRE} has no place."))
        else:
            yield made


def _call(turn: Turn, call: AskedCall, number: int, open_calls: list[str], warnings: list[Problem]) -> JsonObject:
    id = call.id
    if not id:
        id = f"call_{turn.index}_{number}"
        warnings.append(turn.warning("tool-call-id-made", f"calls {call.name} without an id; it gets “{id}”."))
    open_calls.append(id)
    return {"type": "function_call", "call_id": id, "name": call.name, "arguments": arguments_text(call.arguments)}


def _result(turn: Turn, open_calls: list[str], warnings: list[Problem]) -> JsonObject:
    id = turn.call_id
    if not id and open_calls:
        id = open_calls[0]
        warnings.append(turn.warning("tool-call-id-made", "answers no call by id; it is taken for the first open one."))
    elif id not in open_calls:
        warnings.append(turn.warning("tool-result-without-call", f"answers no call before it, which {_WIRE} refuses."))
    if id in open_calls:
        open_calls.remove(id)
    return {"type": "function_call_output", "call_id": id, "output": _content(turn, warnings)}
