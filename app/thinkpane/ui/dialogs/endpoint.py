"""Adds or edits an endpoint: where it is, what it speaks, which model, where its key is, and whether it answers."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from thinkpane.endpoints.dialects._registry import all_dialects
from thinkpane.endpoints.models import with_scheme
from thinkpane.endpoints.profile import Endpoint
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.ui.widgets.combo import Combo
from thinkpane.workspace.keys import ENVIRONMENT, KEYRING, SESSION, has_keyring

if TYPE_CHECKING:
    from thinkpane.ui.model_lists import ModelLists
    from thinkpane.ui.services import Services

_PLACES = (
    ("No key", ""),
    ("Key in the keyring", KEYRING),
    ("Key for this session", SESSION),
    ("Environment variable", ENVIRONMENT),
)
NEW = Endpoint("", "openai-chat", "")


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
        self.setMinimumWidth(520)
        self.name = QLineEdit(endpoint.name)
        self.url = QLineEdit(endpoint.base_url)
        self.url.setPlaceholderText("http://127.0.0.1:8080/v1")
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
        self.headers = QPlainTextEdit("\n".join(f"{name}: {value}" for name, value in endpoint.headers.items()))
        self.headers.setPlaceholderText("x-team: research")
        self.headers.setTabChangesFocus(True)
        self.headers.setFixedHeight(56)
        self.test = QPushButton("Test connection")
        self.said = QLabel()
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setWordWrap(True)
        self._lay_out()
        self._show_key(endpoint.key_ref)
        self.test.clicked.connect(self._on_test_clicked)
        self.place.currentIndexChanged.connect(self._on_place_changed)
        lists.found.connect(self._on_lists_found)
        lists.failed.connect(self._on_lists_failed)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        key = QHBoxLayout()
        key.setSpacing(8)
        key.addWidget(self.place)
        key.addWidget(self.key, 1)
        rows: tuple[tuple[str, QWidget], ...] = (
            ("Name", self.name),
            ("URL", self.url),
            ("Speaks", self.dialect),
            ("Model", self.model),
        )
        for title, widget in rows:
            widget.setAccessibleName(title)
            form.addRow(title, widget)
        form.addRow("Key", key)
        form.addRow("Headers", self.headers)
        self.place.setAccessibleName("Where the key is")
        self.headers.setAccessibleName("Further headers, one a line as name: value")
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        foot = QHBoxLayout()
        foot.addWidget(self.test)
        foot.addStretch(1)
        foot.addWidget(box)
        column = QVBoxLayout(self)
        column.setSpacing(12)
        column.addLayout(form)
        column.addWidget(self.said)
        column.addLayout(foot)

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
        headers = {}
        for line in self.headers.toPlainText().splitlines():
            name, colon, value = line.partition(":")
            if line.strip() and (not colon or not name.strip()):
                raise ThinkpaneError(Problem("endpoint", f"“{line}” is no header: write name: value."))
            if line.strip():
                headers[name.strip()] = value.strip()
        return replace(
            self._before,
            name=self.name.text().strip(),
            base_url=with_scheme(self.url.text()),
            dialect=str(self.dialect.currentData()),
            model=self.model.currentText().strip(),
            key_ref=f"{ENVIRONMENT}{self.key.text().strip()}" if place == ENVIRONMENT else place,
            headers=headers,
        )

    def _typed_key(self, endpoint: Endpoint) -> str:
        return self.key.text() if endpoint.key_ref in (KEYRING, SESSION) else ""

    def _on_test_clicked(self) -> None:
        from thinkpane.endpoints.secret import Secret

        try:
            self.endpoint = self._read()
            typed = self._typed_key(self.endpoint)
            key: Secret | None = (
                Secret(typed, self.endpoint.origin) if typed else self._services.keys.key(self.endpoint)
            )
        except ThinkpaneError as error:
            self._say(error.problem)
            return
        self.said.setProperty("kind", "dim")
        self._show_said(f"Asking {self.endpoint.origin} …")
        self.test.setEnabled(False)
        self._lists.ask(self.endpoint, key)

    def _on_lists_found(self, endpoint: Endpoint, names: tuple[str, ...]) -> None:
        if endpoint != self.endpoint:
            return
        self.test.setEnabled(True)
        chosen = self.model.currentText()
        self.model.clear()
        self.model.addItems(list(names))
        self.model.setEditText(chosen or (names[0] if len(names) == 1 else ""))
        self.said.setProperty("kind", "dim")
        count = f"{len(names)} model{'' if len(names) == 1 else 's'}"
        self._show_said(f"It answers, and offers {count}{': ' + names[0] if len(names) == 1 else ''}.")

    def _on_lists_failed(self, endpoint: Endpoint, problem: Problem) -> None:
        if endpoint == self.endpoint:
            self.test.setEnabled(True)
            self._say(problem)

    def _say(self, problem: Problem) -> None:
        self.said.setProperty("kind", "error")
        self._show_said(problem.message)

    def _show_said(self, text: str) -> None:
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
        super().accept()
