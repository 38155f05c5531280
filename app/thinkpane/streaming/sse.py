"""Server-sent events from bytes, however the bytes are cut.

Follows the event-stream grammar of the HTML standard (one byte order mark; CR, LF and CRLF; comments; several data
lines joined by a line feed), and differs where model servers do: an event that the end of the body cut short of its
blank line is still given out, and neither an event nor a line may grow without bound.
"""

from typing import NamedTuple

from thinkpane.errors import Problem
from thinkpane.streaming.lines import LineReader, Utf8

STRAY = 2048
_FIELDS = (b":", b"data:", b"event:", b"id:", b"retry:")


class SseEvent(NamedTuple):
    """One event. name: its `event` field, "" where it has none. flushed: the body ended before its blank line."""

    data: str
    name: str = ""
    flushed: bool = False


class SseReader:
    """Reads one body. Events without data are not given out, as the standard has it."""

    def __init__(self, event_bytes: int) -> None:
        """event_bytes: the most that one event's data, or any single line, may hold."""
        self._limit = event_bytes
        self._lines = LineReader(event_bytes)
        self._utf8 = Utf8()
        self._data: list[bytes] = []
        self._size = 0
        self._name = ""
        self._stray: list[bytes] = []

    @property
    def stray(self) -> str:
        """What stands after the last event without being of one, up to `STRAY` bytes; "" in a proper stream."""
        return b"\n".join(self._stray)[:STRAY].decode("utf-8", "replace").strip()

    @property
    def problem(self) -> Problem | None:
        """Set (kind "limit") once an event grew too large; nothing more is read then."""
        return self._lines.problem

    @property
    def invalid_bytes(self) -> int:
        """How many bytes were no UTF-8 and stand as U+FFFD in the data."""
        return self._utf8.invalid_bytes

    def feed(self, data: bytes) -> list[SseEvent]:
        """The events that `data` completes."""
        if self._is_one_event(data):
            self._stray = []
            return [SseEvent(self._utf8.text(data[6:-2]))]
        found: list[SseEvent] = []
        for line in self._lines.feed(data):
            if not line:
                self._dispatch(found)
            elif not self._take_field(line):
                break
        return found

    def close(self) -> list[SseEvent]:
        """The event that the end of the body completes, if any."""
        found: list[SseEvent] = []
        if self.problem is None:
            last = self._lines.close()
            if last:
                found += self.feed(last + b"\n")
            self._dispatch(found, flushed=True)
        return found

    def pass_event(self, size: int) -> bool:
        """Whether one whole event of one data line, of so many bytes, may be read by somebody else in place of
        `feed`: nothing is open, and it is not too large. It counts as read then."""
        if not self._is_between or size > self._limit:
            return False
        self._stray = []
        return True

    @property
    def _is_between(self) -> bool:
        """Whether the next byte begins an event."""
        return self._lines.is_between and not (self._data or self._name)

    def _is_one_event(self, data: bytes) -> bool:
        """Whether `data` is one whole event of one data line, as servers send most; it needs no cutting into lines."""
        return (
            data.startswith(b"data: ")
            and data.endswith(b"\n\n")
            and data.count(b"\n") == 2
            and b"\r" not in data
            and 8 < len(data) <= self._limit
            and self._is_between
        )

    def _take_field(self, line: bytes) -> bool:
        """Takes one line that is not blank; False once the event is too large."""
        if line.startswith(b"data:"):
            return self._add(line[6:] if line.startswith(b"data: ") else line[5:])
        if line == b"data":
            return self._add(b"")
        if line.startswith(b"error:"):
            # llama.cpp's way until 2025.
            self._name = "error"
            return self._add(line[6:].strip())
        if line.startswith(b"event:"):
            self._name = self._utf8.text(line[6:].removeprefix(b" "))
        elif not any(line.startswith(each) or each.startswith(line) for each in _FIELDS):
            self._keep_stray(line)
        return True

    def _add(self, data: bytes) -> bool:
        self._size += len(data) + bool(self._data)
        if self._size > self._limit:
            self._lines.refuse()
            return False
        self._data.append(data)
        return True

    def _keep_stray(self, line: bytes) -> None:
        if sum(map(len, self._stray)) < STRAY:
            self._stray.append(line)

    def _dispatch(self, found: list[SseEvent], *, flushed: bool = False) -> None:
        if self._data:
            data = self._data[0] if len(self._data) == 1 else b"\n".join(self._data)
            if data:
                found.append(SseEvent(self._utf8.text(data), self._name, flushed))
            self._data = []
            self._size = 0
            if self._stray:
                self._stray = []
        self._name = ""
