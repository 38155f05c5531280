"""One run: a prompt or conversation goes out, its reply comes back as events, and nothing of it is lost.

The contract that the window and the command line share. Threads: the client's thread fills a queue; `drain` is called
by whoever owns the transcript (the window every 16 ms, the command line in a loop); nothing else changes it.
"""

import threading
import time as system_time
import uuid
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from thinkpane.endpoints.dialects._api import HttpRequest
from thinkpane.endpoints.sink import Handle
from thinkpane.errors import Problem
from thinkpane.runs.clock import RunClock
from thinkpane.runs.how import How
from thinkpane.runs.rereading import Reading
from thinkpane.runs.wire import SHOWN, WireEntry
from thinkpane.streaming.events import AnswerDelta, AnswerWasThinking, Event, ThinkingDelta, ThinkingOpaque, ToolDelta
from thinkpane.streaming.transcript import Transcript

RunState: TypeAlias = Literal["connecting", "waiting", "thinking", "answering", "stopped", "failed", "done"]


@dataclass(frozen=True, slots=True)
class Sent:
    """The whole request is out."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request begins; its reply is read as `how` says."""

    how: How


@dataclass(frozen=True, slots=True)
class Answered:
    """The head of the response came."""

    status: int


@dataclass(frozen=True, slots=True)
class BytesCame:
    """Bytes of the reply came."""


@dataclass(frozen=True, slots=True)
class Over:
    """Nothing more comes. problem: what ended the connection early."""

    problem: Problem | None = None


Arrival: TypeAlias = Event | WireEntry | Asked | Answered | Sent | BytesCame | Over


