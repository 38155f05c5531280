"""How many tokens of a prompt each of its parts has.

The rule: a token belongs to the part of its first character that came from input, and where none did to the part of its
first character. So a space of the template's that became one token with a message's first word counts to the message.
Tokens that share one character belong where that character does. The counts add up to all tokens.
"""

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from thinkpane.prompt.parts import TEMPLATE_KINDS, Part, Parts
from thinkpane.tokens.encoding import Encoding
from thinkpane.tokens.ids import Ids


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """by_part: tokens of each. exact: False where a part begins inside a segment whose tokens do not spell its text (a
    normaliser changed it): there they are taken to be of equal length."""

    by_part: dict[Part, int]
    exact: bool = True


def token_counts(parts: Parts, encoding: Encoding) -> TokenCounts:
    """The tokens of each part. `encoding` must be of the text that has these parts."""
    rows = _Rows(encoding)
    firsts: list[int] = []
    is_input = [each.kind not in TEMPLATE_KINDS for each in parts.names]
    was_input = True
    for start, number in zip(parts.starts, parts.numbers, strict=True):
        first, straddles = rows.first_token(start)
        if straddles and is_input[number] and not was_input:
            first = _taken(firsts, first, parts, is_input)
        firsts.append(max(first, firsts[-1] if firsts else 0))
        was_input = is_input[number]
    return TokenCounts(parts.summed([*firsts, len(encoding.ids)]), rows.exact)


def _taken(firsts: list[int], first: int, parts: Parts, is_input: Sequence[bool]) -> int:
    """Gives the token before `first` to what begins inside it, and takes it from stretches of the template's own; the
    first token of the new stretch."""
    owner = len(firsts) - 1
    while owner >= 0 and firsts[owner] >= first:
        owner -= 1
    if owner < 0 or is_input[parts.numbers[owner]]:
        return first
    for later in range(owner + 1, len(firsts)):
        firsts[later] = first - 1
    return first - 1


class _Rows:
    """Where tokens begin, row by row; asked for ascending positions, so that each row is looked at once."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self._row = -1
        self._edges: Ids = array("I")
        self._opens = b""
        self.exact = True

    def first_token(self, position: int) -> tuple[int, bool]:
        """The first token that begins at the position or after it, and whether the one before goes on beyond it."""
        encoding = self._encoding
        row = encoding.row_at(position)
        begin = encoding.bounds[row]
        if row == len(encoding) or encoding.starts[row] == position:
            return begin, False
        if row != self._row:
            self._look_at(row)
        at = bisect_left(self._edges, position)
        # Tokens that go on with the character before the position began with it.
        while at < len(self._opens) and self._edges[at] == position and self._opens[at]:
            at += 1
        return begin + at, self._edges[at] > position

    def _look_at(self, row: int) -> None:
        encoding = self._encoding
        self._row = row
        ids, start, end = encoding.row_ids(row), encoding.starts[row], encoding.starts[row + 1]
        if encoding.is_aligned(row):
            widths = map(encoding.pieces.widths.__getitem__, ids)
            self._edges = array("I", accumulate(widths, initial=start))
            self._opens = bytes(map(encoding.pieces.opens.__getitem__, ids))
        else:
            self.exact = False
            self._edges = array("I", (start + (end - start) * at // max(len(ids), 1) for at in range(len(ids) + 1)))
            self._opens = bytes(len(ids))
