"""Warm worker processes: one is always ready while another works, and a lost one is replaced in the background."""

import threading
from collections.abc import Sequence

from thinkpane.engine.confine import MEMORY_CAP
from thinkpane.engine.process import WorkerEnded, WorkerProcess
from thinkpane.errors import Problem, ThinkpaneError


class WorkerPool:
    """Idle workers for whoever has a job. All methods may be called from any thread.

    warm: how many idle workers are kept ready; where it is more than one, one is started as soon as the last is taken,
    so that a render finds a ready one while owners and effects of the prompt before are being worked out.
    """

    def __init__(self, command: Sequence[str], warm: int, memory_cap: int = MEMORY_CAP) -> None:
        """memory_cap: bytes that each worker may have."""
        self._command = tuple(command)
        self._memory_cap = memory_cap
        self._warm = warm
        self._idle: list[WorkerProcess] = []
        self._lock = threading.Lock()
        self._reserve: WorkerProcess | None = None
        self._filling: threading.Thread | None = None
        self._closed = False

    def keep(self, warm: int) -> None:
        """Another number of idle workers that are kept ready, from the next job on."""
        with self._lock:
            self._warm = warm

    def take(self, of_many: bool = False) -> WorkerProcess:
        """A worker that is ready or about to be; raises ThinkpaneError (kind "worker") when none can start.

        of_many: the job comes with many messages, and should go where most of them are (kept.py).
        """
        while True:
            with self._lock:
                if self._closed:
                    raise ThinkpaneError(Problem("worker", "The render engine is closed."))
                worker = self._idle.pop(self._place(of_many)) if self._idle else self._reserve
                if worker is self._reserve:
                    self._reserve = None
                if self._warm > 1 and not self._idle:
                    self._start_filling(1)
            if worker is None:
                return WorkerProcess(self._command, self._memory_cap)
            if worker.alive:
                return worker
            worker.discard()

    def _place(self, of_many: bool) -> int:
        """Which of the idle workers is the best: the first is the one that worked last."""
        return max(range(len(self._idle)), key=lambda each: self._idle[each].messages) if of_many else 0

    def give_back(self, worker: WorkerProcess, healthy: bool) -> None:
        """Takes a worker back. One too many is ended: never the one that worked just now while another knows less, for
        the next job is most like the last (kept.py). One that is not healthy is ended, too; where no other is ready, it
        first stands in until there is: a render need not wait because the one before it nested too deeply."""
        with self._lock:
            past = self._put(worker, healthy)
        if past is not None:
            past.discard()
        self.fill()

    def _put(self, worker: WorkerProcess, healthy: bool) -> WorkerProcess | None:
        """Puts a worker where it belongs; answers with the one that has no place any more."""
        if not worker.alive or self._closed:
            return worker
        if healthy and not worker.spent:
            self._idle.insert(0, worker)
            return self._idle.pop(self._least()) if len(self._idle) > self._warm else None
        keep = not self._idle and self._reserve is None and (healthy or not worker.spent)
        worker.spent = True
        if not keep:
            return worker
        self._reserve = worker
        return None

    def _least(self) -> int:
        """Which of the idle workers has the fewest messages; of equals, the one that worked longest ago."""
        return min(reversed(range(len(self._idle))), key=lambda each: self._idle[each].messages)

    def fill(self) -> None:
        """Starts what is missing, in the background."""
        with self._lock:
            self._start_filling(self._warm)

    def close(self) -> None:
        """Ends all idle workers, waits for one that is being started; the busy ones are ended by their holders."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
            if self._reserve is not None:
                idle.append(self._reserve)
                self._reserve = None
            filling = self._filling
        for worker in idle:
            worker.discard()
        if filling is not None:
            filling.join()

    def _start_filling(self, wanted: int) -> None:
        if self._closed or self._filling or len(self._idle) >= wanted:
            return
        self._filling = threading.Thread(target=self._fill, args=(wanted,), name="worker-start", daemon=True)
        self._filling.start()

    def _fill(self, wanted: int) -> None:
        while True:
            with self._lock:
                if self._closed or len(self._idle) >= wanted:
                    self._filling = None
                    return
            if not self._one_more():
                with self._lock:
                    self._filling = None
                return

    def _one_more(self) -> bool:
        try:
            worker = WorkerProcess(self._command, self._memory_cap)
            worker.wait_ready()
        except (ThinkpaneError, WorkerEnded):
            return False  # the next job starts its own and tells why it cannot
        with self._lock:
            wanted = not self._closed and len(self._idle) < self._warm
            past: WorkerProcess | None = worker
            if wanted:
                self._idle.append(worker)
                past, self._reserve = self._reserve, None
        if past is not None:
            past.discard()
        return True
