"""A feed of runs that a test fills by hand, in the place of the bridge."""

from dataclasses import dataclass, field
from typing import cast

from PySide6.QtCore import QObject, Signal

from support.clock import Clock
from thinkpane.runs.clock import RunClock
from thinkpane.runs.wire import WireEntry
from thinkpane.streaming.events import Event
from thinkpane.streaming.transcript import Transcript
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


class Runs(QObject):
    """Stands in for the feed of runs."""

    started = Signal(object)
    events = Signal(object, list)
    finished = Signal(object)
    reread = Signal(object)
    tick = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.run: FakeRun | None = None

    def start(self) -> FakeRun:
        self.run = FakeRun()
        self.started.emit(self.run)
        return self.run

    def give(self, *events: Event, at: float = 1.0) -> None:
        assert self.run is not None
        self.run.transcript.apply_all(events, at)
        for event in events:
            self.run.clock.saw(event, at)
        self.events.emit(self.run, list(events))

    def wire(self, *entries: WireEntry) -> None:
        assert self.run is not None
        self.run.wire.extend(entries)
        self.events.emit(self.run, [])

    def finish(self, *events: Event) -> None:
        assert self.run is not None
        self.run.transcript.apply_all(events, 9.0)
        self.run.clock.freeze(9.0)
        self.run.is_over = True
        self.finished.emit(self.run)


def context_of(runs: Runs) -> Context:
    return cast("Context", type("Feeds", (), {"runs": runs}))
