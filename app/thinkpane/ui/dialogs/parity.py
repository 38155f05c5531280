"""Our prompt and the server's own: whether they are the same, the likely cause where not, and where they differ."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from thinkpane.prompt.diff import diff
from thinkpane.ui.dialogs.profile_diff import marks, stretches
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.plain_tip import plain_tip
from thinkpane.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from thinkpane.runs.parity import Parity

_HEADS = {
    "same": "The server makes the very same prompt",
    "differs": "The server makes another prompt",
    "unknown": "It cannot be told which prompt the server makes",
}
_SHOWN = 60


class ParityDialog(QDialog):
    """What a comparison found.

    Signals:
        again(): the server is to be asked anew; the dialog closes.
        compare_wanted(): both prompts are to be compared beside each other; the dialog closes.
    """

    again = Signal()
    compare_wanted = Signal()

    def __init__(self, found: "Parity", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Parity with the server")
        self._stretches = stretches(diff(found.ours, found.theirs)) if found.theirs is not None else []
        self._at = -1
        self.head = plain_label(_HEADS[found.verdict], "title")
        self.cause = plain_label(found.cause, "")
        self.how = plain_label(" ".join(filter(None, [found.server, found.how])), "dim")
        for each in (self.cause, self.how):
            each.setWordWrap(True)
            each.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            each.setVisible(bool(each.text()))
        self.view: TextView | None = None
        self.where = plain_label("", "dim")
        column = QVBoxLayout(self)
        column.setSpacing(8)
        for label in (self.head, self.cause, self.how):
            column.addWidget(label)
        if found.theirs is not None or found.ours:
            self._add_view(column, found)
        else:
            column.addStretch(1)
        column.addWidget(self._buttons())
        self.setMinimumWidth(460)
        self.resize(860, 560 if found.ours else 160)
        if self._stretches:
            self._go(0)

    def _add_view(self, column: QVBoxLayout, found: "Parity") -> None:
        self.view = TextView("Both prompts in one" if self._stretches else "Prompt")
        self.view.set_invisible(True)
        pieces = diff(found.ours, found.theirs if found.theirs is not None else found.ours)
        self.view.set_text("".join(each.text for each in pieces), marks(pieces))
        column.addWidget(self.view, 1)
        if not self._stretches:
            return
        bar = QHBoxLayout()
        self.where.setWordWrap(True)
        self.where.setAccessibleName("Difference at hand")
        bar.addWidget(self.where, 1)
        for text, keys, step in (("Previous", "Shift+F7", -1), ("Next", "F7", 1)):
            button = QPushButton(text)
            button.setShortcut(QKeySequence(keys))
            button.setToolTip(plain_tip(f"{text} difference ({keys})"))
            button.setAutoDefault(False)
            button.clicked.connect(lambda _=False, step=step: self._go(self._at + step))
            bar.addWidget(button)
        column.addLayout(bar)

    def _buttons(self) -> QDialogButtonBox:
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        ask = box.addButton("Ask again", QDialogButtonBox.ButtonRole.ActionRole)
        ask.setAutoDefault(False)
        ask.clicked.connect(self._on_ask_clicked)
        if self._stretches:
            beside = box.addButton("Side by side", QDialogButtonBox.ButtonRole.ActionRole)
            beside.setAutoDefault(False)
            beside.clicked.connect(self._on_beside_clicked)
        box.rejected.connect(self.reject)
        return box

    def _on_ask_clicked(self) -> None:
        self.again.emit()
        self.accept()

    def _on_beside_clicked(self) -> None:
        self.compare_wanted.emit()
        self.accept()

    def _go(self, number: int) -> None:
        """To that difference, round to the other end."""
        self._at = number % len(self._stretches)
        piece, start = self._stretches[self._at]
        if self.view is not None:
            self.view.select(start, start + len(piece.text))
        only = "here" if piece.kind == "removed" else "at the server"
        text = piece.text if len(piece.text) <= _SHOWN else f"{piece.text[:_SHOWN]}…"
        shown = text.replace("\n", "↵")
        self.where.setText(f"Difference {self._at + 1} of {len(self._stretches)}: only {only}, “{shown}”")
