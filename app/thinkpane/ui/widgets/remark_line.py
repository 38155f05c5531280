"""A line under an editor that says what was done, or why something was not."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel


class RemarkLine(QLabel):
    """It takes no room while there is nothing to say."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("kind", "remark")
        self.setWordWrap(True)
        self.setContentsMargins(8, 0, 8, 0)
        self.hide()

    def say(self, words: str) -> None:
        """Why something was not done; "" = nothing."""
        self._tell(words, "remark")

    def report(self, words: str) -> None:
        """What was done."""
        self._tell(words, "dim")

    def _tell(self, words: str, kind: str) -> None:
        self.setText(words)
        self.setVisible(bool(words))
        if self.property("kind") != kind:
            self.setProperty("kind", kind)
            self.style().unpolish(self)
            self.style().polish(self)
