"""Runs of before in the window: the list of them, one shown as the last reply, and what a crash cut off."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.ui.newest import Newest, let_it_end
from thinkpane.ui.run_ends import RunEnds

if TYPE_CHECKING:
    from thinkpane.runs.journal import Journal
    from thinkpane.runs.past import PastRun
    from thinkpane.runs.run import Run
    from thinkpane.ui.context import Context
    from thinkpane.ui.dialogs.earlier_runs import EarlierRunsDialog
    from thinkpane.ui.services import Services
    from thinkpane.ui.session import Session
    from thinkpane.ui.widgets.banner import Banner


_LATER_MS = 400

_Pasts = Sequence["PastRun"]
_Offers = tuple[tuple["PastRun", ...], ...]


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read back. about: the sentence that says which it is. runs: one, or both of a pair, chat first.

    answered: the fingerprint of the conversation that was sent, "" where nobody knows it.
    """

    about: str
    runs: "tuple[Run, ...]"
    answered: str


class EarlierRuns(QObject):
    """Joins the journals with the output of one window.

    Signals:
        failed(object): a Problem: a journal could not be read or written.
    """

    failed = Signal(object)
    _found = Signal(object)
    _listed = Signal(object)
    _left = Signal(object)

    def __init__(
        self, window: QWidget, context: "Context", services: "Services", session: "Session", banner: "Banner"
    ) -> None:
        super().__init__(window)
        self._window = window
        self._context = context
        self._services = services
        self._session = session
        self._banner = banner
        self._newest: Newest[tuple[PastRun, bool], _Read | Problem] | None = None
        self._lists: Newest[Journal, _Pasts] | None = None
        self._cut_off: Newest[Journal, _Offers] | None = None
        self._dialog: EarlierRunsDialog | None = None
        self._ends = RunEnds(self)
        self._listed.connect(self._on_lists_found, Qt.ConnectionType.QueuedConnection)
        self._left.connect(self._on_cut_off_found, Qt.ConnectionType.QueuedConnection)
        self._found.connect(self._on_newest_found, Qt.ConnectionType.QueuedConnection)

    @property
    def may_show(self) -> bool:
        """Whether an earlier reply may take the place of the one that is shown: none is coming."""
        return not self._session.is_live

    def show_list(self) -> None:
        """The dialog with all of them, which fills once they are read."""
        from thinkpane.ui.dialogs.earlier_runs import EarlierRunsDialog

        dialog = self._dialog = EarlierRunsDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(self.show)
        dialog.both_chosen.connect(self.show_both)
        dialog.finished.connect(self._on_dialog_finished)
        self._ends.told.connect(dialog.tell_end)
        if self._lists is None:
            self._lists = Newest("list of earlier runs", _listed_in, self._listed.emit, let_it_end, 0.0)
        self._lists.ask(self._journal())
        dialog.open()

    def show(self, past: "PastRun") -> None:
        """Reads a run beside the window and shows it as the last reply, with its wire and its times."""
        self._ask(past, both=False)

    def show_both(self, past: "PastRun") -> None:
        """The same with the other run of its pair, beside each other; it alone where that is not kept any more."""
        self._ask(past, both=True)

    def offer_later(self) -> None:
        """Asks what a crash cut off once the window stands; reading the journals is nothing to wait for."""
        QTimer.singleShot(_LATER_MS, self, self.offer_cut_off)

    def offer_cut_off(self) -> None:
        """Asks about the newest reply that a crash cut off, until a person has settled it; read beside the window."""
        if self._cut_off is None:
            self._cut_off = Newest("runs that were cut off", _cut_off_in, self._left.emit, let_it_end, 0.0)
        self._cut_off.ask(self._journal())

    def _offer(self, left: "Sequence[tuple[PastRun, ...]]") -> None:
        """Asks about the first of these; about the next once that was shown or settled."""
        if not left:
            return
        from thinkpane.ui.dialogs.earlier_runs import when

        offer = left[0]
        more = f" {len(left) - 1} more after it." if len(left) > 1 else ""
        if len(offer) > 1:
            words = f"The program ended while two replies came: {_name(offer)}, {when(offer[0])}. What came is kept."
        else:
            words = f"The program ended while a reply came: {_name(offer)}, {when(offer[0])}. What came of it is kept."
        show = "Show both" if len(offer) > 1 else "Show it"
        self._banner.tell(
            words + more,
            "warning",
            [(show, partial(self._show_offered, left)), ("Don't offer again", partial(self._settle, left))],
        )

    def _show_offered(self, left: "Sequence[tuple[PastRun, ...]]") -> None:
        self._ask(left[0][0], both=len(left[0]) > 1)
        self._offer(left[1:])

    def close(self) -> None:
        """Ends the threads; nothing is told any more."""
        self._ends.close()
        for each in (self._newest, self._lists, self._cut_off):
            if each is not None:
                each.close()

    def _journal(self) -> "Journal":
        from thinkpane.runs.journal import Journal

        return Journal(self._services.folders.journals)

    def _ask(self, past: "PastRun", *, both: bool) -> None:
        if self._newest is None:
            self._newest = Newest("earlier run", self._read, self._found.emit, let_it_end, 0.0)
        self._newest.ask((past, both))

    def _settle(self, left: "Sequence[tuple[PastRun, ...]]") -> None:
        from thinkpane.runs.past import settle

        try:
            for past in left[0]:
                if not past.ended:
                    settle(past)
        except ThinkpaneError as error:
            self.failed.emit(error.problem)
            return
        self._offer(left[1:])

    def _read(self, asked: "tuple[PastRun, bool]", _ticket: object) -> "_Read | Problem":
        from thinkpane.runs.past import read_past
        from thinkpane.ui.dialogs.earlier_runs import when
        from thinkpane.workspace.run_bounds import limits

        past, both = asked
        pasts = _pair_in(past, _listed_in(self._journal())) if both else (past,)
        try:
            runs = tuple(read_past(each, limits(self._context.settings)) for each in pasts)
        except ThinkpaneError as error:
            return error.problem
        return _Read(f"Earlier run: {_name(pasts)}, {when(pasts[0])}.", runs, pasts[0].conversation)

    @Slot(object)
    def _on_lists_found(self, runs: "_Pasts") -> None:
        from thinkpane.workspace.run_bounds import limits

        if self._dialog is not None and self._lists is not None and self._lists.is_newest(runs):
            self._dialog.show_runs(runs)
            self._ends.ask(runs, limits(self._context.settings))

    @Slot(object)
    def _on_cut_off_found(self, offers: "_Offers") -> None:
        if self._cut_off is not None and self._cut_off.is_newest(offers) and self._banner.isHidden():
            self._offer(offers)

    def _on_dialog_finished(self) -> None:
        self._dialog = None
        self._ends.drop()
        if self._lists is not None:
            self._lists.drop()

    @Slot(object)
    def _on_newest_found(self, found: "_Read | Problem") -> None:
        if self._newest is None or not self._newest.is_newest(found):
            return
        if isinstance(found, Problem):
            self.failed.emit(found)
        elif not self.may_show:
            return
        elif len(found.runs) == 1:
            self._session.show_earlier(found.runs[0], found.about, found.answered)
        else:
            chat, raw = found.runs
            self._session.both.adopt(chat, raw, found.about, found.answered)


