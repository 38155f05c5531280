"""A card of the output: a header that says what it is and how it stands, and a body that folds away."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from thinkpane.ui.models.reply_state import Tone
from thinkpane.ui.widgets.card_icons import IconButton
from thinkpane.ui.widgets.elided_label import ElidedBadge, ElidedLabel, ElidedTitle
from thinkpane.ui.widgets.flow_layout import FlowLayout
from thinkpane.ui.widgets.message_card_role import RoleDot

_BADGE_TOP = 3
"""Pixels above the badges, which are lower than the buttons beside them."""


class OutputCard(QFrame):
    """A card with a title in its role's colour, badges, buttons, and a body.

    Signals:
        folded_by_person(bool): a person folded it away (True) or opened it.
    """

    folded_by_person = Signal(bool)

    def __init__(self, title: str, role: str, *, kind: str = "card") -> None:
        """kind: "card", or "thinking" for its own ground and rule."""
        super().__init__()
        self.setProperty("kind", kind)
        self.setAccessibleName(title)
        self._title = ElidedTitle("title")
        self._title.set_whole(title)
        self._title.setProperty("role", role)
        self._badges: dict[str, ElidedBadge] = {}
        self._arrow = IconButton("open", f"Fold {title.lower()}")
        self._arrow.clicked.connect(self._on_arrow_clicked)
        self._arrow.hide()
        self._preview = ElidedLabel("dim", at_start=True)
        self._preview.hide()
        self._header = QHBoxLayout()
        self._header.setSpacing(2)
        if kind == "card":
            dot = RoleDot()
            dot.set_role(role)
            self._header.addWidget(dot)
            self._header.addSpacing(4)
        self._header.addWidget(self._title)
        # Where the card is narrow the badges go to a line of their own, so that they can still be read.
        self._flow = FlowLayout()
        self._flow.setContentsMargins(6, _BADGE_TOP, 0, 0)
        self._header.addLayout(self._flow, 1)
        self._header.addWidget(self._arrow)
        self._body = QWidget()
        self.body = QVBoxLayout(self._body)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(4)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 6, 8)
        column.setSpacing(4)
        column.addLayout(self._header)
        column.addWidget(self._preview)
        column.addWidget(self._body, 1)
        self._touched = False
        self._name = title

    @property
    def touched(self) -> bool:
        """Whether a person folded or opened it."""
        return self._touched

    @property
    def is_folded(self) -> bool:
        """Whether its body is hidden."""
        return self._body.isHidden()

    def title(self) -> str:
        """What the header says."""
        return self._title.whole

    def set_title(self, title: str) -> None:
        """What the header says; the name that a screen reader knows stays."""
        self._title.set_whole(title)

    def set_badge(self, name: str, text: str, tone: Tone = "", hint: str = "") -> None:
        """Sets one badge by its name; "" hides it. The order is that of the first use. hint: more, in its tooltip."""
        badge = self._badges.get(name)
        if badge is None:
            badge = ElidedBadge()
            self._flow.addWidget(badge)
            self._badges[name] = badge
        badge.say(text, tone, hint)

    def badge(self, name: str) -> str:
        """What a badge says, "" where it is hidden."""
        found = self._badges.get(name)
        return found.whole if found is not None else ""

    def add_to_header(self, widget: QWidget) -> None:
        """Adds a widget at the right of the header, before the arrow."""
        self._header.insertWidget(self._header.indexOf(self._arrow), widget)

    def set_foldable(self) -> None:
        """Shows the arrow."""
        self._arrow.show()

    def set_folded(self, folded: bool) -> None:
        """Hides or shows the body; a folded card shows its preview."""
        self._body.setVisible(not folded)
        self._preview.setVisible(folded)
        self._arrow.set_icon("closed" if folded else "open")
        self._arrow.set_words(f"{'Open' if folded else 'Fold'} {self._name.lower()}")

    def set_preview(self, text: str) -> None:
        """The one line that is shown while the card is folded."""
        self._preview.set_whole(text)

    @property
    def preview_text(self) -> str:
        """The preview as it is to be seen, cut to its room."""
        return self._preview.text()

    def press_arrow(self) -> None:
        """What a click on the arrow does."""
        self._arrow.click()

    def _on_arrow_clicked(self) -> None:
        self._touched = True
        self.set_folded(not self.is_folded)
        self.folded_by_person.emit(self.is_folded)


def plain_label(text: str, kind: str) -> QLabel:
    """A label that never reads its text as markup."""
    found = QLabel(text)
    found.setTextFormat(Qt.TextFormat.PlainText)
    found.setProperty("kind", kind)
    return found
