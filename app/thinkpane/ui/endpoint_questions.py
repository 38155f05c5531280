"""What the endpoint dialog asks a server, beside the window: what it is, its models, and how it is switched."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from thinkpane.endpoints.connection import UNKNOWN, Via
from thinkpane.endpoints.profile import Endpoint
from thinkpane.endpoints.variants import Variant
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue

if TYPE_CHECKING:
    from thinkpane.endpoints.secret import Secret
    from thinkpane.endpoints.server import Server
    from thinkpane.endpoints.server_kind import ServerKind
    from thinkpane.ui.services import Services


@dataclass(frozen=True, slots=True)
class Found:
    """What a server said of itself. listed: its list of models as it came. via: how it came."""

    kind: "ServerKind"
    models: tuple[str, ...]
    listed: JsonValue
    via: Via = UNKNOWN


class EndpointQuestions(QObject):
    """Asks in threads of its own; only answers to the newest question are told.

    Signals:
        answered(object): a Found.
        failed(object): the Problem because of which there is no answer.
        finding(object): a Finding of a probe that goes on.
        probed(object): the Probed, at its end.
    """

    answered = Signal(object)
    failed = Signal(object)
    finding = Signal(object)
    probed = Signal(object)
    _came = Signal(int, str, object)

    def __init__(self, services: "Services", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._serial = 0
        self._came.connect(self._on_worker_came, Qt.ConnectionType.QueuedConnection)

    def ask(self, endpoint: Endpoint, key: "Secret | None") -> None:
        """Asks what the server is and which models it has; `answered` or `failed` follows."""

        def work(server: "Server", tell: Callable[[str, object], None]) -> None:
            from thinkpane.endpoints.dialects._registry import dialect_named
            from thinkpane.endpoints.models import model_names, models_url
            from thinkpane.endpoints.server import json_of
            from thinkpane.endpoints.server_kind import server_kind

            kind = server_kind(server)
            is_native = models_url(dialect_named(endpoint.dialect), endpoint.base_url).endswith("/api/tags")
            answer = server.answer("/api/tags" if is_native else "/v1/models")
            listed = json_of(answer)
            tell("answered", Found(kind, model_names(listed), listed, answer.via))

        self._start(endpoint, key, work, 30.0)

    def probe(self, endpoint: Endpoint, key: "Secret | None", variant: Variant) -> None:
        """Tries the variant's fields; `finding` follows for each, then `probed` or `failed`."""

        def work(server: "Server", tell: Callable[[str, object], None]) -> None:
            from thinkpane.endpoints.probe import probe

            tell("probed", probe(server, endpoint.model, variant, lambda finding: tell("finding", finding)))

        self._start(endpoint, key, work, 240.0)

    def drop(self) -> None:
        """What is still to come is not told."""
        self._serial += 1

    def _start(
        self,
        endpoint: Endpoint,
        key: "Secret | None",
        work: "Callable[[Server, Callable[[str, object], None]], None]",
        patience: float,
    ) -> None:
        self._serial += 1
        serial = self._serial
        # Made here, in the window's thread, because services are.
        client = self._services.client

        def run() -> None:
            from thinkpane.endpoints.asking import sending
            from thinkpane.endpoints.deadlines import Deadlines
            from thinkpane.endpoints.server import Server

            def tell(what: str, value: object) -> None:
                if serial != self._serial:
                    raise RuntimeError("nobody waits for it any more")
                self._came.emit(serial, what, value)

            try:
                send = sending(client, key, Deadlines(connect=10.0, headers=patience, idle=60.0))
                try:
                    work(Server(endpoint, send), tell)
                except ThinkpaneError as error:
                    tell("failed", error.problem)
            except RuntimeError:
                return  # the dialog or the client was closed meanwhile

        threading.Thread(target=run, name="endpoint", daemon=True).start()

    def _on_worker_came(self, serial: int, what: str, value: object) -> None:
        if serial != self._serial:
            return
        signals = {"answered": self.answered, "failed": self.failed, "finding": self.finding, "probed": self.probed}
        signals[what].emit(value)
