"""The rows of a layout: none begins inside what a caret passes in one step.

Qt breaks a row where the font changes, also between an emoji and its mark or skin tone (seen with 6.11).
"""

from PySide6.QtCore import QPointF
from PySide6.QtGui import QTextLayout, QTextLine

_STEP = 4.0
"""Pixels by which a row grows until its first character fits into it as a whole."""


def broken(
    layout: QTextLayout, width: float, row_height: int, ascent: float, *, at_right: bool = False
) -> list[QTextLine]:
    """Breaks the layout into rows and places them. width, row_height: pixels; ascent: from a row's top to its base;
    at_right: its option aligns rows at the right.

    A character that is wider than a row stands out of it.
    """
    may_break = not layout.text().isascii()
    lines: list[QTextLine] = []
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        if may_break and not layout.isValidCursorPosition(_end(line)):
            _make_whole(layout, line)
        # Qt aligns within the row's own width, which may be another one now.
        left = width - line.width() if at_right else 0.0
        line.setPosition(QPointF(left, len(lines) * row_height + ascent - line.ascent()))
        lines.append(line)
    layout.endLayout()
    return lines


def _make_whole(layout: QTextLayout, line: QTextLine) -> None:
    """Ends a row before the character that it would break, or behind it where it is the row's first."""
    first = layout.nextCursorPosition(line.textStart())
    while _end(line) > first and line.width() > 0 and not layout.isValidCursorPosition(_end(line)):
        line.setLineWidth(min(line.width(), line.naturalTextWidth()) - 0.5)
    while not layout.isValidCursorPosition(_end(line)):
        line.setLineWidth(max(line.width(), line.naturalTextWidth()) + _STEP)


def _end(line: QTextLine) -> int:
    return line.textStart() + line.textLength()
