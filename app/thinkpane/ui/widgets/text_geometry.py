"""A long text as rows: lays out the pieces that are looked at, keeps the latest of them, and walks from row to row."""

from collections.abc import Iterator
from typing import NamedTuple

from thinkpane.tokens.changes import NOTHING
from thinkpane.ui.models.token_layer import TokenSource
from thinkpane.ui.widgets.text_change import Change
from thinkpane.ui.widgets.text_layout import LaidPiece, Style
from thinkpane.ui.widgets.text_lines import LONGEST, Piece, TextLines
from thinkpane.ui.widgets.text_marks import Marks
from thinkpane.ui.widgets.text_shown import runs_left

_KEPT = 400
_NEAR = 256
"""Characters before a change in which a long line may be cut into pieces at another place than before."""

_MOST_GROWING = 8
"""Rows that the last piece of a growing line has at most before its upper ones become a piece of their own."""

_LEFT_GROWING = 2
"""Rows that are left then. What comes changes the last one, and the one above only in how its line goes on."""

_NUMBERED_SHARE = 0.6
"""How many of a row's characters there is room for, about, where tokens are as wide as their ids."""


class Place(NamedTuple):
    """One row. piece: the piece it belongs to; row: which of its rows, from 0."""

    piece: Piece
    row: int


