"""Bytes of a GGUF file in order, fetched a piece at a time and never more than a limit."""

from collections.abc import Callable
from typing import Final

from thinkpane.errors import Problem, ThinkpaneError

PIECE: Final = 2**20
"""Bytes asked for at once: a header without a vocabulary fits, a large one takes about 20 requests."""


class ByteReader:
    """Reads forward. `at`: bytes taken or skipped so far."""

    def __init__(self, read: Callable[[int, int], bytes], limit: int) -> None:
        """limit: the last byte that may be needed."""
        self._read = read
        self._limit = limit
        self._piece = b""
        self._piece_start = 0
        self.at = 0

    def take(self, length: int, what: str) -> bytes:
        """The next `length` bytes. Raises ThinkpaneError where the file ends before, or the limit stands before."""
        start = self.at - self._piece_start
        if start + length > len(self._piece):
            self._fetch(length, what)
            start = 0
        self.at += length
        return self._piece[start : start + length]

    def skip(self, length: int, what: str) -> None:
        """Steps over `length` bytes; whether the file has them shows with the next ones taken."""
        self._check(length, what)
        self.at += length

    def _fetch(self, length: int, what: str) -> None:
        self._check(length, what)
        wanted = min(max(length, PIECE), self._limit - self.at)
        self._piece = self._read(self.at, wanted)
        self._piece_start = self.at
        if len(self._piece) < length:
            raise gguf_problem(f"The file ends inside its header, at {what}.")

    def _check(self, length: int, what: str) -> None:
        if self.at + length > self._limit:
            raise gguf_problem(f"Its header goes on after {self._limit:,} bytes, at {what}; no more are read.")


def gguf_problem(sentence: str) -> ThinkpaneError:
    """A fault of the file's header."""
    return ThinkpaneError(Problem("gguf", sentence))
