"""A feed of runs that a test fills by hand, in the place of the bridge."""

from dataclasses import dataclass, field
from typing import cast

from support.clock import Clock
from thinkpane.runs.clock import RunClock
from thinkpane.runs.run import Run
from thinkpane.runs.wire import WireEntry
from thinkpane.streaming.events import Event
from thinkpane.streaming.transcript import Transcript
from thinkpane.ui.bridge import RunFeed
from thinkpane.ui.context import Context


@dataclass
class FakeRun:
    """Stands in for a run: the panes read its transcript, its times, its wire, and whether it is over."""

    transcript: Transcript = field(default_factory=Transcript)
    wire: list[WireEntry] = field(default_factory=list)
    is_over: bool = False
    reading: object = None
    time: Clock = field(default_factory=Clock)

    def __post_init__(self) -> None:
        self.clock = RunClock(self.time)


class Runs(RunFeed):
    """The feed itself, without a thread: what it tells of is given to it."""

    def begin(self) -> FakeRun:
        """A run begins."""
        run = self._fake = FakeRun()
        self._run = cast("Run", run)
        self.started.emit(run)
        return run

    def give(self, *events: Event, at: float = 1.0) -> None:
        self._fake.transcript.apply_all(events, at)
        for event in events:
            self._fake.clock.saw(event, at)
        self.events.emit(self._fake, list(events))

    def wire(self, *entries: WireEntry) -> None:
        self._fake.wire.extend(entries)
        self.events.emit(self._fake, [])

    def finish(self, *events: Event) -> None:
        self._fake.transcript.apply_all(events, 9.0)
        self._fake.clock.freeze(9.0)
        self._fake.is_over = True
        self.finished.emit(self._fake)


def context_of(runs: Runs) -> Context:
    return cast("Context", type("Feeds", (), {"runs": runs}))
