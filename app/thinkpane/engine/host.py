"""The engine as the rest of the program sees it: jobs on foreign templates, done in worker processes by a deadline."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from thinkpane.engine.confine import MEMORY_CAP
from thinkpane.engine.kept import SINCE, of_many
from thinkpane.engine.pool import WorkerPool
from thinkpane.engine.process import WorkerEnded, WorkerProcess, worker_command
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.tokens.changes import Change

DEADLINE = 2.0
"""Seconds a job may take (docs/architecture.md, Caps)."""


GRACE = 0.3
"""Seconds that a job whose answer nobody wants any more may still take: most end sooner, and a new worker costs as
much, and must be sent the whole conversation."""


class Ticket:
    """What the jobs of one question are started with, one after another: once cancelled, no further one begins."""

    def __init__(self) -> None:
        self.cancelled = False
        self.ending = False
        """Whether the job at work is ended soon."""


ABOUT_KEPT = 64
"""Answers about templates that are remembered."""

_CANCELLED = Problem("cancelled", "The render was cancelled, because a newer one took its place.")
_PLACES = ("kind", "message", "line", "column", "message_index", "field")


class Engine:
    """Runs jobs in warm child processes. All methods may be called from any thread.

    command: how a worker is started, None = this program's own way. spare: warm workers besides the one at work.
    deadline: seconds for a job whose caller names none. Workers start with `warm` or with the first job.
    """

    def __init__(
        self,
        command: Sequence[str] | None = None,
        spare: int = 1,
        deadline: float = DEADLINE,
        *,
        what: str = "template",
        memory_cap: int = MEMORY_CAP,
    ) -> None:
        """what: that which the workers run, for sentences. memory_cap: bytes that each may have."""
        self._pool = WorkerPool(command or worker_command(), 1 + spare, memory_cap)
        self.deadline = deadline
        self._what = what
        self._memory_cap = memory_cap
        self._busy: dict[WorkerProcess, object] = {}
        self._lock = threading.Lock()
        self._about: dict[tuple[str, str], JsonObject] = {}

    def warm(self) -> None:
        """Starts the workers in the background, so that the first job finds one ready."""
        self._pool.fill()

    def keep(self, spare: int) -> None:
        """Keeps so many warm workers besides the one at work from now on."""
        self._pool.keep(1 + spare)

    def render(self, request: RenderRequest, deadline: float | None = None, owner: object = None) -> Rendered:
        """One render; every fault comes back as the result's problem. owner: see `cancel`."""
        try:
            return _rendered(self.job("render", request.as_json(), deadline, owner))
        except ThinkpaneError as error:
            return Rendered(None, error.problem)

    def render_many(
        self, requests: Sequence[RenderRequest], deadline: float | None = None, owner: object = None
    ) -> list[Rendered]:
        """Many renders as one job, results in order; when the job as a whole fails, each has that problem."""
        payload: JsonObject = {"requests": [each.as_json() for each in requests]}
        try:
            results = cast("list[JsonObject]", self.job("render_many", payload, deadline, owner)["results"])
        except ThinkpaneError as error:
            return [Rendered(None, error.problem) for _ in requests]
        return [_rendered(each) for each in results]

    def trace(self, request: RenderRequest, deadline: float | None = None, owner: object = None) -> JsonObject:
        """One render with owners: {text, spans, reads, ignored, lines} (tracing.py); raises ThinkpaneError."""
        found = self.job("trace", request.as_json(), deadline, owner)
        if "problem" in found:
            raise ThinkpaneError(problem_from_json(cast("JsonObject", found["problem"])))
        return found

    def owners(self, request: RenderRequest, deadline: float | None = None, owner: object = None) -> JsonObject:
        """What `trace` gives, with flat `columns` in place of `spans` (owner_columns.py), which the window can read
        without a stop however many there are; raises ThinkpaneError."""
        found = self.job("owners", request.as_json(), deadline, owner)
        if "problem" in found:
            raise ThinkpaneError(problem_from_json(cast("JsonObject", found["problem"])))
        return found

    def job(self, name: str, payload: JsonObject, deadline: float | None = None, owner: object = None) -> JsonObject:
        """One job by its name in the worker's table; gives its result.

        Raises ThinkpaneError: kind "timeout", "memory", "cancelled", "worker", or what the job itself found.
        """
        seconds = self.deadline if deadline is None else deadline
        return self._job(name, payload, seconds, seconds, owner)

    def _job(self, name: str, payload: JsonObject, seconds: float, left: float, owner: object) -> JsonObject:
        """left: how many of the `seconds` it may still take."""
        worker = self._pool.take(of_many(payload))
        with self._lock:
            overtaken = isinstance(owner, Ticket) and owner.cancelled
            if not overtaken:
                self._busy[worker] = owner
        if overtaken:
            self._pool.give_back(worker, healthy=True)
            raise ThinkpaneError(_CANCELLED)
        stood_in = worker.spent
        healthy = False
        try:
            reply = worker.exchange(name, payload, left)
            healthy = not reply.get("spent")
        except WorkerEnded as end:
            raise ThinkpaneError(self._ended(end, seconds)) from None
        finally:
            with self._lock:
                del self._busy[worker]
            self._pool.give_back(worker, healthy)
        if stood_in and not healthy:
            # What a worker that was spent before could not do says nothing yet about the job.
            return self._job(name, payload, seconds, max(left - worker.worked, 0.0), owner)
        if "problem" in reply:
            raise ThinkpaneError(problem_from_json(cast("JsonObject", reply["problem"])))
        return cast("JsonObject", reply["result"])

    def about(self, name: str, source: str, owner: object = None) -> JsonObject:
        """The result of the job `name`, which takes {source} alone, about a template; asked once and remembered.

        Raises ThinkpaneError as `job` does; faults are not remembered.
        """
        with self._lock:
            known = self._about.get((name, source))
        if known is not None:
            return known
        found = self.job(name, {"source": source}, owner=owner)
        with self._lock:
            while len(self._about) >= ABOUT_KEPT:
                del self._about[next(iter(self._about))]
            self._about[name, source] = found
        return found

    def _ended(self, end: WorkerEnded, seconds: float) -> Problem:
        if end.reason == "timeout":
            return Problem("timeout", f"The {self._what} ran longer than {seconds:g} s and was stopped.")
        if end.reason == "memory":
            cap = self._memory_cap // 2**20
            return Problem("memory", f"The {self._what} needed more than {cap} MiB of memory and was stopped.")
        if end.reason == "cancelled":
            return _CANCELLED
        return Problem("crash", f"The process that ran the {self._what} ended by itself (status {end.status}).")

    def cancel(self, owner: object = None) -> None:
        """Ends the jobs that were started with `owner` (None = all); they come back with kind "cancelled", and so do
        those that a Ticket is used for later."""
        with self._lock:
            if isinstance(owner, Ticket):
                owner.cancelled = True
            for worker, whose in self._busy.items():
                if owner is None or whose is owner:
                    worker.kill("cancelled")

    def overtake(self, ticket: object) -> None:
        """As `cancel`, but the job at work is let end where it does so within `GRACE`; its answer is for nobody."""
        if not isinstance(ticket, Ticket):
            self.cancel(ticket)
            return
        with self._lock:
            ticket.cancelled = True
            if ticket.ending or not any(whose is ticket for whose in self._busy.values()):
                return
            ticket.ending = True
        end = threading.Timer(GRACE, self.cancel, (ticket,))
        end.daemon = True
        end.start()

    def close(self) -> None:
        """Ends every worker; jobs at work come back with kind "cancelled", later ones with kind "worker"."""
        self._pool.close()
        self.cancel()


def problem_from_json(found: Mapping[str, object]) -> Problem:
    """The Problem that `Problem.as_json` made `found` of."""
    return Problem(
        kind=str(found["kind"]),
        message=str(found["message"]),
        line=cast("int | None", found.get("line")),
        column=cast("int | None", found.get("column")),
        message_index=cast("int | None", found.get("message_index")),
        field=cast("str | None", found.get("field")),
        detail={key: value for key, value in found.items() if key not in _PLACES},
    )


def _rendered(result: JsonObject) -> Rendered:
    if "problem" in result:
        return Rendered(None, problem_from_json(cast("JsonObject", result["problem"])))
    found = Rendered(cast("str", result["text"]), None, float(cast("float", result["milliseconds"])))
    if SINCE not in result:
        return found
    earlier, before, after = cast("tuple[str, int, int]", result[SINCE])
    return replace(found, earlier=earlier, change=Change(before, after))
