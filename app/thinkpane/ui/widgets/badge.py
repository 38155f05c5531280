"""A badge states a fact about the thing beside it, in words; its colour only repeats what the words say."""

from typing import Literal, TypeAlias

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from thinkpane.ui.widgets.plain_tip import plain_tip

Tone: TypeAlias = Literal["", "good", "warning", "bad"]

_PADDING = 22
"""Pixels beside the text: what the style sheet gives, and a little against rounding."""

_HEIGHT = 6


class Badge(QLabel):
    """One short fact. It is hidden while it has nothing to say, and breaks into lines where it is told to."""

    def __init__(self, text: str = "", tone: Tone = "", parent: QWidget | None = None, *, wraps: bool = False) -> None:
        super().__init__(parent)
        self.setProperty("kind", "badge")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wraps)
        if not wraps:
            self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.say(text, tone)

    def sizeHint(self) -> QSize:
        """All in one line; layouts that have less room ask for the height it then takes."""
        hint = super().sizeHint()
        if not self.wordWrap():
            return hint
        width = self.fontMetrics().horizontalAdvance(self.text()) + _PADDING
        return QSize(width, self.fontMetrics().height() + _HEIGHT)

    def say(self, text: str, tone: Tone = "", hint: str = "") -> None:
        """Shows `text`; "" hides the badge. hint: more about it, as a tooltip."""
        self.setText(text)
        self.setToolTip(plain_tip(hint))
        self.setVisible(bool(text))
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            self.style().unpolish(self)
            self.style().polish(self)
