"""Where control tags stand in a conversation, and the conversation without them."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.template import Template

# Stands where a tag was: not empty, so that a template's tests for blank content come out as they did with the tag.
PLACEHOLDER = "\ue000"


@dataclass(frozen=True, slots=True)
class TagOccurrence:
    """A tag in a message, all places where it is spelled so.

    message: index from 0; number: how sentences count the message; text: the tag as it is spelled there.
    """

    message: int
    number: int
    role: str
    text: str

    @property
    def words(self) -> str:
        """How sentences name it; the role is said where it is not the user's."""
        role = "" if self.role in ("user", "") else f" ({self.role})"
        return f"{self.text if len(self.text) <= 40 else self.text[:39] + '…'} in message {self.number}{role}"


def known_tags(template: Template) -> tuple[str, ...]:
    """The template's control tags; `…` in one stands for any text."""
    tags = [tier.tag for tier in template.tiers] + [tag.tag for tag in template.tags]
    return tuple(dict.fromkeys(tag for tag in tags if tag))


def tag_occurrences(
    messages: JsonValue, tags: Sequence[str], numbers: Sequence[int] | None = None
) -> tuple[TagOccurrence, ...]:
    """The tags in texts and text parts of all messages, in any case, in order; a spelling once a message.

    numbers: what to call each message, None = counted from 1.
    Which of them a template obeys (case, role, parts) is for rendering to tell. A tag with `…` that is never closed
    reaches to the end of its text, because templates that split at its end take it so.
    """
    if not tags:
        return ()
    pattern = _pattern(tags)
    found: dict[TagOccurrence, None] = {}
    for index, message in enumerate(messages if isinstance(messages, list) else ()):
        if isinstance(message, dict):
            number = numbers[index] if numbers and index < len(numbers) else index + 1
            role = message.get("role")
            for text in _texts(message.get("content")):
                for match in pattern.finditer(text):
                    found.setdefault(
                        TagOccurrence(index, number, role if isinstance(role, str) else "", match[0].rstrip())
                    )
    return tuple(found)


def without_tags(messages: JsonValue, occurrences: Collection[TagOccurrence]) -> JsonValue:
    """New messages in which each of `occurrences` is replaced by `PLACEHOLDER`, each in its own message."""
    if not isinstance(messages, list):
        return messages
    texts: dict[int, set[str]] = {}
    for each in occurrences:
        texts.setdefault(each.message, set()).add(each.text)
    made = list(messages)
    for index, tags in texts.items():
        message = made[index]
        if isinstance(message, dict):
            longest_first = sorted(tags, key=len, reverse=True)
            made[index] = {**message, "content": _replaced(message.get("content"), longest_first)}
    return made


def without_tag_texts(text: str, occurrences: Collection[TagOccurrence]) -> str:
    """A rendered text without these tags, placeholders and white space, so that prompts compare by all the rest."""
    for tag in sorted({each.text for each in occurrences}, key=len, reverse=True):
        text = text.replace(tag, "")
    return "".join(text.replace(PLACEHOLDER, "").split())


def _pattern(tags: Sequence[str]) -> re.Pattern[str]:
    forms = []
    for tag in sorted(tags, key=len, reverse=True):
        start, gap, end = tag.partition("…")
        form = re.escape(start)
        if gap and end:
            form += rf"(?:(?!{re.escape(end)}).)*(?:{re.escape(end)}|\Z)"
        forms.append(form)
    return re.compile("|".join(forms) or r"(?!)", re.IGNORECASE | re.DOTALL)


def _texts(content: JsonValue) -> list[str]:
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    return [text for text in texts if isinstance(text, str)]


def _replaced(content: JsonValue, tags: Sequence[str]) -> JsonValue:
    if isinstance(content, str):
        for tag in tags:
            content = content.replace(tag, PLACEHOLDER)
        return content
    if isinstance(content, list):
        return [_replaced(part, tags) for part in content]
    if isinstance(content, dict) and "text" in content:
        return {**content, "text": _replaced(content["text"], tags)}
    return content
