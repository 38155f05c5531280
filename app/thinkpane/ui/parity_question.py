"""Asks a server, beside the window, which prompt it makes of a job's messages; only the newest answer is told."""

import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from thinkpane.engine.host import Ticket
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue

if TYPE_CHECKING:
    from thinkpane.endpoints.profile import Endpoint
    from thinkpane.endpoints.secret import Secret
    from thinkpane.prompt.job import PromptJob
    from thinkpane.runs.parity import Parity
    from thinkpane.ui.services import Services


@dataclass(frozen=True)
class _Question:
    serial: int
    ticket: object = field(default_factory=Ticket)


class ParityQuestion(QObject):
    """One question at a time.

    Signals:
        answered(object): the Parity that was asked for last, in the window's thread.
    """

    answered = Signal(object)
    _came = Signal(int, object)

    def __init__(self, parent: QObject, services: "Services") -> None:
        super().__init__(parent)
        self._services = services
        self._question = _Question(0)
        self._came.connect(self._on_worker_came, Qt.ConnectionType.QueuedConnection)

    def ask(
        self,
        endpoint: "Endpoint",
        key: "Secret | None",
        job: "PromptJob",
        model: str,
        params: Mapping[str, JsonValue],
    ) -> None:
        """Asks; `answered` follows unless another question or `drop` comes first."""
        self.drop()
        # Made here, in the window's thread, because services are.
        client, engine = self._services.client, self._services.engine
        question = self._question

        def work() -> None:
            from thinkpane.endpoints.asking import sending
            from thinkpane.runs.parity import Parity, compare

            answer: Parity
            try:
                send = sending(client, key)
                answer = compare(endpoint, job, engine, send, model=model, params=params, owner=question.ticket)
            except ThinkpaneError as error:
                answer = Parity("unknown", "", cause=error.problem.message)
            except RuntimeError:
                return  # the client was closed meanwhile
            # The window may be gone while the server takes its time.
            with suppress(RuntimeError):
                self._came.emit(question.serial, answer)

        threading.Thread(target=work, name="parity", daemon=True).start()

    def drop(self) -> None:
        """Whatever comes of the last question is not told."""
        self._services.engine.cancel(self._question.ticket)
        self._question = _Question(self._question.serial + 1)

    @Slot(int, object)
    def _on_worker_came(self, serial: int, answer: "Parity") -> None:
        if serial == self._question.serial:
            self.answered.emit(answer)
