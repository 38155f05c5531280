"""Conversations from Anthropic's form: the way back from `_anthropic_messages`."""

from thinkpane.conversation.messages import part_text
from thinkpane.endpoints.dialects._blocks import from_anthropic_block
from thinkpane.endpoints.dialects._turns import THOUGHT_KINDS
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue

_KNOWN = ("text", "image", "document", "tool_use", "tool_result", "search_result", *THOUGHT_KINDS)


def from_anthropic(system: JsonValue, messages: list[JsonValue], warnings: list[Problem]) -> list[JsonValue]:
    """Anthropic's system text and messages as ours; what has no place is kept and told.

    System blocks are joined with a blank line. Signed thinking stands in `thinking_blocks`, its text in
    `reasoning_content` too, where templates read it.
    """
    found: list[JsonValue] = []
    text = _system_text(system)
    if text:
        found.append({"role": "system", "content": text})
    if isinstance(system, list) and any(isinstance(part, dict) and part.get("type") != "text" for part in system):
        sentence = "The system text has parts that are no text; they are left out."
        warnings.append(Problem("unknown-content-type", sentence))
    for index, message in enumerate(messages):
        content = message.get("content") if isinstance(message, dict) else None
        if not isinstance(message, dict) or not isinstance(content, list):
            found.append(message)
            continue
        blocks = [block for block in content if isinstance(block, dict)]
        _tell_unknown(blocks, index, warnings)
        rest = {key: value for key, value in message.items() if key != "content"}
        if message.get("role") == "assistant":
            found.append(_assistant(rest, blocks, index, warnings))
        else:
            found += _user(rest, blocks, index, warnings)
    return found


def tools_from_anthropic(tools: list[JsonValue]) -> list[JsonValue]:
    """Anthropic's tools as ours; tools that the server itself brings stay as they are."""
    return [_tool(tool) if isinstance(tool, dict) and "input_schema" in tool else tool for tool in tools]


def _tool(tool: JsonObject) -> JsonObject:
    function: JsonObject = {("parameters" if key == "input_schema" else key): value for key, value in tool.items()}
    cache = function.pop("cache_control", None)
    function.pop("type", None)
    found: JsonObject = {"type": "function", "function": function}
    return found | ({"cache_control": cache} if cache else {})


def _system_text(system: JsonValue) -> str:
    if isinstance(system, str):
        return system
    return "\n\n".join(map(part_text, system)) if isinstance(system, list) else ""


def _assistant(rest: JsonObject, blocks: list[JsonObject], index: int, warnings: list[Problem]) -> JsonObject:
    thoughts = [block for block in blocks if block.get("type") in THOUGHT_KINDS]
    calls = [block for block in blocks if block.get("type") == "tool_use"]
    others: list[JsonValue] = [block for block in blocks if block not in thoughts and block not in calls]
    kinds = [_rank(block) for block in blocks]
    if kinds != sorted(kinds):
        sentence = f"Message {index + 1} mixes thinking, text and calls in an order that one message cannot keep."
        warnings.append(Problem("block-order-lost", sentence, message_index=index))
    found: JsonObject = {**rest, "content": _content(others)}
    text = "\n\n".join(str(block["thinking"]) for block in thoughts if block.get("thinking"))
    if text:
        found["reasoning_content"] = text
    if any(block.get("signature") or block.get("data") for block in thoughts):
        found["thinking_blocks"] = list(thoughts)
    if calls:
        found["tool_calls"] = [
            {
                "id": call.get("id"),
                "type": "function",
                "function": {"name": call.get("name"), "arguments": call.get("input")},
            }
            for call in calls
        ]
    return found


def _user(rest: JsonObject, blocks: list[JsonObject], index: int, warnings: list[Problem]) -> list[JsonValue]:
    results = [block for block in blocks if block.get("type") == "tool_result"]
    others: list[JsonValue] = [block for block in blocks if block not in results]
    if results and others and blocks[: len(results)] != results:
        sentence = f"Message {index + 1} has text before tool results; it is put after them."
        warnings.append(Problem("block-order-lost", sentence, message_index=index))
    found: list[JsonValue] = []
    for result in results:
        content = result.get("content")
        _tell_unknown(
            [each for each in content if isinstance(each, dict)] if isinstance(content, list) else [], index, warnings
        )
        answer: JsonObject = {"role": "tool", "tool_call_id": result.get("tool_use_id")}
        answer["content"] = "" if content is None else _content(content) if isinstance(content, list) else content
        if result.get("is_error") is not None:
            answer["is_error"] = result["is_error"]
        found.append(answer)
    if others or not results:
        found.append({**rest, "content": _content(others)})
    return found


def _content(blocks: list[JsonValue]) -> JsonValue:
    """One plain text block becomes text; none of them nothing."""
    parts = list(map(from_anthropic_block, blocks))
    first = parts[0] if parts else None
    if len(parts) == 1 and isinstance(first, dict) and set(first) == {"type", "text"}:
        return first["text"]
    return parts or None


def _rank(block: JsonObject) -> int:
    kind = block.get("type")
    return 0 if kind in THOUGHT_KINDS else 2 if kind == "tool_use" else 1


def _tell_unknown(blocks: list[JsonObject], index: int, warnings: list[Problem]) -> None:
    for block in blocks:
        kind = block.get("type")
        if kind not in _KNOWN:
            sentence = f"Message {index + 1} has a block “{kind}”, which templates and other servers may not know."
            detail = {"type": kind}
            warnings.append(Problem("unknown-content-type", sentence, message_index=index, detail=detail))