class Run:
    """A run that was started (by a Runner) and its reply so far.

    transcript, wire, clock and state belong to the thread that calls `drain`; once the run is over, `show` puts another
    reading of the same bytes in the place of transcript and clock. label: names it beside others, as in a sweep.
    pair: the same for two runs that are compared, "" for others. endpoint: the endpoint's name. request: what was asked
    first, without the key. prompt: the text that the model gets, where it is known. how: how its bytes were read as
    they came, None before the first request. status: the response's. answered_from: where in the wire the last request
    begins. transport_problem: what ended the connection early. loop_guard_fired: the loop guard stopped it.
    stop_reason: why it was stopped.
    """

    def __init__(
        self,
        request: HttpRequest,
        *,
        endpoint: str = "",
        label: str = "",
        pair: str = "",
        prompt: str | None = None,
        time: Callable[[], float] = system_time.monotonic,
    ) -> None:
        """time: seconds that only go forward."""
        self.id = uuid.uuid4().hex
        self.label = label
        self.pair = pair
        self.endpoint = endpoint
        self.request = request
        self.prompt = prompt
        self.transcript = Transcript()
        self.wire: list[WireEntry] = []
        self.clock = RunClock(time)
        self.how: How | None = None
        self.status = 0
        self.answered_from = 0
        self.transport_problem: Problem | None = None
        self._original: Reading | None = None
        self._reading: Reading | None = None
        self.loop_guard_fired = False
        self.stop_reason = ""
        self._time = time
        self._began = time()
        self._state: RunState = "connecting"
        self._arrivals: deque[tuple[Arrival, float]] = deque()
        self._news = threading.Event()
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._handle: Handle | None = None
        self._stopping = False
        self._ending = False
        self._drained_end = False

    @property
    def state(self) -> RunState:
        """How it stands, as far as it was drained. "answering" while a tool call comes, too."""
        return self._state

    @property
    def is_over(self) -> bool:
        """True once the end was drained: transcript, wire and clock do not change any more."""
        return self._drained_end

    @property
    def is_stopping(self) -> bool:
        """True once `stop` was called."""
        return self._stopping

    @property
    def was_stopped(self) -> bool:
        """True where it was stopped before its reply had come to its end."""
        return self._stopping and not self.original.transcript.ended

    @property
    def is_cut_short(self) -> bool:
        """True where more of the reply came than its wire holds."""
        return sum(len(entry.raw) for entry in self.wire[self.answered_from :] if entry.kind == "data") >= SHOWN

    @property
    def problem(self) -> Problem | None:
        """The fault that it met, None where there is none so far; a stop is no fault."""
        return self.transcript.problem

    def drain(self, seconds: float | None = None) -> list[Event]:
        """The events since the last call, in order; transcript, wire and clock hold them already.

        seconds: at most so long, None = until there are none; a stream may come as fast as it is drained.
        """
        self._news.clear()
        end = None if seconds is None else system_time.perf_counter() + seconds
        found: list[Event] = []
        while self._arrivals:
            if end is not None and system_time.perf_counter() > end:
                self._news.set()
                break
            arrival, at = self._arrivals.popleft()
            match arrival:
                case WireEntry():
                    self.wire.append(arrival)
                case Asked():
                    self.how, self.answered_from = arrival.how, len(self.wire)
                case Answered():
                    self.status, self._state = arrival.status, "waiting"
                case Sent():
                    self._state = "waiting"
                case BytesCame():
                    self.clock.saw_byte(at)
                case Over():
                    self.transport_problem = arrival.problem
                    self._finish(at)
                case _:
                    self._take(arrival, at)
                    found.append(arrival)
        return found

    def wait(self, timeout: float | None = None) -> bool:
        """Blocks until the last event is there to be drained, at most `timeout` seconds; whether it is."""
        return self._ended.wait(timeout)

    def wait_for_news(self, timeout: float | None = None) -> bool:
        """Blocks until there is something to drain, at most `timeout` seconds; whether there is."""
        return self._news.wait(timeout)

    def stop(self, reason: str = "") -> None:
        """Ends it soon; what came stays. reason: a sentence for a warning in the transcript. From any thread."""
        with self._lock:
            if self._stopping or self._ended.is_set():
                return
            self._stopping, self.stop_reason = True, reason
        self.end_transfer()

    # Other readings of the same bytes, once it is over.

    @property
    def original(self) -> "Reading | Run":
        """The reading as it came, whatever is shown: what has `transcript` and `clock`."""
        return self._original or self

    @property
    def reading(self) -> "Reading | None":
        """The other reading that is shown, None where it is the one that came."""
        return self._reading

    def show(self, reading: "Reading | None") -> None:
        """Puts another reading in the place of transcript and clock; None = the one that came.

        Raises ValueError while the run is not over.
        """
        if not self._drained_end or self.how is None:
            raise ValueError("only a run that is over can be read anew")
        if self._original is None:
            self._original = Reading(self.how, self.transcript, self.clock)
        shown = reading or self._original
        self.transcript, self.clock, self._reading = shown.transcript, shown.clock, reading
        self._state = self._last_state()

    # For the runner, on any thread.

    def hold(self, handle: Handle) -> None:
        """Takes over what `stop` stops; at once where it was called already."""
        with self._lock:
            self._handle = handle
            ending = self._ending
        if ending:
            handle.stop()

    def end_transfer(self) -> None:
        """Ends what is under way, as `stop` does, where the reply itself has come to its end."""
        with self._lock:
            self._ending = True
            handle = self._handle
        if handle is not None:
            handle.stop()

    def put(self, arrival: Arrival, at: float) -> None:
        """Queues what came. at: seconds since the run began."""
        self._arrivals.append((arrival, at))
        if isinstance(arrival, Over):
            self._ended.set()
        self._news.set()

    def seconds(self) -> float:
        """Seconds since the run began."""
        return self._time() - self._began

    # On the thread that drains.

    def _take(self, event: Event, at: float) -> None:
        self.transcript.apply(event, at)
        self.clock.saw(event, at)
        match event:
            case ThinkingDelta() | ThinkingOpaque():
                self._state = "thinking"
            case AnswerDelta() | ToolDelta() | AnswerWasThinking():
                self._state = "answering"

    def _finish(self, at: float) -> None:
        self.clock.freeze(at)
        self._drained_end = True
        self._state = self._last_state()

    def _last_state(self) -> RunState:
        if self.transcript.problem is not None:
            return "failed"
        return "stopped" if self._stopping and not self.transcript.ended else "done"
