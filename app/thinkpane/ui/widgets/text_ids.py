"""The ids below a row: tokens are stretched until their ids fit, and the ids stand under where tokens begin."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout

from thinkpane.ui import theme
from thinkpane.ui.models.token_layer import Token
from thinkpane.ui.widgets.text_shades import TokenBox
from thinkpane.ui.widgets.text_shown import Shown

_GAP = 5.0
"""Pixels between two ids at least."""
_STALE_SHARE = 0.6


def id_text(token: Token) -> str:
    """What stands below a token."""
    return str(token.id) if token.count == 1 else f"{token.count} ids"


def stretches(
    layout: QTextLayout, shown: Shown, start: int, tail: int, tokens: Sequence[Token], ids_font: QFont
) -> list[QTextLayout.FormatRange]:
    """Formats that make each token as wide as its id needs. Tokens that split what is drawn as one share its room.

    start: the position of the layout's first character. tail: units of the newline's mark behind the text.
    """
    metrics, digit = QFontMetricsF(layout.font()), QFontMetricsF(ids_font).horizontalAdvance("0")
    text, end = layout.text(), shown.unit(shown.length) + tail
    found: list[QTextLayout.FormatRange] = []
    group: list[Token] = []
    begin = 0
    for number, token in enumerate(tokens):
        group.append(token)
        stop = _unit(shown, token.end - start, end)
        follower = tokens[number + 1] if number + 1 < len(tokens) else None
        if follower is not None and (
            follower.start < token.end or (stop < end and not layout.isValidCursorPosition(stop))
        ):
            continue
        wanted = sum(each.start >= start for each in group) * (max(len(id_text(each)) for each in group) * digit + _GAP)
        part = _units_of(text, begin, stop)
        extra = wanted - metrics.horizontalAdvance(part)
        if extra > 0 and stop > begin:
            found.append(_spaced(layout.previousCursorPosition(stop), stop, extra))
        group, begin = [], stop
    return found


def paint_ids(painter: QPainter, found: Sequence[TokenBox], face_font: QFont, row: QRectF, *, stale: bool) -> None:
    """Paints the ids of a row. row: where they stand, from the text's left edge on."""
    metrics = QFontMetricsF(face_font)
    digit = metrics.horizontalAdvance("0")
    colours = theme.current()
    painter.setFont(face_font)
    painter.setPen(colours.color(colours.dim, _STALE_SHARE if stale else 1.0))
    base = row.top() + metrics.ascent()
    for box in found:
        words = id_text(box.token)
        wanted = len(words) * digit
        if not box.begins and (not box.before or box.before >= wanted):
            continue
        fitting = int((box.right - box.left + 1) / digit)
        if len(words) > fitting:
            if box.goes_on:
                continue
            words = words[: fitting - 1] + "…" if fitting > 1 else "·"
        painter.drawText(QPointF(row.left() + box.left + 1, base), words)


def _unit(shown: Shown, offset: int, end: int) -> int:
    return shown.unit(offset) if offset <= shown.length else end


def _units_of(text: str, begin: int, stop: int) -> str:
    """The UTF-16 units [begin, stop) of a text."""
    if len(text) == stop - begin or text.isascii():
        return text[begin:stop]
    return text.encode("utf-16-le", "replace")[2 * begin : 2 * stop].decode("utf-16-le", "replace")


def _spaced(start: int, end: int, pixels: float) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start, found.length = start, end - start
    look = QTextCharFormat()
    look.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
    look.setFontLetterSpacing(pixels)
    found.format = look
    return found
