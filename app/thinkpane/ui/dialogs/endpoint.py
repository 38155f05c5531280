"""Adds or edits an endpoint: where it is, what it speaks, its key, what goes out, and the server's own ways."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from thinkpane.endpoints.connection import Via
from thinkpane.endpoints.dialects._api import Call
from thinkpane.endpoints.dialects._registry import all_dialects, dialect_named
from thinkpane.endpoints.models import with_scheme
from thinkpane.endpoints.profile import Endpoint
from thinkpane.endpoints.variants import edited
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.runs.calls import request_for
from thinkpane.runs.wire import request_text
from thinkpane.ui.endpoint_questions import EndpointQuestions, Found
from thinkpane.ui.widgets.combo import Combo
from thinkpane.ui.widgets.network_page import NetworkPage
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.request_page import RequestPage
from thinkpane.ui.widgets.variant_page import VariantPage
from thinkpane.workspace.keys import ENVIRONMENT, KEYRING, SESSION, has_keyring

if TYPE_CHECKING:
    from thinkpane.endpoints.probe import Finding, Probed
    from thinkpane.endpoints.secret import Secret
    from thinkpane.ui.model_lists import ModelLists
    from thinkpane.ui.services import Services

_PLACES = (
    ("No key", ""),
    ("Key in the keyring", KEYRING),
    ("Key for this session", SESSION),
    ("Environment variable", ENVIRONMENT),
)
NEW = Endpoint("", "openai-chat", "")
_SAMPLES = {
    "chat": Call("chat", messages=[{"role": "user", "content": "…"}]),
    "raw": Call("raw", prompt="…"),
}


def _way_words(via: Via, wants_http2: bool) -> str:
    """How an answer came, where that is not the usual way."""
    protocol = f" by {via.protocol}" if wants_http2 and via.protocol else ""
    return protocol + (f" through the proxy {via.proxy}" if via.proxy else "")


class EndpointDialog(QDialog):
    """Edits one endpoint; it closes only on one that can be kept. `endpoint` is then what was kept."""

    def __init__(
        self, services: "Services", lists: "ModelLists", endpoint: Endpoint = NEW, parent: QWidget | None = None
    ) -> None:
        """endpoint: the one to edit, `NEW` to add one."""
        super().__init__(parent)
        self._services = services
        self._lists = lists
        self._before = endpoint
        self.endpoint = endpoint
        self.setWindowTitle(f"Endpoint “{endpoint.name}”" if endpoint.name else "Add endpoint")
        self.questions = EndpointQuestions(services, self)
        self._probing = False
        self.name = QLineEdit(endpoint.name)
        self.url = QLineEdit(endpoint.base_url)
        self.url.setPlaceholderText("http://127.0.0.1:8080/v1")
        self.goes_to = plain_label("", "dim")
        self.dialect = Combo(editable=False)
        for each in all_dialects():
            self.dialect.addItem(each.title, each.name)
        self.dialect.setCurrentIndex(max(0, self.dialect.findData(endpoint.dialect)))
        self.model = Combo()
        self.model.setEditText(endpoint.model)
        self.place = Combo(editable=False)
        for text, value in _PLACES:
            self.place.addItem(text, value)
        self.key = QLineEdit()
        self.request_page = RequestPage(endpoint)
        self.headers = self.request_page.headers
        self.variant_page = VariantPage(endpoint)
        self.network_page = NetworkPage(endpoint)
        self.test = QPushButton("Test connection")
        self.said = QLabel()
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setWordWrap(True)
        self.said.setMinimumHeight(self.said.fontMetrics().height() * 2 + 4)
        self.said.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._lay_out()
        self._show_key(endpoint.key_ref)
        self._connect()
        self._show_request()
        self.resize(700, 520)
        # Else the tabs have the keyboard, and what is typed at once is lost.
        self.name.setFocus()

    def _connect(self) -> None:
        self.test.clicked.connect(self._on_test_clicked)
        self.place.currentIndexChanged.connect(self._on_place_changed)
        self.url.textChanged.connect(self._on_url_changed)
        for signal in (self.dialect.currentIndexChanged, self.model.editTextChanged):
            signal.connect(self._show_request)
        for page in (self.request_page, self.variant_page, self.network_page):
            page.changed.connect(self._show_request)
            page.changed.connect(self._forget_said)
        for edited_text in (
            self.name.textChanged,
            self.url.textChanged,
            self.key.textChanged,
            self.model.editTextChanged,
        ):
            edited_text.connect(self._forget_said)
        for chosen in (self.dialect.activated, self.place.activated):
            chosen.connect(self._forget_said)
        self.variant_page.probe_pressed.connect(self._on_probe_pressed)
        self.questions.answered.connect(self._on_questions_answered)
        self.questions.failed.connect(self._on_questions_failed)
        self.questions.finding.connect(self._on_questions_finding)
        self.questions.probed.connect(self._on_questions_probed)

    def _lay_out(self) -> None:
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self._connection_page(), "Connection")
        self.tabs.addTab(self.request_page, "Request")
        self.tabs.addTab(self.variant_page, "Server's ways")
        self.tabs.addTab(self.network_page, "Network")
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        foot = QHBoxLayout()
        foot.addWidget(self.test)
        foot.addStretch(1)
        foot.addWidget(box)
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addWidget(self.tabs, 1)
        column.addWidget(self.said)
        column.addLayout(foot)

    def _connection_page(self) -> QWidget:
        page = QWidget()
        form = QFormLayout(page)
        form.setContentsMargins(12, 12, 12, 8)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(10)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        key = QHBoxLayout()
        key.setSpacing(8)
        key.addWidget(self.place)
        key.addWidget(self.key, 1)
        self.goes_to.setWordWrap(True)
        rows: tuple[tuple[str, QWidget], ...] = (
            ("Name", self.name),
            ("URL", self.url),
            ("", self.goes_to),
            ("Speaks", self.dialect),
            ("Model", self.model),
        )
        for title, widget in rows:
            widget.setAccessibleName(title or "Where requests go")
            form.addRow(title, widget)
        form.addRow("Key", key)
        self.place.setAccessibleName("Where the key is")
        return page

    def _show_key(self, ref: str) -> None:
        place = ENVIRONMENT if ref.startswith(ENVIRONMENT) else ref
        self.place.setCurrentIndex(max(0, self.place.findData(place)))
        self.key.setText(ref.removeprefix(ENVIRONMENT) if place == ENVIRONMENT else "")
        self._on_place_changed()

    def _on_place_changed(self) -> None:
        place = self.place.currentData()
        named = place == ENVIRONMENT
        self.key.setEnabled(bool(place))
        self.key.setEchoMode(QLineEdit.EchoMode.Normal if named else QLineEdit.EchoMode.Password)
        kept = self._before.key_ref == place and place in (KEYRING, SESSION)
        self.key.setAccessibleName("Name of the variable" if named else "Key")
        self.key.setPlaceholderText("NAME_OF_THE_VARIABLE" if named else "kept; type to replace" if kept else "key")
        if place == KEYRING and not has_keyring():
            self._say(Problem("key", "This system has no keyring that can be used; choose one of the other places."))

    def _read(self) -> Endpoint:
        """The endpoint as it is edited. Raises ThinkpaneError."""
        place = str(self.place.currentData())
        return replace(
            self._before,
            name=self.name.text().strip(),
            base_url=with_scheme(self.url.text()),
            dialect=str(self.dialect.currentData()),
            model=self.model.currentText().strip(),
            key_ref=f"{ENVIRONMENT}{self.key.text().strip()}" if place == ENVIRONMENT else place,
            headers=self.request_page.read_headers(),
            extra_body=self.request_page.read_body(),
            variant=self.variant_page.name,
            variant_edits=self.variant_page.edits(),
            connection=self.network_page.connection(),
        )

    def _typed_key(self, endpoint: Endpoint) -> str:
        return self.key.text() if endpoint.key_ref in (KEYRING, SESSION) else ""

    def _on_url_changed(self, text: str) -> None:
        self.variant_page.set_address(text)
        self.network_page.set_address(text)
        self._show_request()

    def _show_request(self) -> None:
        """Where requests go and how they look, as it is typed."""
        try:
            endpoint = self._read()
            dialect = dialect_named(endpoint.dialect)
            request = request_for(endpoint, dialect, replace(_SAMPLES[dialect.path], model=endpoint.model))
        except ThinkpaneError as error:
            self.goes_to.setText("" if not self.url.text().strip() else error.problem.message)
            self.request_page.show_request(error.problem.message)
            return
        self.goes_to.setText(f"Requests go to {request.url}")
        self.request_page.show_request(request_text(request, has_key=bool(endpoint.key_ref)))

    def _asked(self) -> "tuple[Endpoint, Secret | None] | None":
        """The endpoint and its key, to ask the server with; says why where that cannot be."""
        from thinkpane.endpoints.secret import Secret

        try:
            self.endpoint = self._read()
            typed = self._typed_key(self.endpoint)
            key = Secret(typed, self.endpoint.origin) if typed else self._services.keys.key(self.endpoint)
            return self.endpoint, key
        except ThinkpaneError as error:
            self._say(error.problem)
            return None

    def _on_test_clicked(self) -> None:
        asked = self._asked()
        if asked is not None:
            self._end_probe()
            self._tell(f"Asking {self.endpoint.origin} …")
            self.test.setEnabled(False)
            self.questions.ask(*asked)

    def _on_questions_answered(self, found: Found) -> None:
        self.test.setEnabled(True)
        names = found.models
        chosen = self.model.currentText()
        self.model.clear()
        self.model.addItems(list(names))
        self.model.setEditText(chosen or (names[0] if len(names) == 1 else ""))
        self._lists.remember(self.endpoint, names, found.listed)
        self.variant_page.suggest(found.kind.name)
        count = f"{len(names)} model{'' if len(names) == 1 else 's'}"
        who = found.kind.title or "It"
        lacking = f" “{chosen}” is not among them." if chosen and names and chosen not in names else ""
        how = _way_words(found.via, self.endpoint.connection.http2)
        self._tell(f"{who} answers{how}, and offers {count}{': ' + names[0] if len(names) == 1 else ''}.{lacking}")

    def _on_questions_failed(self, problem: Problem) -> None:
        self.test.setEnabled(True)
        self._end_probe()
        self._say(problem)

    def _on_probe_pressed(self) -> None:
        if self._probing:
            self.questions.drop()
            self._end_probe()
            self._tell("Probing was stopped; what it found until then stands below the fields.")
            return
        asked = self._asked()
        if asked is None:
            return
        if self.endpoint.dialect != "openai-chat":
            self._say(Problem("endpoint", "Only OpenAI chat completions have variants; choose that dialect to probe."))
            return
        self._probing = True
        self.variant_page.set_probing(True)
        self._tell("Probing: tiny requests, one field after another …")
        self.questions.probe(*asked, edited(self.variant_page.variant, self.endpoint.variant_edits))

    def _on_questions_finding(self, finding: "Finding") -> None:
        self.variant_page.tell(finding)

    def _on_questions_probed(self, probed: "Probed") -> None:
        self._end_probe()
        self.variant_page.take(probed)
        good = sum(each.outcome == "works" for each in probed.findings)
        count = len(probed.edits)
        changed = f"{count} field{'' if count == 1 else 's'} changed" if count else "nothing had to be changed"
        self._tell(f"Probed: {good} of {len(probed.findings)} work as they stand or were found; {changed}.")

    def _end_probe(self) -> None:
        if self._probing:
            self._probing = False
            self.variant_page.set_probing(False)

    def _say(self, problem: Problem) -> None:
        self._show_said(problem.message, "error")

    def _tell(self, text: str) -> None:
        self._show_said(text, "dim")

    def _forget_said(self) -> None:
        """An error of the former values says nothing of the new ones."""
        if self.said.property("kind") == "error":
            self._tell("")

    def _show_said(self, text: str, kind: str) -> None:
        self.said.setProperty("kind", kind)
        self.said.setText(text)
        self.said.style().unpolish(self.said)
        self.said.style().polish(self.said)

    def accept(self) -> None:
        """Keeps endpoint and key; stays open and says why where that fails."""
        try:
            self.endpoint = self._read()
            self._services.endpoints.put(self.endpoint, replacing=self._before.name)
            typed = self._typed_key(self.endpoint)
            if typed:
                self._services.keys.keep(self.endpoint, typed)
        except ThinkpaneError as error:
            self._say(error.problem)
            return
        self.questions.drop()
        super().accept()

    def reject(self) -> None:
        """Closes without keeping anything."""
        self.questions.drop()
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Whatever is still asked is not waited for."""
        self.questions.drop()
        super().closeEvent(event)
