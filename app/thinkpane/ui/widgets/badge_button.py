"""A badge that can be pressed: it states a fact in words, and shows more of it."""

from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy

from thinkpane.ui.widgets.badge import Tone
from thinkpane.ui.widgets.plain_tip import plain_tip


class BadgeButton(QPushButton):
    """One short fact; hidden while it has nothing to say."""

    def __init__(self, name: str) -> None:
        """name: what it is about, for those who cannot see where it stands."""
        super().__init__()
        self._name = name
        self._said: tuple[str, Tone, str] = ("", "", "")
        self.setProperty("kind", "badge-button")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setVisible(False)

    def say(self, text: str, tone: Tone = "", hint: str = "") -> None:
        """Shows `text`; "" hides it. hint: more about it, as a tooltip."""
        if (text, tone, hint) == self._said:
            return
        self._said = text, tone, hint
        self.setText(text)
        self.setToolTip(plain_tip(hint))
        self.setAccessibleName(f"{self._name}: {text}")
        self.setAccessibleDescription(hint)
        self.setVisible(bool(text))
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            self.style().unpolish(self)
            self.style().polish(self)

    def fill(self, menu: QMenu) -> None:
        """Puts it into a menu of others, for where it has no room."""
        menu.addAction(f"{self._name}: {self.text()}").triggered.connect(self.click)
