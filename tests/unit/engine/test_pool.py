"""The pool of workers: a ready one is there for a render while others are at work."""

import threading
from typing import cast

import pytest

from support.patience import PATIENCE
from thinkpane.engine.pool import WorkerPool
from thinkpane.engine.process import WorkerProcess
from thinkpane.errors import Problem, ThinkpaneError


class Workers:
    """Stands in for worker processes, and knows who started each."""

    def __init__(self) -> None:
        self.starters: list[str] = []
        self.may_start = threading.Event()
        self.may_start.set()
        self.beginning = threading.Event()
        """Set once one is being started."""

    def start(self, _command: object, _memory_cap: int) -> "Worker":
        self.starters.append(threading.current_thread().name)
        return Worker(self)


class Worker:
    """One that is always well."""

    spent = False
    messages = 0

    def __init__(self, workers: Workers) -> None:
        self.alive = True
        self.is_gone = False
        self._workers = workers

    def wait_ready(self) -> None:
        self._workers.beginning.set()
        assert self._workers.may_start.wait(PATIENCE)

    def discard(self) -> None:
        self.alive = False

    def reaped(self) -> int:
        self.discard()
        self.is_gone = True
        return 0


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> Workers:
    found = Workers()
    monkeypatch.setattr("thinkpane.engine.pool.WorkerProcess", found.start)
    return found


def settle(pool: WorkerPool) -> None:
    """Waits until all is done that the pool does in the background."""
    filling = pool._filling
    if filling is not None:
        filling.join(PATIENCE)
        assert not filling.is_alive()


def test_the_last_idle_worker_is_followed_by_a_new_one_at_once(workers: Workers) -> None:
    pool = WorkerPool(["worker"], 2)
    pool.fill()
    settle(pool)
    first = pool.take()
    settle(pool)
    assert len(workers.starters) == 2, "one is left, that is enough"
    second = pool.take()
    settle(pool)
    pool.close()
    assert workers.starters == ["worker-start"] * 3, "nobody waits for a start"
    pool.give_back(first, True)
    pool.give_back(second, True)
    assert (first.alive, second.alive) == (False, False)


def test_the_one_that_is_being_started_is_waited_for(workers: Workers) -> None:
    pool = WorkerPool(["worker"], 1)
    workers.may_start.clear()
    pool.fill()
    assert workers.beginning.wait(PATIENCE)
    waiting = threading.Timer(0.05, workers.may_start.set)
    waiting.start()
    pool.take()
    waiting.join(PATIENCE)
    pool.close()
    assert workers.starters == ["worker-start"]


def test_who_comes_second_starts_a_worker_of_its_own(workers: Workers) -> None:
    pool = WorkerPool(["worker"], 1)
    workers.may_start.clear()
    pool.fill()
    assert workers.beginning.wait(PATIENCE)
    first = threading.Thread(target=pool.take, name="first")
    first.start()
    while not pool._awaited:
        first.join(0.001)
    pool.take()
    assert workers.starters == ["worker-start", threading.current_thread().name]
    workers.may_start.set()
    first.join(PATIENCE)
    pool.close()
    assert not first.is_alive()


def test_who_waits_for_a_worker_that_cannot_start_tries_itself(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    fails = threading.Event()

    def cannot(_worker: Worker) -> None:
        fails.set()
        assert workers.may_start.wait(PATIENCE)
        raise ThinkpaneError(Problem("worker", "It could not start."))

    pool = WorkerPool(["worker"], 1)
    workers.may_start.clear()
    monkeypatch.setattr(Worker, "wait_ready", cannot)
    pool.fill()
    assert fails.wait(PATIENCE)
    threading.Timer(0.05, workers.may_start.set).start()
    pool.take()
    pool.close()
    assert workers.starters == ["worker-start", threading.current_thread().name]


def test_nobody_waits_until_the_system_has_taken_a_worker_back(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes, real = threading.Event(), Worker.reaped

    def slowly(worker: Worker) -> int:
        assert goes.wait(PATIENCE)
        return real(worker)

    monkeypatch.setattr(Worker, "reaped", slowly)
    pool = WorkerPool(["worker"], 1)
    ended = cast("Worker", pool.take())
    ended.alive = False
    pool.give_back(cast("WorkerProcess", ended), True)
    assert cast("Worker", pool.take()) is not ended
    assert not ended.is_gone
    goes.set()
    settle(pool)
    pool.close()
    assert ended.is_gone


def test_a_pool_of_one_starts_no_second_one_while_it_works(workers: Workers) -> None:
    pool = WorkerPool(["worker"], 1)
    worker = pool.take()
    assert workers.starters == [threading.current_thread().name]
    pool.give_back(worker, True)
    pool.close()
    assert workers.starters == [threading.current_thread().name]


def test_a_spent_worker_stands_in_only_until_another_is_ready(workers: Workers) -> None:
    pool = WorkerPool(["x"], warm=1)
    first = pool.take()
    workers.may_start.clear()
    pool.give_back(first, healthy=False)
    for _ in range(3):
        assert pool.take() is first
        pool.give_back(first, healthy=True)
    workers.may_start.set()
    settle(pool)
    assert not first.alive
    assert pool.take() is not first
    pool.close()


def test_a_worker_that_is_spent_twice_is_ended(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = WorkerPool(["x"], warm=1)
    first = pool.take()
    monkeypatch.setattr(pool, "fill", lambda: None)
    pool.give_back(first, healthy=False)
    assert pool.take() is first
    pool.give_back(first, healthy=True)
    assert pool.take() is first
    pool.give_back(first, healthy=False)
    assert not first.alive
    pool.close()


def test_many_messages_go_where_most_of_them_are(workers: Workers) -> None:
    pool = WorkerPool(["worker"], 2)
    one, other = pool.take(), pool.take()
    one.messages, other.messages = 2_000, 0  # type: ignore[misc]
    pool.give_back(one, True)
    pool.give_back(other, True)
    assert pool.take(of_many=True) is one
    pool.close()


def test_the_next_job_goes_where_the_last_one_was(workers: Workers) -> None:
    pool = WorkerPool(["worker"], 2)
    pool.give_back(pool.take(), True)
    for _ in range(100):
        first = pool.take()
        pool.give_back(first, True)
        again = pool.take()
        assert again is first
        pool.give_back(again, True)
    pool.close()


def test_a_fresh_worker_takes_no_place_from_one_that_knows_messages(workers: Workers) -> None:
    pool = WorkerPool(["worker"], 2)
    one, other = pool.take(), pool.take()
    one.messages, other.messages = 2_000, 30  # type: ignore[misc]
    fresh = [pool.take(), pool.take()]
    for each in fresh:
        pool.give_back(each, True)
    pool.give_back(one, True)
    pool.give_back(other, True)
    assert (one.alive, other.alive) == (True, True)
    assert [each.alive for each in fresh] == [False, False]
    assert [pool.take(of_many=True), pool.take(of_many=True)] == [one, other]
    pool.close()
