"""Lines and badges that give way to their neighbours, and end in dots where they do."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from thinkpane.ui.widgets.badge import Tone
from thinkpane.ui.widgets.plain_tip import plain_tip

_LEAST_BADGE = 40
_LEAST_TITLE = 48
_AROUND = 6
"""Pixels beside a title's text that the style sheet may give, and a little against rounding."""

_PADDING = 20
"""Pixels beside a badge's text: what the style sheet gives, and a little against rounding."""

_HEIGHT = 6  # and above and below it


class ElidedLabel(QLabel):
    """One line that is cut with an ellipsis where it does not fit. kind: its look in the style sheet.

    at_start: its beginning gives way, so that its end is to be seen.
    """

    def __init__(self, kind: str, *, at_start: bool = False) -> None:
        super().__init__()
        self._whole = ""
        self._side = Qt.TextElideMode.ElideLeft if at_start else Qt.TextElideMode.ElideRight
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("kind", kind)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def whole(self) -> str:
        """The line, not cut."""
        return self._whole

    def set_whole(self, text: str) -> None:
        """The whole line."""
        if text != self._whole:
            self._whole = text
            self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cuts anew."""
        self._elide()

    def _elide(self) -> None:
        metrics = QFontMetrics(self.font())
        self.setText(metrics.elidedText(self._whole, self._side, max(self._room(), 1)))

    def _room(self) -> int:
        return self.contentsRect().width()


class ElidedTitle(ElidedLabel):
    """A title that asks for room for all of it, and gives way last of what stands beside it.

    least: pixels that it keeps, where it is that long.
    """

    def __init__(self, kind: str, *, least: int = _LEAST_TITLE) -> None:
        super().__init__(kind)
        self._least = least
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def set_whole(self, text: str) -> None:
        """The whole title."""
        if text != self.whole:
            super().set_whole(text)
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Room for all of it."""
        self.ensurePolished()
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self.whole) + _AROUND, metrics.height())

    def minimumSizeHint(self) -> QSize:
        """Room for a word."""
        whole = self.sizeHint()
        return QSize(min(whole.width(), self._least), whole.height())


class ElidedBadge(ElidedLabel):
    """A badge of one line; the whole of one that is cut is its tooltip. It is hidden while it says nothing."""

    def __init__(self) -> None:
        super().__init__("badge")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hide()

    def say(self, text: str, tone: Tone = "", hint: str = "") -> None:
        """Shows `text`; "" hides the badge. hint: more about it, in the tooltip."""
        if self.whole != text:
            self.set_whole(text)
            self.updateGeometry()
        self.setToolTip(plain_tip("\n".join(dict.fromkeys(filter(None, (text, *hint.splitlines()))))))
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            self.style().unpolish(self)
            self.style().polish(self)
        self.setVisible(bool(text))

    def sizeHint(self) -> QSize:
        """Room for all of it."""
        self.ensurePolished()
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self.whole) + _PADDING, metrics.height() + _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """Room for a few letters."""
        whole = self.sizeHint()
        return QSize(min(_LEAST_BADGE, whole.width()), whole.height())

    def _room(self) -> int:
        return self.width() - _PADDING + 2
