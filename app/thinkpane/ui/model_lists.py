"""The models of an endpoint, asked for beside the window."""

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal

from thinkpane.endpoints.profile import Endpoint
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue

if TYPE_CHECKING:
    from thinkpane.endpoints.secret import Secret
    from thinkpane.templates.context_length import ContextLength
    from thinkpane.ui.services import Services


class ModelLists(QObject):
    """Asks servers for their models; an answer is remembered for the session.

    Signals:
        found(object, object): the Endpoint, and a tuple of its models' names.
        failed(object, object): the Endpoint, and the Problem because of which there are none.
    """

    found = Signal(object, object)
    failed = Signal(object, object)
    _answered = Signal(object, object, object)

    def __init__(self, services: "Services") -> None:
        super().__init__()
        self._services = services
        self._known: dict[tuple[str, str], tuple[str, ...]] = {}
        self._lengths: dict[tuple[str, str], dict[str, ContextLength]] = {}
        self._answered.connect(self._on_worker_answered, Qt.ConnectionType.QueuedConnection)

    def known(self, endpoint: Endpoint) -> tuple[str, ...]:
        """What was found in this session."""
        return self._known.get((endpoint.dialect, endpoint.base_url), ())

    def length(self, endpoint: Endpoint, model: str) -> "ContextLength | None":
        """How many tokens the context of a model holds, where its server's list told it; "" = its only one."""
        lengths = self._lengths.get((endpoint.dialect, endpoint.base_url), {})
        only = next(iter(lengths)) if len(lengths) == 1 else ""
        return lengths.get(model or only)

    def remember(self, endpoint: Endpoint, names: tuple[str, ...], listed: JsonValue = None) -> None:
        """Takes what somebody else asked for; `found` follows. listed: the server's list as it came."""
        from thinkpane.endpoints.context_lengths import context_lengths

        self._known[endpoint.dialect, endpoint.base_url] = names
        if listed is not None:
            self._lengths[endpoint.dialect, endpoint.base_url] = context_lengths(listed)
        self.found.emit(endpoint, names)

    def ask(self, endpoint: Endpoint, key: "Secret | None") -> None:
        """Asks the endpoint; `found` or `failed` follows."""
        # Made here, in the window's thread, because services are.
        client = self._services.client

        def work() -> None:
            from thinkpane.endpoints.models import models

            heard: list[JsonValue] = []

            def get_json(url: str, *args: Any, **named: Any) -> JsonValue:
                heard.append(client.get_json(url, *args, **named))
                return heard[-1]

            answer: tuple[str, ...] | Problem
            try:
                answer = models(endpoint, key, get_json)
            except ThinkpaneError as error:
                answer = error.problem
            except RuntimeError:
                return  # the client was closed meanwhile
            # The window may be gone while the server takes its time.
            with suppress(RuntimeError):
                self._answered.emit(endpoint, answer, heard[-1] if heard else None)

        threading.Thread(target=work, name="models", daemon=True).start()

    def _on_worker_answered(self, endpoint: Endpoint, answer: "tuple[str, ...] | Problem", listed: JsonValue) -> None:
        if isinstance(answer, Problem):
            self.failed.emit(endpoint, answer)
            return
        self.remember(endpoint, answer, listed)
