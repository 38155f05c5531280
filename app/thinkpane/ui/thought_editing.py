"""Joins the editors of thoughts with the session: how the next prompt would hold one, and putting it there."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.job import PromptJob
from thinkpane.ui.context import Context
from thinkpane.ui.models.replayed import Replayed, replayed
from thinkpane.ui.newest import Newest
from thinkpane.ui.panes.thinking import ThinkingPane
from thinkpane.workspace.drafts import THOUGHT, DraftPlace

if TYPE_CHECKING:
    from thinkpane.ui.session import Session

PAUSE = 0.15
"""Seconds without a keystroke before the next prompt is rendered."""


@dataclass(frozen=True, slots=True)
class _Question:
    job: PromptJob
    index: int
    thought: str


class ThoughtEditing(QObject):
    """Renders beside the window what an edited thought becomes."""

    _found = Signal(object)

    def __init__(self, session: "Session", pane: QWidget, context: Context) -> None:
        super().__init__()
        self._session = session
        self._pane = pane
        self._context = context
        self._kept: set[int] = set()
        engine = context.prompts.engine
        self._engine = engine
        self._newest = Newest("replay", self._answer, self._found.emit, engine.overtake, PAUSE)
        self._found.connect(self._on_newest_found, Qt.ConnectionType.QueuedConnection)
        if isinstance(pane, ThinkingPane):
            pane.thinking_edited.connect(self._on_pane_thinking_edited)
            pane.append_requested.connect(self._on_pane_append_requested)
            pane.thoughts_changed.connect(self._keep)

    def close(self) -> None:
        """Ends the thread; nothing is told any more."""
        self._newest.close()

    def _keep(self) -> None:
        """What is written and not appended is work: it holds back the next run, and leaving asks about it."""
        thoughts = self._pane.edited_thoughts() if isinstance(self._pane, ThinkingPane) else {}
        for number in self._kept | set(thoughts):
            self._context.document.drafts.put(DraftPlace(THOUGHT, number), thoughts.get(number))
        self._kept = set(thoughts)

    def _on_pane_thinking_edited(self, thinking: str) -> None:
        try:
            talk, index = self._session.thinking_copy(thinking)
            job = replace(self._context.prompts.job(), conversation=talk)
        except ThinkpaneError as error:
            self._show(Replayed(error.problem.message, "bad"))
            return
        self._newest.ask(_Question(job, index, thinking))

    def _on_pane_append_requested(self, thinking: str) -> None:
        if isinstance(self._pane, ThinkingPane):
            self._session.append_thinking(thinking, self._pane.close_editors)

    def _answer(self, question: _Question, ticket: object) -> Replayed | None:
        return replayed(
            question.job,
            question.index,
            question.thought,
            lambda requests: self._engine.render_many(requests, owner=ticket),
            self._engine,
        )

    @Slot(object)
    def _on_newest_found(self, found: Replayed) -> None:
        if self._newest.is_newest(found):
            self._show(found)

    def _show(self, found: Replayed) -> None:
        if isinstance(self._pane, ThinkingPane):
            self._pane.show_replayed(found)
