"""The line under the tiers that tells of the template's source: what comes with it, and its named templates."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from thinkpane.ui.widgets.badge import Badge
from thinkpane.ui.widgets.banner import Banner
from thinkpane.ui.widgets.combo import Combo
from thinkpane.ui.widgets.elided_label import ElidedLabel
from thinkpane.ui.widgets.plain_tip import plain_tip


class SourceBar(QWidget):
    """Two parts, each hidden while it has nothing to say: `matter`, for what needs a person, and the source's facts.

    Signals:
        name_chosen(str): a person chose one of the named templates, "" = as transformers chooses.
        details_asked(): more is to be shown of what was found.
    """

    name_chosen = Signal(str)
    details_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.matter = Banner()
        self.matter.setAccessibleName("About the template")
        self.line = QFrame()
        self.line.setProperty("kind", "bar")
        self._caption = QLabel("Named template")
        self._caption.setProperty("kind", "dim")
        self.names = Combo(editable=False)
        self.names.setAccessibleName("Named template")
        self.names.activated.connect(self._on_names_activated)
        self.facts = ElidedLabel("dim")
        self.warning = Badge()
        self.details = QToolButton()
        self.details.setText("What was found…")
        self.details.setToolTip("Every template text of the source, what each runtime takes, and the special tokens")
        self.details.setProperty("kind", "flat")
        self.details.clicked.connect(self.details_asked)
        row = QHBoxLayout(self.line)
        row.setContentsMargins(12, 2, 12, 2)
        row.setSpacing(8)
        for each in (self._caption, self.names, self.warning):
            row.addWidget(each)
        row.addWidget(self.facts, 1)
        row.addWidget(self.details)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.matter)
        column.addWidget(self.line)
        self.show_facts("", "", "")

    def show_facts(self, facts: str, warning: str, hint: str) -> None:
        """What comes with the template; "" hides the line. warning: a badge before it; hint: its words in full."""
        self.facts.set_whole(facts)
        self.facts.setToolTip(plain_tip(facts))
        self.warning.say(warning, "warning", plain_tip(hint))
        self.line.setVisible(bool(facts))

    def show_names(self, entries: Sequence[tuple[str, str, str]], current: str) -> None:
        """The named templates to choose from, (text, name, tooltip) each; hidden where there are none."""
        self.names.clear()
        for text, name, hint in entries:
            self.names.addItem(text, name)
            self.names.setItemData(self.names.count() - 1, plain_tip(hint), Qt.ItemDataRole.ToolTipRole)
        self.names.setCurrentIndex(self.names.findData(current))
        for each in (self._caption, self.names):
            each.setVisible(bool(entries))

    def _on_names_activated(self, index: int) -> None:
        self.name_chosen.emit(str(self.names.itemData(index)))
