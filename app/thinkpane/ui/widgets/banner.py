"""A line across the window for what needs a person: one sentence, a few buttons, and more text where there is any."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout

from thinkpane.ui.widgets.badge import Tone


class Banner(QFrame):
    """One matter at a time, the newest.

    Signals:
        closed(): it was put away without one of its buttons.
    """

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "banner")
        self.setAccessibleName("Notice")
        self.sentence = _label()
        self.detail = _label()
        self.detail.setProperty("kind", "dim")
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(8)
        close = QToolButton()
        close.setText("✕")
        close.setProperty("kind", "flat")
        close.setAccessibleName("Put the notice away")
        close.clicked.connect(self.put_away)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.sentence, 1)
        line.addLayout(self._buttons)
        line.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 4, 8, 4)
        column.setSpacing(2)
        column.addLayout(line)
        column.addWidget(self.detail)
        self.hide()

    def tell(
        self, sentence: str, tone: Tone = "", choices: Sequence[tuple[str, Callable[[], object]]] = (), detail: str = ""
    ) -> None:
        """Shows `sentence` with a button for each of `choices` (text, what it does); a button puts the banner away."""
        self.sentence.setText(sentence)
        self.detail.setText(detail)
        self.detail.setVisible(bool(detail))
        self._clear()
        for text, act in choices:
            button = QPushButton(text)
            button.clicked.connect(self._clear)
            button.clicked.connect(self.hide)
            button.clicked.connect(lambda _checked=False, act=act: act())
            self._buttons.addWidget(button)
        self.setProperty("tone", tone)
        self.style().unpolish(self)
        self.style().polish(self)
        self.show()

    @property
    def choices(self) -> list[QPushButton]:
        """Its buttons now."""
        return [each for each in self.findChildren(QPushButton) if not each.isHidden()]

    def put_away(self) -> None:
        """Hides it, as its ✕ does."""
        if not self.isHidden():
            self.hide()
            self._clear()
            self.closed.emit()

    def _clear(self) -> None:
        while (item := self._buttons.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()


def _label() -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
