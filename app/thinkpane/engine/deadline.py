"""Watches that what another process does ends in time: one thread for all that it does, which sleeps meanwhile.

A thread for each job would cost each job two changes of threads, which is as long as many a job takes.
"""

import math
import threading
import time
from collections.abc import Callable


class Deadline:
    """The deadline of one thing at a time. May be set from any thread; `close` must end it.

    late: called when it passed, in the watching thread, and never after `clear` has returned.
    look: called before that as often as `set` says, likewise.
    """

    def __init__(self, late: Callable[[], None], look: Callable[[], None]) -> None:
        self._late = late
        self._look = look
        self._every = math.inf
        self._turn = threading.Condition()
        self._end = math.inf
        self._wakes = math.inf
        self._thread: threading.Thread | None = None
        self._is_over = False

    def set(self, seconds: float, every: float = math.inf) -> None:
        """Begins to watch. every: seconds between looks."""
        with self._turn:
            now = time.monotonic()
            self._end, self._every = now + seconds, every
            if self._thread is None or not self._thread.is_alive():  # a fault of `look` has ended it
                self._thread = threading.Thread(target=self._run, name="deadline", daemon=True)
                self._thread.start()
            elif self._wakes > min(self._end, now + self._every):
                self._turn.notify()

    def clear(self) -> None:
        """Ends watching; the thread finds that out when it would have had to wake."""
        with self._turn:
            self._end = math.inf

    def close(self) -> None:
        """Ends the thread."""
        with self._turn:
            self._is_over = True
            self._turn.notify()

    def _run(self) -> None:
        with self._turn:
            while not self._is_over:
                now = time.monotonic()
                if now >= self._end:
                    self._end = math.inf
                    self._late()
                    continue
                self._wakes = min(self._end, now + self._every) if self._end < math.inf else math.inf
                self._turn.wait(None if self._wakes == math.inf else self._wakes - now)
                if self._every < math.inf and time.monotonic() < self._end < math.inf:
                    self._look()
