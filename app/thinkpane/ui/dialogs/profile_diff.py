"""Both prompts of a profile switch in one text, difference by difference, and what each runtime rewrote."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from thinkpane.prompt.diff import Piece
from thinkpane.prompt.profile_diff import ProfileDiff, ProfilePrompt
from thinkpane.prompt.profiles._registry import all_profiles
from thinkpane.ui.dialogs.place_steps import PlaceSteps
from thinkpane.ui.widgets.calm_scroll_area import CalmScrollArea
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.text_marks import Mark
from thinkpane.ui.widgets.text_view import TextView

_SHOWN = 60


class ProfileDiffDialog(QDialog):
    """What is only in the one prompt and only in the other, in place; the same text stands between."""

    def __init__(self, found: ProfileDiff, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"{found.before.title} and {found.after.title}")
        self.resize(900, 620)
        self._found = found
        self._stretches = stretches(found.pieces)
        self.view = TextView("Both prompts in one")
        self.view.set_invisible(True)
        self.view.set_text("".join(each.text for each in found.pieces), marks(found.pieces))
        self.steps = PlaceSteps("difference", len(self._stretches))
        self.steps.reached.connect(self._on_steps_reached)
        if not self._stretches:
            self.steps.where.setText("The prompts are the same.")
        self._lay_out()
        self.steps.go(0)

    def _lay_out(self) -> None:
        top = QWidget()
        column = QVBoxLayout(top)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view, 1)
        column.addWidget(self.steps)
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.setChildrenCollapsible(False)
        parts.addWidget(top)
        parts.addWidget(_rewrites(self._found))
        parts.setSizes([420, 180])
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        box.rejected.connect(self.reject)
        whole = QVBoxLayout(self)
        whole.addWidget(parts, 1)
        whole.addWidget(box)

    def _on_steps_reached(self, number: int) -> None:
        piece, start = self._stretches[number]
        self.view.select(start, start + len(piece.text))
        only = self._found.before if piece.kind == "removed" else self._found.after
        text = piece.text if len(piece.text) <= _SHOWN else f"{piece.text[:_SHOWN]}…"
        shown = text.replace("\n", "↵")
        self.steps.where.setText(
            f"Difference {number + 1} of {len(self._stretches)}: only with {only.title}, “{shown}”"
            f" ({len(piece.text):,} character{'' if len(piece.text) == 1 else 's'})"
        )


def stretches(pieces: tuple[Piece, ...]) -> list[tuple[Piece, int]]:
    """The pieces that differ, with where they begin in the text of all pieces."""
    found: list[tuple[Piece, int]] = []
    at = 0
    for piece in pieces:
        if piece.kind != "same":
            found.append((piece, at))
        at += len(piece.text)
    return found


def marks(pieces: tuple[Piece, ...]) -> list[Mark]:
    """The pieces that differ as marks, in the colour of what went or what came."""
    return [Mark(start, start + len(piece.text), "token", piece.kind) for piece, start in stretches(pieces)]


def _rewrites(found: ProfileDiff) -> QScrollArea:
    inner = QWidget()
    column = QVBoxLayout(inner)
    column.setSpacing(4)
    for each in (found.after, found.before):
        column.addWidget(plain_label(_head(each), "head"))
        for sentence in each.rewrites or ("It rewrites nothing here.",):
            label = plain_label(sentence, "")
            label.setWordWrap(True)
            label.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            column.addWidget(label)
    column.addStretch(1)
    area = CalmScrollArea()
    area.setWidgetResizable(True)
    area.setAccessibleName("What the profiles rewrite")
    area.setWidget(inner)
    return area


def _head(prompt: ProfilePrompt) -> str:
    profile = all_profiles().get(prompt.profile)
    version = f" ({profile.version})" if profile and profile.version else ""
    return f"What {prompt.title}{version} rewrites"
