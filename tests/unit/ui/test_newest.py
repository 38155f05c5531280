"""A thread that answers the newest question only."""

import threading
from collections.abc import Callable

import pytest

from support.patience import PATIENCE
from thinkpane.ui import newest as module
from thinkpane.ui.newest import Newest


def test_only_the_newest_question_is_answered() -> None:
    told: list[str] = []
    cancelled: list[object] = []
    started, may_end, all_told = threading.Event(), threading.Event(), threading.Event()

    def answer(question: str, ticket: object) -> str | None:
        if question == "first":
            started.set()
            assert may_end.wait(PATIENCE)
        return None if question == "nothing" else f"{question} done"

    def tell(words: str) -> None:
        told.append(words)
        all_told.set()

    newest: Newest[str, str] = Newest("test", answer, tell, cancelled.append, pause=0.0)
    newest.ask("first")
    assert started.wait(PATIENCE)
    newest.ask("second")
    may_end.set()
    assert all_told.wait(PATIENCE)
    newest.close()
    assert told == ["second done"]
    assert len(cancelled) >= 2


def test_dropped_work_is_not_told() -> None:
    told: list[str] = []
    cancelled: list[object] = []
    started, may_end = threading.Event(), threading.Event()

    def answer(question: str, ticket: object) -> str:
        started.set()
        assert may_end.wait(PATIENCE)
        return question

    newest: Newest[str, str] = Newest("test", answer, told.append, cancelled.append, pause=0.0)
    newest.ask("work")
    assert started.wait(PATIENCE)
    newest.drop()
    may_end.set()
    newest.close()
    assert told == []
    assert len(cancelled) >= 2


def test_an_answer_that_raises_ends_no_later_one(caplog: pytest.LogCaptureFixture) -> None:
    told: list[str] = []
    raised, all_told = threading.Event(), threading.Event()

    def answer(question: str, ticket: object) -> str:
        if question == "broken":
            raised.set()
            raise ValueError(question)
        return question

    def tell(words: str) -> None:
        told.append(words)
        all_told.set()

    newest: Newest[str, str] = Newest("test", answer, tell, lambda _: None, pause=0.0)
    newest.ask("broken")
    assert raised.wait(PATIENCE)
    newest.ask("whole")
    assert all_told.wait(PATIENCE)
    newest.close()
    assert told == ["whole"]
    assert "could not be answered" in caplog.text


@pytest.mark.parametrize(
    "end", [Newest[str, list[str]].drop, lambda newest: newest.ask("again"), Newest[str, list[str]].close]
)
def test_an_answer_that_was_told_counts_until_something_else_is_wanted(
    end: Callable[[Newest[str, list[str]]], None],
) -> None:
    told: list[list[str]] = []
    came = threading.Event()

    def tell(words: list[str]) -> None:
        told.append(words)
        came.set()

    newest: Newest[str, list[str]] = Newest("test", lambda asked, _: [asked], tell, lambda _: None, pause=0.0)
    newest.ask("work")
    assert came.wait(PATIENCE)
    assert newest.is_newest(told[0])
    assert not newest.is_newest(["work"]), "an equal one is another one"
    end(newest)
    assert not newest.is_newest(told[0])
    newest.close()


def test_work_that_cannot_be_ended_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.1)
    told: list[str] = []
    started, may_end = threading.Event(), threading.Event()

    def answer(question: str, _ticket: object) -> str:
        started.set()
        may_end.wait(PATIENCE)
        return question

    newest: Newest[str, str] = Newest("test", answer, told.append, lambda _: None, pause=0.0)
    newest.ask("work")
    assert started.wait(PATIENCE)
    closing = threading.Thread(target=newest.close)
    closing.start()
    closing.join(PATIENCE)
    is_closed = not closing.is_alive()
    may_end.set()
    newest._thread.join(PATIENCE)
    assert is_closed
    assert told == []
