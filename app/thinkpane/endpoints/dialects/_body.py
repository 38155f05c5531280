"""Reads a reply's body for what it is, not for what it was asked to be.

Servers answer a streaming request with one JSON body, with a web page or with nothing, and stream where none was asked
for. The first byte that is not blank tells which it is.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple, Protocol

from thinkpane.endpoints.dialects._api import Limits
from thinkpane.endpoints.dialects._errors import in_band_problem, not_a_stream
from thinkpane.endpoints.dialects._reply import Reply
from thinkpane.endpoints.dialects._server_values import server_value
from thinkpane.endpoints.dialects._shapes import foreign_format
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.streaming.events import Event
from thinkpane.streaming.lines import FirstInvalid
from thinkpane.streaming.ndjson import NdjsonReader
from thinkpane.streaming.sse import SseEvent, SseReader

_MARK = b"\xef\xbb\xbf"
_NOTHING = ("null", '""')
_SILENT = (b":", b"data", b"event:", b"id:", b"retry:")
_PAGE = 65_536
_WORDS = 200


class Plain(NamedTuple):
    """The one text that counts in a streamed value, and what takes the same text of another such value."""

    text: str
    take: Callable[[str], None]


class _Known(NamedTuple):
    """What stands before and after the text of a plain event: most events of a reply differ in that text alone.

    head, tail: the same as bytes of an event stream, when the event comes as one piece.
    """

    before: str
    after: str
    take: Callable[[str], None]
    head: bytes
    tail: bytes


class ReplyReader(Protocol):
    """What a dialect brings: how one decoded value is read into a Reply."""

    def part(self, value: JsonObject, event: str) -> None:
        """Takes one streamed value; event: the SSE event's name, "" where it has none."""

    def plain(self, value: JsonObject) -> Plain | None:
        """What of a streamed value counts where that is one text alone, None for all others (taken by `part` already).

        Another value that differs in this text only may be given to it without being read.
        """

    def whole(self, value: JsonObject) -> bool:
        """Takes a reply that is one JSON body; False where it is none of this dialect."""

    def end(self) -> None:
        """Ends the Reply."""


