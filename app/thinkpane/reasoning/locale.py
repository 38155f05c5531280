"""The locale enforcer: one instruction that asks for English, put before the system or the first user message."""

from collections.abc import Sequence
from dataclasses import dataclass

from thinkpane.conversation.messages import Message
from thinkpane.formats.json_values import JsonValue

# The wording is the one that the GLMT document prints; it is a value of that protocol, and can be edited.
INSTRUCTION = (
    "CRITICAL: You MUST respond in English only, regardless of the input language or context. "
    "This is a strict requirement."
)


@dataclass(frozen=True, slots=True)
class LocaleResult:
    """messages: with the instruction; index: the message that got it, None where none could. reason: one sentence."""

    messages: tuple[Message, ...]
    index: int | None
    reason: str


def enforce_locale(messages: Sequence[Message], instruction: str = INSTRUCTION) -> LocaleResult:
    """Puts `instruction` before the first system message, else before the first user message.

    Text becomes `instruction`, an empty line, text; a list of parts gets a new first text part; a message without
    content gets the instruction alone. Excluded messages are passed over. The messages given stay as they are.
    The original code does the same, but drops a top-level system prompt before it looks, so that there the line
    nearly always lands in the first user message; and it puts a second instruction (asking for reasoning tags)
    before this one even when thinking is off. The document knows neither, so neither is done here.
    """
    for role in ("system", "user"):
        for index, message in enumerate(messages):
            if message.role == role and not message.excluded:
                return _put(tuple(messages), index, instruction)
    return LocaleResult(tuple(messages), None, "There is no system or user message to put the instruction into.")


def _put(messages: tuple[Message, ...], index: int, instruction: str) -> LocaleResult:
    message = messages[index]
    where = f"message {index + 1} ({message.role})"
    content = message.content
    new: JsonValue
    if isinstance(content, str):
        new = f"{instruction}\n\n{content}"
    elif isinstance(content, list):
        new = [{"type": "text", "text": instruction}, *content]
    elif content is None:
        new = instruction
    else:
        return LocaleResult(messages, None, f"The content of {where} is neither text nor parts, so it is left alone.")
    changed = message.with_data({**message.data, "content": new})
    reason = f"The instruction to answer in English stands first in {where}."
    return LocaleResult((*messages[:index], changed, *messages[index + 1 :]), index, reason)
