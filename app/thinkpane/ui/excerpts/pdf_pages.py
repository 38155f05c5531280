"""An excerpt as PDF pages, written one by one, so that a window can go on meanwhile."""

from collections.abc import Generator
from typing import Final

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, Qt
from PySide6.QtGui import QColor, QPageSize, QPainter, QPdfWriter

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.ui import theme
from thinkpane.ui.excerpts.sheet import MARGIN, Sheet, painted_in

MOST_PAGES: Final = 300
_DOTS = 96
"""A PDF is drawn in fractions of them. Qt draws the marks of spaces in whole ones: with more they are small squares
beside their places (seen with 6.11)."""
_FOOT = 10
_FOOT_LETTERS = 9


class PdfPages:
    """The pages of one file. `written` is walked to its end; `data` is the file then."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._buffer = QBuffer()

    @property
    def data(self) -> bytes:
        """The file, once all pages are written."""
        return bytes(self._buffer.data().data())

    def written(self) -> Generator[int, None, None]:
        """Writes a page at each step and gives its number.

        Raises ThinkpaneError (kind "size") where there would be more than `MOST_PAGES`.
        """
        sheet = self._sheet
        self._buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        writer = QPdfWriter(self._buffer)
        writer.setResolution(_DOTS)
        writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
        writer.setPageMargins(QMarginsF(0, 0, 0, 0))
        writer.setTitle(sheet.title)
        writer.setCreator("Thinkpane")
        painter = QPainter(writer)
        scale = writer.width() / sheet.look.width
        painter.scale(scale, scale)
        height = writer.height() / scale
        try:
            place = sheet.first()
            number = 1
            while True:
                head = sheet.header_height if number == 1 else 0.0
                rows = max(int((height - 2 * MARGIN - head - _FOOT) // sheet.row_height), 1)
                following = sheet.paint(painter, place, rows, height, title=number == 1)
                self._paint_foot(painter, number, height)
                yield number
                if following is None:
                    return
                if number == MOST_PAGES:
                    raise _too_many()
                place, number = following, number + 1
                writer.newPage()
        finally:
            painter.end()

    def _paint_foot(self, painter: QPainter, number: int, height: float) -> None:
        look = self._sheet.look
        with painted_in(look.theme):
            painter.setFont(theme.ui_font(_FOOT_LETTERS))
        painter.setPen(QColor(look.theme.dim))
        room = QRectF(MARGIN, height - MARGIN - _FOOT / 2, look.width - 2 * MARGIN, MARGIN)
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, str(number))


def _too_many() -> ThinkpaneError:
    sentence = f"The file would have more than {MOST_PAGES:,} pages: make it wider, or select less."
    return ThinkpaneError(Problem("size", sentence))
