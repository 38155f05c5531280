"""The lines of a long text, found only where they are looked at.

The text is one str. A piece is a line of it, or at most `LONGEST` code points of a line: laying out one line of
megabytes freezes a window for seconds. How many rows lie above a position is estimated page by page, and becomes
exact for pieces that were laid out (`learn`); only the scroll bar depends on it.
"""

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

LONGEST = 4096
"""Code points of a piece at most (source: the house's security notes, layout bombs)."""
PAGE = 16384
"""Code points of a page of the estimate."""
_PAGES_BY_PIECE = 4


@dataclass(frozen=True, slots=True)
class Piece:
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


@dataclass(slots=True)
class _Page:
    """An opened page: where its pieces start, and how many rows each takes."""

    starts: list[int]
    rows: list[int]


class TextLines:
    """A text and its pieces. Positions are code points; they must lie within 0 … len(text)."""

    def __init__(self, text: str = "") -> None:
        self.first_line = 1
        """The number of the first line; another one where the text is a part of a longer one."""
        self._text = text
        self._columns = 80
        self._newlines: list[int] = []
        self._rows: list[int] = []
        self._opened: dict[int, _Page] = {}
        self._read_pages(0)

    @property
    def text(self) -> str:
        """The text itself, exactly."""
        return self._text

    def __len__(self) -> int:
        return len(self._text)

    def set_columns(self, columns: int) -> None:
        """How many characters a row takes, about; forgets all that was learned of rows."""
        self._columns = max(columns, 1)
        self._read_pages(0)

    def replace(self, start: int, end: int, text: str) -> None:
        """Puts `text` in place of [start, end)."""
        if start == end == len(self._text):
            self.append(text)
            return
        self._text = self._text[:start] + text + self._text[end:]
        self._read_pages(start // PAGE)

    def append(self, text: str) -> None:
        """Adds to the end; amortised, since a str that nobody else holds grows in place."""
        first = max(len(self._text) - 1, 0) // PAGE
        grown, self._text = self._text, ""
        grown += text
        self._text = grown
        self._read_pages(first)

    def piece_at(self, position: int) -> Piece:
        """The piece that holds `position`; a newline belongs to the piece before it."""
        return self._piece(self._text.rfind("\n", 0, position) + 1, position)

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
        page = position // PAGE
        before = sum(self._newlines[:page])
        return before + self._text.count("\n", page * PAGE, position) + self.first_line

    def line_count(self) -> int:
        """How many lines there are; an empty text has one."""
        return sum(self._newlines) + 1

    def learn(self, piece: Piece, rows: int) -> None:
        """Says how many rows `piece` takes in truth."""
        number = piece.start // PAGE
        page = self._open(number)
        index = bisect_right(page.starts, piece.start) - 1
        if index >= 0 and page.starts[index] == piece.start:
            self._rows[number] += rows - page.rows[index]
            page.rows[index] = rows

    def row_count(self) -> int:
        """How many rows there are, about."""
        return max(sum(self._rows), 1)

    def rows_before(self, piece: Piece) -> int:
        """How many rows lie above `piece`, about."""
        number = piece.start // PAGE
        page = self._open(number)
        return sum(self._rows[:number]) + sum(page.rows[: bisect_right(page.starts, piece.start - 1)])

    def piece_at_row(self, row: int) -> tuple[Piece, int]:
        """The piece that holds that row, about, and which of its rows it is."""
        sums = list(accumulate(self._rows))
        number = min(bisect_right(sums, row), len(sums) - 1)
        page = self._open(number)
        left = row - sum(self._rows[:number])
        for start, rows in zip(page.starts, page.rows, strict=True):
            if left < rows:
                return self.piece_at(start), max(left, 0)
            left -= rows
        start = page.starts[-1] if page.starts else min(number * PAGE, len(self._text))
        return self.piece_at(start), 0

    def knots(self) -> tuple[list[int], list[int]]:
        """Growing positions, the last being the text's end, and how many rows lie above each, about: of every piece
        in a text of few pages, else of every page."""
        if len(self._rows) > _PAGES_BY_PIECE:
            positions = [number * PAGE for number in range(len(self._rows))]
            return [*positions, len(self._text)], [0, *accumulate(self._rows)]
        pages = [self._open(number) for number in range(len(self._rows))]
        starts = [start for page in pages for start in page.starts]
        rows = [count for page in pages for count in page.rows]
        return [*starts, len(self._text)], [0, *accumulate(rows)]

    def _piece(self, line_start: int, position: int) -> Piece:
        start = line_start + (position - line_start) // LONGEST * LONGEST
        if start == position > line_start and self._ends_at(position):
            start -= LONGEST
        newline = self._text.find("\n", start, start + LONGEST + 1)
        if newline >= 0:
            return Piece(start, newline, line_start, True)
        return Piece(start, min(start + LONGEST, len(self._text)), line_start, False)

    def _ends_at(self, position: int) -> bool:
        return position == len(self._text) or self._text[position] == "\n"

    def _read_pages(self, first: int) -> None:
        """Reads the pages from `first` on anew: newlines counted, rows estimated."""
        text = self._text
        pages = len(text) // PAGE + 1
        del self._newlines[first:]
        del self._rows[first:]
        for number in range(first, pages):
            start = number * PAGE
            count = text.count("\n", start, start + PAGE)
            self._newlines.append(count)
            length = min(PAGE, len(text) - start)
            short = length <= (count + 1) * self._columns // 2
            self._rows.append(count if short else count // 2 + length // self._columns)
        self._opened = {number: page for number, page in self._opened.items() if number < first}
        self._rows[-1] += 1

    def _open(self, number: int) -> _Page:
        page = self._opened.get(number)
        if page is None:
            page = self._read_page(number)
            self._opened[number] = page
            self._rows[number] = sum(page.rows)
        return page

    def _read_page(self, number: int) -> _Page:
        starts: list[int] = []
        rows: list[int] = []
        begin = number * PAGE
        end = min(begin + PAGE, len(self._text) + 1)
        piece: Piece | None = self.piece_at(min(begin, len(self._text)))
        while piece is not None and piece.start < end:
            if piece.start >= begin:
                starts.append(piece.start)
                rows.append(max(-(-(piece.end - piece.start) // self._columns), 1))
            piece = self.next_piece(piece)
        return _Page(starts, rows)
