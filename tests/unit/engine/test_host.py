"""The engine: deadlines, cancelling, replaced workers, workers that die or talk nonsense."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from support import strange_worker
from support.patience import PATIENCE
from thinkpane.engine import host
from thinkpane.engine.confine import MEMORY_CAP
from thinkpane.engine.host import Engine, Ticket, problem_from_json
from thinkpane.engine.memory import resident_bytes
from thinkpane.engine.process import WorkerProcess
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject

APP = str(Path(__file__).parents[3] / "app")
STRANGE = [
    sys.executable,
    "-c",
    f"import sys, runpy; sys.path.insert(0, {APP!r}); runpy.run_path({strange_worker.__file__!r}, run_name='__main__')",
]
ENDLESS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"


@pytest.fixture(scope="module")
def strange() -> Iterator[Engine]:
    """An engine whose workers have the strange jobs."""
    made = Engine(STRANGE, spare=0, deadline=PATIENCE)
    yield made
    made.close()


def problem(engine: Engine, job: str, payload: dict[str, str] | None = None, deadline: float | None = None) -> Problem:
    """The problem that a job ends in."""
    with pytest.raises(ThinkpaneError) as caught:
        engine.job(job, dict(payload or {}), deadline)
    return caught.value.problem


@pytest.mark.parametrize("what", ["read", "write", "connect", "start", "system", "kill", "import"])
def test_worker_has_no_way_out(what: str, strange: Engine) -> None:
    assert strange.job("try", {"what": what})["refused"]


def test_worker_has_an_empty_environment(strange: Engine) -> None:
    assert strange.job("environment", {}) == {"names": []}


def test_what_a_job_prints_goes_nowhere(strange: Engine) -> None:
    assert strange.job("print", {}) == {"read": ""}
    assert strange.job("environment", {}) == {"names": []}


def test_worker_that_dies_is_said_and_replaced(strange: Engine) -> None:
    before = strange.job("pid", {})["pid"]
    found = problem(strange, "die", {"status": "7"})
    assert (found.kind, "status 7" in found.message) == ("crash", True)
    assert strange.job("pid", {})["pid"] != before


def test_worker_that_talks_nonsense_is_replaced(strange: Engine) -> None:
    assert problem(strange, "garble").kind == "crash"
    assert strange.job("environment", {}) == {"names": []}


def test_worker_is_kept_until_it_is_spent() -> None:
    # An engine of its own: elsewhere a worker that another test lost may be replaced at this very moment.
    engine = Engine(STRANGE, spare=0, deadline=PATIENCE)
    first = engine.job("pid", {})["pid"]
    assert engine.job("pid", {})["pid"] == first
    assert engine.job("spent", {}) == {"pid": first}
    # Spent a second time, while nothing else may be ready: the job is done again by another one.
    assert engine.job("spent", {})["pid"] != first
    assert engine.job("pid", {})["pid"] != first
    engine.close()


def test_job_that_fails_is_told(strange: Engine) -> None:
    found = problem(strange, "fail")
    assert (found.kind, "what was asked for" in found.message) == ("worker", True)
    assert "nope" in problem(strange, "nope").message


def test_deadline(strange: Engine) -> None:
    found = problem(strange, "spin", deadline=0.2)
    assert found.kind == "timeout"
    assert "longer than 0.2 s" in found.message


@pytest.mark.skipif(sys.platform == "win32", reason="There its end is waited for")
def test_a_deadline_does_not_wait_for_a_process_that_takes_long_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(STRANGE, spare=0, deadline=PATIENCE)
    engine.job("pid", {})
    with monkeypatch.context() as patch:
        patch.setattr(subprocess.Popen, "kill", lambda _process: None)
        assert problem(engine, "spin", deadline=0.2).kind == "timeout"
    engine.close()


def test_what_is_done_again_has_the_rest_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(STRANGE, spare=0, deadline=PATIENCE)
    monkeypatch.setattr(engine._pool, "fill", lambda: None)  # none but the one that stands in is ready
    engine.job("spent", {})
    asked = list[float]()
    real = WorkerProcess.exchange

    def exchange(worker: WorkerProcess, name: str, payload: JsonObject, deadline: float) -> JsonObject:
        asked.append(deadline)
        found = real(worker, name, payload, deadline)
        worker.worked = 7.0
        return found

    monkeypatch.setattr(WorkerProcess, "exchange", exchange)
    engine.job("spent", {}, deadline=30.0)
    engine.close()
    assert asked == [30.0, 23.0]


def test_cancel_ends_the_owners_job_alone(engine: Engine) -> None:
    owner = object()
    found: list[str] = []
    done = threading.Event()

    def endless() -> None:
        problem = engine.render(RenderRequest(ENDLESS, "x"), owner=owner).problem
        found.append(problem.kind if problem else "")
        done.set()

    thread = threading.Thread(target=endless)
    thread.start()
    engine.cancel(object())
    assert not done.wait(0.3)
    for _ in range(200):  # a busy machine may not have begun the job yet
        engine.cancel(owner)
        if done.wait(0.05):
            break
    thread.join(PATIENCE)
    assert found == ["cancelled"]


def test_an_overtaken_job_ends_by_itself_where_it_is_quick() -> None:
    engine = Engine(spare=0, deadline=PATIENCE)  # its one worker is the one that is held here
    ticket = Ticket()
    taken, goes_on = threading.Event(), threading.Event()
    found: list[str | None] = []

    def held(spoken: Callable[[bytes], JsonObject | None], frame: bytes) -> JsonObject | None:
        if frame:
            taken.set()
            assert goes_on.wait(PATIENCE)
        return spoken(frame)

    def render() -> None:
        found.append(engine.render(RenderRequest("{{ messages }}", "quick"), owner=ticket).text)

    worker = engine._pool.take()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker, "_spoken", partial(held, worker._spoken))
        patch.setattr(host, "GRACE", PATIENCE)
        engine._pool.give_back(worker, True)
        thread = threading.Thread(target=render)
        thread.start()
        assert taken.wait(PATIENCE)
        engine.overtake(ticket)
        goes_on.set()
        thread.join(PATIENCE)
    assert found == ["quick"]
    assert engine.render(RenderRequest("next", "x"), owner=ticket).problem is not None
    engine.close()


def test_an_overtaken_job_that_goes_on_is_ended(engine: Engine) -> None:
    ticket = Ticket()
    found: list[str] = []

    def render() -> None:
        problem = engine.render(RenderRequest(ENDLESS, "x"), deadline=PATIENCE, owner=ticket).problem
        found.append(problem.kind if problem else "")

    thread = threading.Thread(target=render)
    thread.start()
    while thread.is_alive():
        engine.overtake(ticket)
        thread.join(0.05)
    assert found == ["cancelled"]


def test_no_job_of_a_cancelled_ticket_begins(engine: Engine) -> None:
    ticket = Ticket()
    assert engine.render(RenderRequest("a", "x"), owner=ticket).text == "a"
    engine.cancel(ticket)  # between two jobs of one question
    cancelled = engine.render(RenderRequest("b", "x"), owner=ticket)
    assert (cancelled.text, cancelled.problem and cancelled.problem.kind) == (None, "cancelled")
    assert engine.render(RenderRequest("c", "x"), owner=Ticket()).text == "c"


def test_many_renders_come_back_in_order(engine: Engine) -> None:
    requests = [
        RenderRequest("{{ n }}{{ raise_exception('seven') if n == 7 }}", "", variables={"n": n}) for n in range(9)
    ]
    results = engine.render_many(requests)
    assert [each.text for each in results] == [None if n == 7 else str(n) for n in range(9)]
    assert results[7].problem is not None
    assert "seven" in results[7].problem.message


def test_many_renders_that_do_not_end_all_have_the_problem(engine: Engine) -> None:
    results = engine.render_many([RenderRequest("ok", "x"), RenderRequest(ENDLESS, "x")], deadline=0.5)
    assert [each.problem.kind for each in results if each.problem] == ["timeout", "timeout"]


def test_renders_from_many_threads(engine: Engine) -> None:
    texts: dict[int, str | None] = {}

    def one(number: int) -> None:
        texts[number] = engine.render(RenderRequest("{{ n }}", "x", variables={"n": number})).text

    threads = [threading.Thread(target=one, args=(number,)) for number in range(6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(PATIENCE)
    assert texts == {number: str(number) for number in range(6)}


def test_command_that_does_not_exist() -> None:
    engine = Engine(["/no/such/program"], spare=0)
    found = engine.render(RenderRequest("x", "x")).problem
    engine.close()
    assert found is not None
    assert (found.kind, "could not start" in found.message) == ("worker", True)


def test_worker_that_cannot_import_says_why() -> None:
    start = f"import sys; sys.path.insert(0, {APP!r}); from thinkpane.engine.worker import run; run(lambda: nowhere)"
    engine = Engine([sys.executable, "-c", start], spare=0)
    found = engine.render(RenderRequest("x", "x")).problem
    engine.close()
    assert found is not None
    assert "nowhere" in found.message


def test_closed_engine_refuses(strange: Engine) -> None:
    engine = Engine(STRANGE, spare=1)
    engine.warm()
    engine.close()
    assert problem(engine, "pid").kind == "worker"


def test_problem_survives_the_way_back() -> None:
    given = Problem("template", "m", 3, 4, 5, "content", {"class": "X", "via": [1]})
    assert problem_from_json(given.as_json()) == given


def test_memory_is_watched_where_the_system_does_not_cap_it(strange: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    strange.job("pid", {})
    monkeypatch.setattr("thinkpane.engine.process.POLLED", True)
    monkeypatch.setattr("thinkpane.engine.process.resident_bytes", lambda _pid: MEMORY_CAP + 1)
    assert problem(strange, "spin").kind == "memory"
    monkeypatch.setattr("thinkpane.engine.process.resident_bytes", lambda _pid: None)
    assert problem(strange, "spin", deadline=0.2).kind == "timeout"


@pytest.mark.skipif(not shutil.which("ps"), reason="there is no ps here")
def test_resident_memory_of_a_process() -> None:
    found = resident_bytes(os.getpid())
    assert found is not None
    assert found > 2**20
