"""The page of the endpoint dialog for the way to the server: HTTP/2, proxy, and whose word its certificate has."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from thinkpane.endpoints.authorities import check_authorities
from thinkpane.endpoints.connection import NO_PROXY, VARIABLE, Connection, check_connection
from thinkpane.endpoints.models import with_scheme
from thinkpane.endpoints.profile import Endpoint
from thinkpane.endpoints.proxies import proxy_for
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.ui.widgets.combo import Combo
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.plain_tip import plain_tip

_ADDRESS = "address"
_PLACES = (
    ("As the environment says", ""),
    ("None", NO_PROXY),
    ("Address", _ADDRESS),
    ("Environment variable", VARIABLE),
)
_HINTS = {_ADDRESS: "http://127.0.0.1:3128", VARIABLE: "NAME_OF_THE_VARIABLE"}
_FILES = "Certificates (*.pem *.crt *.cer);;All files (*)"


class NetworkPage(QWidget):
    """Edits an endpoint's `Connection` and says what comes of it.

    Signals:
        changed(): one of the settings was edited.
    """

    changed = Signal()

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__()
        self._address = endpoint.base_url
        kept = endpoint.connection
        self.http2 = QCheckBox("HTTP/2 where the server offers it")
        self.http2.setChecked(kept.http2)
        self.http2.setMinimumHeight(self.http2.sizeHint().height() + 8)  # its words stand beside the row's title
        self.http2.setToolTip(
            plain_tip(
                "Off, requests go by HTTP/1.1, which is quicker and simpler here: each reply has a connection of its "
                "own. On, for servers and gateways that want HTTP/2"
            )
        )
        self.place = Combo(editable=False)
        for text, value in _PLACES:
            self.place.addItem(text, value)
        self.proxy = QLineEdit()
        self.ca_file = QLineEdit(kept.ca_file)
        self.ca_file.setPlaceholderText("the usual authorities alone")
        self.choose = QPushButton("Choose…")
        self.choose.setAutoDefault(False)
        self.protocol_note, self.way_note, self.ca_note = (plain_label("", "dim") for _ in range(3))
        self._lay_out()
        self._show_proxy(kept.proxy)
        self._tell()
        self.http2.toggled.connect(self._on_edited)
        self.place.currentIndexChanged.connect(self._on_place_changed)
        self.proxy.textChanged.connect(self._on_edited)
        self.ca_file.textChanged.connect(self._on_edited)
        self.choose.clicked.connect(self._on_choose_clicked)

    def connection(self) -> Connection:
        """The settings as they are edited. Raises ThinkpaneError (kind "proxy") for a proxy that cannot be kept."""
        place, text = self.place.currentData(), self.proxy.text().strip()
        if place == _ADDRESS and not text:
            raise ThinkpaneError(
                Problem("proxy", "Type the proxy's address, as http://127.0.0.1:3128, or choose None.")
            )
        proxy = {_ADDRESS: text, VARIABLE: VARIABLE + text}.get(place, place)
        found = Connection(self.http2.isChecked(), str(proxy), self.ca_file.text().strip())
        check_connection(found)
        if place == _ADDRESS:
            proxy_for("https://host.invalid", found)
        return found

    def set_address(self, base_url: str) -> None:
        """The endpoint's URL as it is typed: what the environment says depends on it."""
        self._address = base_url
        self._tell()

    def _lay_out(self) -> None:
        form = QFormLayout(self)
        form.setContentsMargins(12, 12, 12, 8)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(16)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        proxy, files = QHBoxLayout(), QHBoxLayout()
        for row, first, second in ((proxy, self.place, self.proxy), (files, self.ca_file, self.choose)):
            row.setSpacing(8)
            row.addWidget(first)
            row.addWidget(second)
        proxy.setStretch(1, 1)
        proxy.addStretch()
        files.setStretch(0, 1)
        form.addRow("Protocol", _over(self.http2, self.protocol_note))
        form.addRow("Proxy", _over(proxy, self.way_note))
        form.addRow("Authorities", _over(files, self.ca_note))
        self.place.setAccessibleName("Which proxy")
        self.ca_file.setAccessibleName("File of authorities")

    def _show_proxy(self, proxy: str) -> None:
        is_variable = proxy.startswith(VARIABLE)
        place = VARIABLE if is_variable else proxy if proxy in ("", NO_PROXY) else _ADDRESS
        self.place.setCurrentIndex(self.place.findData(place))
        self.proxy.setText(proxy.removeprefix(VARIABLE) if place in (VARIABLE, _ADDRESS) else "")
        self._show_place()

    def _show_place(self) -> None:
        place = str(self.place.currentData())
        self.proxy.setVisible(place in _HINTS)
        self.proxy.setPlaceholderText(_HINTS.get(place, ""))
        self.proxy.setAccessibleName("Name of the variable" if place == VARIABLE else "Address of the proxy")

    def _on_place_changed(self) -> None:
        self._show_place()
        self._on_edited()

    def _on_edited(self) -> None:
        self._tell()
        self.changed.emit()

    def _on_choose_clicked(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "File of authorities", self.ca_file.text(), _FILES)
        if path:
            self.ca_file.setText(path)

    def _tell(self) -> None:
        """What comes of the settings, below each."""
        is_plain = self._address.strip().lower().startswith("http:")
        if self.http2.isChecked() and is_plain:
            self._note(self.protocol_note, "It takes an https:// address; to this one requests go by HTTP/1.1.")
        elif self.http2.isChecked():
            self._note(
                self.protocol_note, "Agreed on with the server when it is connected; the wire shows what was used."
            )
        else:
            self._note(self.protocol_note, "Requests go by HTTP/1.1.")
        self._tell_way()
        self._tell_authorities(self.ca_file.text().strip())

    def _tell_authorities(self, path: str) -> None:
        if not path:
            self._note(self.ca_note, "For a server whose certificate an authority of your own made: its PEM file.")
            return
        try:
            check_authorities(path)
            self._note(self.ca_note, "Trusted beside the usual ones, for this endpoint alone.")
        except ThinkpaneError as error:
            self._note(self.ca_note, error.problem.message, "error")

    def _tell_way(self) -> None:
        try:
            url = with_scheme(self._address) if self._address.strip() else "https://host.invalid"
            found = proxy_for(url, self.connection())
        except ThinkpaneError as error:
            is_ours = error.problem.kind == "proxy"
            self._note(self.way_note, error.problem.message if is_ours else "", "error" if is_ours else "dim")
            return
        if found is None:
            self._note(self.way_note, "Requests go directly.")
        else:
            self._note(self.way_note, f"Requests go through {found.origin}, named by the {found.named_by}.")

    def _note(self, label: QLabel, text: str, kind: str = "dim") -> None:
        label.setText(text)
        if label.property("kind") != kind:
            label.setProperty("kind", kind)
            label.style().unpolish(label)
            label.style().polish(label)


def _over(field: QWidget | QHBoxLayout, note: QLabel) -> QVBoxLayout:
    """A field with its note close below it."""
    note.setWordWrap(True)
    # Room for two lines, so that nothing moves when a longer sentence takes the place of a short one.
    note.setMinimumHeight(note.fontMetrics().lineSpacing() * 2)
    note.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    column = QVBoxLayout()
    column.setSpacing(4)
    if isinstance(field, QWidget):
        column.addWidget(field)
    else:
        column.addLayout(field)
    column.addWidget(note)
    return column
