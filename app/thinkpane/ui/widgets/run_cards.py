"""What panes that show a run as a column of cards have in common: they follow the runs and clear for a new one."""

from abc import abstractmethod
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtWidgets import QVBoxLayout, QWidget

from thinkpane.streaming.transcript import Transcript
from thinkpane.ui.context import Context

if TYPE_CHECKING:
    from thinkpane.runs.run import Run

_Card = TypeVar("_Card", bound=QWidget)


class RunCards(QWidget, Generic[_Card]):
    """A column of cards made of a run's transcript; hidden until there is one."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "pane")
        self.cards: list[_Card] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)

    def follow(self, context: Context) -> None:
        """Shows the run that is there and every later one; for the end of a subclass's `__init__`."""
        context.runs.started.connect(self._on_runs_started)
        context.runs.events.connect(self._on_runs_events)
        context.runs.finished.connect(self._on_runs_finished)
        self.hide()
        if context.runs.run is not None:
            self._show(context.runs.run.transcript, over=context.runs.run.is_over)

    @abstractmethod
    def _show(self, transcript: Transcript, *, over: bool) -> None:
        """Brings the cards up to what has come. over: nothing more comes."""

    @abstractmethod
    def _on_runs_started(self, run: "Run") -> None:
        """A new run began."""

    def _on_runs_events(self, run: "Run", _events: list[object]) -> None:
        self._show(run.transcript, over=False)

    def _on_runs_finished(self, run: "Run") -> None:
        self._show(run.transcript, over=True)

    def _add(self, card: _Card) -> None:
        self.cards.append(card)
        self._column.addWidget(card)

    def _clear(self) -> None:
        for card in self.cards:
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = []
