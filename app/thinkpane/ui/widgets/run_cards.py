"""What panes that show a run as a column of cards have in common: they follow the runs and clear for a new one."""

from abc import abstractmethod
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtWidgets import QVBoxLayout, QWidget

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
        self._is_lent = False
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)

    def follow(self, context: Context) -> None:
        """Shows the run that is there and every later one; for the end of a subclass's `__init__`."""
        context.runs.started.connect(self._on_runs_started)
        context.runs.events.connect(self._on_runs_events)
        context.runs.finished.connect(self._on_runs_finished)
        context.runs.reread.connect(self._on_runs_reread)
        context.runs.tick.connect(self._on_runs_tick)
        self.hide()
        if context.runs.run is not None:
            self._show(context.runs.run, over=context.runs.run.is_over)

    def lend(self, on: bool) -> None:
        """Whether somebody else places the cards; then the pane itself is not to be seen."""
        self._is_lent = on
        if not on:
            for card in self.cards:
                self._column.addWidget(card)
                card.show()
        self.reveal(bool(self.cards))

    def reveal(self, on: bool) -> None:
        """Shows the pane, or hides it; one whose cards are lent stays hidden."""
        if self.isHidden() == (on and not self._is_lent):
            self.setVisible(on and not self._is_lent)

    @abstractmethod
    def _show(self, run: "Run", *, over: bool) -> None:
        """Brings the cards up to what has come. over: nothing more comes."""

    @abstractmethod
    def _on_runs_started(self, run: "Run") -> None:
        """A new run began."""

    def _on_runs_events(self, run: "Run", _events: list[object]) -> None:
        self._show(run, over=False)

    def _on_runs_finished(self, run: "Run") -> None:
        self._show(run, over=True)

    def _on_runs_reread(self, run: "Run") -> None:
        self._show(run, over=True)

    def _on_runs_tick(self, run: "Run") -> None:
        """Some times a second while a run is live."""

    def _add(self, card: _Card) -> None:
        self.cards.append(card)
        if not self._is_lent:
            self._column.addWidget(card)

    def _clear(self) -> None:
        for card in self.cards:
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = []
