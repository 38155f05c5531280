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
        self._filling: threading.Thread | None = None
        self._closed = False

    def take(self) -> WorkerProcess:
        """A worker that is ready or about to be; raises ThinkpaneError (kind "worker") when none can start."""
        while True:
            with self._lock:
                if self._closed:
                    raise ThinkpaneError(Problem("worker", "The render engine is closed."))
                worker = self._idle.pop(0) if self._idle else None
                if self._warm > 1 and not self._idle:
                    self._start_filling(1)
            if worker is None:
                return WorkerProcess(self._command, self._memory_cap)
            if worker.alive:
                return worker
            worker.discard()

    def give_back(self, worker: WorkerProcess, healthy: bool) -> None:
        """Takes a worker back; one that is not healthy, or one too many, is ended."""
        with self._lock:
            keep = healthy and not self._closed and len(self._idle) < self._warm and worker.alive
            if keep:
                self._idle.insert(0, worker)
        if not keep:
            worker.discard()
        self.fill()

    def fill(self) -> None:
        """Starts what is missing, in the background."""
        with self._lock:
            self._start_filling(self._warm)

    def close(self) -> None:
        """Ends all idle workers, waits for one that is being started; the busy ones are ended by their holders."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
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
            if wanted:
                self._idle.append(worker)
        if not wanted:
            worker.discard()
        return True
