"""The ids below a row: each under where its token begins, moved aside by the least that keeps all of them apart."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from thinkpane.ui import theme
from thinkpane.ui.widgets.text_shades import TokenBox
from thinkpane.ui.widgets.text_stretches import GAP, id_text

_STALE_SHARE = 0.6
_INSET = 1.0
"""Pixels from a token's left edge to its id."""


@dataclass(frozen=True, slots=True)
class PlacedId:
    """The id of a token below a row. left: pixels from the text's left edge. words: cut where there is no room."""

    box: TokenBox
    left: float
    words: str


def paint_ids(painter: QPainter, found: Sequence[TokenBox], face_font: QFont, row: QRectF, *, stale: bool) -> None:
    """Paints the ids of a row. row: where they stand, from the text's left edge on."""
    metrics = QFontMetricsF(face_font)
    colours = theme.current()
    painter.setFont(face_font)
    painter.setPen(colours.color(colours.dim, _STALE_SHARE if stale else 1.0))
    base = row.top() + metrics.ascent()
    for each in placed_ids(found, metrics.horizontalAdvance("0"), row.width()):
        painter.drawText(QPointF(row.left() + each.left, base), each.words)


def placed_ids(found: Sequence[TokenBox], digit: float, width: float) -> list[PlacedId]:
    """The ids of a row from left to right, apart from each other. digit, width: pixels of a digit and of the row.

    A token that two rows hold has its id on the first of them where it has room for it.
    """
    boxes = sorted((box for box in found if _has_id(box, digit)), key=lambda box: box.left)
    words = [id_text(box.token) for box in boxes]
    if sum(len(each) * digit + GAP for each in words) > width + GAP:
        words = [_cut(text, box, digit) for text, box in zip(words, boxes, strict=True)]
    lefts = _apart([box.left + _INSET for box in boxes], [len(each) * digit + GAP for each in words], width + GAP)
    return [PlacedId(*each) for each in zip(boxes, lefts, words, strict=True)]


def _has_id(box: TokenBox, digit: float) -> bool:
    wanted = len(id_text(box.token)) * digit
    if box.begins:
        return not box.goes_on or box.right - box.left >= wanted
    return box.before is not None and box.before < wanted


def _cut(words: str, box: TokenBox, digit: float) -> str:
    fitting = int((box.right - box.left + _INSET) / digit)
    return words if len(words) <= fitting else words[: fitting - 1] + "…" if fitting > 1 else "·"


def _apart(wished: Sequence[float], widths: Sequence[float], width: float) -> list[float]:
    """Places in [0, width) in the order given, none over another, each as near to the wished one as that lets it be.

    Neighbours that would overlap become one group, which stands where its members would be nearest to their wishes
    (pooling of adjacent violators).
    """
    groups: list[_Group] = []
    for wish, wide in zip(wished, widths, strict=True):
        groups.append(_Group(wish, wide, 1).within(width))
        while len(groups) > 1 and groups[-2].left + groups[-2].width > groups[-1].left:
            last = groups.pop()
            groups[-1] = groups[-1].joined(last).within(width)
    lefts: list[float] = []
    numbers = iter(widths)
    for group in groups:
        left = group.left
        for _ in range(group.count):
            lefts.append(left)
            left += next(numbers)
    return lefts


@dataclass(frozen=True, slots=True)
class _Group:
    """wish: where its left edge would best be; left: where it is."""

    wish: float
    width: float
    count: int
    left: float = 0.0

    def within(self, width: float) -> "_Group":
        return _Group(self.wish, self.width, self.count, max(min(self.wish, width - self.width), 0.0))

    def joined(self, other: "_Group") -> "_Group":
        count = self.count + other.count
        wish = (self.wish * self.count + (other.wish - self.width) * other.count) / count
        return _Group(wish, self.width + other.width, count)