class BodyDecoder:
    """The Decoder of every dialect."""

    def __init__(
        self,
        reply: Reply,
        reader: ReplyReader,
        limits: Limits,
        *,
        dialect: str,
        streamed: bool,
        framing: Literal["sse", "ndjson"] = "sse",
    ) -> None:
        """dialect: its name. streamed: a stream was asked for. framing: how this dialect streams."""
        self._dialect = dialect
        self._foreign = ""
        self._reply = reply
        self._reader = reader
        self._limits = limits
        self._streamed = streamed
        self._framing = framing
        self._kind: Literal["", "sse", "ndjson", "json", "page"] = ""
        self._sse = SseReader(limits.event_bytes)
        self._ndjson = NdjsonReader(limits.event_bytes)
        self._body: list[bytes] = []
        self._size = 0
        self._lead = b""
        self._decoded = 0
        self._known: _Known | None = None
        self._odd = ""
        self._first_invalid = FirstInvalid()

    @property
    def is_over(self) -> bool:
        """True after the end mark, and where nothing more is read: past a limit, or in a web page."""
        is_read_page = self._kind == "page" and self._size >= _PAGE
        return self._reply.is_done or self._reply.limit_reached or is_read_page

    def feed(self, data: bytes) -> list[Event]:
        """The events that `data` completes."""
        if self._known is not None and self._take_again(data, self._known):
            return self._reply.take()
        self._first_invalid.feed(data)
        if not self._kind:
            data = self._look(data)
        if self._kind == "sse":
            if self._size < _PAGE:
                self._keep(data)
            self._take_events(self._sse.feed(data))
            self._check(self._sse.problem)
        elif self._kind == "ndjson":
            if not self._decoded and self._size < _PAGE:
                self._keep(data)
            self._take_lines(self._ndjson.feed(data))
            self._check(self._ndjson.problem)
        elif self._kind == "json" or (self._kind == "page" and self._size < _PAGE):
            self._keep(data)
            if self._size > self._limits.block_bytes:
                sentence = f"The answer is larger than {self._limits.block_bytes:,} bytes; reading stopped there."
                self._body, self._kind = [], "page"
                self._check(Problem("limit", sentence, detail={"limit": self._limits.block_bytes}))
        return self._reply.take()

    def close(self) -> list[Event]:
        """What remains when the body has ended."""
        if self._kind == "sse":
            self._take_events(self._sse.close())
            if self._sse.invalid_bytes:
                self._warn_of_bytes(self._sse.invalid_bytes)
        elif self._kind == "ndjson":
            self._take_lines(self._ndjson.close())
            if self._ndjson.invalid_bytes:
                self._warn_of_bytes(self._ndjson.invalid_bytes)
        if self._kind == "json":
            self._take_whole(b"".join(self._body))
        is_reply = self._decoded or self._reply.failed or self._reply.is_done or self._kind in ("", "json")
        if not is_reply and (self._kind != "sse" or self._odd or not self._is_silent()):
            self._reply.fail(not_a_stream(self._odd.encode() or b"".join(self._body)))
        if self._foreign and not self._reply.has_content and not self._reply.has_finish:
            sentence = f"The server answered in another format ({self._foreign}); set what the endpoint speaks to it."
            self._check(Problem("not_a_stream", sentence, detail={"class": "protocol"}))
        self._look_behind()
        self._reader.end()
        return self._reply.take()

    def _look_behind(self) -> None:
        """What a reply that was cut short says outside its events: gateways write their faults there."""
        if self._reply.has_finish or self._reply.is_done:
            return
        stray = self._sse.stray
        value = server_value(stray)
        self._check(in_band_problem(value) if isinstance(value, dict) else None)
        self._reply.last_words = " ".join((stray or self._odd).split())[:_WORDS]

    def _look(self, data: bytes) -> bytes:
        """Finds out what the body is; gives back what is to be read of it, b"" while it cannot be told."""
        self._lead += data
        if _MARK.startswith(self._lead[:3]) and len(self._lead) < len(_MARK):
            return b""
        self._lead = self._lead.removeprefix(_MARK).lstrip()
        if not self._lead:
            return b""
        first = self._lead[:1]
        if first == b"<":
            self._kind = "page"
        elif first not in b'{["':
            self._kind = "sse"
        else:
            self._kind = "ndjson" if self._framing == "ndjson" and self._streamed else "json"
        return self._lead

    def _keep(self, data: bytes) -> None:
        self._body.append(data)
        self._size += len(data)

    def _is_silent(self) -> bool:
        """True where an event stream held nothing but comments and fields without data."""
        lines = b"".join(self._body).replace(b"\r", b"\n").split(b"\n")
        return all(line.startswith(_SILENT) or any(each.startswith(line) for each in _SILENT) for line in lines)

    def _check(self, problem: Problem | None) -> None:
        if problem is not None:
            self._reply.fail(problem)

    def _warn_of_bytes(self, count: int) -> None:
        what = "1 byte of the reply is" if count == 1 else f"{count:,} bytes of the reply are"
        offset = self._first_invalid.offset
        where = "" if offset is None else f" (the first after {offset:,} bytes)"
        self._reply.warn("invalid-utf8", f"{what} no UTF-8{where}; shown as U+FFFD.")

    def _take_events(self, events: list[SseEvent]) -> None:
        for event in events:
            if not self._reply.is_done:
                self._take(event.data, event.name, event.flushed)

    def _take_lines(self, lines: list[str]) -> None:
        for line in lines:
            if not self._decoded and line.strip() in ("{", "["):
                self._kind = "json"  # one answer, indented, where a value a line is due
                return
            if not self._reply.is_done:
                self._take(line, "", False)

    def _take(self, data: str, name: str, flushed: bool) -> None:
        if self._known is not None and not name and self._take_known(data, self._known):
            return
        value = server_value(data)
        if value is None and data.startswith("data:"):
            data = data.removeprefix("data:").strip()
            value = server_value(data)
            if not _is_end_word(data):
                self._reply.warn("data-twice", "The server wraps its events twice; the inner ones are read.")
        if isinstance(value, dict):
            self._part(value, name)
            if not name:
                self._learn(data, value)
        elif isinstance(value, list):
            for each in value:
                if isinstance(each, dict):
                    self._part(each, name)
        elif _is_end_word(data):
            self._reply.done()
        elif data.strip() in _NOTHING:
            return
        elif not self._take_run_together(data, name):
            self._take_odd(data, name, flushed)

    def _take_known(self, data: str, known: _Known) -> bool:
        """Takes an event that differs from an earlier one in its text alone, without reading all its JSON.

        Text without quotes, backslashes and control characters stands in JSON as it is, so nothing else can differ.
        """
        before, after, take, _head, _tail = known
        if not (data.startswith(before) and data.endswith(after)):
            return False
        text = data[len(before) : len(data) - len(after)]
        if not text.isprintable() or '"' in text or "\\" in text or len(data) < len(before) + len(after):
            return False
        take(text)
        return True

    def _take_again(self, data: bytes, known: _Known) -> bool:
        """Takes what `_take_known` takes straight from a piece of an event stream that is such an event and no more."""
        _before, _after, take, head, tail = known
        if not (data.startswith(head) and data.endswith(tail)) or len(data) < len(head) + len(tail):
            return False
        raw = data[len(head) : -len(tail)]
        if not raw.isascii() or b'"' in raw or b"\\" in raw or self._reply.is_done:
            return False
        text = raw.decode("ascii")
        if not (text.isprintable() and self._sse.pass_event(len(data))):
            return False
        self._first_invalid.skip(len(data))
        if self._size < _PAGE:
            self._keep(data)
        take(text)
        return True

    def _learn(self, data: str, value: JsonObject) -> None:
        plain = self._reader.plain(value)
        if plain is None:
            return
        quoted = f'"{plain.text}"'
        # More than once, or spelled with escapes: it cannot be told where the text stands.
        if data.count(quoted) == 1:
            start = data.index(quoted) + 1
            before, after = data[:start], data[start + len(plain.text) :]
            head, tail = (each.encode("utf-8", "surrogatepass") for each in (f"data: {before}", f"{after}\n\n"))
            self._known = _Known(before, after, plain.take, head, tail)

    def _take_run_together(self, data: str, name: str) -> bool:
        """Events between which the server left out the blank line: their data comes as lines of one."""
        lines = data.split("\n")
        if len(lines) < 2 or not isinstance(server_value(lines[0]), dict):
            return False
        self._reply.warn("no-blank-lines", "The server leaves out the blank lines between events, so they come late.")
        for line in lines:
            if not self._reply.is_done and line.strip():
                self._take(line, name, line is lines[-1])
        return True

    def _take_odd(self, data: str, name: str, flushed: bool) -> None:
        if name == "error":
            self._check(in_band_problem({"error": server_value(data) or data}))
        elif flushed or (self._kind == "ndjson" and data.startswith("{")):
            self._decoded += 1
            self._reply.warn("event-cut-short", "The last event was cut short and could not be read.")
        else:
            self._odd = self._odd or data
            self._reply.warn("event-not-json", f"The stream holds an event that is no JSON: {data[:200]}")

    def _part(self, value: JsonObject, name: str) -> None:
        if not self._decoded:
            self._foreign = foreign_format(value, self._dialect)
        self._decoded += 1
        # Most events are plain chunks; only those that may report a fault are looked at closely.
        is_plain = not name and bool(value.get("choices")) and "error" not in value
        problem = None if is_plain else in_band_problem(value, name)
        if problem is not None:
            self._reply.fail(problem)
        else:
            self._reader.part(value, name)

    def _take_whole(self, body: bytes) -> None:
        text = body.decode("utf-8", "replace")
        value = server_value(text)
        if value is None and text.strip() != "null":
            self._take_unframed(text)
            return
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, list) and all(isinstance(each, dict) for each in value):
            self._take_list(value)
            return
        problem = in_band_problem(value) if isinstance(value, dict) else None
        if problem is not None:
            self._reply.fail(problem)
        elif not isinstance(value, dict) or not self._reader.whole(value):
            self._foreign = foreign_format(value, self._dialect) if isinstance(value, dict) else ""
            if not self._foreign:
                self._reply.fail(not_a_stream(body))
        elif self._streamed:
            self._reply.warn("not-streamed", "The server sent the whole reply at once, not as a stream.")

    def _take_list(self, values: list[JsonValue]) -> None:
        """A stream's values as one list."""
        for value in values:
            if isinstance(value, dict) and not self._reply.is_done:
                self._part(value, "")
        if self._reply.has_content:
            self._reply.warn("not-streamed", "The server sent the whole reply at once, not as a stream.")
        elif not self._reply.failed:
            self._reply.fail(not_a_stream(b"".join(self._body)))

    def _take_unframed(self, text: str) -> None:
        """A body that begins as JSON and is none: the dialect's values a line each, or an answer cut short."""
        lines = [line for line in text.split("\n") if line.strip()]
        if isinstance(server_value(lines[0]), dict):
            if self._framing == "sse":
                self._reply.warn("not-sse", "The server streamed bare JSON lines where an event stream is due.")
            else:
                self._reply.warn("streamed-unasked", "The server streamed, although one whole answer was asked for.")
            for line in lines:
                if not self._reply.is_done:
                    self._take(line, "", line is lines[-1])
            return
        sentence = f"The answer is cut short or damaged: it begins as JSON but is none: {text[:200]}"
        self._reply.fail(Problem("incomplete", sentence, detail={"class": "truncated"}))


def _is_end_word(data: str) -> bool:
    """Whether an event is the word that ends a stream: OpenAI's own, which gateways add to every other dialect's."""
    return data.strip().strip('"') == "[DONE]"
