"""An exact editor whose lines are numbered in a gutter, counted as Jinja counts them."""

from bisect import bisect_right
from collections.abc import Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from thinkpane.formats.jinja_scan import line_starts
from thinkpane.ui import theme
from thinkpane.ui.models.shown_text import difference, place_of_unit, shown
from thinkpane.ui.widgets.code_gutter import CodeGutter
from thinkpane.ui.widgets.exact_text import ExactTextEdit


class NumberedEdit(ExactTextEdit):
    """Edits one text in a monospace face. Lines are counted from 1: CR, LF and CRLF all end one.

    Signals:
        line_chosen(int): a line was chosen in the gutter.
    """

    line_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, most_lines=0)
        self._numbers = [1]
        self.setFont(theme.mono_font())
        self.setProperty("mono", True)
        self.setProperty("kind", "code")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        self.gutter = CodeGutter(self)
        self.gutter.line_clicked.connect(self.line_chosen)
        self.textChanged.connect(self._on_lines_changed)
        self.updateRequest.connect(self._on_update_requested)
        self._place_gutter()

    # --- lines

    @property
    def line_count(self) -> int:
        """How many lines there are."""
        return self._numbers[-1] + self.text.count("\r", self.text.rfind("\n") + 1)

    def lines_in_sight(self) -> Iterator[tuple[int, int, int]]:
        """Each line in sight: its number, its top in the viewport and its height, in pixels."""
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top <= self.viewport().height():
            height = self.blockBoundingRect(block).height()
            if block.isVisible():
                yield self._numbers[min(block.blockNumber(), len(self._numbers) - 1)], round(top), round(height)
            top += height
            block = block.next()

    def line_at(self, y: int) -> int:
        """The number of the line at a height of the viewport, 0 where there is none."""
        return next((line for line, top, height in self.lines_in_sight() if top <= y < top + height), 0)

    @property
    def caret(self) -> int:
        """Where the caret stands, in code points."""
        return place_of_unit(self._shown, self.textCursor().position())

    @property
    def caret_line(self) -> tuple[int, int]:
        """Line and column of the caret, both from 1."""
        caret, starts = self.caret, line_starts(self.text)
        line = bisect_right(starts, caret)
        return line, caret - starts[line - 1] + 1

    def line_of(self, place: int) -> int:
        """The number of the line in which a place (code points) lies."""
        return bisect_right(line_starts(self.text), place)

    def go_to(self, line: int, column: int = 1) -> None:
        """Puts the caret there, or as near as there is text, and brings it into the middle."""
        start, end = self._line_span(line)
        self.select(min(start + max(column, 1) - 1, end), min(start + max(column, 1) - 1, end))
        self.centerCursor()

    def show_line(self, line: int) -> None:
        """Brings a line into sight; the caret stays."""
        block = self._cursor(*self._line_span(line)).block()
        page = self.viewport().height() // max(self.fontMetrics().lineSpacing(), 1)
        first = self.verticalScrollBar().value()
        if not first <= block.firstLineNumber() < first + page - 1:
            self.verticalScrollBar().setValue(block.firstLineNumber() - page // 3)

    def show_text(self, text: str, *, follow: bool = False) -> None:
        """Shows another text, touching only what differs. follow: the caret goes to where it differs."""
        splice = difference(self._shown, shown(text))
        self.set_text(text)
        self._numbers = _numbers(text)
        if follow and splice != (splice.start, splice.start, ""):
            place = splice.start + len(splice.text)
            self.select(place, place)

    # --- inside

    def _line_span(self, line: int) -> tuple[int, int]:
        """Where a line begins and ends, without its line end; a line beyond the last one is the last."""
        starts = line_starts(self.text)
        place = min(max(line, 1), len(starts)) - 1
        end = starts[place + 1] if place + 1 < len(starts) else len(self.text)
        return starts[place], starts[place] + len(self.text[starts[place] : end].rstrip("\r\n"))

    def _place_gutter(self) -> None:
        width = self.gutter.width_for(self.line_count)
        self.setViewportMargins(width, 0, 0, 0)
        inside = self.contentsRect()
        self.gutter.setGeometry(inside.left(), inside.top(), width, inside.height())

    def _on_lines_changed(self) -> None:
        self._numbers = _numbers(self.text)
        if self.gutter.width() != self.gutter.width_for(self.line_count):
            self._place_gutter()

    def _on_update_requested(self) -> None:
        self.gutter.update()

    def _on_theme_changed(self) -> None:
        self.setFont(theme.mono_font())
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        super()._on_theme_changed()
        self._place_gutter()

    # --- Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The gutter is as high as the editor."""
        super().resizeEvent(event)
        self._place_gutter()


def _numbers(text: str) -> list[int]:
    """The number of the line that begins at each line feed, and at the text's start."""
    found = [1]
    lines = text.split("\n")
    for line in lines[:-1]:
        lone = line.count("\r") - line.endswith("\r")
        found.append(found[-1] + 1 + lone)
    return found
