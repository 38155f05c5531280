"""A label of one line that is cut with an ellipsis where it does not fit."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy


class ElidedLabel(QLabel):
    """One line of plain text. kind: its look in the style sheet."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("kind", kind)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def whole(self) -> str:
        """The line, not cut."""
        return self._whole

    def set_whole(self, text: str) -> None:
        """The whole line."""
        self._whole = text
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cuts anew."""
        self._elide()

    def _elide(self) -> None:
        metrics = QFontMetrics(self.font())
        self.setText(metrics.elidedText(self._whole, Qt.TextElideMode.ElideRight, max(self._room(), 1)))

    def _room(self) -> int:
        return self.contentsRect().width()
