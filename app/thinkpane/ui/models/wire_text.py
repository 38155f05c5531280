"""The wire as text to read: a head for each thing that went out or came in, and its bytes as text or in hexadecimal."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from thinkpane.formats import strict_json
from thinkpane.streaming.transcript import Transcript
from thinkpane.ui.widgets.text_marks import Mark

if TYPE_CHECKING:
    from thinkpane.runs.clock import RunClock
    from thinkpane.runs.wire import WireEntry

Form: TypeAlias = Literal["text", "hex"]

WIDE, NARROW = 16, 8
"""Bytes of a line in hexadecimal."""

_ROLES = {"request": "user", "response": "system", "error": "tool"}
_WORDS = {"data": "event"}
_AT_ONCE_MS = 50
_BUFFERED_EVENTS = 20


@dataclass(slots=True)
class WireWriter:
    """Writes entries one after the other, and adds them up.

    words: casefolded; only entries that hold them are written, "" = all. width: bytes of a line in hexadecimal.
    entries, events, size: how many there were, and how many bytes of the reply. first_ms, latest_ms: when the first
    event and the latest entry were there.
    """

    form: Form = "text"
    words: str = ""
    width: int = NARROW
    entries: int = 0
    events: int = 0
    size: int = 0
    first_ms: float = 0.0
    event_ms: float = 0.0
    latest_ms: float = 0.0

    def write(self, entries: "Iterable[WireEntry]", at: int = 0) -> tuple[str, list[Mark]]:
        """The entries that hold the words as text, a mark on each head. at: where the text will stand."""
        parts: list[str] = []
        marks: list[Mark] = []
        for entry in entries:
            head = self._head(entry)
            if self.words and self.words not in f"{head}\n{entry.data}".casefold():
                continue
            text = f"{head}\n{self._body(entry)}"
            marks.append(Mark(at, at + len(head), "token", _ROLES.get(entry.kind, "assistant")))
            parts.append(text)
            at += len(text)
        return "".join(parts), marks

    def _head(self, entry: "WireEntry") -> str:
        number = ""
        self.entries += 1
        if entry.kind == "data":
            self.first_ms = self.first_ms if self.events else entry.ms
            self.events += 1
            self.size += len(entry.raw)
            self.event_ms = entry.ms
            number = f" {self.events:,}"
        since, self.latest_ms = entry.ms - self.latest_ms, entry.ms
        later = f" (+{since:,.1f})" if since else ""
        return f"{entry.ms:,.1f} ms{later} · {_WORDS.get(entry.kind, entry.kind)}{number} · {len(entry.raw):,} B"

    def _body(self, entry: "WireEntry") -> str:
        if self.form == "hex" and entry.kind == "data":
            return "\n".join(hex_lines(entry.raw, self.width)) + "\n\n"
        text = entry.data
        return text + ("\n" if text.endswith("\n") else "\n\n")


def hex_lines(data: bytes, width: int = WIDE) -> Iterator[str]:
    """`width` bytes a line: where it begins, the bytes in hexadecimal, and what of them is printable ASCII."""
    for at in range(0, len(data), width):
        row = data[at : at + width]
        half = width // 2
        codes = f"{row[:half].hex(' ')}  {row[half:].hex(' ')}"
        letters = "".join(chr(each) if 32 <= each < 127 else "·" for each in row)
        yield f"{at:04x}  {codes:<{width * 3}}  {letters}"


def totals(writer: WireWriter, transcript: Transcript, clock: "RunClock | None" = None) -> str:
    """How much came, in how long, how it ended, what the server counted, and what nobody here knows."""
    if not writer.entries:
        return ""
    first = [counted(writer.entries, "entry", "entries")]
    first.append(f"{counted(writer.events, 'event', 'events')}, {writer.size:,} B")
    first.append(f"{writer.latest_ms / 1000:.2f} s")
    if clock is not None:
        first += timings(clock)
    if transcript.model:
        first.append(f"model: {transcript.model}")
    if transcript.finish:
        first.append(f"finish: {transcript.finish}")
    lines = [" · ".join(first)]
    for name, value in (("usage", transcript.usage), ("server timings", transcript.timings)):
        if value is not None:
            lines.append(f"{name}: {strict_json.dump(value, indent=None)}")
    if transcript.unknown:
        names = dict.fromkeys(each.name or "without a name" for each in transcript.unknown)
        count = counted(len(transcript.unknown), "unknown event", "unknown events")
        lines.append(f"{count}, kept as they came: {', '.join(names)}")
    lines.append(buffered(writer))
    return "\n".join(filter(None, lines))


def counted(number: int, one: str, more: str) -> str:
    """The number with its word."""
    return f"{number:,} {one if number == 1 else more}"


def timings(clock: "RunClock") -> list[str]:
    """When what began, and how long it took, as far as it is known."""
    found = []
    for words, seconds in (
        ("first byte", clock.to_first_byte),
        ("first thinking", clock.to_first_thinking),
        ("thinking", clock.thinking_seconds or None),
        ("first answer", clock.to_first_answer),
    ):
        if seconds is not None:
            found.append(f"{words} {seconds:.2f} s")
    if clock.answer_rate is not None:
        found.append(f"answer {clock.answer_rate:,.0f} chars/s")
    return found


def buffered(writer: WireWriter) -> str:
    """That something on the way gathers the events: all came at once, long after the request. "" where it does not."""
    span = writer.event_ms - writer.first_ms
    if writer.events < _BUFFERED_EVENTS or span > _AT_ONCE_MS or writer.first_ms < 1000:
        return ""
    after = f"after {writer.first_ms / 1000:.1f} s"
    return f"All {writer.events:,} events came within {span:.0f} ms, {after}: something on the way gathers them."
