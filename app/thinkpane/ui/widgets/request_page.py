"""The page of the endpoint dialog for what goes out: headers, the extra body, and the request that comes of both."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from thinkpane.endpoints.profile import Endpoint
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import dump, parse
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.text_view import TextView


class RequestPage(QWidget):
    """Headers and extra body as text.

    Signals:
        changed(): one of them was edited.
    """

    changed = Signal()

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__()
        self.headers = QPlainTextEdit("\n".join(f"{name}: {value}" for name, value in endpoint.headers.items()))
        self.headers.setPlaceholderText("x-team: research")
        self.headers.setAccessibleName("Further headers, one a line as name: value")
        self.headers.setTabChangesFocus(True)
        self.headers.setFixedHeight(58)
        self.body = QPlainTextEdit(dump(dict(endpoint.extra_body)) if endpoint.extra_body else "")
        self.body.setPlaceholderText('{"cache_prompt": true}')
        self.body.setAccessibleName("Extra body, a JSON object that is laid over every request")
        self.body.setTabChangesFocus(True)
        self.preview = TextView("Request as it goes out")
        self._lay_out()
        self.headers.textChanged.connect(self.changed)
        self.body.textChanged.connect(self.changed)

    def _lay_out(self) -> None:
        top, below = QWidget(), QWidget()
        upper, lower = QVBoxLayout(top), QVBoxLayout(below)
        for each in (upper, lower):
            each.setContentsMargins(0, 0, 0, 0)
            each.setSpacing(4)
        upper.addWidget(plain_label("Headers, one a line as name: value; no keys", "dim"))
        upper.addWidget(self.headers)
        upper.addWidget(plain_label("Extra body: JSON, laid over every request", "dim"))
        upper.addWidget(self.body, 1)
        lower.addWidget(plain_label("A request as it goes out; sampling that is not set is not sent", "dim"))
        lower.addWidget(self.preview, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 12, 12, 8)
        row.setSpacing(16)
        row.addWidget(top, 4)
        row.addWidget(below, 5)

    def read_headers(self) -> dict[str, str]:
        """The headers. Raises ThinkpaneError (kind "endpoint") for a line that is none."""
        found = {}
        for line in self.headers.toPlainText().splitlines():
            name, colon, value = line.partition(":")
            if line.strip() and (not colon or not name.strip()):
                raise ThinkpaneError(Problem("endpoint", f"“{line}” is no header: write name: value."))
            if line.strip():
                found[name.strip()] = value.strip()
        return found

    def read_body(self) -> dict[str, JsonValue]:
        """The extra body. Raises ThinkpaneError (kind "endpoint") where it is no JSON object."""
        text = self.body.toPlainText().strip()
        if not text:
            return {}
        try:
            found = parse(text)
        except ThinkpaneError as error:
            raise ThinkpaneError(Problem("endpoint", f"The extra body is no JSON: {error.problem.message}")) from None
        if not isinstance(found, dict):
            raise ThinkpaneError(Problem("endpoint", "The extra body must be a JSON object: {…}."))
        return found

    def show_request(self, text: str) -> None:
        """Shows the request that would go out."""
        self.preview.set_text(text, [])
