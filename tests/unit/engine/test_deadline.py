"""A deadline is called when it passes, never after it was cleared, and one thread serves them all."""

import threading
from collections.abc import Iterator

import pytest

from support.patience import PATIENCE
from thinkpane.engine.deadline import Deadline


class Called:
    """Notes its calls."""

    def __init__(self) -> None:
        self.count = 0
        self._came = threading.Semaphore(0)

    def __call__(self) -> None:
        self.count += 1
        self._came.release()

    def comes(self) -> bool:
        """Waits for the next call."""
        return self._came.acquire(timeout=PATIENCE)


@pytest.fixture
def late() -> Called:
    return Called()


@pytest.fixture
def deadline(late: Called) -> Iterator[Deadline]:
    made = Deadline(late, Called())
    yield made
    made.close()


def test_it_is_called_once_when_it_passes(deadline: Deadline, late: Called) -> None:
    deadline.set(0.01)
    assert late.comes()
    deadline.set(0.01)
    assert late.comes()
    assert late.count == 2


def test_what_was_cleared_is_not_called(deadline: Deadline, late: Called) -> None:
    for _ in range(200):
        deadline.set(0.0)
        deadline.clear()
        before = late.count
        deadline.set(PATIENCE * 100)
        deadline.clear()
        assert late.count == before


def test_one_that_comes_sooner_than_the_one_before_is_kept(deadline: Deadline, late: Called) -> None:
    deadline.set(PATIENCE * 100)
    deadline.clear()
    deadline.set(0.01)
    assert late.comes()


def test_all_are_served_by_one_thread(deadline: Deadline, late: Called) -> None:
    names = set()
    for _ in range(5):
        deadline.set(PATIENCE * 100)
        names |= {each.ident for each in threading.enumerate() if each.name == "deadline"}
        deadline.clear()
    assert deadline._thread is not None
    assert deadline._thread.ident in names
    assert late.count == 0


def test_it_looks_until_it_is_cleared(late: Called) -> None:
    look = Called()
    made = Deadline(late, look)
    try:
        for _ in range(2):
            made.set(PATIENCE * 100, every=0.001)
            assert look.comes()
            assert look.comes()
            made.clear()
        seen = look.count
        made.set(0.0, every=0.001)
        assert late.comes()
        assert look.count == seen
    finally:
        made.close()


def test_close_ends_the_thread(deadline: Deadline) -> None:
    deadline.set(PATIENCE * 100)
    thread = deadline._thread
    assert thread is not None
    deadline.close()
    thread.join(PATIENCE)
    assert not thread.is_alive()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_fault_of_looking_does_not_end_later_watches(late: Called) -> None:
    def fails() -> None:
        raise OSError

    made = Deadline(late, fails)
    try:
        made.set(PATIENCE * 100, every=0.001)
        assert made._thread is not None
        made._thread.join(PATIENCE)
        made.set(0.0)
        assert late.comes()
    finally:
        made.close()
