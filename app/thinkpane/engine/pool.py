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
        self._lock = threading.Condition()
        """Told when a worker that was being started is there, or cannot be."""
        self._reserve: WorkerProcess | None = None
        self._filling: threading.Thread | None = None
        self._wanted = 0
        """How many idle workers are being started for."""
        self._awaited = False
        """Whether somebody waits for the one that is being started."""
        self._ended: list[WorkerProcess] = []
        """Discarded ones that the system has not taken back yet."""
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
                worker = self._next(of_many)
            if worker is None:
                return WorkerProcess(self._command, self._memory_cap)
            if worker.alive:
                return worker
            self._let_go(worker)

    def _next(self, of_many: bool) -> WorkerProcess | None:
        """One that is there, or as good as there; None where one must be started."""
        if not self._idle and self._reserve is None and self._filling and not self._awaited:
            self._awaited = True  # who comes next starts one of its own meanwhile
            self._lock.wait_for(lambda: bool(self._idle) or self._closed or self._filling is None)
            self._awaited = False
        if self._closed:
            raise ThinkpaneError(Problem("worker", "The render engine is closed."))
        worker = self._idle.pop(self._place(of_many)) if self._idle else self._reserve
        if worker is self._reserve:
            self._reserve = None
        if self._warm > 1 and not self._idle:
            self._start_filling(1)
        return worker

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
            self._let_go(past)
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
            ended = [*self._ended, *self._idle, *([self._reserve] if self._reserve else [])]
            self._ended, self._idle, self._reserve = [], [], None
            self._lock.notify_all()
            filling = self._filling
        for worker in ended:
            worker.discard()
        if filling is not None:
            filling.join()
        for worker in ended:
            worker.reaped()

    def _let_go(self, worker: WorkerProcess) -> None:
        """Ends a worker; that the system takes back its memory holds nobody up."""
        worker.discard()
        with self._lock:
            if not self._closed:
                self._ended.append(worker)
                return
        worker.reaped()

    def _start_filling(self, wanted: int) -> None:
        self._wanted = max(self._wanted, wanted)
        if not self._filling and (self._lacks() or self._ended):
            self._filling = threading.Thread(target=self._fill, name="worker-start", daemon=True)
            self._filling.start()

    def _lacks(self) -> bool:
        return not self._closed and len(self._idle) < min(self._wanted, self._warm)

    def _fill(self) -> None:
        while True:
            with self._lock:
                ended, self._ended = self._ended, []
                lacks = self._lacks()
                if not lacks and not ended:
                    self._filling, self._wanted = None, 0
                    self._lock.notify_all()
                    return
            if lacks and not self._one_more():
                with self._lock:
                    self._wanted = 0  # the next job starts its own and tells why it cannot
            for worker in ended:
                worker.reaped()

    def _one_more(self) -> bool:
        try:
            worker = WorkerProcess(self._command, self._memory_cap)
            worker.wait_ready()
        except (ThinkpaneError, WorkerEnded):
            return False
        with self._lock:
            past: WorkerProcess | None = worker
            if self._lacks():
                self._idle.append(worker)
                past, self._reserve = self._reserve, None
                self._lock.notify_all()
        if past is not None:
            self._let_go(past)
        return True
