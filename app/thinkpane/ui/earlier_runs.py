"""Runs of before in the window: the list of them, one shown as the last reply, and what a crash cut off."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.ui.newest import Newest, let_it_end

if TYPE_CHECKING:
    from thinkpane.runs.journal import Journal
    from thinkpane.runs.past import PastRun
    from thinkpane.runs.run import Run
    from thinkpane.ui.context import Context
    from thinkpane.ui.services import Services
    from thinkpane.ui.session import Session
    from thinkpane.ui.widgets.banner import Banner


_LATER_MS = 400


class EarlierRuns(QObject):
    """Joins the journals with the output of one window.

    Signals:
        failed(object): a Problem: a journal could not be read or written.
    """

    failed = Signal(object)
    _found = Signal(object)

    def __init__(
        self, window: QWidget, context: "Context", services: "Services", session: "Session", banner: "Banner"
    ) -> None:
        super().__init__(window)
        self._window = window
        self._context = context
        self._services = services
        self._session = session
        self._banner = banner
        self._newest: Newest[PastRun, Run | Problem] | None = None
        self._found.connect(self._on_newest_found, Qt.ConnectionType.QueuedConnection)

    @property
    def may_show(self) -> bool:
        """Whether an earlier reply may take the place of the one that is shown: none is coming."""
        return not self._session.is_live

    def show_list(self) -> None:
        """The dialog with all of them."""
        from thinkpane.runs.past import past_runs
        from thinkpane.ui.dialogs.earlier_runs import EarlierRunsDialog

        dialog = EarlierRunsDialog(past_runs(self._journal()), self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(self.show)
        dialog.open()

    def show(self, past: "PastRun") -> None:
        """Reads a run beside the window and shows it as the last reply, with its wire and its times."""
        if self._newest is None:
            self._newest = Newest("earlier run", self._read, self._found.emit, let_it_end, 0.0)
        self._newest.ask(past)

    def offer_later(self) -> None:
        """Asks what a crash cut off once the window stands; reading the journals is nothing to wait for."""
        QTimer.singleShot(_LATER_MS, self, self.offer_cut_off)

    def offer_cut_off(self) -> None:
        """Asks about the newest reply that a crash cut off, until a person has settled it."""
        from thinkpane.runs.past import cut_off_runs

        left = cut_off_runs(self._journal())
        if not left or not self._banner.isHidden():
            return
        from thinkpane.ui.dialogs.earlier_runs import name_of, when

        past = left[0]
        more = f" {len(left) - 1} more after it." if len(left) > 1 else ""
        self._banner.tell(
            f"The program ended while a reply came: {name_of(past)}, {when(past)}. What came of it is kept.{more}",
            "warning",
            [("Show it", partial(self.show, past)), ("Don't offer again", partial(self._settle, past))],
        )

    def close(self) -> None:
        """Ends the thread; nothing is told any more."""
        if self._newest is not None:
            self._newest.close()

    def _journal(self) -> "Journal":
        from thinkpane.runs.journal import Journal

        return Journal(self._services.folders.journals)

    def _settle(self, past: "PastRun") -> None:
        from thinkpane.runs.past import settle

        try:
            settle(past)
        except ThinkpaneError as error:
            self.failed.emit(error.problem)
            return
        self.offer_cut_off()

    def _read(self, past: "PastRun", _ticket: object) -> "Run | Problem":
        from thinkpane.runs.past import read_past
        from thinkpane.workspace.run_bounds import limits

        try:
            return read_past(past, limits(self._context.settings))
        except ThinkpaneError as error:
            return error.problem

    @Slot(object)
    def _on_newest_found(self, found: "Run | Problem") -> None:
        if self._newest is None or not self._newest.is_newest(found):
            return
        if isinstance(found, Problem):
            self.failed.emit(found)
        elif self.may_show:
            self._context.runs.adopt(found)
