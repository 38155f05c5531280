"""The tiers of the template as buttons, and beside them which one is in force and why."""

from functools import partial

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from thinkpane.analysis.in_force import InForce
from thinkpane.templates.template import TierCandidate
from thinkpane.ui import theme
from thinkpane.ui.widgets.elided_label import ElidedBadge
from thinkpane.ui.widgets.flow_layout import FlowLayout
from thinkpane.ui.widgets.plain_tip import plain_tip

_SPACING = 6
_MARGIN = 12
_RIM = 6
STALE_MILLISECONDS = 1500
"""How long what was true of an earlier prompt stays, greyed, before it goes: long enough for most to be told anew."""

_NO_TIERS = "this template has no tiers"
_ROOM_FOR_WHY = 200
"""Pixels that the badges are left at least before names are shortened for them."""
_ROOM_FOR_ALL = 640
"""Pixels, before the zoom, that the badges need beside the buttons; with less they get a line of their own."""


class TierRow(QWidget):
    """One button a tier. The one in force is lit; the one that was picked but does not hold has a dashed border.

    It is always there, and its height follows from the window's width alone: nothing below it may jump under the
    pointer. Where the badges have no room beside the buttons, they have a line of their own.

    Signals:
        picked(object): the index of the tier that a person chose, None to leave the choice to the template.
    """

    picked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._tiers: tuple[TierCandidate, ...] = ()
        self._forget = QTimer(self, singleShot=True, interval=STALE_MILLISECONDS)
        self._forget.timeout.connect(self._on_forget_timeout)
        self._picked: int | None = None
        self._in_force: int | None = None
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._head = QLabel("Reasoning")
        self._head.setProperty("kind", "dim")
        self._pattern = QPushButton("L0", self)
        self._pattern.setProperty("kind", "tier")
        self._pattern.hide()
        self._none = QLabel(_NO_TIERS)
        self._none.setProperty("kind", "dim")
        self._buttons = QWidget()
        self._flow = FlowLayout(self._buttons, spacing=_SPACING)
        self.reason = ElidedBadge()
        self.lost = ElidedBadge()
        self.effect = ElidedBadge()
        self._badges = (self.reason, self.effect, self.lost)
        self._below = QWidget()
        self._line, self._second = QHBoxLayout(), QHBoxLayout(self._below)
        for row in (self._line, self._second):
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(_SPACING)
            row.addStretch(1)
        self._below.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _RIM, _MARGIN, _RIM)
        column.setSpacing(_SPACING)
        column.addLayout(self._line)
        column.addWidget(self._below)
        for place, each in enumerate((self._head, self._none, self._buttons, *self._badges)):
            self._line.insertWidget(place, each)
        self._is_narrow = False
        self.set_tiers(())

    @property
    def buttons(self) -> list[QPushButton]:
        """The tiers' buttons, in order."""
        return [each for each in self._group.buttons() if isinstance(each, QPushButton)]

    def set_tiers(self, tiers: tuple[TierCandidate, ...]) -> None:
        """Shows these tiers; without any the row says so."""
        if tiers == self._tiers and self.buttons:
            return
        self._tiers = tiers
        while (item := self._flow.takeAt(0)) is not None:
            widget = item.widget()
            if isinstance(widget, QPushButton):
                self._group.removeButton(widget)
                widget.hide()
                widget.deleteLater()
        for index, tier in enumerate(tiers):
            button = QPushButton(self._buttons)
            button.setProperty("kind", "tier")
            button.setCheckable(True)
            button.setAccessibleName(f"Tier {tier.label}")
            button.setToolTip(plain_tip(" · ".join(filter(None, (tier.label, tier.summary, tier.tag)))))
            button.clicked.connect(partial(self._on_button_clicked, index))
            self._group.addButton(button, index)
            self._flow.addWidget(button)
        for badge in self._badges:
            badge.say("")
        self._none.setVisible(not tiers)
        self._buttons.setVisible(bool(tiers))
        self._fit_height()
        self._place_badges()
        self._name_buttons()
        self._mark()

    def show_picked(self, index: int | None) -> None:
        """Which tier the document's variables ask for, None = none."""
        self._picked = index
        self._mark()

    def show_in_force(self, found: InForce, effect: str) -> None:
        """Lights the tier in force and says why. effect: what it does to the prompt."""
        self._forget.stop()
        self._in_force = found.tier
        self._mark()
        won = [each.text for each in found.reasons if each.won]
        lost = [each.text for each in found.reasons if not each.won]
        hint = "\n".join(won + lost)
        self.reason.say((won[0] if won else found.label).rstrip("."), "", hint)
        self.lost.say(lost[0].rstrip(".") if lost else "", "warning", hint)
        self.effect.say(effect, "good", "Measured by rendering a small conversation with and without this tier.")
        for badge in self._badges:
            badge.setEnabled(True)
        self._name_buttons()

    def set_outdated(self) -> None:
        """What is said was true of an earlier prompt."""
        for badge in self._badges:
            badge.setEnabled(False)
        self._forget.start()

    def _on_forget_timeout(self) -> None:
        """Nothing was told of the newest prompt: it may be one that fails."""
        self._in_force = None
        self._mark()
        for badge in self._badges:
            badge.say("")

    def _name_buttons(self) -> None:
        """Whole names where that leaves room to say why, else short ones but for the tier in force."""
        room = self.width() - 2 * _MARGIN - (0 if self._is_narrow else _ROOM_FOR_WHY)
        head = self._head.sizeHint().width() + _SPACING
        for long_names in (True, False):
            for index, (button, tier) in enumerate(zip(self.buttons, self._tiers, strict=True)):
                whole = long_names or index == self._in_force
                button.setText((tier.label if whole else tier.short or tier.label).replace("&", "&&"))
            self._flow.invalidate()
            if self._flow.sizeHint().width() + head <= room:
                break
        self._head.setVisible(not self._is_narrow or self._flow.sizeHint().width() + head <= room)
        # The badges give way first; the buttons go to a second line only where even that does not do.
        spared = 0 if self._is_narrow else _ROOM_FOR_WHY // 2
        self._buttons.setMinimumWidth(max(0, min(self._flow.sizeHint().width(), room + spared)))
        self._buttons.updateGeometry()

    def _place_badges(self) -> None:
        """Beside the buttons, or in a line of their own."""
        buttons = sum(self.fontMetrics().horizontalAdvance(each.short or each.label) for each in self._tiers)
        buttons += len(self._tiers) * (self._pattern.sizeHint().width() - self.fontMetrics().horizontalAdvance("L0"))
        taken = 2 * _MARGIN + self._head.sizeHint().width() + buttons + _SPACING * (len(self._tiers) + 1)
        narrow = bool(self._tiers) and self.width() - taken < _ROOM_FOR_ALL * theme.state().zoom
        if narrow == self._is_narrow:
            return
        self._is_narrow = narrow
        row, first = (self._second, 0) if narrow else (self._line, 3)
        for place, badge in enumerate(self._badges):
            (self._line if narrow else self._second).removeWidget(badge)
            row.insertWidget(first + place, badge)
        self._below.setVisible(narrow)
        self._fit_height()

    def _mark(self) -> None:
        for index, button in enumerate(self.buttons):
            button.setChecked(index == self._in_force)
            beaten = index == self._picked and self._in_force not in (None, index)
            if bool(button.property("beaten")) != beaten:
                button.setProperty("beaten", beaten)
                button.style().unpolish(button)
                button.style().polish(button)

    def _on_button_clicked(self, index: int) -> None:
        self._mark()
        self.picked.emit(None if index == self._picked else index)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Narrow rows get short names, and a second line."""
        super().resizeEvent(event)
        self._place_badges()
        self._name_buttons()

    def changeEvent(self, event: QEvent) -> None:
        """Another zoom or theme has other buttons."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "_pattern"):
            self._fit_height()

    def _fit_height(self) -> None:
        """As high without tiers as with one line of them, and without badges as with them."""
        self._pattern.ensurePolished()
        self.setMinimumHeight(self._pattern.sizeHint().height() + 2 * _RIM)
        self._below.setFixedHeight(self.reason.sizeHint().height())
