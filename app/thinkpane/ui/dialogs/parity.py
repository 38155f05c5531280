"""Our prompt and the server's own: whether they are the same, the likely cause where not, and where they differ."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from thinkpane.prompt.diff import Piece, diff
from thinkpane.ui.dialogs.place_steps import PlaceSteps
from thinkpane.ui.dialogs.profile_diff import marks, stretches
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from thinkpane.runs.parity import Parity

_HEADS = {
    "same": "The server makes the very same prompt",
    "differs": "The server makes another prompt",
    "unknown": "It cannot be told which prompt the server makes",
}
_SHOWN = 60
_LONGEST = 400_000
"""Characters of both prompts."""


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
        self._differs = found.theirs is not None and found.theirs != found.ours
        self._pieces = _pieces(found)
        self._stretches = stretches(self._pieces)
        self.head = plain_label(_HEADS[found.verdict], "title")
        self.cause = plain_label(found.cause, "")
        self.how = plain_label(" ".join(filter(None, [found.server, found.how])), "dim")
        for each in (self.cause, self.how):
            each.setWordWrap(True)
            each.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            each.setVisible(bool(each.text()))
        self.view: TextView | None = None
        self.steps = PlaceSteps("difference", len(self._stretches))
        self.steps.reached.connect(self._on_steps_reached)
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
        self.steps.go(0)

    def _add_view(self, column: QVBoxLayout, found: "Parity") -> None:
        self.view = TextView("Both prompts in one" if self._stretches else "Prompt")
        self.view.set_invisible(True)
        self.view.set_text("".join(each.text for each in self._pieces), marks(self._pieces))
        column.addWidget(self.view, 1)
        if self._differs:
            column.addWidget(self.steps)
        if self._differs and not self._stretches:
            self.steps.where.setText("They are too long to be compared here; “Side by side” does it beside the window.")

    def _buttons(self) -> QDialogButtonBox:
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        ask = box.addButton("Ask again", QDialogButtonBox.ButtonRole.ActionRole)
        ask.setAutoDefault(False)
        ask.clicked.connect(self._on_ask_clicked)
        if self._differs:
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

    def _on_steps_reached(self, number: int) -> None:
        piece, start = self._stretches[number]
        if self.view is not None:
            self.view.select(start, start + len(piece.text))
        only = "here" if piece.kind == "removed" else "at the server"
        text = piece.text if len(piece.text) <= _SHOWN else f"{piece.text[:_SHOWN]}…"
        shown = text.replace("\n", "↵")
        self.steps.where.setText(f"Difference {number + 1} of {len(self._stretches)}: only {only}, “{shown}”")


def _pieces(found: "Parity") -> tuple[Piece, ...]:
    """What is shown: ours, and where it differs the server's in it; long ones are compared in the Diff pane alone, for
    here it would hold up the window."""
    if found.theirs is None or len(found.ours) + len(found.theirs) > _LONGEST:
        return (Piece("same", found.ours),)
    return diff(found.ours, found.theirs)
