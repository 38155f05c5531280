"""Large prompts are analysed in a child process, with the same outcome as here."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from support.patience import PATIENCE
from thinkpane.analysis.analyst import LARGE, Analyst, is_large
from thinkpane.analysis.effect_maker import EffectMaker
from thinkpane.analysis.effects import EffectAnswer, EffectQuestion
from thinkpane.analysis.lint.report import Question, lint
from thinkpane.analysis.thinking_formats import ThinkingFormats
from thinkpane.engine.host import Engine, Ticket
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.library import load

SLOW = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"


@pytest.fixture
def analyst() -> Iterator[Analyst]:
    found = Analyst()
    yield found
    found.close()


@pytest.fixture
def engine() -> Iterator[Engine]:
    found = Engine(spare=0, deadline=PATIENCE)
    yield found
    found.close()


def request_of(name: str, content: str = "Hello <|im_end|>") -> RenderRequest:
    template = load(name)
    messages: list[JsonValue] = [{"role": "user", "content": content}]
    return RenderRequest(template.source, messages, variables=template.variables)


def wait_until(holds: Callable[[], bool]) -> None:
    end, pause = time.monotonic() + PATIENCE, threading.Event()
    while not holds():
        assert time.monotonic() < end
        pause.wait(0.01)


def test_findings_are_those_that_are_found_here(analyst: Analyst, engine: Engine) -> None:
    question = Question(load("chatml"), request_of("chatml"))
    here = lint(question, engine, PATIENCE)
    assert here, "a special token stands in what the user wrote"
    assert analyst.ask("lint", (question, PATIENCE), Ticket()) == here


def test_effects_are_those_that_are_found_here(analyst: Analyst, engine: Engine) -> None:
    question = EffectQuestion(load("glm-5.2"), request_of("glm-5.2"), 7)
    here = EffectMaker(engine, ThinkingFormats(engine.render_many)).make(question, Ticket())
    there = cast("EffectAnswer", analyst.ask("effects", question, Ticket()))
    assert there.effects.serial == 7
    assert there.effects.variables == here.effects.variables
    assert there.effects.in_force == here.effects.in_force
    assert there.effects.discovery.template == here.effects.discovery.template


def kind_of(analyst: Analyst, job: str, question: object, ticket: Ticket) -> str:
    with pytest.raises(ThinkpaneError) as caught:
        analyst.ask(job, question, ticket)
    return caught.value.problem.kind


def test_what_a_job_raises_comes_back(analyst: Analyst) -> None:
    broken = EffectQuestion(load("chatml"), RenderRequest("{% if %}", []), 1)
    assert kind_of(analyst, "effects", broken, Ticket()) == "template"
    assert kind_of(analyst, "lint", "no question", Ticket()) == "internal"
    assert analyst.ask("lint", (Question(load("chatml"), request_of("chatml", "hi")), PATIENCE), Ticket()) is not None


def test_a_question_that_was_overtaken_is_let_go(analyst: Analyst) -> None:
    ticket, kinds, done = Ticket(), list[str](), threading.Event()
    slow = Question(load("chatml"), RenderRequest(SLOW, [{"role": "user", "content": "x"}]))

    def ask() -> None:
        kinds.append(kind_of(analyst, "lint", (slow, PATIENCE), ticket))
        done.set()

    thread = threading.Thread(target=ask)
    thread.start()
    analyst.cancel(Ticket())
    assert not done.wait(0.3)
    for _ in range(200):  # a busy machine may not have asked yet
        analyst.cancel(ticket)
        if done.wait(0.05):
            break
    thread.join(PATIENCE)
    assert kinds == ["cancelled"]
    # The child gave it up as well: it answers the next one, long before that would have ended.
    assert analyst.ask("lint", (Question(load("chatml"), request_of("chatml")), PATIENCE), Ticket())


def test_a_child_that_dies_is_told_and_replaced() -> None:
    dying = Analyst([sys.executable, "-c", "import sys; sys.stdin.buffer.read(9)"])
    for _ in range(2):
        assert kind_of(dying, "lint", "anything", Ticket()) == "crash"
    dying.close()
    nowhere = Analyst(["/nowhere/at/all"])
    assert kind_of(nowhere, "lint", "anything", Ticket()) == "worker"
    nowhere.close()


def test_a_question_to_a_dead_child_ends_though_another_child_took_its_place(tmp_path: Path) -> None:
    """The first child leaves while a process of its own still holds its output: its end is read only later."""
    gone, held = tmp_path / "gone", tmp_path / "held"
    child = (
        "import os, pathlib, subprocess, sys\n"
        f"gone, held = pathlib.Path({str(gone)!r}), {str(held)!r}\n"
        "if gone.exists(): sys.stdin.buffer.read()\n"
        "sys.stdin.buffer.read(9)\n"
        "wait = 'import os, sys, time\\nwhile not os.path.exists(sys.argv[1]): time.sleep(0.01)'\n"
        "subprocess.Popen([sys.executable, '-c', wait, held])\n"
        "gone.touch()\n"
        "os._exit(0)\n"
    )
    analyst = Analyst([sys.executable, "-c", child])
    kinds: list[str] = []

    def ask(ticket: Ticket) -> threading.Thread:
        thread = threading.Thread(target=lambda: kinds.append(kind_of(analyst, "lint", "anything", ticket)))
        thread.start()
        return thread

    first, second = Ticket(), Ticket()
    asked = ask(first)
    wait_until(lambda: analyst._child is not None and not analyst._child.alive)
    again = ask(second)
    wait_until(lambda: len(analyst._waiting) == 2)
    held.touch()
    asked.join(PATIENCE)
    assert kinds == ["crash"]
    analyst.close()
    again.join(PATIENCE)
    assert kinds == ["crash", "cancelled"]


def test_a_question_that_was_overtaken_before_it_was_asked_never_is(analyst: Analyst, engine: Engine) -> None:
    ticket = Ticket()
    engine.cancel(ticket)
    analyst.cancel(ticket)
    assert kind_of(analyst, "lint", (Question(load("chatml"), request_of("chatml")), PATIENCE), ticket) == "cancelled"


def test_nothing_is_asked_after_the_end() -> None:
    closed = Analyst()
    closed.close()
    assert kind_of(closed, "lint", "anything", Ticket()) == "cancelled"


@pytest.mark.parametrize(
    ("messages", "large"),
    [
        ([{"role": "user", "content": "x" * LARGE}], True),
        ([{"role": "user", "content": [{"type": "text", "text": "x" * 100}] * (LARGE // 100)}], True),
        ([{"role": "user", "content": "x" * 100, "n": [1, None, True]}], False),
        ("x" * LARGE, True),
        ([], False),
    ],
)
def test_what_is_large(messages: Any, large: bool) -> None:
    assert is_large(RenderRequest("", messages)) is large


def test_what_is_large_beside_the_messages() -> None:
    long: list[JsonValue] = [{"text": "x" * LARGE}]
    assert is_large(RenderRequest("", [], tools=long))
    assert is_large(RenderRequest("", [], documents=long))
