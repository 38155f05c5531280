"""The page of the endpoint dialog for a server's ways: which variant, its fields, and the probe that tries them."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from thinkpane.endpoints.probe import Finding, Probed
from thinkpane.endpoints.profile import Endpoint
from thinkpane.endpoints.variant_table import VARIANTS, variant_for, variant_named
from thinkpane.endpoints.variants import GENERIC, Variant
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.ui.widgets.calm_scroll_area import CalmScrollArea
from thinkpane.ui.widgets.combo import Combo
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.plain_tip import plain_tip
from thinkpane.ui.widgets.variant_form import VariantForm

BY_ADDRESS = ""
ANY = "generic"


class VariantPage(QWidget):
    """Chooses and edits a variant.

    Signals:
        changed(): another variant, or one of its fields.
        probe_pressed(): the server is to be tried; pressed again while it is, that is to end.
    """

    changed = Signal()
    probe_pressed = Signal()

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__()
        self._address = endpoint.base_url
        self.choice = Combo(editable=False)
        self.choice.setAccessibleName("Ways of")
        self.choice.addItem("", BY_ADDRESS)
        for variant in VARIANTS:
            self.choice.addItem(variant.title, variant.name)
        self.choice.addItem(GENERIC.title, ANY)
        self.probe = QPushButton()
        self.probe.setAutoDefault(False)
        self.probe.setToolTip(
            plain_tip(
                "Tries each field with tiny requests on the server and shows below what worked; it costs a few tokens"
            )
        )
        self.form = VariantForm()
        self.note = plain_label("", "dim")
        self.note.setWordWrap(True)
        self._lay_out()
        self.set_probing(False)
        self.choice.setCurrentIndex(max(0, self.choice.findData(_known(endpoint.variant))))
        self._show(dict(endpoint.variant_edits))
        self.choice.currentIndexChanged.connect(self._on_choice_changed)
        self.probe.clicked.connect(self.probe_pressed)
        self.form.changed.connect(self.changed)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self.choice, 1)
        top.addWidget(self.probe)
        area = CalmScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(self.form)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 4, 4)
        column.setSpacing(8)
        column.addLayout(top)
        column.addWidget(self.note)
        column.addWidget(area, 1)

    @property
    def variant(self) -> Variant:
        """The chosen variant, without edits."""
        name = str(self.choice.currentData())
        return variant_for(self._address) if name == BY_ADDRESS else variant_named(name)

    @property
    def name(self) -> str:
        """What the endpoint keeps of it."""
        return str(self.choice.currentData())

    def edits(self) -> dict[str, JsonValue]:
        """The fields that are otherwise. Raises ThinkpaneError."""
        return self.form.edits()

    def set_address(self, base_url: str) -> None:
        """Another address may mean another variant."""
        before = self.variant
        self._address = base_url
        if self.variant != before:
            self._show({})
        self._name_first()

    def suggest(self, kind: str) -> None:
        """Takes the ways of the server that was found, where nothing else was chosen."""
        place = self.choice.findData(kind)
        if place > 0 and self.variant == GENERIC and self.name != ANY:
            self.choice.setCurrentIndex(place)

    def set_probing(self, on: bool) -> None:
        """While it is tried, the button ends that."""
        self.probe.setText("Stop probing" if on else "Probe the server")
        if on:
            self.form.forget()

    def tell(self, finding: Finding) -> None:
        """One field was tried."""
        self.form.tell(finding)

    def take(self, probed: Probed) -> None:
        """Probing has ended: what it found is filled in."""
        self.form.take(probed.edits)

    def _show(self, edits: dict[str, JsonValue]) -> None:
        self.form.show_variant(self.variant, edits)
        self._name_first()

    def _name_first(self) -> None:
        by_address = variant_for(self._address)
        self.choice.setItemText(0, f"As the address says: {by_address.title}")
        self.note.setText(
            "These are used on the Chat API path of OpenAI chat completions. "
            + ("Nothing is known of this server; its fields are guesses." if self.variant == GENERIC else "")
        )

    def _on_choice_changed(self) -> None:
        self._show({})
        self.changed.emit()


def _known(name: str) -> str:
    """A variant's own name for any spelling; an unknown one counts as none."""
    if not name:
        return BY_ADDRESS
    try:
        return variant_named(name).name or ANY
    except ThinkpaneError:
        return BY_ADDRESS
