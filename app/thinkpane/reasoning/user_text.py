"""Where the GLMT rules look for words and tags: the user's texts, message by message."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from thinkpane.conversation.messages import Message, part_text


@dataclass(frozen=True, slots=True)
class UserText:
    """The text of one user message. index: its place in the list that was given, counted from 0."""

    index: int
    text: str


def user_texts(messages: Sequence[Message], latest_only: bool = False) -> tuple[UserText, ...]:
    """The texts of the user messages that are sent, in order; with `latest_only`, the last one alone.

    Text parts of one message are joined by a space, so that words of two parts never grow together. The original
    code joined all messages, too; here each stays apart, so that a decision can name the message it comes from.
    """
    found = tuple(
        UserText(index, _joined(message))
        for index, message in enumerate(messages)
        if message.role == "user" and not message.excluded
    )
    return found[-1:] if latest_only else found


def _joined(message: Message) -> str:
    parts = message.parts
    return message.text if parts is None else " ".join(part_text(part) for part in parts)


@lru_cache(maxsize=512)
def whole_word(phrase: str) -> re.Pattern[str]:
    """The pattern that finds `phrase` as whole words, in any case, with any white space between its words."""
    words = r"\s+".join(re.escape(word) for word in phrase.split())
    return re.compile(rf"(?<!\w){words}(?!\w)" if words else r"(?!)", re.IGNORECASE)


def words_found(texts: Sequence[UserText], phrases: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Each phrase that stands in the texts, in the phrases' order, with the index of the last message it stands in."""
    found = []
    for phrase in dict.fromkeys(phrases):
        at = [each.index for each in texts if whole_word(phrase).search(each.text)]
        if at:
            found.append((phrase, at[-1]))
    return tuple(found)
