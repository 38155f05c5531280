"""The models of an endpoint, asked for beside the window."""

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from thinkpane.endpoints.profile import Endpoint
from thinkpane.errors import Problem, ThinkpaneError

if TYPE_CHECKING:
    from thinkpane.endpoints.secret import Secret
    from thinkpane.ui.services import Services


class ModelLists(QObject):
    """Asks servers for their models; an answer is remembered for the session.

    Signals:
        found(object, object): the Endpoint, and a tuple of its models' names.
        failed(object, object): the Endpoint, and the Problem because of which there are none.
    """

    found = Signal(object, object)
    failed = Signal(object, object)
    _answered = Signal(object, object)

    def __init__(self, services: "Services") -> None:
        super().__init__()
        self._services = services
        self._known: dict[tuple[str, str], tuple[str, ...]] = {}
        self._answered.connect(self._on_worker_answered, Qt.ConnectionType.QueuedConnection)

    def known(self, endpoint: Endpoint) -> tuple[str, ...]:
        """What was found in this session."""
        return self._known.get((endpoint.dialect, endpoint.base_url), ())

    def ask(self, endpoint: Endpoint, key: "Secret | None") -> None:
        """Asks the endpoint; `found` or `failed` follows."""
        # Made here, in the window's thread, because services are.
        client = self._services.client

        def work() -> None:
            from thinkpane.endpoints.models import models

            answer: tuple[str, ...] | Problem
            try:
                answer = models(endpoint, key, client.get_json)
            except ThinkpaneError as error:
                answer = error.problem
            except RuntimeError:
                return  # the client was closed meanwhile
            self._answered.emit(endpoint, answer)

        threading.Thread(target=work, name="models", daemon=True).start()

    def _on_worker_answered(self, endpoint: Endpoint, answer: "tuple[str, ...] | Problem") -> None:
        if isinstance(answer, Problem):
            self.failed.emit(endpoint, answer)
            return
        self._known[endpoint.dialect, endpoint.base_url] = answer
        self.found.emit(endpoint, answer)
