"""What is wrong with the prompt at hand, worked out beside the window while a person types."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Qt, Signal, Slot

from thinkpane.analysis.lint.findings import Finding
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.newest import Newest
from thinkpane.workspace.body_sampling import given_params
from thinkpane.workspace.body_variables import given_variables
from thinkpane.workspace.document import Change

if TYPE_CHECKING:
    from thinkpane.analysis.analyst import Analyst
    from thinkpane.analysis.lint.report import Question
    from thinkpane.engine.host import Engine
    from thinkpane.ui.bridge import PromptFeed
    from thinkpane.workspace.document import Document

PAUSE = 0.4
"""Seconds without a new prompt before it is checked: what is half typed has problems that nobody wants to read."""

DEADLINE = 5.0
"""Seconds that each of the engine's jobs may take."""

_CHECKED = ("template", "request")
"""Kinds of failed renders that are worth checking; one that takes too long or too much memory would do so again."""


@dataclass(frozen=True)
class Problems:
    """The findings about one prompt, the worst first."""

    findings: tuple[Finding, ...]
    prompt: Prompt

    @cached_property
    def count(self) -> int:
        """How many of them are more than notes."""
        return sum(each.severity != "note" for each in self.findings)


class ProblemFeed(QObject):
    """The problems of the newest prompt.

    Signals:
        changed(object): new Problems, in the window's thread.
    """

    changed = Signal(object)
    _found = Signal(object)

    def __init__(
        self,
        document: "Document",
        prompts: "PromptFeed",
        engine: "Engine",
        analyst: "Analyst",
        kind: Callable[[], str],
        pause: float = PAUSE,
    ) -> None:
        """kind: tells what kind of endpoint the document's prompt goes to (endpoints/kind.py)."""
        super().__init__()
        self._document = document
        self._prompts = prompts
        self._engine = engine
        self._analyst = analyst
        self._kind = kind
        self._problems: Problems | None = None
        self._asked: Question | None = None
        self._is_answered = False
        self._findings: tuple[Finding, ...] = ()
        self._prompt = Prompt()
        self._found.connect(self._on_newest_found, Qt.ConnectionType.QueuedConnection)
        self._newest = Newest("problems", self._answer, self._found.emit, self._cancel, pause)
        prompts.changed.connect(self._on_prompts_changed)
        self._end_listening = document.listen(self._on_document_changed)

    @property
    def problems(self) -> Problems | None:
        """The newest problems, None before the first."""
        return self._problems

    @property
    def is_settled(self) -> bool:
        """Whether the problems are those of the prompt that is shown now."""
        found = self._problems
        return found is not None and found.prompt.serial == self._prompts.prompt.serial

    def close(self) -> None:
        """Ends the thread; nothing is told any more."""
        self._end_listening()
        self._newest.close()

    @Slot(object)
    def _on_prompts_changed(self, prompt: Prompt) -> None:
        if prompt.request is None and prompt.problem is None:
            return
        if prompt.is_unwritten:
            self._asked = None
            self._newest.drop()
            self._show(Problems((), prompt))
            return
        if prompt.problem is not None and (prompt.request is None or prompt.problem.kind not in _CHECKED):
            if prompt.problem.kind != "cancelled":
                self._asked = None
                self._newest.drop()
                self._show(Problems((_failure(prompt.problem),), prompt))
            return
        question = self._question(prompt)
        if question is None:
            return
        self._prompt = prompt
        asked = self._asked
        # A prompt comes twice, with its owners the second time; another request is not compared, message by message.
        if asked is None or question.request is not asked.request or question != asked:
            self._asked = question
            self._is_answered = False
            self._newest.ask(question)
        elif self._is_answered and not self.is_settled:
            self._show_answer(self._findings)

    def _on_document_changed(self, change: Change) -> None:
        if change.parts & {"endpoint", "params"}:
            self._on_prompts_changed(self._prompts.prompt)

    def _question(self, prompt: Prompt) -> "Question | None":
        from thinkpane.analysis.lint.report import Question

        if prompt.request is None:
            return None
        state = self._document.state
        given = bool(prompt.request.messages)
        return Question(
            self._prompts.template,
            prompt.request,
            given,
            frozenset(given_variables(state)),
            self._kind(),
            given_params(state),
            prompt.request_origins.numbers,
        )

    def _answer(self, question: "Question", ticket: object) -> "tuple[Question, tuple[Finding, ...]] | None":
        from thinkpane.analysis.analyst import is_large
        from thinkpane.analysis.lint.report import lint

        try:
            if is_large(question.request):
                found = cast("tuple[Finding, ...]", self._analyst.ask("lint", (question, DEADLINE), ticket))
            else:
                found = lint(question, self._engine, DEADLINE, ticket)
            return question, found
        except ThinkpaneError as error:
            # One that is cancelled was overtaken by a newer prompt's.
            return None if error.problem.kind == "cancelled" else (question, (_failure(error.problem),))

    def _cancel(self, ticket: object) -> None:
        self._engine.overtake(ticket)
        self._analyst.cancel(ticket)

    @Slot(object)
    def _on_newest_found(self, answer: "tuple[Question, tuple[Finding, ...]]") -> None:
        question, findings = answer
        if question is self._asked:
            self._show_answer(findings)

    def _show_answer(self, findings: tuple[Finding, ...]) -> None:
        """The findings belong to the newest prompt: those since the question were the same."""
        self._findings = findings
        self._is_answered = True
        self._show(Problems(findings, self._prompt))

    def _show(self, problems: Problems) -> None:
        self._problems = problems
        self.changed.emit(problems)


def _failure(problem: Problem) -> Finding:
    return Finding(
        "render-fails",
        "error",
        problem.message,
        "The template is not looked at any further, because each attempt would end so.",
        line=problem.line,
        message_index=problem.message_index,
    )
