"""Where the tokens of a row stand in pixels, and their shading: one lighter, the next one darker."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from thinkpane.ui import theme
from thinkpane.ui.models.token_layer import Token, TokenSource
from thinkpane.ui.widgets.text_layout import LaidPiece

_SHARES = {"dark": (0.05, 0.16), "light": (0.035, 0.12)}
"""How much of the text's colour lies on even and on odd tokens."""
_BETWEEN = 0.5
"""Pixels that are left free at each side, so that two tokens never look like one."""


@dataclass(frozen=True, slots=True)
class TokenBox:
    """A part of a token on one row. left, right: pixels from the text's left edge. begins: the token begins here."""

    token: Token
    left: float
    right: float
    begins: bool


def boxes(laid: LaidPiece, row: int, tokens: TokenSource) -> list[TokenBox]:
    """The tokens of a row; such that split what is drawn as one character part its width evenly."""
    start, end = laid.row_start(row), laid.row_end(row)
    newline = laid.piece.newline and row == laid.rows - 1
    found = tokens.between(start, end + newline)
    if laid.mixed:
        return [box for number in range(len(found)) for box in _mixed_boxes(laid, row, found, number)]
    lefts = [_left(laid, row, found, number) for number in range(len(found))]
    result: list[TokenBox] = []
    for number, token in enumerate(found):
        follower = found[number + 1] if number + 1 < len(found) else None
        if follower is not None and follower.start <= token.end:
            right = lefts[number + 1]
        elif token.end > end:
            right = laid.right_edge(row)
        else:
            right = laid.x_of(token.end, row)
        if right > lefts[number]:
            result.append(TokenBox(token, lefts[number], right, token.start >= start))
    return result


def paint_shades(painter: QPainter, found: Sequence[TokenBox], laid: LaidPiece, band: QRectF, *, stale: bool) -> None:
    """Shades tokens, but for those that are drawn as chips. band: the row's text area."""
    colours = theme.current()
    chips = [(start, end) for start, end, _ in laid.chips]
    painter.setPen(Qt.PenStyle.NoPen)
    for odd, share in enumerate(_SHARES[colours.scheme]):
        painter.setBrush(_tint(colours.text, share / 2 if stale else share))
        painter.drawRects(
            [
                QRectF(band.left() + box.left + _BETWEEN, band.top() + 1, _width(box), band.height() - 2)
                for box in found
                if box.token.index % 2 == odd and (box.token.start, box.token.end) not in chips
            ]
        )


def _left(laid: LaidPiece, row: int, tokens: Sequence[Token], number: int) -> float:
    """Where a token begins, where positions grow along the row."""
    start = max(tokens[number].start, laid.row_start(row))
    at = start if laid.is_caret_place(start) else laid.previous_position(start)
    if not number or tokens[number - 1].end <= at:
        return laid.x_of(at, row)
    first, last = _sharing(tokens, number, at, laid.next_position(at))
    left, right = laid.x_of(at, row), laid.x_of(laid.next_position(at), row)
    return left + (right - left) * (number - first) / (last - first + 1)


def _sharing(tokens: Sequence[Token], number: int, start: int, end: int) -> tuple[int, int]:
    """The first and the last token around `number` that hold a part of [start, end), which is drawn as one."""
    first = last = number
    while first and tokens[first - 1].end > start:
        first -= 1
    while last + 1 < len(tokens) and tokens[last + 1].start < end:
        last += 1
    return first, last


def _mixed_boxes(laid: LaidPiece, row: int, tokens: Sequence[Token], number: int) -> list[TokenBox]:
    """The boxes of a token where directions are mixed: several where it does not stand in one piece."""
    token = tokens[number]
    begins = token.start >= laid.row_start(row)
    start = token.start if laid.is_caret_place(token.start) else laid.previous_position(token.start)
    end = laid.next_position(start)
    spans = laid.spans(row, start, max(token.end, end))
    if token.end <= end:
        first, last = _sharing(tokens, number, start, end)
        share = last - first + 1
        spans = [
            (left + (right - left) * (number - first) / share, left + (right - left) * (number - first + 1) / share)
            for left, right in spans
        ]
    if token.end > laid.row_end(row) and token.start >= laid.row_end(row):
        spans = [laid.newline_span(row)]
    return [TokenBox(token, left, right, begins and not place) for place, (left, right) in enumerate(spans)]


def _width(box: TokenBox) -> float:
    return max(box.right - box.left - 2 * _BETWEEN, 1.0)


def _tint(colour: str, share: float) -> QColor:
    return theme.current().color(colour, share)
