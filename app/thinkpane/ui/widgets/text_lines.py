"""The lines of a long text, found only where they are looked at.

The text is one str. A piece is a line of it, or about `LONGEST` code points of a line: laying out one line of
megabytes freezes a window for seconds. A long line that grows gets further cuts where rows begin (`cut`), so that a
word at its end lays out its last rows alone. How many rows lie above a position is estimated page by page, and becomes
exact for pieces that were laid out (`learn`); only the scroll bar depends on it.
"""

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import NamedTuple

from thinkpane.ui.models.text_cuts import cut_before
from thinkpane.ui.models.text_pages import Opened, TextPages

LONGEST = 4096
"""Code points of a piece at most, but for the few that `cut_before` moves its ends by (source: the house's security
notes, layout bombs)."""
_PAGES_BY_PIECE = 4


class Piece(NamedTuple):
    """What is laid out at once. start, end: code points, the newline left out; line_start: where its line begins.

    newline: a newline follows it; then the next piece begins after that.
    """

    start: int
    end: int
    line_start: int
    newline: bool

    @property
    def following(self) -> int:
        """Where the next piece begins."""
        return self.end + self.newline

    def moved(self, by: int) -> "Piece":
        """The same piece where it is after an edit before its line."""
        return Piece(self.start + by, self.end + by, self.line_start + by, self.newline)


