"""The quiet buttons of toolbars and notices."""

from PySide6.QtWidgets import QToolButton

from thinkpane.ui.widgets.plain_tip import plain_tip


def flat_button(text: str, words: str) -> QToolButton:
    """A quiet button; words: what it does, as its tooltip and for screen readers."""
    found = QToolButton()
    found.setText(text)
    found.setProperty("kind", "flat")
    found.setToolTip(plain_tip(words))
    found.setAccessibleName(words)
    return found
