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
from thinkpane.runs.wire import WireEntry
from thinkpane.streaming.events import AnswerDelta, AnswerWasThinking, Event, ThinkingDelta, ThinkingOpaque, ToolDelta
from thinkpane.streaming.transcript import Transcript

RunState: TypeAlias = Literal["connecting", "waiting", "thinking", "answering", "stopped", "failed", "done"]


@dataclass(frozen=True, slots=True)
class Sent:
    """The whole request is out."""


@dataclass(frozen=True, slots=True)
class BytesCame:
    """Bytes of the reply came."""


@dataclass(frozen=True, slots=True)
class Over:
    """Nothing more comes."""


Arrival: TypeAlias = Event | WireEntry | Sent | BytesCame | Over


class Run:
    """A run that was started (by a Runner) and its reply so far.

    transcript, wire, clock and state belong to the thread that calls `drain`. label: names it beside others, as in a
    sweep. endpoint: the endpoint's name. request: what was asked first, without the key. prompt: the text that the
    model gets, where it is known. loop_guard_fired: the loop guard stopped it. stop_reason: why it was stopped.
    """

    def __init__(
        self,
        request: HttpRequest,
        *,
        endpoint: str = "",
        label: str = "",
        prompt: str | None = None,
        time: Callable[[], float] = system_time.monotonic,
    ) -> None:
        """time: seconds that only go forward."""
        self.id = uuid.uuid4().hex
        self.label = label
        self.endpoint = endpoint
        self.request = request
        self.prompt = prompt
        self.transcript = Transcript()
        self.wire: list[WireEntry] = []
        self.clock = RunClock(time)
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
    def problem(self) -> Problem | None:
        """The fault that it met, None where there is none so far; a stop is no fault."""
        return self.transcript.problem

    def drain(self) -> list[Event]:
        """The events since the last call, in order; transcript, wire and clock hold them already."""
        self._news.clear()
        found: list[Event] = []
        while self._arrivals:
            arrival, at = self._arrivals.popleft()
            match arrival:
                case WireEntry():
                    self.wire.append(arrival)
                case Sent():
                    self._state = "waiting"
                case BytesCame():
                    self.clock.saw_byte(at)
                case Over():
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
        if self.transcript.problem is not None:
            self._state = "failed"
        else:
            self._state = "stopped" if self._stopping and not self.transcript.ended else "done"
