"""Builds the rows of an encoding, and puts new ones in the place of old ones."""

from array import array
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

from thinkpane.tokens.changes import Change, Version
from thinkpane.tokens.encoding import ALIGNED, CHANGED, CONTINUED, SPECIAL, Encoding
from thinkpane.tokens.ids import Ids, moved
from thinkpane.tokens.pieces import Pieces

LONG: Final = 8192
"""Characters from which a segment gets several rows, and is no longer encoded as a whole for each edit."""

STRIDE: Final = 256
"""Tokens of a row of a long segment."""


def _numbers() -> Ids:
    return array("I")


@dataclass(slots=True)
class Rows:
    """New rows with their ids; `bounds` count from their own first id."""

    pieces: Pieces
    starts: Ids = field(default_factory=_numbers)
    bounds: Ids = field(default_factory=_numbers)
    kinds: bytearray = field(default_factory=bytearray)
    ids: Ids = field(default_factory=_numbers)

    def add(self, start: int, text: str, ids: Ids, special: bool) -> None:
        """One whole segment, encoded as a whole."""
        if special or len(text) < LONG:
            self._add(start, ids, SPECIAL if special else 0)
        elif not self._add_spelled(start, ids, 0, text):
            self._add(start, ids, CHANGED)

    def add_aligned(self, start: int, ids: Ids, kind: int) -> None:
        """A segment or the rest of one (kind: CONTINUED) whose ids spell its text, in as many rows as it needs."""
        self._add_spelled(start, ids, kind, None)

    def _add_spelled(self, start: int, ids: Ids, kind: int, text: str | None) -> bool:
        """The same, where they do spell it; else nothing is added and False given. text: None = they are known to.

        Row by row, because one call over a million ids would keep the window's thread from running meanwhile.
        """
        first, rows, at, begin = len(self.ids), len(self.kinds), 0, start
        self.ids.extend(ids)
        while at < len(ids) or not at:
            end = min(len(ids), at + STRIDE)
            while end < len(ids) and self.pieces.opens[ids[end]]:
                end += 1
            self.starts.append(begin)
            self.bounds.append(first + at)
            self.kinds.append(kind | ALIGNED if not at else CONTINUED | ALIGNED)
            part = ids[at:end]
            width = self.pieces.width(part)
            last = end == len(ids)
            if text is not None and not self.pieces.spell(
                part, text[begin - start :] if last else text[begin - start : begin - start + width]
            ):
                del self.ids[first:], self.starts[rows:], self.bounds[rows:], self.kinds[rows:]
                return False
            begin += width
            at = max(end, 1)
        return True

    def _add(self, start: int, ids: Ids, kind: int) -> None:
        self._row(start, kind)
        self.ids.extend(ids)

    def _row(self, start: int, kind: int) -> None:
        self.starts.append(start)
        self.bounds.append(len(self.ids))
        self.kinds.append(kind)


def empty(pieces: Pieces) -> Encoding:
    """The encoding of no text."""
    return Encoding("", array("I"), array("I", [0]), array("I", [0]), b"", pieces)


def spliced(old: Encoding, first: int, last: int, rows: Rows, text: str) -> Encoding:
    """`old` with `rows` in the place of its rows [first, last); text: what it now stands for."""
    begin, end = old.bounds[first], old.bounds[last]
    ids = old.ids[:]
    ids[begin:end] = rows.ids
    return Encoding(
        text,
        ids,
        old.starts[:first] + rows.starts + moved(old.starts[last:], len(text) - len(old.text)),
        old.bounds[:first] + moved(rows.bounds, begin) + moved(old.bounds[last:], begin + len(rows.ids) - end),
        old.kinds[:first] + bytes(rows.kinds) + old.kinds[last:],
        old.pieces,
        Version(len(text), old.version, Change(old.starts[first], len(old.text) - old.starts[last])),
    )


def parts(ids: Ids, start: int, edges: list[int], pieces: Pieces) -> list[Ids] | None:
    """Aligned ids that begin at `start`, parted at `edges` (code points); None where one lies inside a token."""
    begins = [*accumulate(map(pieces.widths.__getitem__, ids), initial=start)]
    at = [0]
    for edge in edges:
        found = bisect_right(begins, edge) - 1
        if begins[found] != edge or (found < len(ids) and pieces.opens[ids[found]]):
            return None
        at.append(found)
    return [ids[first:last] for first, last in zip(at, [*at[1:], len(ids)], strict=True)]
