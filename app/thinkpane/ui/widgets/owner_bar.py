"""The owner bar: one bar, as long as the prompt, in parts for scaffolding, tier text, tools, messages and so on."""

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from thinkpane.prompt.budget import Measure
from thinkpane.ui import theme
from thinkpane.ui.models.owner_shares import Share, share_words
from thinkpane.ui.widgets.plain_tip import told_in_tip
from thinkpane.ui.widgets.text_accessible import announce

_HEIGHT = 12
_RADIUS = 3
_LEAST = 4
"""Pixels that even the smallest share gets, where there are few enough."""


class OwnerBar(QWidget):
    """Shows shares. Arrow keys go from one to the next, Return or a click chooses one.

    Signals:
        share_pointed(object): the Share under the pointer, or the one the keys are on; None = none any more.
        share_chosen(object): a Share was clicked or chosen by Return.
    """

    share_pointed = Signal(object)
    share_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shares: list[Share] = []
        self._measure: Measure = "exact"
        self._at = -1
        self._painted: list[int] = []
        self._row = QImage()
        self._sums = [0]
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Prompt by owner")
        theme.state().changed.connect(self._on_theme_changed)

    @property
    def shares(self) -> list[Share]:
        """What is shown."""
        return list(self._shares)

    @property
    def measure(self) -> Measure:
        """How the counts of what is shown are known."""
        return self._measure

    @property
    def current(self) -> Share | None:
        """The share under the pointer, or where the keys are."""
        return self._shares[self._at] if 0 <= self._at < len(self._shares) else None

    def set_shares(self, shares: Sequence[Share], measure: Measure = "exact", legend: str = "") -> None:
        """Shows these; the current one stays where there still is one in its place. measure: how they are known.
        legend: them in one line, for screen readers."""
        self._shares, self._measure = list(shares), measure
        self._sums = [*accumulate((each.tokens for each in self._shares), initial=0)]
        self._at = min(self._at, len(self._shares) - 1)
        self.setAccessibleDescription(legend)
        self._show_columns()

    def share_at(self, x: int) -> Share | None:
        """The share that is painted at a pixel from the left."""
        if not self._shares or not 0 <= x < self.width():
            return None
        return self._shares[self._number_at(x)]

    def left_of(self, number: int) -> int:
        """The pixel at which a share begins, by its number from 0; where the last one ends, by how many there are."""
        return round((self.width() - self._least * len(self._shares)) * self._part(number)) + self._least * number

    def _part(self, number: int) -> float:
        """How much of the whole stands before a share."""
        return self._sums[number] / max(self._sums[-1], 1)

    @property
    def _least(self) -> int:
        """Pixels that even the smallest share gets; none where there are too many shares for that."""
        return _LEAST if len(self._shares) * _LEAST * 2 <= self.width() else 0

    def _number_at(self, x: int) -> int:
        """The share at a pixel; there may be thousands in one."""
        if self._least:
            found = bisect_right([self.left_of(number) for number in range(len(self._shares))], x) - 1
        else:
            found = bisect_right(self._sums, x * self._sums[-1] / max(self.width(), 1)) - 1
        return max(0, min(found, len(self._shares) - 1))

    def _columns(self) -> list[int]:
        """The colour of each pixel from the left, as a QRgb; there may be thousands of shares, and this is quick."""
        width, colours = self.width(), _shades(self._shares)
        if not self._shares:
            return [0] * width
        if not self._least:
            whole, sums = self._sums[-1] / max(width, 1), self._sums
            return [colours[min(bisect_right(sums, x * whole), len(colours)) - 1] for x in range(width)]
        found: list[int] = []
        for number, each in enumerate(colours):
            room = self.left_of(number + 1) - len(found)
            gap = 1 if room > 2 else 0
            found += [each] * (room - gap) + [0] * gap
        return found

    def _show_columns(self) -> None:
        """Takes how the shares look now; most keys change nothing that is to be seen."""
        columns = self._columns()
        if columns != self._painted:
            self._painted = columns
            # Tiled downwards by the brush; the data stays this object's, and the image makes a copy.
            row = QImage(array("I", columns).tobytes(), len(columns), 1, 4 * len(columns), QImage.Format.Format_ARGB32)
            self._row = row.copy()
            self.update()

    def _on_theme_changed(self) -> None:
        self._painted = []
        self._show_columns()

    def _go_to(self, number: int) -> None:
        if number == self._at:
            return
        self._at = number
        self.update()
        self.share_pointed.emit(self.current)

    def _choose(self) -> None:
        if self.current is not None:
            self.share_chosen.emit(self.current)

    # --- Qt

    def sizeHint(self) -> QSize:
        """As wide as it may be."""
        return QSize(200, _HEIGHT + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The shares in their colours, the current one brighter, with a rim while the keys are here."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for brush in (QBrush(QColor(theme.current().chip)), QBrush(self._row)):
            painter.setBrush(brush)
            painter.drawRoundedRect(QRectF(0, 2, self.width(), _HEIGHT), _RADIUS, _RADIUS)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        left, right = 0, self.width()
        share = self.current
        if share is not None:
            left, right = self.left_of(self._at), self.left_of(self._at + 1)
            painter.fillRect(QRectF(left, 2, max(right - left, 1), _HEIGHT), colour(share, 1.0))
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.current().accent), 1.5))
            painter.drawRoundedRect(QRectF(left + 0.75, 1, max(right - left - 1.5, 2), _HEIGHT + 2), _RADIUS, _RADIUS)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has the shares elsewhere."""
        super().resizeEvent(event)
        self._show_columns()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tells which share the pointer is on."""
        x = event.position().toPoint().x()
        self._go_to(self._number_at(x) if self.share_at(x) is not None else -1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Chooses the share under the pointer."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.mouseMoveEvent(event)
            self._choose()

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer is on none."""
        del event
        if not self.hasFocus():
            self._go_to(-1)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keys begin at the first share."""
        super().focusInEvent(event)
        if self.current is None and self._shares and event.reason() != Qt.FocusReason.MouseFocusReason:
            self._move_to(0)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The keys are elsewhere."""
        super().focusOutEvent(event)
        self._go_to(-1)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right, Home and End, Return."""
        last = len(self._shares) - 1
        to = {
            Qt.Key.Key_Left: max(self._at - 1, 0),
            Qt.Key.Key_Right: min(self._at + 1, last),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }.get(Qt.Key(event.key()))
        if to is not None and self._shares:
            self._move_to(to)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Shows the tooltip of the share under the pointer."""
        return told_in_tip(event, self._words_at, self) or super().event(event)

    def _words_at(self, point: QPoint) -> str:
        share = self.share_at(point.x())
        return share_words(share, self._shares, self._measure) if share is not None else ""

    def _move_to(self, number: int) -> None:
        self._go_to(number)
        if self.current is not None:
            announce(self, share_words(self.current, self._shares, self._measure))


def _shades(shares: Sequence[Share]) -> list[int]:
    """The colour of each share at rest, as a QRgb; there are thousands of shares and a few colours."""
    known: dict[tuple[str, str], int] = {}
    found = []
    for each in shares:
        kind = each.kind, each.role
        if kind not in known:
            known[kind] = colour(each, 0.78).rgba()
        found.append(known[kind])
    return found


def colour(share: Share, shown: float) -> QColor:
    """The colour of a share. shown: how opaque, 1 = wholly."""
    colours = theme.current()
    if share.kind == "unknown":
        return colours.color(colours.bad, shown)
    if share.kind == "tier":
        return colours.color(colours.accent, shown * 0.6)
    if share.kind in ("tool", "document"):
        return colours.color(colours.tool, shown if share.kind == "tool" else shown * 0.6)
    if share.kind in ("message", "messages"):
        return colours.color(colours.role(share.role or "user"), shown)
    if share.kind == "thinking":
        return colours.color(colours.role("thinking"), shown * 0.7)
    return colours.color(colours.dim, shown * (0.7 if share.kind == "scaffolding" else 1.0))
