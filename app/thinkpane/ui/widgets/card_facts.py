"""What a card's header states: chips beside the title, badges at the right; in narrow cards on a line of their own."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLayout, QWidget

from thinkpane.ui.widgets.card_list_card import FactLabel
from thinkpane.ui.widgets.flow_layout import FlowLayout

_SPACING = 4


class CardFacts:
    """The facts of one card. header: the row they stand in where they have room.

    line: what they stand in where not; it belongs right below the header.
    """

    def __init__(self, header: QHBoxLayout, card: QWidget) -> None:
        self._header = header
        self._card = card
        self._chips, self._badges = _box(card), _box(card)
        self.line = QWidget(card)
        self._flow = FlowLayout(self.line, spacing=_SPACING)
        self._flow.setContentsMargins(24, 0, 8, 4)
        self.line.hide()
        self._is_narrow = False
        header.addWidget(self._chips, 0, Qt.AlignmentFlag.AlignVCenter)
        header.addStretch(1)
        header.addWidget(self._badges, 0, Qt.AlignmentFlag.AlignVCenter)
        self._first = header.indexOf(self._chips)

    def set_chips(self, names: Sequence[str]) -> None:
        """What stands beside the title."""
        self._fill(self._chips, [(name, "") for name in names], "chip")

    def set_badges(self, facts: Sequence[tuple[str, str]]) -> None:
        """What stands at the right: (text, tone) each."""
        self._fill(self._badges, facts, "badge")

    def fit(self) -> None:
        """Puts them where they have room for all they say."""
        boxes = [each for each in (self._chips, self._badges) if not each.isHidden()]
        items = (self._header.itemAt(place) for place in range(self._header.count()))
        widgets = [item.widget() for item in items if item is not None]
        others = [each for each in widgets if each and not each.isHidden() and each not in (self._chips, self._badges)]
        margins = self._header.contentsMargins()
        needed = sum(each.sizeHint().width() + self._header.spacing() for each in (*others, *boxes))
        narrow = needed + margins.left() + margins.right() > self._card.width()
        if narrow != self._is_narrow:
            self._is_narrow = narrow
            self._move()
        self.line.setVisible(narrow and bool(boxes))

    def _move(self) -> None:
        if self._is_narrow:
            for box in (self._chips, self._badges):
                self._header.removeWidget(box)
                self._flow.addWidget(box)
            return
        for place, box in ((0, self._chips), (2, self._badges)):
            self._flow.removeWidget(box)
            self._header.insertWidget(self._first + place, box, 0, Qt.AlignmentFlag.AlignVCenter)

    def _fill(self, box: QWidget, facts: Sequence[tuple[str, str]], kind: str) -> None:
        """Makes the labels these; nothing is touched where they are that already."""
        row = box.layout()
        assert row is not None
        labels = _labels(row)
        if [(each.fact, each.tone) for each in labels] == list(facts):
            return
        for each in labels:
            row.removeWidget(each)
            each.hide()
            each.deleteLater()
        for text, tone in facts:
            label = FactLabel(text, tone, kind)
            row.addWidget(label)
            label.show()
        box.setVisible(bool(facts))
        self.fit()


def _box(card: QWidget) -> QWidget:
    found = QWidget(card)
    FlowLayout(found, spacing=_SPACING)
    found.hide()
    return found


def _labels(row: QLayout) -> list[FactLabel]:
    widgets = [item.widget() for place in range(row.count()) if (item := row.itemAt(place)) is not None]
    return [each for each in widgets if isinstance(each, FactLabel)]
