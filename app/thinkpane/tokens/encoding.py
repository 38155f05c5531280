"""A text with its ids, as arrays, and which token stands where in it."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from thinkpane.tokens.changes import Version
from thinkpane.tokens.ids import Ids
from thinkpane.tokens.pieces import Pieces

SPECIAL: Final = 1
"""A row that is one added token."""
CONTINUED: Final = 2
"""A row that goes on with the segment of the row before it."""
ALIGNED: Final = 4
"""A row whose tokens are known to spell its text."""
PROVISIONAL: Final = 8
"""The first row of a segment whose ids were joined and not yet confirmed."""

CHANGED: Final = 16
"""A row whose tokens are known not to spell its text: something was normalised or added."""

_NOT_PROVISIONAL: Final = bytes(each for each in range(32) if not each & PROVISIONAL)

Place: TypeAlias = tuple[int, int]
AskPlaces: TypeAlias = Callable[[str], Sequence[Place] | None]
"""The places of the tokens of one segment's text, where its ids do not spell it (Vocabulary.offsets).

None = not known yet: each of its tokens gets the whole segment as its place.
"""


@dataclass(frozen=True, slots=True)
class Encoding:
    """text: what was encoded. ids: of all of it. The table's rows are its segments; long segments have several.

    starts: where each row begins, in code points, and the end. bounds: the index of each row's first id, and the end.
    kinds: bits of each row (SPECIAL, CONTINUED, ALIGNED, PROVISIONAL, CHANGED). version: which one it was made of.
    """

    text: str
    ids: Ids
    starts: Ids
    bounds: Ids
    kinds: bytes
    pieces: Pieces
    version: Version = field(default_factory=Version, compare=False, repr=False)

    @property
    def provisional(self) -> bool:
        """True while ids that were joined inside a long segment are not confirmed."""
        return bool(self.kinds.translate(None, _NOT_PROVISIONAL))

    def segment_starts(self) -> Ids:
        """Where each segment begins, in code points: every added token, and every stretch between two."""
        return array("I", (start for start, kind in zip(self.starts, self.kinds, strict=False) if not kind & CONTINUED))

    def row_at(self, position: int) -> int:
        """The row that holds the code point; the number of rows at the text's end."""
        return bisect_right(self.starts, position, 0, len(self.kinds)) - 1 if position < len(self.text) else len(self)

    def row_of(self, token: int) -> int:
        """The row that holds the token; the number of rows behind the last one."""
        return bisect_right(self.bounds, token, 0, len(self.kinds)) - 1 if token < len(self.ids) else len(self)

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.kinds)

    def places(self, first: int, last: int, ask: AskPlaces) -> list[Place]:
        """The places of the tokens [first, last) in code points; parts of one character share its place.

        ask: is called for what a normaliser changed, with the whole segment.
        """
        found: list[Place] = []
        for row in range(self.row_of(first), len(self)):
            begin, start = self.bounds[row], self.starts[row]
            if begin >= last:
                break
            its = self._row_places(row, ask)[max(0, first - begin) : last - begin]
            found += [(start + opens, start + closes) for opens, closes in its]
        return found

    def token_at(self, position: int, ask: AskPlaces) -> int:
        """The token that holds the code point: the last one that begins there or before it, of the parts of one
        character the first; the number of ids at the text's end."""
        row = self.row_at(position)
        if row == len(self):
            return len(self.ids)
        places = self._row_places(row, ask)
        last = bisect_right(places, position - self.starts[row], key=_begin) - 1
        return self.bounds[row] + (bisect_left(places, places[last][0], key=_begin) if last >= 0 else 0)

    def count(self, start: int, end: int, ask: AskPlaces) -> int:
        """How many tokens begin in the code points [start, end)."""
        return self._begun_before(end, ask) - self._begun_before(start, ask)

    def _begun_before(self, position: int, ask: AskPlaces) -> int:
        row = self.row_at(position)
        if row == len(self) or self.starts[row] == position:
            return self.bounds[row]
        places = self._row_places(row, ask)
        return self.bounds[row] + bisect_left(places, position - self.starts[row], key=_begin)

    def _row_places(self, row: int, ask: AskPlaces) -> Sequence[Place]:
        """The places of a row's tokens, counted from its start."""
        known = self.known_places(row)
        found = known if known is not None else ask(self.row_text(row))
        if found is not None:
            return found
        return [(0, self.starts[row + 1] - self.starts[row])] * (self.bounds[row + 1] - self.bounds[row])

    def known_places(self, row: int) -> Sequence[Place] | None:
        """The places of a row's tokens, counted from its start, where they follow from what its ids stand for.

        That is so where these spell the row's text, also with a space before it, as SentencePiece puts one there: a
        token that is this space alone shares the place of the first character. None = the tokenizer must be asked.
        """
        ids = self.row_ids(row)
        if self.is_aligned(row):
            return [*self.pieces.places(ids, 0)]
        text = self.row_text(row)
        if self.kinds[row] & CHANGED or not text or not self.pieces.spell(ids, f" {text}"):
            return None
        return [(max(opens, 0), max(closes, 1)) for opens, closes in self.pieces.places(ids, -1)]

    def row_ids(self, row: int) -> Ids:
        """The ids of one row."""
        return self.ids[self.bounds[row] : self.bounds[row + 1]]

    def row_text(self, row: int) -> str:
        """The text of one row."""
        return self.text[self.starts[row] : self.starts[row + 1]]

    def is_aligned(self, row: int) -> bool:
        """True where the row's ids spell its text, so that places follow from their bytes."""
        kind = self.kinds[row]
        if kind & (ALIGNED | CHANGED):
            return bool(kind & ALIGNED)
        return self.pieces.spell(self.row_ids(row), self.row_text(row))


def _begin(place: Place) -> int:
    return place[0]
