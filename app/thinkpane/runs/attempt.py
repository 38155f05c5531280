"""One request of a run: what comes back goes to disk first, then through the decoder into the run's queue."""

import re
from collections.abc import Callable, Mapping

from thinkpane.endpoints.client_errors import timeout_problem
from thinkpane.endpoints.connection import UNKNOWN, Via
from thinkpane.endpoints.profile import origin_of
from thinkpane.endpoints.sink import Sink
from thinkpane.errors import Problem
from thinkpane.runs.how import How
from thinkpane.runs.last_events import last_events
from thinkpane.runs.loop_guard import LoopGuard
from thinkpane.runs.run import Answered, Asked, BytesCame, Over, Run, Sent
from thinkpane.runs.wire import SHOWN, WireEntry, WireKind, response_text, said
from thinkpane.runs.wire_frames import WireFrames
from thinkpane.streaming.events import AnswerDelta, Ended, Event, Failed, ThinkingDelta, ToolDelta, Warned

CANNOT_STREAM = (400, 404, 405, 415, 501)
"""Statuses by which a server may mean that it cannot stream (docs/architecture.md, Exact terms)."""

NO_ROOM = (429, 503, 529)
"""Statuses of servers that may be asked again when they say so (RFC 9110, 10.2.3); nothing was made of the request."""

LONGEST_WAIT = 60.0
"""Seconds; whoever asks to be left alone for longer is told to the person instead."""

_NOT_ABOUT_STREAMING = ("auth", "rate_limit", "quota")
_NOT_ABOUT_STREAMING_STATUSES = (401, 402, 403, 429)
NOT_THIS_WAY = (405, 415, 501)
"""Those that say by themselves that it is the way of asking which is refused."""

_ABOUT_STREAMING = re.compile(r"\bstream|event-stream|\bsse\b|server-sent", re.IGNORECASE)
"""What an error's own words hold where it is about streaming; others would be met again without a stream."""