class TextLines:
    """A text and its pieces. Positions are code points; they must lie within 0 … len(text)."""

    def __init__(self, text: str = "") -> None:
        self.first_line = 1
        """The number of the first line; another one where the text is a part of a longer one."""
        self._text = text
        self._columns = 80
        self._pages = TextPages(text, self._columns)
        self._cuts: list[int] = []

    @property
    def text(self) -> str:
        """The text itself, exactly."""
        return self._text

    def __len__(self) -> int:
        return len(self._text)

    def set_columns(self, columns: int) -> None:
        """How many characters a row takes, about; forgets all that was learned of rows, and where they were cut."""
        self._columns = max(columns, 1)
        self._pages = TextPages(self._text, self._columns)
        self._cuts = []

    def cut(self, position: int) -> None:
        """Lets a piece begin at `position`, inside the last piece of the text, where a row of it begins. It is a cut
        that nobody sees, until the text before it in its line changes or rows get another width."""
        self._cuts.append(position)
        self._pages.close(max(position - LONGEST, 0), len(self._text))

    def is_cut(self, position: int) -> bool:
        """Whether a piece begins there because of `cut`."""
        place = bisect_left(self._cuts, position)
        return self._cuts[place : place + 1] == [position]

    def replace(self, start: int, end: int, text: str, whole: str | None = None) -> None:
        """Puts `text` in place of [start, end). whole: all of the new text where somebody has it; then none is made.

        At the end it is amortised, since a str that nobody else holds grows in place.
        """
        old = len(self._text)
        if start < old and self._cuts:
            self._move_cuts(start, end, len(text))
        if whole is not None:
            self._text = whole
        elif start == old:
            grown, self._text = self._text, ""
            grown += text
            self._text = grown
        else:
            self._text = self._text[:start] + text + self._text[end:]
        new_end = start + len(text)
        if self._pages.typed(self._text, start, end, new_end, LONGEST):
            return
        self._pages.replaced(self._text, start, end, new_end)
        line_end = self._text.find("\n", new_end)
        last = line_end + 1 if line_end >= 0 else len(self._text)
        self._pages.close(max(start - 2 * LONGEST, 0), last)

    def piece_at(self, position: int) -> Piece:
        """The piece that holds `position`; a newline belongs to the piece before it."""
        return self._piece(self._line_start(position), position)

    def next_piece(self, piece: Piece) -> Piece | None:
        """The piece after `piece`, None after the last."""
        if piece.newline:
            return self._piece(piece.following, piece.following)
        if piece.end == len(self._text):
            return None
        return self._piece(piece.line_start, piece.end)

    def previous_piece(self, piece: Piece) -> Piece | None:
        """The piece before `piece`, None before the first."""
        if piece.start > piece.line_start:
            return self._piece(piece.line_start, piece.start - 1)
        return self.piece_at(piece.start - 1) if piece.start else None

    def line_number(self, position: int) -> int:
        """The number of the line that holds `position`, from `first_line` on."""
        page = self._pages.page_at(position)
        before = self._pages.newlines_before(page)
        return before + self._text.count("\n", self._pages.begins[page], position) + self.first_line

    def line_count(self) -> int:
        """How many lines there are; an empty text has one."""
        return self._pages.newlines_before(len(self._pages.pages)) + 1

    def learn(self, piece: Piece, rows: int) -> None:
        """Says how many rows `piece` takes in truth."""
        number = self._pages.page_at(piece.start)
        opened = self._open(number)
        start = piece.start - self._pages.begins[number]
        index = bisect_right(opened.starts, start) - 1
        if index >= 0 and opened.starts[index] == start:
            self._pages.pages[number].rows += rows - opened.rows[index]
            opened.rows[index] = rows

    def row_count(self) -> int:
        """How many rows there are, about."""
        return max(self._pages.rows_before(len(self._pages.pages)), 1)

    def rows_before(self, piece: Piece) -> int:
        """How many rows lie above `piece`, about."""
        number = self._pages.page_at(piece.start)
        opened = self._open(number)
        within = bisect_right(opened.starts, piece.start - self._pages.begins[number] - 1)
        return self._pages.rows_before(number) + sum(opened.rows[:within])

    def piece_at_row(self, row: int) -> tuple[Piece, int]:
        """The piece that holds that row, about, and which of its rows it is."""
        sums = [*accumulate(page.rows for page in self._pages.pages)]
        number = min(bisect_right(sums, row), len(sums) - 1)
        left = row - (sums[number - 1] if number else 0)
        opened, begin = self._open(number), self._pages.begins[number]
        for start, rows in zip(opened.starts, opened.rows, strict=True):
            if left < rows:
                return self.piece_at(begin + start), max(left, 0)
            left -= rows
        start = opened.starts[-1] if opened.starts else 0
        return self.piece_at(begin + start), 0

    def knots(self) -> tuple[list[int], list[int]]:
        """Growing positions, the last being the text's end, and how many rows lie above each, about: of every piece
        in a text of few pages, else of every page."""
        pages, begins = self._pages.pages, self._pages.begins
        if len(pages) > _PAGES_BY_PIECE:
            return [*begins, len(self._text)], [0, *accumulate(page.rows for page in pages)]
        opened = [self._open(number) for number in range(len(pages))]
        starts = [begin + start for begin, page in zip(begins, opened, strict=True) for start in page.starts]
        rows = [count for page in opened for count in page.rows]
        return [*starts, len(self._text)], [0, *accumulate(rows)]

    def _piece(self, line_start: int, position: int) -> Piece:
        """The piece of a line that holds `position`. Pieces of long lines begin at whole multiples of `LONGEST` from
        the line's start, or the cut before them, on, or where `cut_before` puts that."""
        base, limit = self._around(line_start, position)
        number = (position - base) // LONGEST
        if number and base + number * LONGEST == position and self._ends_at(position):
            number -= 1
        start = self._multiple(base, number)
        end, newline = self._end(base, limit, start, number + 1)
        if newline or position < end or end == len(self._text):
            return Piece(start, end, line_start, newline)
        after, newline = self._end(base, limit, end, number + 2)
        return Piece(end, after, line_start, newline)

    def _around(self, line_start: int, position: int) -> tuple[int, int]:
        """The line's start or the cut before a position in it, and the cut after it (behind the text = none)."""
        place = bisect_right(self._cuts, position)
        base = max(line_start, self._cuts[place - 1] if place else 0)
        return base, self._cuts[place] if place < len(self._cuts) else len(self._text) + 1

    def _end(self, base: int, limit: int, start: int, number: int) -> tuple[int, bool]:
        """Where the piece from `start` up to that multiple of `LONGEST` ends, and whether a newline follows it."""
        stop = min(base + number * LONGEST, limit)
        newline = self._text.find("\n", start, stop + 1)
        if newline >= 0:
            return newline, True
        if stop == limit or stop >= len(self._text):
            return min(stop, len(self._text)), False
        return self._multiple(base, number), False

    def _multiple(self, base: int, number: int) -> int:
        return cut_before(self._text, base + number * LONGEST) if number else base

    def _line_start(self, position: int) -> int:
        """Where the line of a position begins; of a line of megabytes only pages that have newlines are looked at."""
        page = self._pages.page_at(position)
        found = self._text.rfind("\n", self._pages.begins[page], position)
        while found < 0 and page:
            page -= 1
            if self._pages.pages[page].newlines:
                found = self._text.rfind("\n", self._pages.begins[page], self._pages.begins[page + 1])
        return found + 1

    def _move_cuts(self, start: int, end: int, length: int) -> None:
        """Drops the cuts of the lines in which [start, end) is about to be replaced by so many characters."""
        first = self._text.rfind("\n", 0, start) + 1
        line_end = self._text.find("\n", end)
        last = bisect_right(self._cuts, line_end) if line_end >= 0 else len(self._cuts)
        by = length - (end - start)
        self._cuts = self._cuts[: bisect_right(self._cuts, first)] + [cut + by for cut in self._cuts[last:]]

    def _ends_at(self, position: int) -> bool:
        return position == len(self._text) or self._text[position] == "\n"

    def _open(self, number: int) -> Opened:
        page = self._pages.pages[number]
        if page.opened is None:
            page.opened = self._read(number)
            page.rows = sum(page.opened.rows)
        return page.opened

    def _read(self, number: int) -> Opened:
        """Where the pieces of a page begin; a page is read at each key in it, so that short lines are only counted."""
        starts: list[int] = []
        rows: list[int] = []
        begin = self._pages.begins[number]
        end = begin + self._pages.pages[number].length + (number == len(self._pages.pages) - 1)
        find, columns = self._text.find, self._columns
        piece: Piece | None = self.piece_at(min(begin, len(self._text)))
        while piece is not None and piece.start < end:
            at, stop = piece.start, piece.end
            while at < end:
                if at >= begin:
                    starts.append(at - begin)
                    rows.append(-(-(stop - at) // columns) or 1)
                at = stop + 1
                stop = find("\n", at, at + LONGEST + 1) if piece.newline else -1
                if stop < 0:
                    break
            piece = self._after(piece, at)
        return Opened(starts, rows)

    def _after(self, piece: Piece, at: int) -> Piece | None:
        """The piece after `piece`, or the one that begins at `at` where whole lines lie between both."""
        if not piece.newline:
            return self.next_piece(piece)
        return self._piece(at, at) if at <= len(self._text) else None
