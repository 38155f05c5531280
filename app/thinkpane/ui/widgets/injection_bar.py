"""The line above the prompt that counts special tokens which came from input, and goes from one to the next."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy

from thinkpane.ui.widgets.elided_label import ElidedLabel
from thinkpane.ui.widgets.flat_button import flat_button
from thinkpane.ui.widgets.plain_tip import plain_tip


class InjectionBar(QFrame):
    """Hidden while there are none.

    Signals:
        stepped(int): 1 for the next one, -1 for the one before.
        asked(): what sanitising them would give should be shown.
    """

    stepped = Signal(int)
    asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "problem")
        self.setAccessibleName("Special tokens from input")
        self.sentence = ElidedLabel("error")
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.previous = flat_button("‹", "Previous special token from input")
        self.next = flat_button("›", "Next special token from input")
        self.sanitize = flat_button("Sanitised…", "What the model would get with transformers' sanitize_control_tokens")
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 1, 4, 1)
        row.setSpacing(2)
        row.addWidget(self.sentence, 1)
        for each in (self.previous, self.next, self.sanitize):
            each.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            row.addWidget(each)
        self.previous.clicked.connect(lambda: self.stepped.emit(-1))
        self.next.clicked.connect(lambda: self.stepped.emit(1))
        self.sanitize.clicked.connect(self.asked)
        self.hide()

    def tell(self, words: str) -> None:
        """Says how many there are, or which one is at hand; "" = there are none."""
        self.sentence.set_whole(words)
        self.sentence.setAccessibleName(words)
        self.sentence.setToolTip(plain_tip(words))
        self.setVisible(bool(words))
