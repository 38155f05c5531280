"""Starts runs: builds the request, sends it or replays a recording, and asks again buffered where that is due."""

import threading
import time as system_time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from thinkpane.endpoints.deadlines import DEFAULT_DEADLINES, Deadlines
from thinkpane.endpoints.dialects._api import DEFAULT_LIMITS, Call, DecodeOptions, Dialect, HttpRequest, Limits
from thinkpane.endpoints.dialects._registry import dialect_for, dialect_named
from thinkpane.endpoints.dialects._repeated import continued_in
from thinkpane.endpoints.outgoing import outgoing_body
from thinkpane.endpoints.profile import DEMO, Endpoint
from thinkpane.endpoints.recording import RecordingHeader
from thinkpane.endpoints.redact import masked_headers, masked_url, redact
from thinkpane.endpoints.secret import Secret
from thinkpane.endpoints.sink import Handle, Replayer, Sink
from thinkpane.errors import Problem
from thinkpane.formats import strict_json
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.runs.attempt import Attempt
from thinkpane.runs.calls import request_for
from thinkpane.runs.how import How
from thinkpane.runs.journal import Journal
from thinkpane.runs.loop_guard import LoopGuard
from thinkpane.runs.past import options_json
from thinkpane.runs.run import Run
from thinkpane.runs.tape import Tape
from thinkpane.runs.waiting import Waiting
from thinkpane.runs.wire import request_text, said, shortened
from thinkpane.streaming.events import Warned

DEMO_URL = "http://demo.invalid/v1"
"""Stands in the request of a replay; the name is reserved and never leads anywhere (RFC 2606)."""


class Sender(Protocol):
    """What sends requests: endpoints.client.Client."""

    def send(
        self,
        request: HttpRequest,
        key: Secret | None,
        sink: Sink,
        deadlines: Deadlines,
        on_sent: Callable[[float], None] | None = None,
    ) -> Handle:
        """Sends `request`; what comes goes to `sink`."""

    def close(self) -> None:
        """Ends all that is under way."""


class Runner:
    """Starts runs. Made once; `start` and `close` belong to one thread."""

    def __init__(
        self,
        client_factory: Callable[[], Sender],
        journal: Journal | None = None,
        time: Callable[[], float] = system_time.monotonic,
    ) -> None:
        """client_factory: called for the first run that needs the network. time: seconds that only go forward."""
        self._client_factory = client_factory
        self._client: Sender | None = None
        self._journal = journal
        self._time = time

    def start(
        self,
        endpoint: Endpoint,
        dialect: Dialect | None,
        call: Call,
        *,
        key: Secret | None = None,
        options: DecodeOptions = DecodeOptions(),  # noqa: B008 - frozen
        limits: Limits = DEFAULT_LIMITS,
        deadlines: Deadlines | None = None,
        retries: int = 0,
        label: str = "",
        pair: str = "",
        prompt: str | None = None,
        noted: Mapping[str, JsonValue] | None = None,
        guard: LoopGuard | None = None,
        record: Callable[[bytes], object] | None = None,
        demo: Replayer | None = None,
        speed: float = 1.0,
    ) -> Run:
        """Starts a run and returns it at once; its events come through `Run.drain`.

        dialect: None for the Demo endpoint, which demo and speed are for. deadlines: None = the usual ones with the
        limits' idle time. retries: how often a server without room is asked again. label, pair, prompt: as in Run.
        noted: more for the head of its recordings. guard: stops the run; seeded here from a chat call's messages.
        record: takes the lines of a recording.
        Raises ThinkpaneError where the call cannot be made; what goes wrong later ends in the run.
        """
        replayer = demo if endpoint.dialect == DEMO else None
        if replayer is not None:
            endpoint = endpoint if endpoint.base_url else replace(endpoint, base_url=DEMO_URL)
            dialect = dialect_named(replayer.dialect(call))
            told = f"recorded: {replayer.title(call)}"
            label = f"{label} ({told})" if label else told
            if dialect.path == "chat":
                # Such a server split its reply by itself, whatever the prompt of this call ends in.
                options = replace(options, prompt_opens_thinking=False)
        if dialect is None:
            raise ValueError("a dialect is needed, or a replayer for the Demo endpoint")
        shown = dialect if dialect.path == call.path else dialect_for(dialect.name, call.path)
        request = request_for(endpoint, shown, call)
        outgoing_body(request)  # what JSON cannot hold ends here, before anything is written or shown
        if guard is not None and call.path == "chat":
            guard.seed(call.messages)
        prompt = call.prompt if prompt is None else prompt
        run = Run(request, endpoint=endpoint.name, label=label, pair=pair, prompt=prompt, time=self._time)
        for warning in request.warnings:
            run.put(Warned(warning.kind, warning.message), 0.0)
        tapes = self._tapes(run, recording_header(run, dialect, call, key, options, noted), record)
        course = _Course(run, endpoint, dialect, options, limits, key, tapes, guard)
        if replayer is not None:
            course.replay(replayer, call, speed)
        else:
            usual = replace(DEFAULT_DEADLINES, idle=limits.idle_seconds)
            course.send(self._sender(), call, deadlines or usual, retries, is_first=True)
        return run

    def close(self) -> None:
        """Ends all runs that are under way and the client."""
        if self._client is not None:
            self._client.close()

    def _sender(self) -> Sender:
        if self._client is None:
            self._client = self._client_factory()
        return self._client

    def _tapes(self, run: Run, header: RecordingHeader, record: Callable[[bytes], object] | None) -> tuple[Sink, ...]:
        def say(sentence: str) -> None:
            run.put(Warned("not-kept-on-disk", sentence), run.seconds())

        tapes = [Tape(header, record, say)] if record is not None else []
        if self._journal is not None:
            try:
                file = self._journal.open(run.id)
            except OSError as fault:
                say(f"The reply is not kept on disk: {fault.strerror or fault}. The run goes on.")
            else:
                tapes.append(Tape(header, file.write, say, file.close))
        return tuple(tapes)


