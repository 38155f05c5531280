"""One JSON value a line, from bytes, however the bytes are cut."""

from thinkpane.errors import Problem
from thinkpane.streaming.lines import LineReader, Utf8


class NdjsonReader:
    """Reads one body into its lines as text; blank lines are not given out."""

    def __init__(self, event_bytes: int) -> None:
        """event_bytes: the most that one line may hold."""
        self._lines = LineReader(event_bytes)
        self._utf8 = Utf8()

    @property
    def problem(self) -> Problem | None:
        """Set (kind "limit") once a line grew too large; nothing more is read then."""
        return self._lines.problem

    @property
    def invalid_bytes(self) -> int:
        """How many bytes were no UTF-8 and stand as U+FFFD in the lines."""
        return self._utf8.invalid_bytes

    def feed(self, data: bytes) -> list[str]:
        """The lines that `data` completes."""
        return [self._utf8.text(line) for line in self._lines.feed(data) if line.strip()]

    def close(self) -> list[str]:
        """The last line where the body ended without an end of line."""
        last = self._lines.close()
        return [self._utf8.text(last)] if self.problem is None and last.strip() else []
