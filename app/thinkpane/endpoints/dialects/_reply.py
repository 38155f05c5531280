"""Makes events of what a dialect reads, the same rules for every wire format.

A dialect says what came (thinking in a field, text, a piece of a tool call, …); a Reply splits, merges, counts and
warns, and says at the end whether the reply is whole.
"""

from typing import Literal

from thinkpane.endpoints.dialects._api import DecodeOptions, Limits
from thinkpane.endpoints.dialects._tool_calls import ToolCalls
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.streaming.answer_watch import AnswerWatch
from thinkpane.streaming.block_limit import BlockLimit
from thinkpane.streaming.channels import ChannelPiece, HarmonyReader
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
from thinkpane.streaming.surrogates import SurrogatePairs
from thinkpane.streaming.tags import DEFAULT_TAGS
from thinkpane.streaming.thinking import Piece, ThinkSplitter
from thinkpane.streaming.thinking_sources import FieldTags, Snapshots, ThinkingSources

FAILED_FINISHES = ("error", "insufficient_system_resource", "network_error", "abort")
"""Finish words that mean a fault (Mistral and OpenRouter, DeepSeek, Z.AI, SGLang)."""
FILTERED_FINISHES = ("content_filter", "sensitive", "refusal")
TOOL_FINISHES = ("tool_calls", "function_call", "tool_use")
_TEXT = "text"


class _Field:
    """One place where thinking arrives, read to plain thinking text."""

    def __init__(self, tags: tuple[tuple[str, str], ...]) -> None:
        self.pairs = SurrogatePairs()
        self.snapshots = Snapshots()
        self.tags = FieldTags(tags)


