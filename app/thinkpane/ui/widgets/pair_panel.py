"""The room of a comparison across the window: what came of it above, two replies beside each other or in turns."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSplitter, QVBoxLayout, QWidget

from thinkpane.ui.widgets.badge import Badge
from thinkpane.ui.widgets.badge_button import BadgeButton
from thinkpane.ui.widgets.flat_button import flat_button
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.segmented import Segmented

LEAST_SIDE = 44
"""Digits of the interface's font that one side must have room for; with less for two, one is seen at a time."""


class PairPanel(QFrame):
    """Two widgets with a head over them.

    Signals:
        again_pressed(), steady_pressed(): both are to be run again, as the document says or with less left to chance.
        difference_pressed(): the two replies are to be shown with what differs.
        closed(): a person puts the room away. room_pressed(bool): it is to have all the room, or to share it.
    """

    again_pressed = Signal()
    steady_pressed = Signal()
    difference_pressed = Signal()
    closed = Signal()
    room_pressed = Signal(bool)

    def __init__(self, sides: dict[str, QWidget]) -> None:
        """sides: the two widgets by their titles."""
        super().__init__()
        self.setProperty("kind", "pane")
        self.setAccessibleName(" and ".join(sides).lower().capitalize())
        self._sides = list(sides.values())
        self.verdict = Badge()
        self.parity = BadgeButton("Prompts of the two")
        self.sentence = plain_label("", "")
        self.reason = plain_label("", "dim")
        for each in (self.sentence, self.reason):
            each.setWordWrap(True)
            each.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.turn = Segmented("Which reply is shown", [(title, place) for place, title in enumerate(sides)])
        self.turn.set_value(0)
        self.turn.chosen.connect(self._on_turn_chosen)
        self.steady = QPushButton("Again with temperature 0")
        self.steady.setToolTip("Run both once more with temperature 0 and seed 1; the document keeps its own sampling")
        self.difference = flat_button("Show difference", "Show both replies beside each other with what differs")
        self.again = flat_button("Run both again", "Send the conversation on both paths again")
        self.whole = flat_button("⤢", "Give the comparison all the room")
        self.whole.setCheckable(True)
        self.close_button = flat_button("✕", "Put the comparison away")
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._connect()
        self._lay_out()

    @property
    def is_narrow(self) -> bool:
        """Whether there is room for one side only."""
        return self.width() < 2 * LEAST_SIDE * self.fontMetrics().horizontalAdvance("0")

    def say(self, sentence: str, reason: str) -> None:
        """What came of the comparison, and what is behind it; "" hides either."""
        for label, words in ((self.sentence, sentence), (self.reason, reason)):
            label.setText(words)
            label.setVisible(bool(words))

    def _connect(self) -> None:
        self.steady.clicked.connect(self.steady_pressed)
        self.difference.clicked.connect(self.difference_pressed)
        self.again.clicked.connect(self.again_pressed)
        self.whole.clicked.connect(self.room_pressed)
        self.close_button.clicked.connect(self.closed)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(12, 4, 8, 2)
        head.setSpacing(6)
        self._title = plain_label(self.accessibleName().upper(), "head")
        self._title.setAccessibleName(self.accessibleName())
        for each in (self._title, self.verdict, self.parity, self.turn):
            head.addWidget(each)
        head.addStretch(1)
        for button in (self.difference, self.again, self.whole, self.close_button):
            head.addWidget(button)
        told = QHBoxLayout()
        told.setContentsMargins(12, 0, 8, 4)
        told.setSpacing(8)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.sentence)
        words.addWidget(self.reason)
        told.addLayout(words, 1)
        told.addWidget(self.steady, 0, Qt.AlignmentFlag.AlignTop)
        rule = QFrame()
        rule.setProperty("kind", "rule")
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        for side in self._sides:
            self.splitter.addWidget(side)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(told)
        column.addWidget(rule)
        column.addWidget(self.splitter, 1)
        self.say("", "")
        self.steady.hide()
        self._arrange()

    def _arrange(self) -> None:
        narrow = self.is_narrow
        self.turn.setVisible(narrow)
        self._title.setVisible(not narrow)
        self.again.setText("Again" if narrow else "Run both again")
        for place, side in enumerate(self._sides):
            side.setVisible(not narrow or place == self.turn.value)

    def _on_turn_chosen(self, _place: object) -> None:
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Both sides where there is room for them."""
        super().resizeEvent(event)
        self._arrange()
