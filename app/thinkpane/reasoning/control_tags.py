"""The GLMT control tags in user messages: `<Thinking:On|Off>` and the deprecated `<Effort:Low|Medium|High>`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from thinkpane.conversation.messages import Message
from thinkpane.reasoning.user_text import UserText, user_texts

_THINKING = re.compile(r"<Thinking:(On|Off)>", re.IGNORECASE | re.ASCII)
_EFFORT = re.compile(r"<Effort:(Low|Medium|High)>", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class TagFound:
    """A tag that counts. tag: as it is spelled; value: lower-case; index: its message, counted from 0."""

    tag: str
    value: str
    index: int


@dataclass(frozen=True, slots=True)
class ControlTags:
    """The tags in force. overridden: tags that stand in the text and lost to these."""

    thinking: TagFound | None = None
    effort: TagFound | None = None
    overridden: tuple[TagFound, ...] = ()

    @property
    def any(self) -> bool:
        """True when at least one tag stands in a user message; then keywords are not asked."""
        return self.thinking is not None or self.effort is not None


def read_control_tags(messages: Sequence[Message]) -> ControlTags:
    """The tags of the user messages, in any case: the first of a kind in a message, of the last message that has one.

    Text parts are read like text: a tag that a person wrote counts, however the client packs the content. The
    original code reads text contents only. There as here tags stay in the prompt, so the model sees them, and
    there is no `<Effort:Max>`. The document calls `<Effort:…>` deprecated; it is read still, and named as such.
    """
    texts = user_texts(messages)
    thinking, lost_thinking = _winner(texts, _THINKING)
    effort, lost_effort = _winner(texts, _EFFORT)
    return ControlTags(thinking, effort, lost_thinking + lost_effort)


def _winner(texts: Sequence[UserText], pattern: re.Pattern[str]) -> tuple[TagFound | None, tuple[TagFound, ...]]:
    found = [
        [TagFound(match[0], match[1].lower(), each.index) for match in pattern.finditer(each.text)] for each in texts
    ]
    having = [tags for tags in found if tags]
    if not having:
        return None, ()
    winner = having[-1][0]
    return winner, tuple(tag for tags in having for tag in tags if tag is not winner)
