"""What the profiles share: messages to be rewritten, sentences about it, and the runtime's refusals."""

import json
from collections.abc import Iterable, Mapping
from copy import deepcopy

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue

SPECIAL_TOKENS = ("bos_token", "eos_token", "pad_token", "unk_token", "sep_token", "cls_token", "mask_token")
"""Variables that come from a tokenizer, not from a request."""


class Rewrites:
    """The sentences about one request, in order. runtime: its title, for refusals."""

    def __init__(self, runtime: str) -> None:
        self._runtime = runtime
        self._said: list[str] = []

    def say(self, sentence: str) -> None:
        """Notes something about the whole request; a sentence is noted once."""
        if sentence not in self._said:
            self._said.append(sentence)

    def message(self, index: int, sentence: str) -> None:
        """Notes something about a message."""
        self.say(f"Message {index + 1}: {sentence}")

    def left_out(self, index: int, names: Iterable[str], why: str) -> None:
        """Notes fields that a message loses, where there are any."""
        found = list(names)
        if found:
            self.message(index, f"{listed(found)} {'is' if len(found) == 1 else 'are'} left out: {why}.")

    def refusal(self, sentence: str, index: int | None = None, field: str | None = None) -> ThinkpaneError:
        """The error of a request that the runtime answers with an error."""
        whole = f"{self._runtime} refuses this request: {sentence}."
        return ThinkpaneError(Problem("profile", whole, message_index=index, field=field))

    @property
    def said(self) -> tuple[str, ...]:
        """All sentences so far."""
        return tuple(self._said)


def message_copies(messages: JsonValue) -> list[JsonObject] | None:
    """Copies of the messages to work on, None where they are no list of objects: then there is nothing to rewrite."""
    if not isinstance(messages, list) or not messages:
        return None
    found = [deepcopy(each) for each in messages if isinstance(each, dict)]
    return found if len(found) == len(messages) else None


def listed(names: Iterable[str]) -> str:
    """“a” and “b”."""
    quoted = [f"“{name}”" for name in names]
    return " and ".join(quoted) if len(quoted) < 3 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def parsed_arguments(text: str) -> JsonValue:
    """What a text of arguments says as JSON. Raises ValueError where it says nothing."""
    found: JsonValue = json.loads(text)
    return found


def functions_of(message: JsonObject) -> list[tuple[JsonObject, JsonObject]]:
    """The message's tool calls with their functions, those that have the usual shape."""
    calls = message.get("tool_calls")
    found: list[tuple[JsonObject, JsonObject]] = []
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict) and isinstance(function := call.get("function"), dict):
            found.append((call, function))
    return found


def texts_of(parts: list[JsonValue], kinds: tuple[str, ...] = ("text",)) -> list[str]:
    """The texts among content parts."""
    return [
        text
        for part in parts
        if isinstance(part, dict) and part.get("type") in kinds and isinstance(text := part.get("text"), str)
    ]


def without_none(values: Mapping[str, JsonValue]) -> JsonObject:
    """The entries that are not null."""
    return {name: value for name, value in values.items() if value is not None}