class TextGeometry:
    """Rows of a text. Work grows with the rows that are asked for, not with the text."""

    def __init__(self, style: Style) -> None:
        self.lines = TextLines()
        self.marks = Marks()
        self.tokens: TokenSource | None = None
        self._style = style
        self._laid: dict[tuple[Piece, bool], LaidPiece] = {}
        self._counted = (0, 0)

    @property
    def style(self) -> Style:
        """How pieces are laid out now."""
        return self._style

    @property
    def laid_pieces(self) -> int:
        """How many pieces are laid out and kept."""
        return len(self._laid)

    def set_style(self, style: Style) -> None:
        """Lays out anew from now on; keeps what is laid where nothing changed."""
        if style != self._style:
            self._style = style
            self.forget()
            share = _NUMBERED_SHARE if style.face.ids_font is not None else 1.0
            self.lines.set_columns(int(style.width / style.face.column * share))

    def forget(self) -> None:
        """Lays out anew from now on: the colours are others."""
        self._laid.clear()
        self._counted = (0, 0)

    def replace(self, change: Change, whole: str | None = None, marks: Marks | None = None) -> int:
        """Changes the text. whole: all of the new one, where somebody has it. marks: those of the new text, None =
        they are left as they are. What is laid out and looks the same is kept, also where it has moved. Gives the code
        points, from the start on, of which text and marks are known to be the same."""
        shared = NOTHING
        if marks is not None:
            shared, self.marks = marks.shared(self.marks, len(self.lines)), marks
        same = min(change.start, shared.before)
        if change.start == len(self.lines) and change.text:
            self._cut_growing()
        line_end = self.lines.text.find("\n", change.end)
        by = len(change.text) - (change.end - change.start)
        if self._counted[1] + _NEAR > change.start:
            self._counted = (0, 0)
        self.lines.replace(change.start, change.end, change.text, whole)
        if self.tokens is not None and self._style.face.ids_font is not None:
            self._laid.clear()
            return same
        touched = [key for key in self._laid if not self._lies_before(key[0], change.start)]
        moved = [self._laid.pop(key) for key in touched if 0 <= line_end < key[0].line_start]
        for key in touched:
            self._laid.pop(key, None)
        if marks is not None:
            unsure = [key for key in self._laid if key[0].following > shared.before]
            for key in [key for key in unsure if not self._laid[key].looks_as_marked(self.marks)]:
                del self._laid[key]
        marked = len(self.lines) - shared.after
        for laid in moved:
            self._keep_moved(laid, by, marked)
        return same

    def _lies_before(self, piece: Piece, change: int) -> bool:
        """Whether a change from that position on leaves a piece as it is."""
        if piece.newline:
            return piece.following <= change
        return piece.end + _NEAR <= change or (piece.end <= change and self.lines.is_cut(piece.end))

    def _cut_growing(self) -> None:
        """Parts the rows that stay as they are from the end of the text, which is about to grow.

        Not where letters run to the left: what is drawn in a row then depends on other rows of its line.
        """
        piece = self.lines.piece_at(len(self.lines))
        laid = self._laid.get((piece, True))
        if laid is None or laid.rows < _MOST_GROWING or laid.mixed or self._style.face.ids_font is not None:
            return
        start = piece.line_start
        at = laid.row_start(laid.rows - _LEFT_GROWING)
        if laid.is_caret_place(at) and not runs_left(self.lines.text[start : start + LONGEST]):
            self.lines.cut(at)

    def _keep_moved(self, laid: LaidPiece, by: int, marked: int) -> None:
        """marked: from there on the marks are known to be those that it was laid out with."""
        laid.move(by)
        if laid.piece.start >= marked or laid.looks_as_marked(self.marks):
            self._laid[laid.piece, self._is_last(laid.piece)] = laid

    def laid(self, piece: Piece) -> LaidPiece:
        """The piece, laid out."""
        last = self._is_last(piece)
        key = (piece, last)
        found = self._laid.get(key)
        if found is None:
            text = self.lines.text[piece.start : piece.end]
            numbered = self.tokens is not None and self._style.face.ids_font is not None
            tokens = self.tokens.between(piece.start, piece.following) if self.tokens and numbered else ()
            start = piece.line_start
            head = self.lines.text[start : start + LONGEST] if piece.start > start else ""
            found = LaidPiece(piece, text, self._style, self.marks, tokens, head, last=last)
            if len(self._laid) >= _KEPT:
                del self._laid[next(iter(self._laid))]
            self._laid[key] = found
            self.lines.learn(piece, found.rows)
        return found

    def _is_last(self, piece: Piece) -> bool:
        return piece.end == len(self.lines)

    def place_of(self, position: int, *, upstream: bool = False) -> Place:
        """The row that holds a position. upstream: between two rows, the upper one."""
        piece = self.lines.piece_at(position)
        if upstream and piece.line_start < piece.start == position:
            before = self.lines.piece_at(position - 1)
            return Place(before, self.laid(before).rows - 1)
        return Place(piece, self.laid(piece).row_of(position, upstream=upstream))

    def first(self) -> Place:
        """The first row."""
        return Place(self.lines.piece_at(0), 0)

    def last(self) -> Place:
        """The last row."""
        piece = self.lines.piece_at(len(self.lines))
        return Place(piece, self.laid(piece).rows - 1)

    def moved(self, place: Place, rows: int) -> Place:
        """The row so many rows further on (back where negative), the first or last where the text ends before."""
        piece, row = place.piece, place.row + rows
        while row < 0:
            before = self.lines.previous_piece(piece)
            if before is None:
                return Place(piece, 0)
            piece = before
            row += self.laid(piece).rows
        while row >= (count := self.laid(piece).rows):
            after = self.lines.next_piece(piece)
            if after is None:
                return Place(piece, count - 1)
            piece = after
            row -= count
        return Place(piece, row)

    def rows_from(self, place: Place) -> Iterator[tuple[LaidPiece, int]]:
        """The rows from `place` on."""
        piece: Piece | None = place.piece
        row = place.row
        while piece is not None:
            laid = self.laid(piece)
            for each in range(row, laid.rows):
                yield laid, each
            piece, row = self.lines.next_piece(piece), 0

    def rows_between(self, upper: Place, lower: Place, most: int) -> int:
        """How many rows `lower` lies below `upper`; `most` where it is further or above."""
        for count, (laid, row) in enumerate(self.rows_from(upper)):
            if count >= most:
                break
            if laid.piece == lower.piece and row == lower.row:
                return count
        return most

    def count_rows(self, most: int) -> int:
        """How many rows the text takes, exactly, up to `most`."""
        if self._counted[0] >= most:
            return most
        count = 0
        piece: Piece | None = self.lines.piece_at(0)
        while piece is not None and count < most:
            count += self.laid(piece).rows
            self._counted = (count, piece.end)
            piece = self.lines.next_piece(piece)
        return min(count, most)

    def number(self, place: Place) -> int:
        """How many rows lie above, about."""
        return self.lines.rows_before(place.piece) + place.row

    def place_at(self, number: int) -> Place:
        """The row with that number, about."""
        piece, row = self.lines.piece_at_row(number)
        return Place(piece, min(row, self.laid(piece).rows - 1))
