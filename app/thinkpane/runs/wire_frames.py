"""Cuts a reply's body into what is shown one by one: the events of a stream, the lines of one, or the pieces that came.

No byte is lost or added: the pieces in a row are the body. Only for showing; what the reply means is read elsewhere.
"""

import re
from collections.abc import Mapping

LONGEST = 65_536
"""Bytes after which an event is shown in parts: one without an end must show too."""

_BLANK_LINE = re.compile(rb"\r\n\r\n|\n\n|\r\r")
_LINE_END = re.compile(rb"\n")
_ENDS = {
    "text/event-stream": _BLANK_LINE,
    "application/x-ndjson": _LINE_END,
    "application/ndjson": _LINE_END,
    "application/jsonl": _LINE_END,
}


class WireFrames:
    """Follows one body. A stream's events end with a blank line (two like line ends), JSON lines with a newline."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        """headers: the response's, names in lower case; another content type than a stream's is shown as it comes."""
        self._end = _ENDS.get(headers.get("content-type", "").partition(";")[0].strip().lower())
        self._held = b""

    def feed(self, data: bytes) -> list[bytes]:
        """The events that `data` completes."""
        if self._end is None:
            return [data] if data else []
        searched = max(len(self._held) - 3, 0)
        text = self._held + data
        found: list[bytes] = []
        start = 0
        for end in self._end.finditer(text, searched):
            found.append(text[start : end.end()])
            start = end.end()
        while len(text) - start > LONGEST:
            found.append(text[start : start + LONGEST])
            start += LONGEST
        self._held = text[start:]
        return found

    def close(self) -> bytes:
        """What the end of the body left without an end of its own."""
        held, self._held = self._held, b""
        return held
