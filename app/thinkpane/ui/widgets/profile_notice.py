"""A quiet notice above the prompt: what the switch of the runtime profile did."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout

from thinkpane.ui.widgets.flat_button import flat_button
from thinkpane.ui.widgets.output_card import plain_label


class ProfileNotice(QFrame):
    """Hidden until there is something to tell.

    Signals:
        asked(): the difference should be shown.
    """

    asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "banner")
        self.setAccessibleName("What the runtime profile changed")
        self.sentence = plain_label("", "dim")
        self.sentence.setWordWrap(True)
        self.show_button = flat_button("Show difference", "Show both prompts in one, and what was rewritten")
        self.show_button.clicked.connect(self.asked)
        close = flat_button("✕", "Put the notice away")
        close.clicked.connect(self.put_away)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 2, 4, 2)
        row.setSpacing(8)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.show_button)
        row.addWidget(close)
        self.hide()

    def tell(self, sentence: str, differs: bool) -> None:
        """Shows the line; differs: there is something to look at."""
        self.sentence.setText(sentence)
        self.show_button.setVisible(differs)
        self.show()

    def put_away(self) -> None:
        """Hides it."""
        self.hide()
