"""Reads our messages for dialects whose wire has another form of them.

A message is OpenAI's object (conversation/messages.py). Thinking that carries proofs stands beside its plain text:
`thinking_blocks` holds Anthropic's blocks with their signatures, `reasoning_details` the items of Responses and
OpenRouter. A dialect sends what its wire has a place for, and warns of the rest.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from thinkpane.conversation.messages import REASONING_FIELDS, call_function, part_text
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats import strict_json
from thinkpane.formats.json_values import JsonObject, JsonValue

THOUGHT_KINDS = ("thinking", "redacted_thinking")
_READ = frozenset(
    (
        *("role", "content", "name", "tool_calls", "function_call", "tool_call_id"),
        *("thinking_blocks", "reasoning_details", *REASONING_FIELDS),
    )
)


@dataclass(frozen=True, slots=True)
class AskedCall:
    """One tool call of a message. arguments: as they stand there, text or a value."""

    id: str
    name: str
    arguments: JsonValue

    @property
    def object(self) -> JsonObject | None:
        """The arguments as an object ("" and null are none at all: {}); None where they are no object."""
        value = self.arguments
        if isinstance(value, str):
            try:
                value = strict_json.parse(value) if value.strip() else {}
            except ThinkpaneError:
                return None
        return {} if value is None else value if isinstance(value, dict) else None


@dataclass(frozen=True, slots=True)
class Turn:
    """One message and its place, read for a dialect."""

    index: int
    data: JsonObject

    @property
    def role(self) -> str:
        """The role as text."""
        role = self.data.get("role")
        return role if isinstance(role, str) else ""

    @property
    def parts(self) -> list[JsonValue]:
        """The content as parts; text becomes one text part, nothing and "" none. Blocks of thinking are left out."""
        content = self.data.get("content")
        if content is None or content == "":
            return []
        parts = content if isinstance(content, list) else [content]
        return [part for part in parts if _kind(part) not in THOUGHT_KINDS]

    @property
    def text(self) -> str:
        """The text of all parts, one after another."""
        return "".join(map(part_text, self.parts))

    @property
    def thinking(self) -> str:
        """The plain text of its thinking; of its blocks, parted by a blank line, where nothing else holds it."""
        for name in REASONING_FIELDS:
            value = self.data.get(name)
            if isinstance(value, str) and value:
                return value
        texts = [_text(block, "thinking") for block in self.thinking_blocks]
        texts += [_text(detail, "text") or _text(detail, "summary") for detail in self.details]
        return "\n\n".join(filter(None, texts))

    @property
    def thinking_blocks(self) -> list[JsonObject]:
        """Blocks of Anthropic's form: from `thinking_blocks`, else from the content."""
        blocks = self.data.get("thinking_blocks")
        if not isinstance(blocks, list) or not blocks:
            blocks = self.data.get("content")
        found = blocks if isinstance(blocks, list) else []
        return [block for block in found if isinstance(block, dict) and _kind(block) in THOUGHT_KINDS]

    @property
    def details(self) -> list[JsonObject]:
        """The items of `reasoning_details`."""
        details = self.data.get("reasoning_details")
        return [each for each in details if isinstance(each, dict)] if isinstance(details, list) else []

    @property
    def calls(self) -> list[AskedCall]:
        """Its tool calls."""
        calls = self.data.get("tool_calls")
        found: list[JsonValue] = list(calls) if isinstance(calls, list) else []
        if not found and isinstance(self.data.get("function_call"), dict):
            found = [{"function": self.data["function_call"]}]
        return [
            AskedCall(_text(call, "id"), _text(call_function(call), "name"), call_function(call).get("arguments"))
            for call in found
            if isinstance(call, dict)
        ]

    @property
    def call_id(self) -> str:
        """Which call a tool message answers, "" where it does not say."""
        return _text(self.data, "tool_call_id")

    def field(self, name: str) -> str:
        """A field that holds text, "" where it does not."""
        return _text(self.data, name)

    def left_over(self, known: Collection[str] = ()) -> list[str]:
        """The keys that nobody read and that say something; known: those the dialect has a place for."""
        return [key for key, value in self.data.items() if key not in _READ and key not in known and value is not None]

    def warning(self, id: str, sentence: str) -> Problem:
        """A warning about this message; the sentence goes on after its number."""
        return Problem(id, f"Message {self.index + 1} {sentence}", message_index=self.index)


def turns(messages: list[JsonValue]) -> Iterator[Turn]:
    """The messages that are objects, with their places."""
    for index, message in enumerate(messages):
        if isinstance(message, dict):
            yield Turn(index, message)


def has_detail(part: JsonValue) -> bool:
    """Whether a picture's part says how closely to look at it (OpenAI's `detail`), beyond what holds anyway."""
    holder = part.get("image_url") if isinstance(part, dict) else None
    return isinstance(holder, dict) and holder.get("detail") not in (None, "", "auto")


def left_over_warning(turn: Turn, wire: str, known: Collection[str] = ()) -> list[Problem]:
    """One warning for all keys that `wire` (its name for people) has no place for; none where there is no such key."""
    keys = turn.left_over(known)
    if not keys:
        return []
    return [turn.warning("field-not-sent", f"has {', '.join(keys)}, for which {wire} has no place.")]


def _kind(part: JsonValue) -> JsonValue:
    return part.get("type") if isinstance(part, dict) else None


def _text(value: JsonObject, name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) else ""
