"""Stops a model that only thinks: counts thinking blocks that follow each other without tool activity (seed 003)."""

import re

from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.streaming.events import AnswerDelta, AnswerWasThinking, Event, ThinkingDelta, ThinkingOpaque, ToolDelta

LIMIT = 3

BREAKER_TEXT = (
    "STOP thinking and start executing. You've been planning too long without taking action.\n"
    "Please provide concrete solutions or use available tools to complete the task."
)
"""What a person may send next; the wording is seed 003's."""

_FIELDS = ("reasoning_content", "reasoning", "thinking", "reasoning_text")
_PARTS = ("thinking", "redacted_thinking", "reasoning")
_OPEN_TAG = re.compile(r"<(think|thinking|thought|reasoning)>\s*[^\s<]")


class LoopGuard:
    """Counts thinking blocks of one reply, after those of the conversation so far.

    A block is a run of thinking up to answer text, a tool call or the end of the reply. Answer text does not set the
    count back and neither does a new turn; a tool call or a tool's result does (docs/architecture.md, Exact terms).
    """

    def __init__(self, limit: int = LIMIT) -> None:
        """limit: fires when that many blocks in a row have begun. Raises ValueError below 1."""
        if limit < 1:
            raise ValueError("a loop guard needs a limit of at least 1")
        self.limit = limit
        self.count = 0
        self.fired = False
        self._before = 0
        self._inside = False

    def seed(self, messages: JsonValue) -> None:
        """Counts the turns before the reply: a list of messages in any of the forms that hold thinking."""
        self.count, self._inside = 0, False
        for message in messages if isinstance(messages, list) else []:
            if isinstance(message, dict):
                self._count_message(message)
        self._before = self.count

    def saw(self, event: Event) -> bool:
        """Counts one event of the reply; True once, when the block that reaches the limit begins."""
        match event:
            case ThinkingDelta() | ThinkingOpaque():
                if not self._inside:
                    self.count += 1
                self._inside = True
            case AnswerDelta(text=text):
                self._inside = self._inside and not text
            case AnswerWasThinking():
                # All of the reply so far turned out to be one run of thinking.
                self.count, self._inside = self._before + 1, True
            case ToolDelta():
                self.count, self._before, self._inside = 0, 0, False
        fires = self.count >= self.limit and self._inside and not self.fired
        self.fired = self.fired or fires
        return fires

    def _count_message(self, message: JsonObject) -> None:
        if message.get("role") in ("tool", "function", "observation") or _has_tools(message):
            self.count = 0
        elif message.get("role") == "assistant":
            self.count += _has_thinking(message)


def _has_thinking(message: JsonObject) -> bool:
    content = message.get("content")
    if any(isinstance(text := message.get(name), str) and text.strip() for name in _FIELDS):
        return True
    if isinstance(content, list):
        return any(_kind(part) in _PARTS for part in content)
    return isinstance(content, str) and _OPEN_TAG.search(content) is not None


def _has_tools(message: JsonObject) -> bool:
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    return bool(message.get("tool_calls") or message.get("function_call")) or any(
        _kind(part) in ("tool_use", "tool_call", "tool_result") for part in parts
    )


def _kind(part: JsonValue) -> JsonValue:
    return part.get("type") if isinstance(part, dict) else None
