"""Messages of a conversation, as frozen values.

A message *is* its OpenAI-style object, kept exactly as it was given: key order, nulls and keys nobody knows
included, because templates may print any of them. Accessors read it; edits (conversation/edits.py) make a new one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import cast

from thinkpane.formats.json_values import JsonObject, JsonValue

ROLES = ("system", "developer", "user", "assistant", "tool")
REASONING_FIELDS = ("reasoning_content", "reasoning", "thinking")

_keys = count(1)


@dataclass(frozen=True, slots=True)
class Message:
    """One message.

    data: the OpenAI-style object; never changed in place.
    excluded: kept in the document but left out of the prompt and the request.
    key: identity that survives edits and moves within a session; not saved.
    """

    data: Mapping[str, JsonValue]
    excluded: bool = False
    key: int = field(default_factory=lambda: next(_keys), compare=False)

    @property
    def role(self) -> str:
        """The role as text; "" where it is missing or no text."""
        role = self.data.get("role")
        return role if isinstance(role, str) else ""

    @property
    def content(self) -> JsonValue:
        """The content as given: text, a list of parts, None, or anything else; None where it is missing."""
        return self.data.get("content")

    @property
    def text(self) -> str:
        """The text a person reads: the content itself, or its text parts one after another."""
        content = self.content
        if isinstance(content, str):
            return content
        if isinstance(content, list):
            return "".join(part_text(part) for part in content)
        return ""

    @property
    def parts(self) -> list[JsonValue] | None:
        """The list of parts, or None where the content is no list."""
        return self.content if isinstance(self.content, list) else None

    @property
    def reasoning_field(self) -> str | None:
        """The first of `REASONING_FIELDS` that holds text, or None."""
        for name in REASONING_FIELDS:
            if isinstance(self.data.get(name), str):
                return name
        return None

    @property
    def reasoning(self) -> str:
        """The thinking that is stored with the message, "" where there is none."""
        name = self.reasoning_field
        return cast("str", self.data[name]) if name else ""

    @property
    def tool_calls(self) -> list[JsonObject]:
        """The tool calls as given; those that are no object are left out."""
        calls = self.data.get("tool_calls")
        return [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []

    @property
    def tool_call_id(self) -> str:
        """Which call a tool message answers, "" where it does not say."""
        found = self.data.get("tool_call_id")
        return found if isinstance(found, str) else ""

    def with_data(self, data: Mapping[str, JsonValue]) -> "Message":
        """The same message (same key) holding `data`."""
        return replace(self, data=dict(data))


def part_text(part: JsonValue) -> str:
    """The text of one content part, "" for parts that hold none."""
    if isinstance(part, str):
        return part
    if isinstance(part, dict):
        text = part.get("text")
        return text if isinstance(text, str) else ""
    return ""


def message(role: str, content: JsonValue = "", **rest: JsonValue) -> Message:
    """A new message with that role and content."""
    return Message({"role": role, "content": content, **rest})


def call_function(call: JsonObject) -> JsonObject:
    """The {name, arguments} object of a tool call in OpenAI's nested or a flat form."""
    function = call.get("function")
    return function if isinstance(function, dict) else call
