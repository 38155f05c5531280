"""The profile of Hugging Face transformers: what `apply_chat_template` of 5.24 does to the messages.

The rewriting itself is part of the render (engine/normalise.py), where it is compared with transformers byte by byte;
here it is told in words.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from thinkpane.engine.normalise import ALIAS_ORDER, normalised
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.profiles._api import Facts, Profiled, RuntimeProfile

_ALIASES = frozenset(ALIAS_ORDER)


class Transformers:
    """Drops None-valued message fields and copies reasoning to the names that templates read."""

    name = "transformers"
    title = "transformers"
    version = "5.24.0"
    summary = "Drops null fields of messages, copies reasoning to “reasoning_content” and “thinking”."

    def apply(self, request: RenderRequest, facts: Facts) -> Profiled:
        """The request, to be normalised, and what that will change."""
        return Profiled(replace(request, normalise=True), tuple(_rewrites(request.messages)))


def _rewrites(messages: JsonValue) -> Iterator[str]:
    for index, before in enumerate(messages if isinstance(messages, list) else ()):
        # Most messages have neither nulls nor reasoning, and there may be thousands.
        if isinstance(before, dict) and (None in before.values() or not _ALIASES.isdisjoint(before)):
            yield from _message_rewrites(index, before)


def _message_rewrites(index: int, before: JsonObject) -> Iterator[str]:
    for words in _changes(tuple(before), tuple(name for name, value in before.items() if value is None)):
        yield f"Message {index + 1}: {words}"


@lru_cache(maxsize=256)
def _changes(names: tuple[str, ...], nulls: tuple[str, ...]) -> tuple[str, ...]:
    """What becomes of a message with these fields, in words; it hangs on nothing but which of them are null."""
    after = normalised([{name: None if name in nulls else "" for name in names}])[0]
    dropped = [name for name in names if name not in after]
    copied = [name for name in after if name not in names or name in dropped]
    found = []
    if dropped:
        found.append(f"{_listed(dropped)} {'is' if len(dropped) == 1 else 'are'} null and left out.")
    if copied:
        found.append(f"its reasoning is also given as {_listed(copied)}.")
    return tuple(found)


def _listed(names: list[str]) -> str:
    return " and ".join(f"“{name}”" for name in names)


PROFILE: RuntimeProfile = Transformers()
