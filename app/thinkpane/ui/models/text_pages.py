"""Pages of a long text: how many lines and about how many rows each has, kept up to date by edits alone.

Pages are of about the same length and together they are the whole text. An edit reads the pages that it touched; the
others keep what is known of them, wherever they now begin.
"""

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate, pairwise

PAGE = 16384
"""Code points of a page, about: from half of it to twice as many, but for a short text's only one."""


@dataclass(slots=True)
class Opened:
    """What is known of a page that was looked into: where its pieces start, from the page's begin on, and the rows of
    each."""

    starts: list[int]
    rows: list[int]


@dataclass(slots=True)
class Page:
    """length: code points. newlines: how many. rows: that begin in it, about. opened: None until looked into."""

    length: int
    newlines: int
    rows: int
    opened: Opened | None = None


class TextPages:
    """The pages of one text; whoever holds the text hands it in with each change."""

    def __init__(self, text: str, columns: int) -> None:
        """columns: about how many characters a row takes."""
        self._columns = columns
        self.pages = self._read(text, 0, len(text))
        self._place()

    def replaced(self, text: str, start: int, end: int, new_end: int) -> None:
        """The code points [start, end) were replaced; `text` is the new one, in which the replacement ends at
        `new_end`."""
        first, last = self.page_at(start), self.page_at(end)
        length = sum(page.length for page in self.pages[first : last + 1]) + new_end - end
        if length < PAGE // 2 and len(self.pages) > last - first + 1:
            if last + 1 < len(self.pages):
                last += 1
                length += self.pages[last].length
            else:
                first -= 1
                length += self.pages[first].length
        begin = self.begins[first]
        self.pages[first : last + 1] = self._read(text, begin, begin + length)
        self._place()

    def typed(self, text: str, start: int, end: int, new_end: int, longest: int) -> bool:
        """The same where it is a key in a short line of a page that was looked into: what is known of the page stays.
        False where it is not so, and nothing was done. longest: code points of a line that is one piece."""
        number = self.page_at(start)
        page, begin = self.pages[number], self.begins[number]
        by = new_end - end
        opened = page.opened
        if opened is None or end >= begin + page.length or not PAGE // 2 <= page.length + by < 2 * PAGE:
            return False
        line = text.rfind("\n", begin, start) + 1
        stop = text.find("\n", new_end, new_end + longest)
        # Without a newline in what came or went, and with one at both ends, in the page: the others are not touched.
        if not begin < line or not new_end <= stop < begin + page.length + by or stop - line + max(0, -by) >= longest:
            return False
        index = bisect_right(opened.starts, line - begin) - 1
        whole = index >= 0 and opened.starts[index] == line - begin
        if not whole or opened.starts[index + 1 : index + 2] != [stop + 1 - by - begin] or "\n" in text[start:new_end]:
            return False
        opened.starts[index + 1 :] = [each + by for each in opened.starts[index + 1 :]]
        rows = -(-(stop - line) // self._columns) or 1
        page.rows += rows - opened.rows[index]
        opened.rows[index] = rows
        page.length += by
        self.length += by
        self.begins[number + 1 :] = [each + by for each in self.begins[number + 1 :]]
        return True

    def close(self, start: int, end: int) -> None:
        """Forgets where the pieces are in the pages that hold [start, end]; how many rows they had stays."""
        for page in self.pages[self.page_at(start) : self.page_at(end) + 1]:
            page.opened = None

    def page_at(self, position: int) -> int:
        """The number of the page that holds a position; the last one holds the text's end."""
        return min(bisect_right(self.begins, position), len(self.pages)) - 1

    def newlines_before(self, number: int) -> int:
        """How many newlines the pages before that one have."""
        return self._newlines[number]

    def rows_before(self, number: int) -> int:
        """How many rows the pages before that one have, about."""
        return sum(page.rows for page in self.pages[:number])

    def _place(self) -> None:
        self.begins = [0, *accumulate(page.length for page in self.pages)]
        self.length = self.begins.pop()
        self._newlines = [0, *accumulate(page.newlines for page in self.pages)]

    def _read(self, text: str, begin: int, end: int) -> list[Page]:
        """The pages of [begin, end), read anew."""
        count = max((end - begin) // PAGE, 1)
        edges = [begin + (end - begin) * number // count for number in range(count + 1)]
        return [self._page(text, first, stop) for first, stop in pairwise(edges)]

    def _page(self, text: str, begin: int, end: int) -> Page:
        newlines, length = text.count("\n", begin, end), end - begin
        short = length <= (newlines + 1) * self._columns // 2
        rows = newlines if short else newlines // 2 + length // self._columns
        return Page(length, newlines, rows + (end == len(text)))
