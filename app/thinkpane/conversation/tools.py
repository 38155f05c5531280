"""Tools and documents of a conversation, as frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count

from thinkpane.formats.json_values import JsonObject, JsonValue

_keys = count(1)


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: its OpenAI-style object as given, and whether it is sent. `key`: identity within a session."""

    data: Mapping[str, JsonValue]
    enabled: bool = True
    key: int = field(default_factory=lambda: next(_keys), compare=False)

    @property
    def function(self) -> JsonObject:
        """The {name, description, parameters} object, nested or flat."""
        function = self.data.get("function")
        return function if isinstance(function, dict) else dict(self.data)

    @property
    def name(self) -> str:
        """The function's name, "" where it has none."""
        name = self.function.get("name")
        return name if isinstance(name, str) else ""


@dataclass(frozen=True, slots=True)
class ContextDocument:
    """One document for templates that take `documents`, as given, and whether it is sent."""

    data: JsonValue
    enabled: bool = True
    key: int = field(default_factory=lambda: next(_keys), compare=False)

    @property
    def title(self) -> str:
        """A name for lists: its title, else its first words."""
        if isinstance(self.data, dict):
            for name in ("title", "name", "id"):
                found = self.data.get(name)
                if isinstance(found, str) and found:
                    return found
            text = self.data.get("text") or self.data.get("contents") or ""
            return str(text)[:40]
        return str(self.data)[:40]