class Reply:
    """One reply being read. Methods add what came; `take` hands out the events so far.

    last_words: what stands behind the last event of a reply that was cut short.
    """

    last_words = ""

    def __init__(self, options: DecodeOptions, limits: Limits) -> None:
        self.has_content = False
        self.has_finish = False
        self.failed = False
        self.limit_reached = False
        self.is_done = False
        self.continued = options.continued
        self._events: list[Event] = []
        self._tags = DEFAULT_TAGS if options.think_tags is None else options.think_tags
        self._splitter = ThinkSplitter(
            options.think_tags, options.think_mode, prompt_opens_thinking=options.prompt_opens_thinking
        )
        self._harmony = (
            HarmonyReader(in_analysis=options.prompt_opens_thinking) if options.channels == "harmony" else None
        )
        self._limit = BlockLimit(limits.block_bytes, limits.blocks)
        self._sources = ThinkingSources()
        self._fields: dict[str, _Field] = {}
        self._is_field_open = self._has_snapshots = False
        self._text_pairs = SurrogatePairs()
        self._answer_snapshots = Snapshots(sure=1)
        self._watch = AnswerWatch()
        self._tools = ToolCalls(self.warn)
        self._warned: set[str] = set()
        self._why = "opened by the prompt"
        self._run: tuple[Literal["thinking", "answer", "tool", ""], str] = ("", "")
        self._last_thought = ""
        self._blocks = 0
        self._harmony_calls = 0
        self._full = False
        self._started = False
        self._finish_words: list[str] = []
        self._thought = self._answered = False

    def take(self) -> list[Event]:
        """The events since the last call."""
        events, self._events = self._events, []
        return events

    # What came.

    def started(self, id: JsonValue, model: JsonValue) -> None:
        """The server's id and model, said once, by the first event that has either."""
        if not self._started and (id or model):
            self._started = True
            self._events.append(Started(id if isinstance(id, str) else "", model if isinstance(model, str) else ""))

    def thinking(self, place: str, text: str) -> None:
        """Thinking in a place of its own, such as "field: reasoning"."""
        field = self._fields.get(place)
        text = text if field is None else field.pairs.joined(text)
        if not text:
            return
        self._take_pieces(self._splitter.cancel_seed())
        if field is None:
            field = self._fields[place] = _Field(self._tags)
            text = field.pairs.joined(text)
        self._is_field_open = True
        text = field.tags.feed(field.snapshots.piece(text))
        if field.snapshots.found:
            self._has_snapshots = True
            self.warn("cumulative-deltas", "The server sends all text so far each time; only what is new is shown.")
        self._say_tags_removed(field)
        if text:
            self._think(self._sources.add(place, text), place)

    def thinking_block(self, block: str, source: str, text: str) -> None:
        """Thinking that the server itself keeps in blocks; `block` is its key for it."""
        self._take_pieces(self._splitter.cancel_seed())
        self._run = ("thinking", block)
        self._last_thought = block
        self._put_thinking(text, source)

    def opaque(self, what: Literal["signature", "redacted"], data: str, block: str | None = None) -> None:
        """A signature of the latest thinking block, or a redacted block of its own; of `block` where that is given."""
        if not data:
            return
        if block is None:
            block = self._last_thought if what == "signature" and self._last_thought else self._new_block("thinking")
        if self._within_limit(block, data):
            self.has_content = True
            self._events.append(ThinkingOpaque(what, data, block))

    def text(self, text: str) -> None:
        """Text in which thinking may stand between tags, or channels between tokens."""
        if self._run[0] == "answer" and self._is_plain(text):
            self._put_answer(text)
            return
        text = self._text_pairs.joined(text)
        if not text:
            return
        if self._has_snapshots:
            text = self._answer_snapshots.piece(text)
        self._split(text)

    def _is_plain(self, text: str) -> bool:
        """Whether more of the answer may take the short way: nothing is held back anywhere, nothing can begin in it."""
        return (
            bool(text)
            and text.isascii()
            and not (self._is_field_open or self._has_snapshots or self._text_pairs.has_half or self._harmony)
            and self._splitter.passes(text)
        )

    def tool_calls(self, pieces: JsonValue) -> None:
        """A `tool_calls` list in OpenAI's form."""
        for delta in self._tools.add(pieces):
            self._put_tool(delta)

    def tool_begins(self, place: int | str) -> None:
        """A tool call begins at that place, in a server's own words."""
        self._tools.begin(place)

    def tool_piece(self, place: int | str, id: str, name: str, arguments: str) -> None:
        """One piece of a tool call; place: which one."""
        self._put_tool(self._tools.add_piece(place, id, name, arguments))

    def usage(self, usage: JsonValue) -> None:
        """Token counts, where there are any."""
        if isinstance(usage, dict) and usage:
            self._events.append(UsageReport(usage))

    def timings(self, timings: JsonValue) -> None:
        """The server's own timings, where there are any."""
        if isinstance(timings, dict) and timings:
            self._events.append(TimingsReport(timings))

    def unknown(self, name: str, data: JsonObject) -> None:
        """Something nobody here knows."""
        self._events.append(Unknown(name, data))

    def finish(self, reason: JsonValue) -> None:
        """Why the server stopped; "", null and the word null (DashScope) say nothing."""
        if not isinstance(reason, str) or reason in ("", "null"):
            return
        if self.has_finish:
            words = " and ".join(f"“{word}”" for word in (*self._finish_words, reason))
            self.warn("duplicate-finish", f"The server said more than once why it stopped: {words}.")
        self.has_finish = True
        self._finish_words.append(reason)
        self._events.append(Finish(reason))
        if reason in FILTERED_FINISHES:
            self.warn("content-filtered", f"The server's filter stopped the reply (“{reason}”).")
        if reason in FAILED_FINISHES:
            self.fail(Problem("server", f"The server stopped with “{reason}”.", detail={"class": "server"}))

    def warn(self, id: str, message: str) -> None:
        """Tells it once for each id."""
        if id not in self._warned:
            self._warned.add(id)
            self._events.append(Warned(id, message))

    def fail(self, problem: Problem) -> None:
        """The reply failed; only the first fault counts."""
        self.limit_reached = self.limit_reached or problem.kind == "limit"
        if not self.failed:
            self.failed = True
            self._events.append(Failed(problem))

    def done(self) -> None:
        """The body's own end mark came, as [DONE]; nothing after it counts."""
        self.is_done = True

    def end(self, *, ended_by: str = "finish reason", advice: str = "") -> None:
        """Nothing more comes. ended_by: what a whole reply has; `done` does too for one that says something.

        advice: what else to try where it was cut off.
        """
        self._end_text()
        whole = self.has_finish or (self.is_done and self.has_content)
        for delta in self._tools.end(complete=whole and not self.failed):
            self._put_tool(delta)
        self._say_what_is_odd()
        if not self.failed and not whole:
            came = "after part of the reply" if self.has_content else "before any of the reply came"
            words = f" The last that came is no part of one: {self.last_words}" if self.last_words else ""
            advice = f" {advice}" if advice else ""
            sentence = f"The connection ended {came}: no {ended_by} was seen.{advice}{words}"
            self.fail(Problem("incomplete", sentence, detail={"class": "truncated"}))
        elif not self.has_finish and not self.failed:
            self.warn("no-finish-reason", "The stream ended in good order, but the server did not say why it stopped.")
        self._events.append(Ended(clean=not self.failed))

    # Where it goes.

    def _end_text(self) -> None:
        self._end_fields()
        if half := self._text_pairs.rest():
            self._split(half)
        if self._harmony is not None:
            self._take_channels(self._harmony.close())
            is_open = self._harmony.is_thinking
        else:
            self._take_pieces(self._splitter.close())
            is_open = self._splitter.is_thinking
        if is_open and self._thought:
            self.warn("thinking-not-closed", "The reply ended inside thinking; its end never came.")

    def _say_what_is_odd(self) -> None:
        tools = len(self._tools)
        if not tools and any(word in TOOL_FINISHES for word in self._finish_words):
            self.warn("finish-tool-calls-without-calls", "The server says it stopped for tool calls, but sent none.")
        if self._watch.tool_markup:
            sentence = f"The answer holds tool-call markup ({self._watch.tool_markup}) that the server did not parse."
            self.warn("tool-markup-in-answer", sentence)
        if self._watch.special_token:
            sentence = f"A special token ({self._watch.special_token}) stands in the answer as text."
            self.warn("special-token-in-answer", sentence)
        if self._thought and not self._answered and not tools:
            self.warn("no-answer-only-thinking", "The whole reply is thinking; there is no answer.")

    def _split(self, text: str) -> None:
        if self._harmony is not None:
            self._take_channels(self._harmony.feed(text))
        else:
            self._take_pieces(self._splitter.feed(text))

    def _take_pieces(self, pieces: list[Piece]) -> None:
        for piece in pieces:
            if piece.what == "answer":
                self._answer(piece.text)
            elif piece.what == "thinking":
                self._think(self._sources.add(_TEXT, piece.text), self._why)
            elif piece.what == "opened":
                self._why = f"tag: {piece.text}"
                if not self._fields:
                    self._run = ("", "")
            elif piece.what == "reread":
                self._reread(piece.text)
            elif piece.what == "dropped":
                self.warn("think-tag-not-opened", f"{piece.text} came first of all, with nothing open; it is left out.")
            elif piece.what == "stray":
                self.warn("think-tag-in-answer", f"{piece.text} stands in the answer and was read as text.")

    def _reread(self, tag: str) -> None:
        self._events.append(AnswerWasThinking(f"closed by {tag}"))
        self._run = ("", "")
        self._thought, self._answered = True, False
        self.warn("think-tag-not-opened", f"{tag} came without an opening tag; all before it is read as thinking.")

    def _take_channels(self, pieces: list[ChannelPiece]) -> None:
        for piece in pieces:
            if piece.what == "started":
                self._run = ("", "")
                self._harmony_calls += bool(piece.recipient)
                if piece.recipient:
                    self.tool_piece(f"channel {self._harmony_calls}", "", piece.recipient, "")
            elif piece.what == "thinking":
                self._think(piece.text, "channel: analysis")
            elif piece.what == "answer":
                self._answer(piece.text)
            else:
                self.tool_piece(f"channel {self._harmony_calls}", "", "", piece.text)

    def _end_fields(self) -> None:
        self._is_field_open = False
        for place, field in self._fields.items():
            half = field.pairs.rest()
            rest = (field.tags.feed(half) if half else "") + field.tags.end()
            self._say_tags_removed(field)
            if rest:
                self._think(self._sources.add(place, rest), place)

    def _say_tags_removed(self, field: _Field) -> None:
        if field.tags.removed:
            self.warn("think-tag-in-reasoning-field", "A think tag stood in the thinking field itself; it is left out.")

    def _think(self, text: str, source: str) -> None:
        if text:
            if self._run[0] != "thinking":
                self._last_thought = self._new_block("thinking")
            self._put_thinking(text, source)

    def _put_thinking(self, text: str, source: str) -> None:
        if self._within_limit(self._run[1], text):
            self.has_content = self.has_content or bool(text)
            self._thought = self._thought or bool(text.strip())
            self._events.append(ThinkingDelta(text, source, self._run[1]))

    def _answer(self, text: str) -> None:
        self._end_fields()
        if self._run[0] != "answer":
            self._new_block("answer")
        self._put_answer(text)

    def _put_answer(self, text: str) -> None:
        if self._within_limit(self._run[1], text):
            self.has_content = True
            self._answered = self._answered or bool(text.strip())
            self._watch.feed(text)
            self._events.append(AnswerDelta(text, self._run[1]))

    def _put_tool(self, delta: ToolDelta) -> None:
        self._end_fields()
        self._run = ("tool", delta.key)
        if self._within_limit(delta.key, delta.arguments):
            self.has_content = True
            self._events.append(delta)

    def _new_block(self, what: Literal["thinking", "answer"]) -> str:
        self._blocks += 1
        self._run = (what, f"{what} {self._blocks}")
        return self._run[1]

    def _within_limit(self, block: str, text: str) -> bool:
        """False once the reply is too large; nothing of it is taken then."""
        if not self._full and (problem := self._limit.count(block, text)) is not None:
            self._full = True
            self.fail(problem)
        return not self._full
