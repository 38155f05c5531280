"""Undoes the compression of a reply without letting it grow larger than it may.

Thinkpane asks for uncompressed replies; servers and gateways that compress all the same are read within bounds.
"""

import zlib

from thinkpane.errors import Problem, ThinkpaneError

LARGEST = 64 * 1024 * 1024
"""Bytes that a compressed reply may have in all when unpacked."""

STEEPEST = 100
"""Times its own size that a compressed reply may have when unpacked, from `FREE` bytes on; SSE text has about 20."""

FREE = 1024 * 1024
_PIECE = 64 * 1024
_WINDOWS = {"gzip": 16 + zlib.MAX_WBITS, "x-gzip": 16 + zlib.MAX_WBITS, "deflate": zlib.MAX_WBITS}


class Inflater:
    """Unpacks one body that comes in pieces."""

    def __init__(self, encoding: str) -> None:
        """encoding: the Content-Encoding header. Raises ThinkpaneError (kind "compression") for one unknown here."""
        names = [
            name for name in (each.strip().lower() for each in encoding.split(",")) if name not in ("", "identity")
        ]
        if len(names) > 1 or any(name not in _WINDOWS for name in names):
            sentence = f"The server compressed its answer ({encoding}) although it was asked not to; it cannot be read."
            raise ThinkpaneError(Problem("compression", sentence))
        self._name = names[0] if names else ""
        self._inflate = zlib.decompressobj(_WINDOWS[self._name]) if names else None
        self._taken = self._given = 0

    def feed(self, data: bytes) -> list[bytes]:
        """What `data` unpacks to, in pieces of at most 64 KiB.

        Raises ThinkpaneError (kind "compression") where it is not what its header says, (kind "limit") where it grows
        beyond `LARGEST` or `STEEPEST`.
        """
        if self._inflate is None:
            return [data]
        self._taken += len(data)
        found: list[bytes] = []
        try:
            while data and not self._inflate.eof:
                piece = self._inflate.decompress(data, _PIECE)
                data = self._inflate.unconsumed_tail
                self._given += len(piece)
                self._check()
                if piece:
                    found.append(piece)
                elif not data:
                    break
        except zlib.error:
            sentence = f"The server says that its answer is compressed ({self._name}), but it is not, or is damaged."
            raise ThinkpaneError(Problem("compression", sentence)) from None
        return found

    def _check(self) -> None:
        if self._given > LARGEST or (self._given > FREE and self._given > STEEPEST * self._taken):
            sentence = (
                f"The server's compressed answer grew to more than {self._given:,} bytes from {self._taken:,}; "
                "reading stopped there."
            )
            raise ThinkpaneError(Problem("limit", sentence, detail={"limit": LARGEST}))
