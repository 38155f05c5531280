"""The pool of workers: a ready one is there for a render while others are at work."""

import threading
from collections.abc import Callable

import pytest

from support.patience import PATIENCE
from thinkpane.engine.pool import WorkerPool


class Workers:
    """Stands in for worker processes, and knows who started each."""

    def __init__(self) -> None:
        self.starters: list[str] = []
        self.started = threading.Semaphore(0)

    def start(self, _command: object, _memory_cap: int) -> "Worker":
        self.starters.append(threading.current_thread().name)
        return Worker(self.started.release)


class Worker:
    """One that is always well."""

    alive = True
    spent = False
    messages = 0

    def __init__(self, ready: Callable[[], None]) -> None:
        self._ready = ready

    def wait_ready(self) -> None:
        self._ready()

    def discard(self) -> None:
        self.alive = False


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> Workers:
    found = Workers()
    monkeypatch.setattr("thinkpane.engine.pool.WorkerProcess", found.start)
    return found


def test_the_last_idle_worker_is_followed_by_a_new_one_at_once(workers: Workers) -> None:
    pool = WorkerPool(["worker"], 2)
    pool.fill()
    for _ in range(2):
        assert workers.started.acquire(timeout=PATIENCE)
    first = pool.take()
    assert not workers.started.acquire(blocking=False), "one is left, that is enough"
    second = pool.take()
    assert workers.started.acquire(timeout=PATIENCE)
    pool.close()
    assert workers.starters == ["worker-start"] * 3, "nobody waits for a start"
    pool.give_back(first, True)
    pool.give_back(second, True)
    assert (first.alive, second.alive) == (False, False)


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
    pool.give_back(first, healthy=False)
    assert workers.started.acquire(timeout=PATIENCE)
    for _ in range(1000):
        if not first.alive:
            break
        second = pool.take()
        pool.give_back(second, healthy=True)
        threading.Event().wait(0.005)
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
