"""What looks damaged in a template's text: each kind a switch, the text before and after it side by side."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from thinkpane.engine.host import Engine
from thinkpane.templates.damage.values import PLACEHOLDER, TAGS
from thinkpane.templates.repair import FAMILIES, KINDS, Damage, likely_family
from thinkpane.ui.models.text_changes import Stretch
from thinkpane.ui.repair_maker import Made, RepairMaker
from thinkpane.ui.widgets.calm_scroll_area import CalmScrollArea
from thinkpane.ui.widgets.combo import Combo
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.section import SectionHead, sentence
from thinkpane.ui.widgets.text_marks import Mark
from thinkpane.ui.widgets.text_view import TextView

_TITLES = {
    "markdown-fence": "Take the code fence off",
    "html-entities": "Read HTML entities as characters",
    "table-borders": "Take the table's borders off",
    "json-escapes": "Read JSON's escapes",
    "page-text": "Cut the page's words off",
    "folded-indentation": "Indent as is usual",
    "folded-line-breaks": "Break the lines again",
    "stripped-tags": "Put a family's tags back",
    "object-placeholder": "Lost for good",
    "truncation": "Close what is open at the end",
}
_BESIDE = 40
"""Pixels beside the list: margins, frame and scroll bar."""

_CONSENT = "This writes tags that are not in the text: they are known only from other templates of the family."


class RepairDialog(QDialog):
    """Nothing is changed before “Use repaired”. Tags of a family are off until a person switches them on.

    Signals:
        left(): the text is to stay as it is.
    """

    left = Signal()

    def __init__(self, text: str, damages: Sequence[Damage], engine: Engine, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._repaired = text
        self.maker = RepairMaker(text, engine, self)
        self.maker.made.connect(self._on_maker_made)
        self.finished.connect(self.maker.close)
        self.setWindowTitle("Repair template")
        self.resize(1100, 700)
        self.switches: dict[str, QCheckBox] = {}
        self.family = Combo(editable=False)
        self.before = TextView("The text as it is")
        self.after = TextView("The text as it would be")
        for view in (self.before, self.after):
            view.set_gutter(True)
        self.said = sentence()
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addWidget(self._damages([each for each in damages if each.kind in KINDS]))
        column.addWidget(self._views(), 1)
        column.addWidget(self.said)
        column.addWidget(self._buttons())
        self.before.set_text(text)
        self.after.set_text(text)
        self._ask()

    @staticmethod
    def can_repair(damages: Sequence[Damage]) -> bool:
        """Whether there is anything among them that this dialog has a switch for."""
        return any(each.kind in KINDS and each.kind != PLACEHOLDER for each in damages)

    @property
    def repaired(self) -> str:
        """The text as the switches make it."""
        return self._repaired

    def _damages(self, damages: Sequence[Damage]) -> QWidget:
        area = QWidget()
        column = QVBoxLayout(area)
        column.setContentsMargins(4, 4, 4, 4)
        column.setSpacing(2)
        for damage in damages:
            title = f"{_TITLES[damage.kind]}  ·  line {damage.line}  ·  {damage.confidence}"
            if damage.kind == PLACEHOLDER:
                column.addWidget(plain_label(title, "remark"))
            else:
                column.addLayout(self._switch_row(title, damage))
            words = sentence(f"{damage.sentence} {_CONSENT if damage.kind == TAGS else ''}".strip())
            words.setContentsMargins(24, 0, 0, 4)
            column.addWidget(words)
        column.addStretch(1)
        self._list = area
        self._scroll = CalmScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setWidget(area)
        self._scroll.setAccessibleName("What looks damaged")
        return self._scroll

    def _switch_row(self, title: str, damage: Damage) -> QHBoxLayout:
        box = QCheckBox(title)
        # What may be meant so is left to the person; so are tags that the text does not hold.
        box.setChecked(damage.kind != TAGS and damage.confidence != "possible")
        box.toggled.connect(self._ask)
        self.switches[damage.kind] = box
        return self._family_row(box) if damage.kind == TAGS else _row(box)

    def _family_row(self, box: QCheckBox) -> QHBoxLayout:
        self.family.setAccessibleName("Family of the template")
        for name, family in FAMILIES.items():
            self.family.addItem(family.title, name)
        likely = likely_family(self._text)
        self.family.setCurrentIndex(self.family.findData(likely.name) if likely else 0)
        self.family.currentIndexChanged.connect(self._ask)
        row = _row(box)
        row.insertWidget(1, self.family)
        return row

    def _views(self) -> QWidget:
        area = QSplitter(Qt.Orientation.Horizontal)
        for title, view in (("As it is", self.before), ("Repaired", self.after)):
            side = QWidget()
            column = QVBoxLayout(side)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(0)
            column.addWidget(SectionHead(title))
            column.addWidget(view, 1)
            area.addWidget(side)
        area.setChildrenCollapsible(False)
        area.setSizes([540, 540])
        return area

    def _buttons(self) -> QDialogButtonBox:
        box = QDialogButtonBox()
        self.use = box.addButton("Use repaired", QDialogButtonBox.ButtonRole.AcceptRole)
        self.leave = box.addButton("Leave as it is", QDialogButtonBox.ButtonRole.RejectRole)
        self.use.setProperty("kind", "primary")
        self.use.clicked.connect(self.accept)
        self.leave.clicked.connect(self._on_leave_clicked)
        return box

    def _ask(self) -> None:
        """Has the text repaired as the switches say; until that is there it cannot be used."""
        wanted = [kind for kind, box in self.switches.items() if box.isChecked()]
        family = self.family.currentData() if TAGS in wanted else None
        self.use.setEnabled(False)
        self.maker.ask(wanted, family)

    def _on_maker_made(self, made: Made) -> None:
        self._repaired = made.text
        self.before.set_text(self._text, _marks(made.gone, "tool"))
        self.after.set_text(made.text, _marks(made.added, "assistant"))
        self.said.setText("\n".join(made.said) or "Nothing is switched on.")
        self.use.setEnabled(made.text != self._text)

    def _on_leave_clicked(self) -> None:
        self.left.emit()
        self.reject()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The list is as high as its sentences, up to two fifths of the dialog."""
        super().resizeEvent(event)
        wanted = self._list.heightForWidth(self.width() - _BESIDE)
        self._scroll.setFixedHeight(min(wanted, self.height() * 2 // 5))


def _row(box: QCheckBox) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    row.addWidget(box)
    row.addStretch(1)
    return row


def _marks(stretches: Sequence[Stretch], role: str) -> list[Mark]:
    return [Mark(start, end, "token", role) for start, end in stretches]
