"""Makes prompts while a person types: in a thread of its own, the newest wins, the last good one is kept."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable

from thinkpane.engine.host import Engine, Ticket
from thinkpane.errors import Problem
from thinkpane.prompt.job import PromptJob
from thinkpane.prompt.making import PromptMaker
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.tracer import Tracer

_log = logging.getLogger(__name__)

LONGEST_WAIT = 0.25
"""Seconds at most between the end of a render and the start of the next."""

HELD = 4
"""Prompts that are held here while they are shown: letting go of megabytes takes a millisecond, and whoever does it
last should not be the window."""

STALE_AFTER = 0.15
"""Seconds after which a render that nobody waits for any more is killed (ADR 0002)."""

STALE_AT_MOST = 0.75
"""Seconds that even a template which always takes long is left to finish a stale render."""


class PromptService:
    """Renders the newest job that was asked for.

    deliver: called with every finished prompt, from a thread of the service, in order of serial. A current prompt is
    delivered as soon as it is rendered, and a second time once its owners are known, or why they are not.
    Between two renders there is a pause about as long as the last one took, so that quick typing leaves the machine
    half of its time; a key after a longer rest is answered at once.
    """

    def __init__(self, engine: Engine, deliver: Callable[[Prompt], None]) -> None:
        self._engine = engine
        self._deliver = deliver
        self._changed = threading.Condition()
        self._waiting: PromptJob | None = None
        self._busy_since: float | None = None
        self._cost = 0.0
        self._ended = 0.0
        self._closed = False
        self._held: deque[Prompt] = deque(maxlen=HELD)
        self._maker = PromptMaker(engine)
        self._order = threading.Lock()
        self._newest = 0
        self._tracer = Tracer(engine, self._deliver_traced)
        self._ticket = Ticket()
        self._watch: threading.Timer | None = None
        self._thread = threading.Thread(target=self._run, name="prompts", daemon=True)
        self._thread.start()

    def ask(self, job: PromptJob) -> None:
        """Wants the prompt of `job`; an earlier one that is not done yet is no longer wanted. Returns at once."""
        self._tracer.drop()
        with self._changed:
            self._waiting = job
            self._watch_stale()
            self._changed.notify_all()

    def render_now(self, job: PromptJob) -> Prompt:
        """The prompt of `job`, made while the caller waits. It is returned, not delivered."""
        return self._maker.make(job)

    def forget(self) -> None:
        """The next prompts are another document's (PromptMaker.forget)."""
        self._maker.forget()

    @property
    def busy(self) -> bool:
        """True while a job waits or is at work, so that the shown prompt is about to change."""
        with self._changed:
            return self._waiting is not None or self._busy_since is not None

    def close(self) -> None:
        """Ends the thread; nothing is delivered any more when it returns."""
        with self._changed:
            self._closed = True
            self._stop_watch()
            self._changed.notify_all()
        while self._thread.is_alive():
            self._engine.cancel(self._ticket)
            self._thread.join(0.05)
        self._tracer.close()

    def _run(self) -> None:
        while (job := self._next()) is not None:
            prompt = self._made(job)
            self._held.append(prompt)
            with self._changed:
                self._ended = time.monotonic()
                self._stop_watch()
                self._cost = self._ended - (self._busy_since or self._ended)
                self._busy_since = None
                cancelled = prompt.problem is not None and prompt.problem.kind == "cancelled"
                overtaken = self._waiting is not None
                if self._closed:
                    return
            if not (cancelled and overtaken):
                self._deliver_made(prompt)
            if prompt.is_current and not overtaken:
                self._tracer.ask(prompt)

    def _deliver_made(self, prompt: Prompt) -> None:
        with self._order:
            self._newest = prompt.serial
            self._deliver(prompt)

    def _deliver_traced(self, prompt: Prompt) -> None:
        self._maker.keep(prompt)
        self._held.append(prompt)
        with self._order:
            if prompt.serial == self._newest:
                self._deliver(prompt)

    def _made(self, job: PromptJob) -> Prompt:
        try:
            return self._maker.make(job, self._ticket)
        except Exception as error:  # noqa: BLE001 - without its thread the window would never show a prompt again
            _log.exception("a prompt could not be made")
            return self._maker.failed(
                Problem("internal", f"The prompt could not be made: {type(error).__name__}."), job.epoch
            )

    def _next(self) -> PromptJob | None:
        with self._changed:
            while self._waiting is None and not self._closed:
                self._changed.wait()
            start = self._ended + min(self._cost, LONGEST_WAIT)
            while not self._closed and (left := start - time.monotonic()) > 0:
                self._changed.wait(left)
            if self._closed:
                return None
            job, self._waiting = self._waiting, None
            self._busy_since = time.monotonic()
            self._ticket = Ticket()
            return job

    def _watch_stale(self) -> None:
        """Ends the render at work once it is stale; one that takes its usual time is let finish, else a slow
        template would show nothing for as long as a person types."""
        if self._busy_since is None or self._watch is not None:
            return
        allowed = min(max(STALE_AFTER, 1.5 * self._cost), STALE_AT_MOST)
        left = self._busy_since + allowed - time.monotonic()
        self._watch = threading.Timer(max(0.0, left), self._engine.cancel, (self._ticket,))
        self._watch.daemon = True
        self._watch.start()

    def _stop_watch(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
