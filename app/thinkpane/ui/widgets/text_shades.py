"""Where the tokens of a row stand in pixels, and their shading: one lighter, the next one darker."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from thinkpane.ui import theme
from thinkpane.ui.models.token_layer import MovedTokens, Token, TokenLayer, TokenSource
from thinkpane.ui.widgets.text_spans import joined

if TYPE_CHECKING:
    from thinkpane.ui.widgets.text_layout import LaidPiece
    from thinkpane.ui.widgets.text_lines import Piece

_SHARES = {"dark": (0.05, 0.16), "light": (0.035, 0.12)}
"""How much of the text's colour lies on even and on odd tokens."""
_BETWEEN = 0.5
"""Pixels that are left free at each side, so that two tokens never look like one."""


@dataclass(frozen=True, slots=True)
class TokenBox:
    """A part of a token on one row. left, right: pixels from the text's left edge.

    token: as its source had it when the box was made; its number and place may have moved with the text since.
    begins: the token's first part; of several on one row, the widest. before: pixels of its first part where that is
    on the row above, else None. goes_on: it has a part on the next row.
    odd: it gets the darker shade. is_chip: it is drawn as a chip.
    """

    token: Token
    left: float
    right: float
    begins: bool
    before: float | None = None
    goes_on: bool = False
    odd: bool = False
    is_chip: bool = False


@dataclass(slots=True)
class KeptBoxes:
    """The boxes of a row. shape: the tokens they were made of, by where they are in the row; of another source, too,
    the same shape has the same boxes. start: where the row's piece began in the text of `source`."""

    source: TokenSource
    shape: tuple[object, ...]
    boxes: list[TokenBox]
    start: int


def boxes(laid: "LaidPiece", row: int, tokens: TokenSource) -> list[TokenBox]:
    """The tokens of a row; such that split what is drawn as one character part its width evenly.

    Shades alternate from a line's begin on, so that an edit elsewhere changes none.
    """
    kept = laid.boxes.get(row)
    if kept is not None and (kept.source is tokens or _is_moved(tokens, kept.source)):
        return kept.boxes
    if kept is not None and _is_shared(tokens, kept, laid.piece):
        kept.source, kept.start = tokens, laid.piece.start
        return kept.boxes
    start, end = laid.row_start(row), laid.row_end(row)
    newline = laid.piece.newline and row == laid.rows - 1
    first, *places = tokens.outline(start, end + newline)
    base = max(first if not row else tokens.outline(laid.piece.start, laid.piece.start + 1)[0], 0)
    shape = ((first - base) % 2 if first >= 0 else 0, *places)
    if kept is not None and kept.shape == shape:
        result = kept.boxes
    else:
        make = _mixed_boxes if laid.mixed else _plain_boxes
        result = [_shaded(box, laid, base) for box in make(laid, row, tokens.between(start, end + newline))]
    laid.boxes[row] = KeptBoxes(tokens, shape, result, laid.piece.start)
    return result


def _is_moved(tokens: TokenSource, before: TokenSource) -> bool:
    """Whether these are the tokens from before an edit: a row that was kept through it has the same ones."""
    return isinstance(tokens, MovedTokens) and tokens.before is before


def _is_shared(tokens: TokenSource, kept: KeptBoxes, piece: "Piece") -> bool:
    """Whether the tokens of all of a piece are known to be those that it had when its boxes were made."""
    if not isinstance(tokens, TokenLayer) or not isinstance(kept.source, TokenLayer):
        return False
    same, length = tokens.shared(kept.source), len(tokens.encoding.text)
    moved = length - len(kept.source.encoding.text)
    if piece.following <= same.before:
        return piece.start == kept.start
    return piece.start >= length - same.after and piece.start == kept.start + moved


def _shaded(box: TokenBox, laid: "LaidPiece", base: int) -> TokenBox:
    place = (box.token.start, box.token.end)
    is_chip = any(place == (start, end) for start, end, _ in laid.chips)
    return replace(box, odd=bool((box.token.index - base) % 2), is_chip=is_chip)


