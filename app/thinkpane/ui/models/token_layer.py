"""The tokens of a shown text, found for the stretch that is looked at; nothing is made for the rest of a million."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from thinkpane.prompt.tokenizer import Description
from thinkpane.tokens.changes import NOTHING, Change
from thinkpane.tokens.encoding import SPECIAL, AskPlaces, Encoding
from thinkpane.tokens.ids import Ids

TokenKind: TypeAlias = Literal["", "added", "special"]
"""special: controls a model; added: cut out of texts as a whole, no special one; "": all others."""

_ROWS_KEPT = 256


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a text. index: its number, from 0. start, end: code points; parts of one character share its place.

    count: 1, or how many tokens the stretch has where the places of single ones are not known; then `id` is the first.
    """

    index: int
    id: int
    start: int
    end: int
    kind: TokenKind = ""
    count: int = 1


Outline: TypeAlias = tuple[int, tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""The number of the first of some tokens, -1 = there is none; where they begin, where they end, ids, counts."""


class TokenSource(Protocol):
    """What a text view asks for the tokens it shows."""

    def between(self, start: int, end: int) -> Sequence[Token]:
        """The tokens that touch the code points [start, end), in order."""

    def outline(self, start: int, end: int) -> Outline:
        """The same as plain numbers, places counted from `start`: asked for every row in sight at each keystroke."""


def outline_of(found: Sequence[Token], start: int) -> Outline:
    """The outline of tokens, counted from `start`."""
    return (
        found[0].index if found else -1,
        tuple(each.start - start for each in found),
        tuple(each.end - start for each in found),
        tuple(each.id for each in found),
        tuple(each.count for each in found),
    )


class TokenLayer:
    """The tokens of one encoding. Places are computed row by row (Encoding) and the latest rows are kept."""

    def __init__(self, encoding: Encoding, known: Description, ask: AskPlaces = lambda _text: None) -> None:
        """ask: what gives the places in a stretch that a normaliser changed, None while it does not know them."""
        self.encoding = encoding
        self.known = known
        self._ask = ask
        self._rows: dict[int, tuple[Ids, Ids]] = {}
        self._waits = False

    def __len__(self) -> int:
        """How many tokens there are."""
        return len(self.encoding.ids)

    def between(self, start: int, end: int) -> list[Token]:
        """The tokens that touch [start, end), in order."""
        return [each for row in self._touched(start, end) for each in self._of_row(row, start, end)]

    def outline(self, start: int, end: int) -> Outline:
        """What TokenSource says; no token is made for it but where places are not known."""
        first = -1
        opens: list[int] = []
        closes: list[int] = []
        ids: list[int] = []
        counts: list[int] = []
        for row in self._touched(start, end):
            starts, ends = self._places(row)
            begin = self.encoding.bounds[row]
            if starts:
                low, high = bisect_right(ends, start), bisect_left(starts, end)
                opens += starts[low:high]
                closes += ends[low:high]
                ids += self.encoding.ids[begin + low : begin + high]
                counts += [1] * (high - low)
                number = begin + low if low < high else -1
            else:
                whole = self._of_row(row, start, end)
                opens += [each.start for each in whole]
                closes += [each.end for each in whole]
                ids += [each.id for each in whole]
                counts += [each.count for each in whole]
                number = begin if whole else -1
            first = number if first < 0 else first
        back = (-start).__add__
        return first, tuple(map(back, opens)), tuple(map(back, closes)), tuple(ids), tuple(counts)

    def shared(self, former: TokenSource) -> Change:
        """The code points, at the ends of both texts, that are known to have the same tokens as in `former`."""
        if not isinstance(former, TokenLayer) or former._waits or former.known is not self.known:
            return NOTHING
        return self.encoding.version.shared(former.encoding.version)

    def at(self, position: int) -> list[Token]:
        """The tokens that hold a part of the character at `position`; several where they split it."""
        return self.between(position, position + 1)

    def token(self, index: int) -> Token:
        """The token with that number. Raises IndexError where there is none."""
        if not 0 <= index < len(self):
            raise IndexError(index)
        row = self.encoding.row_of(index)
        begin = self.encoding.bounds[row]
        starts, ends = self._places(row)
        if not starts:
            return self._whole(row)
        return self._token(index, starts[index - begin], ends[index - begin])

    def piece(self, id: int) -> bytes:
        """The bytes that an id stands for; none for one that the vocabulary does not hold."""
        return self.known.pieces[id] if id < len(self.known.pieces) else b""

    def _touched(self, start: int, end: int) -> range:
        """The encoding's rows that [start, end) touches."""
        encoding = self.encoding
        if start >= end:
            return range(0)
        return range(encoding.row_at(start), bisect_left(encoding.starts, end, 0, len(encoding)))

    def _of_row(self, row: int, start: int, end: int) -> list[Token]:
        starts, ends = self._places(row)
        if not starts:
            return [self._whole(row)] if self.encoding.bounds[row + 1] > self.encoding.bounds[row] else []
        begin = self.encoding.bounds[row]
        numbers = range(bisect_right(ends, start), bisect_left(starts, end))
        return [self._token(begin + number, starts[number], ends[number]) for number in numbers]

    def _token(self, index: int, start: int, end: int) -> Token:
        id = self.encoding.ids[index]
        return Token(index, id, start, end, self._kind(id))

    def _whole(self, row: int) -> Token:
        """All of a row as one, where a normaliser changed it: its ids do not spell its text."""
        begin, end = self.encoding.bounds[row], self.encoding.bounds[row + 1]
        id = self.encoding.ids[begin]
        first, last = self.encoding.starts[row], self.encoding.starts[row + 1]
        return Token(begin, id, first, last, self._kind(id) if end - begin == 1 else "", end - begin)

    def _kind(self, id: int) -> TokenKind:
        if id in self.known.special:
            return "special"
        return "added" if id in self.known.added else ""

    def _places(self, row: int) -> tuple[Ids, Ids]:
        """Where the row's tokens begin and end; nothing where that is not known."""
        found = self._rows.get(row)
        if found is None:
            found = self._read(row)
            if not found[0]:
                return found
            if len(self._rows) >= _ROWS_KEPT:
                del self._rows[next(iter(self._rows))]
            self._rows[row] = found
        return found

    def _read(self, row: int) -> tuple[Ids, Ids]:
        starts, ends = array("I"), array("I")
        encoding = self.encoding
        if encoding.kinds[row] & SPECIAL:
            return starts, ends
        begin, count = encoding.starts[row], encoding.bounds[row + 1] - encoding.bounds[row]
        known = encoding.known_places(row)
        places = known if known is not None else self._ask(encoding.row_text(row))
        self._waits = self._waits or places is None
        if places is not None and len(places) == count:
            for start, end in places:
                starts.append(begin + start)
                ends.append(begin + end)
        return starts, ends


class MovedTokens:
    """A layer for a text that was edited since, until its own tokens come: those that the edit did not touch.

    before: the layer of the text before.
    """

    def __init__(self, layer: TokenSource, start: int, end: int, new_end: int) -> None:
        """[start, end): what was replaced, in the layer's text; new_end: where what replaced it ends in the new one."""
        self.before = layer
        self._start, self._end, self._by = start, end, new_end - end

    def between(self, start: int, end: int) -> list[Token]:
        """The tokens that touch [start, end) of the new text and were there before."""
        by = self._by
        before = self.before.between(start, min(end, self._start)) if start < self._start else ()
        after = self.before.between(max(start - by, self._end), end - by) if end - by > self._end else ()
        return [each for each in before if each.end <= self._start] + [
            Token(each.index, each.id, each.start + by, each.end + by, each.kind, each.count)
            for each in after
            if each.start >= self._end
        ]

    def outline(self, start: int, end: int) -> Outline:
        """What TokenSource says."""
        return outline_of(self.between(start, end), start)
