"""An answer as its model generated it: what followed the prompt, thinking and end mark included.

A conversation holds the answer's fields, not its characters. Where the reply came in this window by a raw prompt, its
characters are known. Else they are taken from the template's own rendering of the answer as the last message; thinking
that it leaves out there is put back before it, between the marks of thinking.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from thinkpane.conversation.messages import Message
from thinkpane.prompt.diff import common_start

Basis: TypeAlias = Literal["completion", "reply", "template"]
"""Where an answer's characters are known from: they are the model's own; the template's, of thinking, text and calls as
they came; or the template's, of the message as it stands in the conversation."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as it came. message: its thinking, text and calls. prompt: what was answered, None = not known.

    text: the very characters that the model wrote behind the prompt, None where they are not known.
    """

    message: Message
    prompt: str | None = None
    text: str | None = None

    def follows(self, opening: str) -> bool:
        """Whether its characters stand behind a prompt that ends so: in another one they might be thinking."""
        return self.text is not None and self.prompt is not None and self.prompt.endswith(opening)


def generated(prompt: str, answered: str | None, answer: Message, tags: tuple[str, str]) -> str:
    """What the model wrote after `prompt`.

    answered: the prompt of the conversation up to and with the answer, where nothing more is to be generated; None
    where the template refuses that. tags: the marks of thinking, without blanks.
    """
    opening, closing = tags
    thinking = answer.reasoning.strip()
    is_open = prompt.rstrip().endswith(opening)
    same = common_start(prompt, answered or "")
    if is_open and same < len(prompt):
        # Another mark begins as this one does, so that they have more in common than they should.
        same = min(same, prompt.rindex(opening))
    tail = answer.text if answered is None else answered[same:]
    if answered is not None and answered.startswith(prompt) and (not thinking or thinking in tail):
        return tail
    if thinking and thinking in tail:
        # The prompt ends in something that this rendering writes otherwise; the text is the model's all the same.
        return tail[tail.index(thinking) :] if is_open else tail
    tail = _without_block(tail, opening, closing)
    if thinking:
        return f"{'' if is_open else opening + chr(10)}{thinking}\n{closing}\n\n{tail}"
    return f"{closing}{tail}" if is_open else tail


def _without_block(text: str, opening: str, closing: str) -> str:
    """The text without an empty block of thinking, or the rest of one, at its beginning."""
    left = text.lstrip()
    for mark in (opening, closing):
        if left.startswith(mark):
            text = left[len(mark) :]
            left = text.lstrip()
    return text