@dataclass(frozen=True)
class _Course:
    """All that the requests of one run share."""

    run: Run
    endpoint: Endpoint
    dialect: Dialect
    options: DecodeOptions
    limits: Limits
    key: Secret | None
    tapes: tuple[Sink, ...]
    guard: LoopGuard | None
    # The second request may begin on the client's thread before the first one's handle is in the run.
    lock: threading.RLock = field(default_factory=threading.RLock)

    def send(self, sender: Sender, call: Call, deadlines: Deadlines, retries: int, *, is_first: bool = False) -> None:
        """Sends the call; again, buffered, where the server seems unable to stream, or later where it has no room."""

        def ask_again() -> None:
            self.send(sender, replace(call, stream=False), deadlines, retries)

        def ask_later(seconds: float) -> None:
            def end() -> None:
                attempt.over(Problem("stopped", "Stopped."), (self.run.seconds() - began) * 1000)

            self.run.hold(Waiting(seconds, lambda: self.send(sender, call, deadlines, retries - 1), end))

        began = self.run.seconds()
        request = request_for(self.endpoint, self.dialect, call)
        text = redact(request_text(request, has_key=self.key is not None), self._secrets)
        self.run.put(said(began * 1000, "request", text), began)
        attempt = self._attempt(
            began,
            streamed=call.stream,
            first_seconds=deadlines.first_event,
            ask_again=ask_again if call.stream else None,
            ask_later=ask_later if retries > 0 else None,
        )
        with self.lock:
            try:
                self.run.hold(sender.send(request, self.key, attempt, deadlines, attempt.sent))
            except RuntimeError:
                if is_first:
                    raise
                # The client was closed between the two requests.
                attempt.over(Problem("stopped", "Stopped."), 0.0)

    def replay(self, replayer: Replayer, call: Call, speed: float) -> None:
        """Plays the recording for the call."""
        text = request_text(self.run.request, has_key=False)
        self.run.put(said(0.0, "request", text), 0.0)
        note = f"Nothing was sent: a reply is played that was recorded for {replayer.title(call)}."
        self.run.put(said(0.0, "note", note), 0.0)
        attempt = self._attempt(0.0, streamed=True)
        self.run.hold(replayer.replay(call, attempt, speed))

    @property
    def _secrets(self) -> tuple[Secret, ...]:
        return () if self.key is None else (self.key,)

    def _attempt(
        self,
        began: float,
        *,
        streamed: bool,
        first_seconds: float | None = None,
        ask_again: Callable[[], None] | None = None,
        ask_later: Callable[[float], None] | None = None,
    ) -> Attempt:
        return Attempt(
            self.run,
            How(self.dialect, self.options, self.limits, streamed, continued_in(self.run.request.body)),
            began=began,
            idle_seconds=self.limits.idle_seconds,
            tapes=self.tapes,
            guard=self.guard,
            first_seconds=first_seconds,
            ask_again=ask_again,
            ask_later=ask_later,
        )


def recording_header(
    run: Run,
    dialect: Dialect,
    call: Call,
    key: Secret | None,
    options: DecodeOptions,
    noted: Mapping[str, JsonValue] | None = None,
) -> RecordingHeader:
    """What a recording of that run says of itself: the request too, without a key, and how its reply is read."""
    asked: JsonObject = {
        "method": run.request.method,
        "url": masked_url(run.request.url),
        "headers": dict(masked_headers(run.request.headers)),
        "body": shortened(run.request.body),
    }
    shown: JsonValue = asked
    if key is not None:
        # One that a person put into the body or a header of their own is known by its value alone.
        shown = strict_json.parse(redact(strict_json.dump(asked, indent=None), (key,)))
    extra: dict[str, JsonValue] = {"endpoint": run.endpoint, "request": shown, "read": options_json(options)}
    extra |= noted or {}
    if run.pair:
        extra["pair"] = run.pair
    return RecordingHeader(run.label or run.endpoint, dialect.name, run.label, path=call.path, extra=extra)