class Attempt:
    """The Sink of one request. All of it runs on the thread that brings the bytes."""

    def __init__(
        self,
        run: Run,
        how: How,
        *,
        began: float = 0.0,
        idle_seconds: float = 120.0,
        first_seconds: float | None = None,
        tapes: tuple[Sink, ...] = (),
        guard: LoopGuard | None = None,
        ask_again: Callable[[], None] | None = None,
        ask_later: Callable[[float], None] | None = None,
    ) -> None:
        """how: how the reply is read. began: seconds since the run began.

        idle_seconds: after so long with bytes but no event, a warning says so. first_seconds: after so long without
        any event the reply is given up, None = never.

        ask_again: called in place of the run's end where the server seems unable to stream; None where no stream was
        asked for. ask_later: called with the seconds in place of the run's end where the server has no room now and
        says when to come again; None where the request is not to be repeated.
        """
        self._run = run
        self._dialect = how.dialect
        self._decoder = how.decoder()
        self._began = began
        self._idle_seconds = idle_seconds
        self._tapes = tapes
        self._guard = guard
        self._run.put(Asked(how), began)
        self._ask_again = ask_again
        self._ask_later = ask_later
        self._first_seconds = first_seconds
        self._head_at = began
        self._given_up: Problem | None = None
        self._frames = WireFrames({})
        self._status = 0
        self._headers: Mapping[str, str] = {}
        self._error_body = bytearray()
        self._first = b""
        self._has_delta = False
        self._fault: Problem | None = None
        self._is_done = False
        self._latest_event = began
        self._is_silent = False
        self._room = SHOWN

    def sent(self, ms: float) -> None:
        """The whole request is out."""
        self._run.put(Sent(), self._at(ms))

    def head(self, status: int, headers: Mapping[str, str], ms: float, via: Via = UNKNOWN) -> None:
        """The response's head."""
        self._status, self._headers = status, headers
        self._frames = WireFrames(headers)
        at = self._head_at = self._at(ms)
        for tape in self._tapes:
            tape.head(status, headers, at * 1000, via)
        self._run.put(Answered(status), at)
        self._wire("response", response_text(status, headers, via), at)

    def data(self, data: bytes, ms: float) -> None:
        """More of the body; none is read any more once the run is stopping or the reply has come to its end."""
        if self._run.is_stopping or self._is_done or self._given_up is not None:
            return
        at = self._at(ms)
        for tape in self._tapes:
            tape.data(data, at * 1000)
        self._run.put(BytesCame(), at)
        self._show(self._frames.feed(data), at)
        if not self._first:
            self._first = data.lstrip()[:1]
        if self._status >= 400:
            self._error_body += data
            return
        events = self._decoder.feed(data)
        self._put(events, at)
        self._watch_silence(bool(events), at)
        if self._decoder.is_over and not self._run.is_stopping:
            self._is_done = True
            self._run.end_transfer()

    def over(self, problem: Problem | None, ms: float) -> None:
        """The end: of the run, or only of this request where a buffered one follows."""
        at = self._at(ms)
        problem = None if self._is_done else self._given_up or problem
        self._show([self._frames.close()], at)
        events = self._last_events(problem)
        if not self._run.is_stopping and self._ask_again is not None and self._should_ask_again(problem, events):
            self._say_why(events, at)
            self._ask_again()
            return
        wait = self._wait_asked_for(events)
        if wait is not None and self._ask_later is not None and not self._run.is_stopping:
            sentence = f"The server has no room now; the request goes out again in {wait:g} s. Stop ends the wait."
            self._wire("note", sentence, at)
            self._run.put(Warned("asked-again-later", sentence), at)
            self._ask_later(wait)
            return
        self._put(events, at)
        for tape in self._tapes:
            tape.over(problem, at * 1000)
        self._wire("over" if self._fault is None else "error", self._end_words(), at)
        self._run.put(Over(problem), at)

    def _last_events(self, problem: Problem | None) -> list[Event]:
        """What is left in the decoder, and the end: whole, failed, or, where the run was stopped, none at all."""
        if not self._run.is_stopping and problem is None and self._status >= 400:
            fault = self._dialect.error(self._status, self._headers, bytes(self._error_body))
            return [Failed(fault), Ended(clean=False)]
        return last_events(self._decoder, problem, stopped=self._run.is_stopping, why=self._run.stop_reason)

    def _should_ask_again(self, problem: Problem | None, events: list[Event]) -> bool:
        """Whether the server answered as one that cannot stream (docs/architecture.md, Fall-back)."""
        fault = next((event.problem for event in events if isinstance(event, Failed)), None)
        if fault is None or self._is_done or self._has_delta or any(map(_is_delta, events)):
            return False
        status = fault.detail.get("status", self._status)
        if fault.detail.get("class") in _NOT_ABOUT_STREAMING or status in _NOT_ABOUT_STREAMING_STATUSES:
            return False
        if problem is not None:
            return problem.detail.get("class") == "closed"
        if self._status >= 400 and self._status not in CANNOT_STREAM:
            return False
        if self._status in NOT_THIS_WAY or (self._status >= 400 and not bytes(self._error_body).strip()):
            return True
        if self._status >= 400 or fault.kind == "server":
            return _ABOUT_STREAMING.search(fault.message) is not None
        return self._is_json or not self._first

    @property
    def _is_json(self) -> bool:
        kind = self._headers.get("content-type", "").partition(";")[0].strip().lower()
        return kind == "application/json" or (not kind and self._first in (b"{", b"["))

    def _say_why(self, events: list[Event], at: float) -> None:
        fault = next(event.problem for event in events if isinstance(event, Failed))
        if self._status >= 400 and _ABOUT_STREAMING.search(fault.message) is None:
            why = f"The server refused the stream, so the whole reply is asked for at once. It said: {fault.message}"
        elif self._first or self._status >= 400:
            why = f"The server did not stream, so the whole reply is asked for at once. It said: {fault.message}"
        else:
            why = f"Nothing came of the stream, so the whole reply is asked for at once. {fault.message}"
        self._wire("note", why, at)
        self._run.put(Warned("fell-back-to-buffered", why), at)

    def _put(self, events: list[Event], at: float) -> None:
        for event in events:
            self._has_delta = self._has_delta or _is_delta(event)
            if isinstance(event, Failed):
                self._fault = self._fault or event.problem
            self._run.put(event, at)
            if self._guard is not None and not self._run.is_stopping and self._guard.saw(event):
                self._run.loop_guard_fired = True
                self._run.stop(
                    f"The loop guard stopped the reply: thinking block {self._guard.count} in a row began without any "
                    f"tool activity; the limit is {self._guard.limit}."
                )
                return

    def _wait_asked_for(self, events: list[Event]) -> float | None:
        """The seconds that a server without room wants to be left alone, None where it wants none or too many."""
        fault = next((event.problem for event in events if isinstance(event, Failed)), None)
        if fault is None or self._status not in NO_ROOM or fault.detail.get("class") == "quota":
            return None
        wait = fault.detail.get("retry_after")
        return float(wait) if isinstance(wait, int | float) and wait <= LONGEST_WAIT else None

    def _watch_silence(self, has_events: bool, at: float) -> None:
        if has_events:
            self._latest_event, self._is_silent, self._first_seconds = at, False, None
        elif self._first_seconds is not None and at - self._head_at > self._first_seconds:
            origin = origin_of(self._run.request.url)
            self._given_up = timeout_problem("first_event", self._first_seconds, origin)
            self._run.end_transfer()
        elif at - self._latest_event > self._idle_seconds and not self._is_silent:
            self._is_silent = True
            sentence = (
                f"For {self._idle_seconds:g} s the server has sent nothing but signs of life; Stop ends the wait."
            )
            self._run.put(Warned("keep-alive-only", sentence), at)

    def _show(self, pieces: list[bytes], at: float) -> None:
        """Puts events of the body on the wire, while there is room for them in memory."""
        for piece in filter(None, pieces):
            if self._room <= 0:
                return
            self._run.put(WireEntry(at * 1000, "data", piece), at)
            self._room -= len(piece)
            if self._room <= 0:
                sentence = f"More than {SHOWN:,} bytes came; what follows is read, but not shown here."
                self._wire("note", sentence, at)

    def _wire(self, kind: WireKind, text: str, at: float) -> None:
        if text:
            self._run.put(said(at * 1000, kind, text), at)

    def _end_words(self) -> str:
        if self._run.is_stopping:
            return self._run.stop_reason or "Stopped."
        return "The reply ended." if self._fault is None else self._fault.message

    def _at(self, ms: float) -> float:
        return self._began + ms / 1000


def _is_delta(event: Event) -> bool:
    return isinstance(event, ThinkingDelta | AnswerDelta | ToolDelta)
