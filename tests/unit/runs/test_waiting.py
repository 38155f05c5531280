"""A server without room is asked again when it says so, a stop ends the wait, and signs of life alone do not count."""

import threading

import pytest

from support.patience import PATIENCE
from support.runs import CALL, CHAT, USUAL, endpoint_at, seen_to_its_end
from support.server import Server, Step, answer, chat_stream
from thinkpane.endpoints.client import Client
from thinkpane.runs.run import Run
from thinkpane.runs.runner import Runner
from thinkpane.runs.waiting import Waiting

GOOD: list[Step] = [answer(chat_stream())]


def busy(*headers: str, status: str = "429 Too Many Requests") -> list[Step]:
    return [answer(b'{"error": {"message": "no room"}}', status=status, kind="application/json", headers=headers)]


def run_of(*scripts: list[Step], retries: int) -> tuple[Run, int]:
    runner = Runner(Client)
    try:
        with Server(*scripts) as server:
            run = runner.start(endpoint_at(server.url), CHAT, CALL, deadlines=USUAL, retries=retries)
            seen_to_its_end(run)
            return run, len(server.received)
    finally:
        runner.close()


@pytest.mark.parametrize("status", ["429 Too Many Requests", "503 Busy", "529 Overloaded"])
def test_it_is_asked_again(status: str) -> None:
    run, requests = run_of(busy("Retry-After: 0", status=status), busy("Retry-After: 0"), GOOD, retries=2)
    assert (run.state, run.transcript.answer, requests) == ("done", "Hello there.", 3)
    assert [each.id for each in run.transcript.warnings] == ["asked-again-later", "asked-again-later"]
    assert run.transcript.problem is None


@pytest.mark.parametrize(
    ("first", "retries"),
    [
        (busy("Retry-After: 0"), 0),
        (busy(), 2),
        (busy("Retry-After: 61"), 2),
        (busy("Retry-After: soon"), 2),
        (busy("Retry-After: 0", status="500 Broken"), 2),
        ([answer(b'{"error": {"message": "insufficient_quota"}}', status="429 No", headers=["Retry-After: 0"])], 2),
    ],
)
def test_otherwise_it_is_told(first: list[Step], retries: int) -> None:
    run, requests = run_of(first, GOOD, retries=retries)
    assert (run.state, requests) == ("failed", 1)
    assert run.problem is not None
    assert run.problem.kind == "server"


def test_it_is_not_asked_for_ever() -> None:
    run, requests = run_of(busy("Retry-After: 0"), retries=3)
    assert (run.state, requests) == ("failed", 4)


def test_stop_ends_the_wait() -> None:
    runner = Runner(Client)
    try:
        with Server(busy("Retry-After: 50"), GOOD) as server:
            run = runner.start(endpoint_at(server.url), CHAT, CALL, deadlines=USUAL, retries=1)
            while not any(each.id == "asked-again-later" for each in run.transcript.warnings):
                assert run.wait_for_news(PATIENCE)
                run.drain()
            run.stop()
            seen_to_its_end(run)
            assert (run.state, run.problem, len(server.received)) == ("stopped", None, 1)
    finally:
        runner.close()


def test_a_pause_ends_in_one_way_only() -> None:
    went, ended = threading.Event(), list[str]()
    pause = Waiting(0.0, went.set, lambda: ended.append("end"))
    assert went.wait(PATIENCE)
    pause.stop()
    assert ended == []
    pause = Waiting(1000.0, went.clear, lambda: ended.append("end"))
    pause.stop()
    pause.stop()
    assert ended == ["end"]
    assert went.is_set()
