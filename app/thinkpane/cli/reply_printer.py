"""Prints a reply while it comes: thinking to standard error, dim on a terminal; the answer to standard output."""

import re
import sys
from collections.abc import Iterable
from typing import Literal, TextIO, TypeAlias

from thinkpane.cli.output import escaped, write_error
from thinkpane.streaming.events import AnswerDelta, AnswerWasThinking, Event, ThinkingDelta

_Place: TypeAlias = Literal["", "thinking", "answer"]

_DIM, _PLAIN = "\x1b[2m", "\x1b[0m"
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_HALF_PAIR = re.compile("[\ud800-\udbff]\\Z")


class ReplyPrinter:
    """Writes the events of one run as they come; `end` once there are no more.

    Bytes are UTF-8 with the reply's own line ends. What a terminal would obey in foreign text shows as an escape there,
    such as \\x1b; a file or pipe gets the answer as it is, but for half surrogate pairs, which UTF-8 cannot hold.
    """

    def __init__(self) -> None:
        self._place: _Place = ""
        self._at_line_start = True
        self._held = ""

    def take(self, events: Iterable[Event]) -> None:
        """Writes what these events bring."""
        for event in events:
            match event:
                case ThinkingDelta(text=text):
                    self._write("thinking", text)
                case AnswerDelta(text=text):
                    self._write("answer", text)
                case AnswerWasThinking():
                    self._leave()
                    write_error("note: what standard output holds so far turned out to be thinking")
        sys.stdout.flush()
        sys.stderr.flush()

    def end(self) -> None:
        """Ends the last line."""
        self._leave()

    def _write(self, place: _Place, text: str) -> None:
        if place != self._place:
            self._leave()
            self._place = place
            if place == "thinking" and sys.stderr.isatty():
                sys.stderr.write(_DIM)
        self._put(self._whole(text))

    def _whole(self, text: str) -> str:
        """The text with pairs of surrogates as the characters they stand for; a pair may come in two pieces."""
        text = self._held + text
        self._held = text[-1:] if _HALF_PAIR.search(text) else ""
        return _joined(text[: len(text) - len(self._held)])

    def _put(self, text: str) -> None:
        stream = self._stream
        if stream.isatty():
            text = _CONTROLS.sub(escaped, text)
        if text:
            self._at_line_start = text.endswith("\n")
            stream.flush()
            stream.buffer.write(text.encode("utf-8"))

    def _leave(self) -> None:
        if self._held:
            self._held, rest = "", self._held
            self._put(_joined(rest))
        if self._place and not self._at_line_start:
            self._stream.buffer.write(b"\n")
        if self._place == "thinking" and sys.stderr.isatty():
            sys.stderr.write(_PLAIN)
        self._place, self._at_line_start = "", True

    @property
    def _stream(self) -> TextIO:
        return sys.stdout if self._place == "answer" else sys.stderr


def _joined(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
