"""Whether the prompt shown is the one that the chosen endpoint's server makes itself: asked beside the window."""

import threading
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from thinkpane.endpoints.profile import DEMO, Endpoint
from thinkpane.engine.host import Ticket
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.widgets.badge import Tone
from thinkpane.ui.widgets.top_bar import TopBar
from thinkpane.workspace.document import Change

if TYPE_CHECKING:
    from thinkpane.runs.parity import Parity
    from thinkpane.ui.context import Context
    from thinkpane.ui.services import Services

AGAIN_MILLISECONDS = 600
"""Pause after a change before this machine's own server is asked again."""

State: TypeAlias = Literal["unasked", "asking", "known", "stale"]

_WORDS: dict[str, tuple[str, Tone, str]] = {
    "same": ("= server", "good", "The server makes the very same prompt of these messages"),
    "differs": ("≠ server", "warning", "The server makes another prompt of these messages"),
    "unknown": ("? server", "", "It cannot be told which prompt the server makes"),
}
_ASK: tuple[str, Tone, str] = (
    "Parity…",
    "",
    "Ask the endpoint's server which prompt it makes of these messages, and compare",
)


@dataclass(frozen=True)
class _Question:
    serial: int
    ticket: object = field(default_factory=Ticket)


class ParityCheck(QObject):
    """The badge beside Run. It asks when it is pressed; after that this machine's own server is asked by itself again.

    Signals:
        found(object): a Parity is known now.
        compare_wanted(): what is known is to be shown in the diff pane.
    """

    found = Signal(object)
    compare_wanted = Signal()
    _answered = Signal(int, object)

    def __init__(self, window: QWidget, top: TopBar, context: "Context", services: "Services") -> None:
        super().__init__(window)
        self._window = window
        self._top = top
        self._context = context
        self._services = services
        self._state: State = "unasked"
        self._parity: Parity | None = None
        self._question = _Question(0)
        self._watched = ""
        self._again = QTimer(self, singleShot=True, interval=AGAIN_MILLISECONDS)
        self._again.timeout.connect(self.ask)
        self._answered.connect(self._on_worker_answered, Qt.ConnectionType.QueuedConnection)
        top.parity_pressed.connect(self._on_top_parity_pressed)
        context.prompts.changed.connect(self._on_prompts_changed)
        self._end_listening = context.document.listen(self._on_document_changed)
        self._show()

    @property
    def parity(self) -> "Parity | None":
        """What is known of the prompt that is shown, None where nothing is."""
        return self._parity if self._state == "known" else None

    @property
    def may_ask(self) -> bool:
        """Whether there is a server to ask."""
        return self._context.document.state.endpoint != DEMO

    def ask(self) -> None:
        """Asks the chosen endpoint's server; `found` follows."""
        self._again.stop()
        self._drop()
        state = self._context.document.state
        try:
            endpoint = self._services.endpoints.named(state.endpoint)
            key = self._services.keys.key(endpoint) if endpoint.dialect != DEMO else None
            job = self._context.prompts.job()
        except ThinkpaneError as error:
            self._tell_problem(error.problem)
            return
        engine = self._context.prompts.engine
        # Made here, in the window's thread, because services are.
        client = self._services.client
        question = self._question = _Question(self._question.serial + 1)
        self._watched = state.endpoint if _is_near(endpoint) else ""
        self._state = "asking"
        self._show()

        def work() -> None:
            from thinkpane.endpoints.asking import sending
            from thinkpane.runs.parity import Parity, compare

            answer: Parity
            try:
                model = state.model or endpoint.model
                send = sending(client, key)
                answer = compare(
                    endpoint, job, engine, send, model=model, params=dict(state.params), owner=question.ticket
                )
            except ThinkpaneError as error:
                answer = Parity("unknown", "", cause=error.problem.message)
            except RuntimeError:
                return  # the client was closed meanwhile
            # The window may be gone while the server takes its time.
            with suppress(RuntimeError):
                self._answered.emit(question.serial, answer)

        threading.Thread(target=work, name="parity", daemon=True).start()

    def show_details(self) -> None:
        """Opens what is known, both prompts with it; asks where nothing is known yet."""
        if self._state != "known" or self._parity is None:
            self.ask()
            return
        from thinkpane.ui.dialogs.parity import ParityDialog

        dialog = ParityDialog(self._parity, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.again.connect(self.ask)
        dialog.compare_wanted.connect(self.compare_wanted)
        dialog.open()

    def close(self) -> None:
        """Ends it; nothing is told any more."""
        self._end_listening()
        self._again.stop()
        self._drop()

    def _drop(self) -> None:
        """Whatever comes of the last question is not told."""
        self._context.prompts.engine.cancel(self._question.ticket)
        self._question = _Question(self._question.serial + 1)

    def _tell_problem(self, problem: Problem) -> None:
        from thinkpane.runs.parity import Parity

        self._parity, self._state = Parity("unknown", "", cause=problem.message), "known"
        self._show()

    @Slot(int, object)
    def _on_worker_answered(self, serial: int, answer: "Parity") -> None:
        if serial == self._question.serial:
            self._parity, self._state = answer, "known"
            self._show()
            self.found.emit(answer)

    def _on_top_parity_pressed(self) -> None:
        self.show_details()

    def _on_prompts_changed(self, _prompt: Prompt) -> None:
        self._outdate()

    def _on_document_changed(self, change: Change) -> None:
        if "endpoint" in change.parts:
            self._outdate()

    def _outdate(self) -> None:
        """What was found is of another prompt or server now."""
        if self._state in ("known", "asking"):
            self._drop()
            self._state = "stale"
            self._parity = None
        if self._watched and self._watched == self._context.document.state.endpoint:
            self._again.start()
        self._show()

    def _show(self) -> None:
        if not self.may_ask:
            self._top.parity.say("")
        elif self._state == "asking":
            self._top.parity.say("Asking…", "", "Asking the server which prompt it makes")
        elif self._state == "known" and self._parity is not None:
            text, tone, hint = _WORDS[self._parity.verdict]
            self._top.parity.say(text, tone, " ".join(filter(None, [f"{hint}.", self._parity.cause])))
        else:
            self._top.parity.say(*_ASK)


def _is_near(endpoint: Endpoint) -> bool:
    """Whether it is a server of this machine, which may be asked after each change without anybody noticing."""
    host = endpoint.origin.partition("://")[2].rpartition(":")[0]
    return host in ("localhost", "127.0.0.1", "::1")
