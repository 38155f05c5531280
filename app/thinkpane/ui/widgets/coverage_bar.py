"""How many lines of the template never ran, the way from one dead branch to the next, and what opens the list."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from thinkpane.analysis.coverage_over import CoverageOver
from thinkpane.ui.widgets.elided_label import ElidedLabel
from thinkpane.ui.widgets.flat_button import flat_button
from thinkpane.ui.widgets.plain_tip import plain_tip


class CoverageBar(QWidget):
    """One line of words, and `buttons`, which stand where there is room for them. What they do is whose they are.

    Signals:
        list_wanted(bool): the list of conversations is to be shown, or hidden.
    """

    list_wanted = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.words = ElidedLabel("dim")
        self.previous = flat_button("▲", "Previous dead branch (Shift+F8)")
        self.next = flat_button("▼", "Next dead branch (F8)")
        self.list_button = flat_button("Conversations", "")
        self.list_button.setCheckable(True)
        self.list_button.toggled.connect(self.list_wanted)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        line.addWidget(self.words, 1)
        self.show_coverage(None, 1)

    @property
    def buttons(self) -> tuple[QToolButton, ...]:
        """Its buttons, in order."""
        return (self.previous, self.next, self.list_button)

    def show_coverage(self, found: CoverageOver | None, count: int) -> None:
        """Shows a coverage. count: how many conversations are open."""
        words = found.words if found is not None else ""
        self.words.set_whole(f"{words[:1].upper()}{words[1:]}")
        self.words.setToolTip(plain_tip(words))
        dead = len(found.dead) if found is not None else 0
        for each in (self.previous, self.next):
            each.setEnabled(dead > 0)
        self.list_button.setText(f"Conversations {count}" if count > 1 else "Conversations")
        hint = "Open further conversations, to see which lines none of them runs"
        self.list_button.setToolTip(plain_tip(hint))
        self.list_button.setAccessibleName(f"{self.list_button.text()}. {hint}")
