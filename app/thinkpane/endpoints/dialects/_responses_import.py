"""Conversations from Responses' input: the way back from `_responses_items`."""

from thinkpane.endpoints.dialects._blocks import from_responses_part
from thinkpane.endpoints.dialects._responses_items import ITEM_FORMAT
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue


def from_items(instructions: JsonValue, items: JsonValue, warnings: list[Problem]) -> list[JsonValue]:
    """Instructions and input (text, or items) as our messages; items of other kinds are left out and told.

    Thinking, text and calls that follow each other become one assistant message. A reasoning item stands in
    `reasoning_details`, its text in `reasoning_content` too, where templates read it.
    """
    building = _Building(warnings)
    if isinstance(instructions, str) and instructions:
        building.found.append({"role": "system", "content": instructions})
    if isinstance(items, str):
        building.found.append({"role": "user", "content": items})
    for index, item in enumerate(items if isinstance(items, list) else []):
        if isinstance(item, dict):
            building.take(index, item)
    return building.found


def tools_from_responses(tools: list[JsonValue]) -> list[JsonValue]:
    """Responses' flat function tools as ours; tools of the server stay as they are."""
    found: list[JsonValue] = []
    for tool in tools:
        if isinstance(tool, dict) and tool.get("type") == "function" and "function" not in tool:
            tool = {"type": "function", "function": {key: value for key, value in tool.items() if key != "type"}}
        found.append(tool)
    return found


class _Building:
    """The messages so far, and the assistant's one that is still open."""

    def __init__(self, warnings: list[Problem]) -> None:
        self.found: list[JsonValue] = []
        self._warnings = warnings
        self._open: JsonObject | None = None

    def take(self, index: int, item: JsonObject) -> None:
        kind = item.get("type", "message")
        if kind == "reasoning":
            self._take_reasoning(item)
        elif kind == "function_call":
            self._take_call(item)
        elif kind == "function_call_output":
            self._open = None
            content = _content(item.get("output"))
            self.found.append({"role": "tool", "tool_call_id": item.get("call_id"), "content": content})
        elif kind == "message" and isinstance(item.get("role"), str):
            self._take_message(item)
        else:
            sentence = f"Item {index + 1} is of the kind “{kind}”, for which a conversation has no place."
            self._warnings.append(Problem("item-left-out", sentence, detail={"type": kind}))

    def _assistant(self, *, after: tuple[str, ...]) -> JsonObject:
        """The open assistant message; a new one where it holds one of `after` already."""
        if self._open is None or any(self._open.get(name) for name in after):
            self._open = {"role": "assistant", "content": None}
            self.found.append(self._open)
        return self._open

    def _take_message(self, item: JsonObject) -> None:
        content = _content(item.get("content"))
        if item["role"] == "assistant":
            self._assistant(after=("content", "tool_calls"))["content"] = content
        else:
            self._open = None
            self.found.append({"role": item["role"], "content": content})

    def _take_call(self, item: JsonObject) -> None:
        calls = self._assistant(after=()).setdefault("tool_calls", [])
        assert isinstance(calls, list)
        function: JsonObject = {"name": item.get("name"), "arguments": item.get("arguments")}
        calls.append({"id": item.get("call_id"), "type": "function", "function": function})

    def _take_reasoning(self, item: JsonObject) -> None:
        details: list[JsonValue] = []
        texts: list[str] = []
        own: JsonObject = {"format": ITEM_FORMAT}
        if isinstance(item.get("id"), str):
            own["id"] = item["id"]
        for name, kind in (("summary", "summary"), ("content", "text")):
            parts = item.get(name)
            for part in parts if isinstance(parts, list) else []:
                if isinstance(part, dict) and isinstance(text := part.get("text"), str):
                    texts.append(text)
                    details.append({"type": f"reasoning.{kind}", kind: text, **own})
        if isinstance(item.get("encrypted_content"), str):
            details.append({"type": "reasoning.encrypted", "data": item["encrypted_content"], **own})
        message = self._assistant(after=("content", "tool_calls"))
        earlier = message.get("reasoning_content")
        if texts:
            message["reasoning_content"] = "\n\n".join([*([earlier] if isinstance(earlier, str) else []), *texts])
        if details:
            known = message.setdefault("reasoning_details", [])
            assert isinstance(known, list)
            known += details


def _content(content: JsonValue) -> JsonValue:
    """Text stays; one plain text part becomes text; other parts become chat's."""
    if not isinstance(content, list):
        return content
    parts = list(map(from_responses_part, content))
    first = parts[0] if len(parts) == 1 else None
    if isinstance(first, dict) and set(first) == {"type", "text"}:
        return first["text"]
    return parts
