"""The bytes of a vocabulary's ids, with what is needed to find the place of a token in a text."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from thinkpane.tokens.ids import Ids

_CONTINUATION = bytes(range(0x80, 0xC0))
"""Bytes that go on with a character in UTF-8; all others begin one."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """By id. widths: how many characters begin in its bytes. opens: 1 where they begin inside a character, else 0."""

    pieces: tuple[bytes, ...]
    widths: Ids
    opens: bytes

    def joined(self, ids: Iterable[int]) -> bytes:
        """What the ids stand for, one after another."""
        return b"".join(map(self.pieces.__getitem__, ids))

    def width(self, ids: Iterable[int]) -> int:
        """How many characters begin in the ids' bytes."""
        return sum(map(self.widths.__getitem__, ids))

    def spell(self, ids: Iterable[int], text: str) -> bool:
        """True where the ids stand for `text` byte by byte: nothing was normalised, added or left out."""
        return self.joined(ids) == text.encode("utf-8", "surrogatepass")

    def places(self, ids: Iterable[int], start: int) -> Iterator[tuple[int, int]]:
        """The place of each id in characters, where the first begins at `start`; parts of one character share it."""
        at = start
        for id in ids:
            first, at = at - self.opens[id], at + self.widths[id]
            yield first, at


def pieces_of(found: Sequence[bytes]) -> Pieces:
    """found: the bytes of each id, by id."""
    return Pieces(
        tuple(found),
        array("I", (len(each.translate(None, _CONTINUATION)) for each in found)),
        bytes(each[:1] in _STARTS for each in found),
    )


_STARTS = frozenset(bytes([each]) for each in _CONTINUATION)
