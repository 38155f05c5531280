"""A reply as the panes show it: events added up. Pure state; one thread owns it and applies the events in order."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias, TypeVar, assert_never

from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject
from thinkpane.streaming.blocks import AnswerBlock, ThinkingBlock, ToolCall
from thinkpane.streaming.events import (
    AnswerDelta,
    AnswerWasThinking,
    Ended,
    Event,
    Failed,
    Finish,
    Started,
    ThinkingDelta,
    ThinkingOpaque,
    TimingsReport,
    ToolDelta,
    Unknown,
    UsageReport,
    Warned,
)

Block: TypeAlias = ThinkingBlock | AnswerBlock | ToolCall
_Kind = TypeVar("_Kind", ThinkingBlock, AnswerBlock, ToolCall)

TOOL_FINISHES = ("tool_calls", "function_call", "tool_use")


class Transcript:
    """What has come so far.

    blocks: in order of arrival. rereads: how often answer text turned out to be thinking; a pane that only appends
    draws itself anew when it changes. finish: the server's word, "" while there is none; where several came, the one
    that says tools, else the first. usage, timings: the latest, as the server sent them. unknown: what nobody here
    knows, in order. problem: the first fault. ended: the last event came. is_clean: it ended with a finish mark and
    without a fault.
    """

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.rereads = 0
        self.id = ""
        self.model = ""
        self.finish = ""
        self.usage: JsonObject | None = None
        self.timings: JsonObject | None = None
        self.warnings: list[Warned] = []
        self.unknown: list[Unknown] = []
        self.problem: Problem | None = None
        self.ended = False
        self.is_clean = False
        self._by_key: dict[tuple[type[Block], str], Block] = {}

    def apply_all(self, events: Iterable[Event], at: float = 0.0) -> None:
        """Applies `events` in order; at: seconds since the run began."""
        for event in events:
            self.apply(event, at)

    def apply(self, event: Event, at: float = 0.0) -> None:
        """Applies one event; at: seconds since the run began. Amortised cost: that of the event's own text."""
        match event:
            case ThinkingDelta() | AnswerDelta() | ToolDelta() | ThinkingOpaque():
                self._grow(event, at)
            case AnswerWasThinking():
                self._reread(event.source)
            case Started():
                self.id, self.model = event.id or self.id, event.model or self.model
            case UsageReport():
                self.usage = event.usage
            case TimingsReport():
                self.timings = event.timings
            case Finish():
                if not self.finish or (event.reason in TOOL_FINISHES and self.finish not in TOOL_FINISHES):
                    self.finish = event.reason
            case Warned():
                self.warnings.append(event)
            case Failed():
                self.problem = self.problem or event.problem
            case Unknown():
                self.unknown.append(event)
            case Ended():
                self.ended, self.is_clean = True, event.clean
            case _:
                assert_never(event)

    @property
    def thinking_blocks(self) -> list[ThinkingBlock]:
        """The thinking blocks, redacted ones among them."""
        return [block for block in self.blocks if isinstance(block, ThinkingBlock)]

    @property
    def answer_blocks(self) -> list[AnswerBlock]:
        """The answer blocks."""
        return [block for block in self.blocks if isinstance(block, AnswerBlock)]

    @property
    def tool_calls(self) -> list[ToolCall]:
        """The tool calls in the order they began."""
        return [block for block in self.blocks if isinstance(block, ToolCall)]

    @property
    def thinking(self) -> str:
        """All thinking text; a blank line parts blocks that the server sent as such."""
        return self.thinking_with({})

    def thinking_with(self, edited: Mapping[int, str]) -> str:
        """The same with other texts in place of some blocks' (by their place among the thinking blocks, from 0)."""
        found: list[str] = []
        for place, block in enumerate(self.thinking_blocks):
            text = edited.get(place, block.text)
            if found and text and block.stands_alone:
                found.append("\n\n")
            found.append(text)
        return "".join(found)

    @property
    def answer(self) -> str:
        """All answer text."""
        return "".join(block.text for block in self.answer_blocks)

    def as_json(self) -> dict[str, object]:
        """The object that `thinkpane decode` prints (docs/cli.md)."""
        thoughts = self.thinking_blocks
        found: dict[str, object] = {
            "thinking": self.thinking,
            "answer": self.answer,
            "tool_calls": [
                {"id": call.id or None, "name": call.name, "arguments": call.arguments} for call in self.tool_calls
            ],
            "finish": self.finish,
            "thinking_blocks": [block.text for block in thoughts if not block.redacted],
            "redacted": sum(block.redacted for block in thoughts),
            "signatures": [block.signature for block in thoughts if block.signature],
            "usage": self.usage,
            "warn": list(dict.fromkeys(warned.id for warned in self.warnings)),
        }
        if self.problem is not None:
            found["error"] = self.problem.as_json()
        return found

    def _grow(self, event: ThinkingDelta | AnswerDelta | ToolDelta | ThinkingOpaque, at: float) -> None:
        block: Block
        match event:
            case ThinkingDelta():
                block = self._block(ThinkingBlock, event.block, at)
                block.source = block.source or event.source
                block.growing.append(event.text)
            case ThinkingOpaque():
                block = self._block(ThinkingBlock, event.block, at)
                if event.what == "signature":
                    block.signature += event.data
                else:
                    block.opaque += event.data
            case AnswerDelta():
                block = self._block(AnswerBlock, event.block, at)
                block.growing.append(event.text)
            case ToolDelta():
                block = self._block(ToolCall, event.key, at)
                block.id = event.id or block.id
                block.name = event.name or block.name
                block.growing.append(event.arguments)
        block.latest = at

    def _block(self, kind: type[_Kind], key: str, at: float) -> _Kind:
        found = self._by_key.get((kind, key))
        if not isinstance(found, kind):
            found = kind(key, started=at, latest=at)
            self._by_key[kind, key] = found
            self.blocks.append(found)
        return found

    def _reread(self, source: str) -> None:
        for index, block in enumerate(self.blocks):
            if isinstance(block, AnswerBlock):
                thought = ThinkingBlock(block.key, source, started=block.started, latest=block.latest)
                thought.growing.append(block.text.strip("\r\n"))
                self.blocks[index] = thought
                del self._by_key[AnswerBlock, block.key]
        self.rereads += 1
