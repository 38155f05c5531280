"""Whether the prompt shown is the one that the chosen endpoint's server makes itself: asked beside the window."""

from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from thinkpane.endpoints.profile import DEMO, Endpoint
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.parity_question import ParityQuestion
from thinkpane.ui.widgets.badge import Tone
from thinkpane.ui.widgets.top_bar import TopBar
from thinkpane.workspace.body_sampling import given_params
from thinkpane.workspace.document import Change

if TYPE_CHECKING:
    from thinkpane.runs.parity import Parity
    from thinkpane.ui.context import Context
    from thinkpane.ui.services import Services

AGAIN_MILLISECONDS = 600
"""Pause after a change before this machine's own server is asked again."""

State: TypeAlias = Literal["unasked", "asking", "known", "stale"]

PARITY_WORDS: dict[str, tuple[str, Tone, str]] = {
    "same": ("= server", "good", "The server makes the very same prompt of these messages"),
    "differs": ("≠ server", "warning", "The server makes another prompt of these messages"),
    "unknown": ("? server", "", "It cannot be told which prompt the server makes"),
}
"""What a badge says for each verdict: its text, its tone, and a sentence without its full stop."""

_ASK: tuple[str, Tone, str] = (
    "Parity…",
    "",
    "Ask the endpoint's server which prompt it makes of these messages, and compare",
)


class ParityCheck(QObject):
    """The badge beside Run. It asks when it is pressed; after that this machine's own server is asked by itself again.

    Signals:
        found(object): a Parity is known now.
        compare_wanted(): what is known is to be shown in the diff pane.
    """

    found = Signal(object)
    compare_wanted = Signal()

    def __init__(self, window: QWidget, top: TopBar, context: "Context", services: "Services") -> None:
        super().__init__(window)
        self._window = window
        self._top = top
        self._context = context
        self._services = services
        self._state: State = "unasked"
        self._parity: Parity | None = None
        self._question = ParityQuestion(self, services)
        self._question.answered.connect(self._on_question_answered)
        self._watched = ""
        self._again = QTimer(self, singleShot=True, interval=AGAIN_MILLISECONDS)
        self._again.timeout.connect(self.ask)
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
        self._question.drop()
        state = self._context.document.state
        try:
            endpoint = self._services.endpoints.named(state.endpoint)
            key = self._services.keys.key(endpoint) if endpoint.dialect != DEMO else None
            job = self._context.prompts.job()
        except ThinkpaneError as error:
            self._tell_problem(error.problem)
            return
        self._watched = state.endpoint if _is_near(endpoint) else ""
        self._state = "asking"
        self._show()
        self._question.ask(endpoint, key, job, state.model or endpoint.model, given_params(state))

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
        self._question.drop()

    def _tell_problem(self, problem: Problem) -> None:
        from thinkpane.runs.parity import Parity

        self._parity, self._state = Parity("unknown", "", cause=problem.message), "known"
        self._show()

    def _on_question_answered(self, answer: "Parity") -> None:
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
            self._question.drop()
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
            text, tone, hint = PARITY_WORDS[self._parity.verdict]
            self._top.parity.say(text, tone, " ".join(filter(None, [f"{hint}.", self._parity.cause])))
        else:
            self._top.parity.say(*_ASK)


def _is_near(endpoint: Endpoint) -> bool:
    """Whether it is a server of this machine, which may be asked after each change without anybody noticing."""
    host = endpoint.origin.partition("://")[2].rpartition(":")[0]
    return host in ("localhost", "127.0.0.1", "::1")
