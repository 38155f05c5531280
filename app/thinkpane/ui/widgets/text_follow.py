"""The button that offers to go to the latest text, above the lower right corner of a view."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QWidget

_DISTANCE = 8


class FollowButton(QToolButton):
    """Lies over the viewport it is given; shown only while there is something newer below."""

    def __init__(self, viewport: QWidget) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self.setText("↓ Latest")
        self.setAccessibleName("Jump to the latest text")
        self.setProperty("kind", "chip")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def place(self, *, shown: bool) -> None:
        """Shows or hides it, in its corner."""
        if shown:
            self.adjustSize()
            area = self._viewport.rect()
            self.move(area.right() - self.width() - _DISTANCE, area.bottom() - self.height() - _DISTANCE)
        self.setVisible(shown)
