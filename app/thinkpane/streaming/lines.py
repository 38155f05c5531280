"""Lines from bytes, however the bytes are cut: CR, LF and CRLF all end a line, and no line grows without bound.

Only these three count: U+0085, U+2028 and their like are ordinary text (httpx's own line reader splits at them).
"""

import codecs

from thinkpane.errors import Problem

_MARK = b"\xef\xbb\xbf"
_REPLACEMENT = "\ufffd".encode()


class LineReader:
    """Cuts one body into lines, without their ends. A byte order mark at its very start is dropped."""

    def __init__(self, line_bytes: int) -> None:
        """line_bytes: the most that one line may hold."""
        self.problem: Problem | None = None
        self._limit = line_bytes
        self._open: list[bytes] = []
        self._open_size = 0
        self._after_cr = False
        self._start: bytes | None = b""

    @property
    def is_between(self) -> bool:
        """True between two lines, past the start of the body, with nothing held back."""
        return not (self._open or self._after_cr or self._start is not None or self.problem is not None)

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that `data` completes; none any more once `problem` is set."""
        if self.problem is not None:
            return []
        if self._start is not None:
            data = self._without_mark(data)
        if self._after_cr and data:
            data = data.removeprefix(b"\n")
            self._after_cr = False
        if b"\r" in data:
            self._after_cr = data.endswith(b"\r")
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if b"\n" not in data:
            self._keep(data)
            return []
        lines = (b"".join(self._open) + data).split(b"\n")
        self._open, self._open_size = [], 0
        rest = lines.pop()
        if max(map(len, lines)) > self._limit:
            lines = self._up_to_limit(lines)
        else:
            self._keep(rest)
        return lines

    def close(self) -> bytes:
        """The last line where the body ended without an end of line; b"" where there is none."""
        if self._start:
            self._keep(self._start)
        last = b"".join(self._open)
        self._open, self._open_size, self._start = [], 0, None
        return last

    def refuse(self) -> None:
        """Ends the reading: a line, or what its reader makes of several, is too large."""
        self.problem = Problem(
            "limit",
            f"The server sent one event of more than {self._limit:,} bytes; reading stopped there.",
            detail={"limit": self._limit},
        )
        self._open = []

    def _keep(self, data: bytes) -> None:
        if data:
            self._open.append(data)
            self._open_size += len(data)
            if self._open_size > self._limit:
                self.refuse()

    def _up_to_limit(self, lines: list[bytes]) -> list[bytes]:
        fits = []
        for line in lines:
            if len(line) > self._limit:
                self.refuse()
                break
            fits.append(line)
        return fits

    def _without_mark(self, data: bytes) -> bytes:
        start = (self._start or b"") + data
        if len(start) < len(_MARK) and _MARK.startswith(start):
            self._start = start
            return b""
        self._start = None
        return start.removeprefix(_MARK)


class Utf8:
    """Turns whole lines into text and counts the bytes that are no UTF-8."""

    def __init__(self) -> None:
        self.invalid_bytes = 0

    def text(self, data: bytes) -> str:
        """`data` as text, U+FFFD for what is no UTF-8."""
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return self._with_marks(data)

    def _with_marks(self, data: bytes) -> str:
        text = data.decode("utf-8", "replace")
        marks = text.count("\ufffd") - data.count(_REPLACEMENT)
        self.invalid_bytes += len(data) - len(text.encode("utf-8")) + len(_REPLACEMENT) * marks
        return text


class FirstInvalid:
    """Finds where a body that comes in pieces first is no UTF-8."""

    def __init__(self) -> None:
        self.offset: int | None = None
        """Bytes before it; None while there is none."""
        self._seen = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._is_open = False

    def feed(self, data: bytes) -> None:
        """Goes on over `data`."""
        if self.offset is None and (self._is_open or not data.isascii()):
            self._look(data)
        self._seen += len(data)

    def skip(self, size: int) -> None:
        """Goes on over so many bytes, which are ASCII and begin between two characters."""
        self._seen += size

    def _look(self, data: bytes) -> None:
        """Reads what is no ASCII, or goes on with a character that was cut."""
        open_bytes = len(self._decoder.getstate()[0])
        try:
            self._decoder.decode(data)
        except UnicodeDecodeError as fault:
            self.offset = self._seen - open_bytes + fault.start
            return
        left = self._decoder.getstate()[0]
        self._is_open = bool(left)
        if left[:1] == b"\xed" and left[1:] >= b"\xa0":
            # Half of a surrogate pair (RFC 3629, section 3), for whose third byte Python's decoder would still wait.
            self.offset = self._seen + len(data) - len(left)
