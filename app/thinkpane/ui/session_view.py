"""What the window shows of the session: buttons, the reply's calls, and the questions before and after a run."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from thinkpane.errors import Problem
from thinkpane.runs.loop_guard import BREAKER_TEXT
from thinkpane.ui.pair_view import PairView
from thinkpane.ui.panes.calls import CallsPane
from thinkpane.ui.panes.documents import DocumentsPane
from thinkpane.ui.panes.messages import MessagesPane
from thinkpane.ui.panes.tools import ToolsPane
from thinkpane.workspace.drafts import draft_pane

if TYPE_CHECKING:
    from thinkpane.runs.run import Run
    from thinkpane.ui.context import Context
    from thinkpane.ui.document_files import DocumentFiles
    from thinkpane.ui.session import Session
    from thinkpane.ui.window_layout import WindowLayout
    from thinkpane.workspace.document import Change


class SessionView(QObject):
    """Keeps a window's layout in line with its session, and brings what is typed beside the document into it."""

    def __init__(
        self, window: QWidget, session: "Session", layout: "WindowLayout", context: "Context", files: "DocumentFiles"
    ) -> None:
        super().__init__(window)
        document = context.document
        self.pair = PairView(window, session, layout, context)
        self.pair.failed.connect(session.refused)
        self._window = window
        self._session = session
        self._layout = layout
        self._document = document
        session.changed.connect(self._on_session_changed)
        session.looped.connect(self._on_session_looped)
        session.held.connect(self._on_session_held)
        session.doubted.connect(self._on_session_doubted)
        self._end_listening = document.listen(self._on_document_changed)
        self.destroyed.connect(self._end_listening)
        calls = layout.panes["calls"]
        if isinstance(calls, CallsPane):
            calls.result_given.connect(partial(self._on_calls_result_given, calls))
            calls.undo_requested.connect(document.undo)
            calls.redo_requested.connect(document.redo)
            session.starting.connect(calls.give_typed)
            session.changed.connect(lambda: calls.show_given(session.given, may_give=session.may_give))
            files.leaving.connect(calls.give_typed)

    def close(self) -> None:
        """Ends what runs, and the threads."""
        self._session.stop()
        self._session.both.close()
        self.pair.close()

    def show_draft(self, name: str) -> None:
        """Brings the field with that text that is not applied into view; its name is as in workspace/drafts.py."""
        id, index = draft_pane(name)
        self._layout.show_pane(id)
        pane = self._layout.panes[id]
        if isinstance(pane, MessagesPane | ToolsPane | DocumentsPane):
            pane.list.set_current(index)
        else:
            pane.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_document_changed(self, _change: "Change") -> None:
        """Marks the tabs in which text waits."""
        drafted = {draft_pane(name)[0] for name in self._document.draft_texts}
        for id in ("messages", "tools", "documents", "json"):
            self._layout.compose.set_mark(id, "holds text that is not applied" if id in drafted else "")

    def _on_session_changed(self) -> None:
        live = self._session.is_live and not self._session.both.is_live
        self._layout.top.set_live(self._session.is_live)
        self._layout.column.set_live(live)
        self._layout.append.setVisible(self._session.may_append)
        self._layout.say_elsewhere(self._session.about_reply)
        if live:
            self._layout.output.show_pane("output")
            self._layout.column.follow()

    def _on_session_looped(self, run: "Run") -> None:
        self._layout.banner.tell(
            run.stop_reason or "The loop guard stopped the reply: it only thinks.",
            "warning",
            [("Send again with this", self._session.break_loop)],
            BREAKER_TEXT,
        )

    def _on_session_held(self, problem: Problem) -> None:
        name = str((problem.detail or {}).get("place", ""))
        choices: list[tuple[str, Callable[[], object]]] = [
            ("Show it", partial(self.show_draft, name)),
            ("Run without it", self._session.run_held),
        ]
        self._layout.banner.tell(problem.message, "warning", choices)

    def _on_session_doubted(self, problem: Problem) -> None:
        choices: list[tuple[str, Callable[[], object]]] = [("Append it all the same", self._session.append_doubted)]
        self._layout.banner.tell(problem.message, "warning", choices)

    def _on_calls_result_given(self, calls: CallsPane, call: int, result: str) -> None:
        """The keyboard goes from the result's field, which hides, to the message that the result became."""
        focus = cast("QWidget | None", self._window.focusWidget())
        if focus is None or not calls.isAncestorOf(focus):
            self._session.give_result(call, result)
            return
        focus.clearFocus()
        index = self._session.give_result(call, result)
        messages = self._layout.panes["messages"]
        if index is None:
            focus.setFocus()
        elif isinstance(messages, MessagesPane):
            self._layout.show_pane("messages")
            messages.focus_message(index)