def _name(pasts: "tuple[PastRun, ...]") -> str:
    from thinkpane.ui.dialogs.earlier_runs import name_of

    return name_of(pasts[0]) if len(pasts) == 1 else " · ".join(filter(None, ["Run both", pasts[0].model]))


def _listed_in(journal: "Journal", _ticket: object = None) -> "_Pasts":
    from thinkpane.runs.past import past_runs

    return past_runs(journal)


def _cut_off_in(journal: "Journal", _ticket: object) -> "_Offers":
    """What a crash cut off, newest first, both of a pair together."""
    from thinkpane.runs.past import cut_off_runs

    left = cut_off_runs(journal)
    runs = _listed_in(journal) if any(past.pair for past in left) else ()
    offers: dict[str, tuple[PastRun, ...]] = {}
    for past in left:
        offers.setdefault(past.pair or str(past.file), _pair_in(past, runs))
    return tuple(offers.values())


def _pair_in(past: "PastRun", runs: "_Pasts") -> "tuple[PastRun, ...]":
    """It and the other of its pair, chat first; it alone where there is no other."""
    from thinkpane.ui.dialogs.earlier_runs import other_of

    other = other_of(past, runs)
    return (past,) if other is None else tuple(sorted((past, other), key=lambda each: each.header.path))
