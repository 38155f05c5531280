"""How many tokens of a prompt each of its parts has.

The rule: a token belongs to the part of its first character that came from input, and where none did to the part of its
first character. So a space of the template's that became one token with a message's first word counts to the message.
Tokens that share one character belong where that character does. The counts add up to all tokens.
"""

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from thinkpane.prompt.parts import TEMPLATE_KINDS, Part, Parts
from thinkpane.tokens.encoding import ALIGNED, CHANGED, AskPlaces, Encoding
from thinkpane.tokens.ids import Ids

_BLOCK = 64
"""Tokens that are skipped at once."""


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """by_part: tokens of each. exact: False where a part begins inside a segment whose tokens do not spell its text (a
    normaliser changed it) and have no known places: there they are taken to be of equal length."""

    by_part: dict[Part, int]
    exact: bool = True


def nothing_known(_text: str) -> None:
    """Knows no places of tokens in any text."""


def token_counts(parts: Parts, encoding: Encoding, ask: AskPlaces = nothing_known) -> TokenCounts:
    """The tokens of each part. `encoding` must be of the text that has these parts; ask: as in Encoding.places."""
    rows = _Rows(encoding, ask)
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
    """Where tokens begin, row by row; asked for ascending positions, so that each row is gone through once at most."""

    def __init__(self, encoding: Encoding, ask: AskPlaces) -> None:
        self._encoding = encoding
        self._ask = ask
        self._row = -1
        self._ids: Ids = array("I")
        self._text = ""
        self._start = self._edge = self._spelled = self._at = self._known = 0
        self._begins: Ids | None = None
        self._ends: Ids | None = None
        self.exact = True

    def first_token(self, position: int) -> tuple[int, bool]:
        """The first token that begins at the position or after it, and whether the one before goes on beyond it."""
        encoding = self._encoding
        row = encoding.row_at(position)
        begin = encoding.bounds[row]
        if row == len(encoding) or encoding.starts[row] == position:
            return begin, False
        if row != self._row:
            self._row, self._ids, self._text = row, encoding.row_ids(row), encoding.row_text(row)
            self._start = self._edge = self._spelled = encoding.starts[row]
            self._at = self._known = 0
            self._begins = self._ends = None
        found = self._by_widths(position) if self._begins is None and not encoding.kinds[row] & CHANGED else None
        if found is not None:
            return begin + found[0], found[1]
        if self._begins is None or self._ends is None:
            self._begins, self._ends = self._places(row)
        at = bisect_left(self._begins, position)
        return begin + at, at > 0 and self._ends[at - 1] > position

    def _by_widths(self, position: int) -> tuple[int, bool] | None:
        """The same where the row's tokens spell its text up to there; None where they do not.

        Parts mostly begin near a row's start, and all tokens of all rows are a million: what lies before is skipped in
        blocks, what lies behind is not looked at.
        """
        ids, at, edge = self._ids, self._at, self._edge
        widths, opens = self._encoding.pieces.widths, self._encoding.pieces.opens
        while at < len(ids) and edge < position:
            block = ids[at : at + _BLOCK]
            wide = sum(map(widths.__getitem__, block))
            if edge + wide >= position:
                break
            at, edge = at + len(block), edge + wide
        while at < len(ids) and edge < position:
            at, edge = at + 1, edge + widths[ids[at]]
        self._at, self._edge = at, edge
        # A token that begins inside a character begins where that does.
        while at < len(ids) and edge - opens[ids[at]] < position:
            at, edge = at + 1, edge + widths[ids[at]]
        is_known = self._encoding.kinds[self._row] & ALIGNED
        if not is_known and not self._text[: edge - self._start].strip(" "):
            # Of leading spaces the first may be one that SentencePiece put there; only what follows them tells.
            return None
        if at > self._known and not is_known:
            new = self._text[self._spelled - self._start : edge - self._start]
            if not self._encoding.pieces.spell(ids[self._known : at], new):
                return None
            self._known, self._spelled = at, edge
        return at, at > 0 and edge > position

    def _places(self, row: int) -> tuple[Ids, Ids]:
        """Where the tokens of a row begin and end that do not spell its text from its start on."""
        encoding, ids, start, end = self._encoding, self._ids, self._start, self._encoding.starts[row + 1]
        known = encoding.known_places(row)
        found = known if known is not None else self._ask(encoding.row_text(row))
        if found is not None:
            return array("I", (start + each[0] for each in found)), array("I", (start + each[1] for each in found))
        self.exact = False
        edges = array("I", (start + (end - start) * at // max(len(ids), 1) for at in range(len(ids) + 1)))
        return edges[:-1], edges[1:]
