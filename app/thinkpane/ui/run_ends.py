"""How the runs of before ended, read from their journals beside the window, one after the other."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from thinkpane.errors import ThinkpaneError
from thinkpane.ui.newest import Newest, let_it_end

if TYPE_CHECKING:
    from thinkpane.endpoints.dialects._api import Limits
    from thinkpane.runs.past import PastRun


class RunEnds(QObject):
    """Reads whole journals, since only a reply that was read says how it ended.

    Signals:
        told(int, str, str): the place in the list that was asked for, a word, and a sentence or "".
    """

    told = Signal(int, str, str)
    _found = Signal(object, int, str, str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._newest: Newest[tuple[Sequence[PastRun], Limits], object] | None = None
        self._wanted: object = None
        self._found.connect(self._on_found, Qt.ConnectionType.QueuedConnection)

    def ask(self, runs: "Sequence[PastRun]", limits: "Limits") -> None:
        """Tells of these, and no more of others."""
        if self._newest is None:
            self._newest = Newest("ends of earlier runs", self._read, let_it_end, let_it_end, 0.0)
        self._wanted = runs
        self._newest.ask((runs, limits))

    def drop(self) -> None:
        """Tells nothing any more."""
        self._wanted = None

    def close(self) -> None:
        """Ends the thread."""
        self.drop()
        if self._newest is not None:
            self._newest.close()

    def _read(self, asked: "tuple[Sequence[PastRun], Limits]", _ticket: object) -> None:
        from thinkpane.runs.past import how_it_ended

        runs, limits = asked
        for place, past in enumerate(runs):
            if self._wanted is not runs:
                return
            try:
                word, why = how_it_ended(past, limits)
            except ThinkpaneError as error:
                word, why = "cannot be read", error.problem.message
            self._found.emit(runs, place, word, why)

    @Slot(object, int, str, str)
    def _on_found(self, runs: object, place: int, word: str, why: str) -> None:
        if runs is self._wanted:
            self.told.emit(place, word, why)