def _plain_boxes(laid: "LaidPiece", row: int, found: Sequence[Token]) -> list[TokenBox]:
    start, end = laid.row_start(row), laid.row_end(row)
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
            before, goes_on = _width_above(laid, row, token), _goes_on(laid, row, token)
            result.append(TokenBox(token, lefts[number], right, token.start >= start, before, goes_on))
    return result


def paint_shades(painter: QPainter, found: Sequence[TokenBox], band: QRectF, *, stale: bool) -> None:
    """Shades tokens, but for those that are drawn as chips. band: the row's text area."""
    colours = theme.current()
    painter.setPen(Qt.PenStyle.NoPen)
    left, top, height = band.left() + _BETWEEN, band.top() + 1, band.height() - 2
    for odd, share in enumerate(_SHARES[colours.scheme]):
        painter.setBrush(_tint(colours.text, share / 2 if stale else share))
        painter.drawRects(
            [QRectF(left + box.left, top, _width(box), height) for box in found if box.odd == odd and not box.is_chip]
        )


def _left(laid: "LaidPiece", row: int, tokens: Sequence[Token], number: int) -> float:
    """Where a token begins, where positions grow along the row."""
    start = max(tokens[number].start, laid.row_start(row))
    at = start if laid.is_caret_place(start) else max(laid.previous_position(start), laid.row_start(row))
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


def _mixed_boxes(laid: "LaidPiece", row: int, tokens: Sequence[Token]) -> list[TokenBox]:
    """The same where directions are mixed: character by character, a token may stand in several places."""
    parts: list[list[tuple[float, float]]] = [[] for _ in tokens]
    at, end = laid.row_start(row), laid.row_end(row)
    first = 0
    while at < end:
        after = min(max(laid.next_position(at), at + 1), end)
        while first < len(tokens) and tokens[first].end <= at:
            first += 1
        holding = [number for number in range(first, len(tokens)) if tokens[number].start < after]
        _share(parts, holding, laid.spans(row, at, after), backwards=laid.runs_left(row, at))
        at = after
    if laid.piece.newline and row == laid.rows - 1:
        holding = [number for number, token in enumerate(tokens) if token.end > end]
        _share(parts, holding, [laid.newline_span(row)], backwards=laid.runs_left(row, end))
    found: list[TokenBox] = []
    for token, spans in zip(tokens, parts, strict=True):
        pieces = joined(spans)
        widest = max(range(len(pieces)), key=lambda number: pieces[number][1] - pieces[number][0], default=0)
        begins = token.start >= laid.row_start(row)
        before, goes_on = _width_above(laid, row, token), _goes_on(laid, row, token)
        found += [
            TokenBox(token, left, right, begins, before, goes_on)
            if number == widest
            else TokenBox(token, left, right, begins=False)
            for number, (left, right) in enumerate(pieces)
        ]
    return found


def _share(
    parts: list[list[tuple[float, float]]],
    holding: Sequence[int],
    spans: Sequence[tuple[float, float]],
    *,
    backwards: bool,
) -> None:
    """Parts what is drawn as one character evenly among the tokens that hold it."""
    order = [*reversed(holding)] if backwards else holding
    for left, right in spans:
        width = (right - left) / max(len(order), 1)
        for place, number in enumerate(order):
            parts[number].append((left + width * place, left + width * (place + 1)))


def _goes_on(laid: "LaidPiece", row: int, token: Token) -> bool:
    return token.end > laid.row_end(row) and row + 1 < laid.rows


def _width_above(laid: "LaidPiece", row: int, token: Token) -> float | None:
    """Pixels of a token's first part, where that is on the row above; None where it begins elsewhere."""
    if not row or not laid.row_start(row - 1) <= token.start < laid.row_start(row):
        return None
    return sum(right - left for left, right in laid.spans(row - 1, token.start, laid.row_end(row - 1)))


def _width(box: TokenBox) -> float:
    return max(box.right - box.left - 2 * _BETWEEN, 1.0)


def _tint(colour: str, share: float) -> QColor:
    return theme.current().color(colour, share)
