"""One worker process, seen from the parent: start it, exchange a job for a result by a deadline, kill it."""

import math
import secrets
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from thinkpane.engine.confine import MEMORY_CAP
from thinkpane.engine.deadline import Deadline
from thinkpane.engine.duct import started
from thinkpane.engine.frames import FRAME_CAP, REPLY, FrameTooLong, encoded, read_frame
from thinkpane.engine.kept import Heard, Sent
from thinkpane.engine.memory import POLLED, resident_bytes
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject

START_DEADLINE = 30.0
"""Seconds a worker may take to start; a cold disk or a virus scanner can cost many."""

POLL = 0.02
"""Seconds between looks at the memory: it can grow by 16 MB in that time (ADR 0002)."""

Reason: TypeAlias = Literal["timeout", "memory", "cancelled"]


def worker_command(*words: str) -> list[str]:
    """How to start a child process: this program, found where this one was found, with `words` (none = "worker")."""
    words = words or ("worker",)
    if getattr(sys, "frozen", False):
        return [sys.executable, *words]
    root = str(Path(__file__).parents[2])
    start = f"import sys; sys.path.append({root!r}); from thinkpane.__main__ import main; sys.exit(main({[*words]!r}))"
    return [sys.executable, "-P", "-X", "utf8", "-c", start]


class WorkerEnded(Exception):
    """The worker ended before it answered. reason: what we ended it for, None when it died by itself."""

    def __init__(self, reason: Reason | None, status: int | None) -> None:
        super().__init__(reason or f"status {status}")
        self.reason = reason
        self.status = status


class WorkerProcess:
    """One child process with an empty environment. It does one job at a time, for one thread at a time."""

    def __init__(self, command: Sequence[str], memory_cap: int = MEMORY_CAP) -> None:
        """memory_cap: bytes, watched from here where the system does not hold the process to them itself."""
        self.spent = False
        """Whether a job once ran out of memory or stack here; unwinding may have left something undone."""
        self._reason: Reason | None = None
        self._ready = False
        self._sent = Sent()
        self._heard = Heard()
        self._memory_cap = memory_cap
        self._deadline = Deadline(lambda: self.kill("timeout"), self._look_at_memory)
        self.worked = 0.0
        """Seconds that the last job took, without what it waited for this process to be ready."""
        try:
            self._process, self._duct = started(command, bare_environment())
        except OSError as error:
            raise _not_started(str(error)) from error

    @property
    def alive(self) -> bool:
        """True until it was killed or ended."""
        return self._reason is None and self._process.poll() is None

    @property
    def messages(self) -> int:
        """How many messages it has from the last job that came with many."""
        return self._sent.count

    @property
    def pid(self) -> int:
        """The system's number of the process."""
        return self._process.pid

    def exchange(self, name: str, payload: JsonObject, deadline: float) -> JsonObject:
        """Sends a job and gives the reply {"result" or "problem", "spent"}. deadline: seconds for the job alone.

        Raises WorkerEnded when the worker ended first, ThinkpaneError: kind "worker" when it could not start, "request"
        for more than a worker takes.
        """
        self.wait_ready()
        mark = secrets.token_hex(8)
        frame = self._frame({"job": name, "deadline": deadline, "mark": mark}, payload)
        began = time.monotonic()
        reply = self._watched(deadline, frame)
        self.worked = time.monotonic() - began
        # A job that got hold of the pipe could answer the next one, too, if it knew how that will be marked.
        if reply is not None and reply.pop("mark", None) != mark:
            self._process.kill()
            reply = None
        if reply is None:
            raise self._ended()
        return reply

    def _frame(self, head: JsonObject, payload: JsonObject) -> bytes:
        """Raises ThinkpaneError (kind "request")."""
        sent, self._sent = self._sent, Sent()  # what cannot be encoded is not sent, and so is not there
        try:
            frame = encoded(head | {"payload": sent.shortened(payload)})
        except FrameTooLong:
            most = FRAME_CAP // 1024 // 1024
            raise ThinkpaneError(Problem("request", f"The conversation is larger than {most} MiB.")) from None
        self._sent = sent
        return frame

    def wait_ready(self) -> None:
        """Waits until the worker has imported everything; raises ThinkpaneError (kind "worker") if it cannot."""
        if self._ready:
            return
        hello = self._watched(START_DEADLINE, b"")
        if hello is None and self._reason == "cancelled":
            raise self._ended()
        if hello is None or not hello.get("ready"):
            status = self.reaped()
            raise _not_started(str((hello or {}).get("error", f"it ended with status {status}")))
        self._ready = True

    def kill(self, reason: Reason = "cancelled") -> None:
        """Ends the process; whoever waits for its reply gets WorkerEnded at once, also where the system needs a while
        to take back its memory. May be called from any thread."""
        if self._reason is None:
            self._reason = reason
        self._process.kill()
        self._duct.cut()

    def discard(self) -> None:
        """Ends the process and lets go of it, all but `reaped`; only for the thread that holds the worker."""
        self.kill()
        self._deadline.close()
        self._duct.close()

    def reaped(self) -> int:
        """Discards it and waits until the system has taken back all that it had; gives its status."""
        self.discard()
        return self._process.wait()

    def _ended(self) -> WorkerEnded:
        # What we ended ourselves has no status worth waiting for.
        return WorkerEnded(self._reason, None if self._reason else self._own_status())

    def _own_status(self) -> int:
        self._process.kill()
        return self._process.wait()

    def _watched(self, deadline: float, frame: bytes) -> JsonObject | None:
        self._deadline.set(deadline, POLL if POLLED else math.inf)
        try:
            return self._spoken(frame)
        finally:
            self._deadline.clear()

    def _spoken(self, frame: bytes) -> JsonObject | None:
        try:
            self._duct.requests.write(frame)
            self._duct.requests.flush()
            reply = read_frame(self._duct.replies, REPLY)
            return self._heard.whole(reply) if reply is not None else None
        except (OSError, ValueError, RecursionError, MemoryError):
            # A broken pipe, a pipe closed under us, or bytes that are no JSON: the worker is no worker any more.
            self._process.kill()
            return None

    def _look_at_memory(self) -> None:
        if (resident_bytes(self.pid) or 0) > self._memory_cap:
            self.kill("memory")


def bare_environment() -> dict[str, str]:
    """The environment that our child processes get: nothing that a system can start without."""
    # Windows cannot load its own libraries without this one; the worker empties the rest of the way (confine.py).
    import os

    return {"SYSTEMROOT": os.environ["SYSTEMROOT"]} if "SYSTEMROOT" in os.environ else {}


def _not_started(why: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("worker", f"The process that runs templates could not start: {why}."))
