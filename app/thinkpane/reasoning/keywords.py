"""Thinking keywords: words of the user that ask for thinking, and how much of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from thinkpane.conversation.messages import Message
from thinkpane.reasoning.user_text import user_texts, words_found

# Highest priority first, with the effort each asks for (the GLMT document, “Thinking Keywords”).
THINKING_KEYWORDS: Mapping[str, str] = MappingProxyType(
    {"ultrathink": "max", "think harder": "high", "think hard": "medium", "think": "low"}
)


@dataclass(frozen=True, slots=True)
class KeywordFound:
    """The keyword that counts. index: the last message it stands in, counted from 0."""

    keyword: str
    effort: str
    index: int


def find_thinking_keyword(
    messages: Sequence[Message],
    keywords: Mapping[str, str] = THINKING_KEYWORDS,
    latest_only: bool = False,
) -> KeywordFound | None:
    """The first of `keywords` (in their order, so the highest) that a user message holds as a whole word.

    “rethink” and “thinking” hold none. All user messages count, as in the original code (the document does not say);
    `latest_only` takes the last one. Text parts are read like text. In the original any control tag and the
    request's own `thinking` keep the keywords from being asked at all; here that is the precedence's business.
    """
    found = words_found(user_texts(messages, latest_only), tuple(keywords))
    if not found:
        return None
    keyword, index = found[0]
    return KeywordFound(keyword, keywords[keyword], index)
