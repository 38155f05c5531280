"""A run as its owner sees it: nothing changes but by draining, and the end comes last."""

import threading

from support.clock import Clock
from thinkpane.endpoints.dialects._api import HttpRequest
from thinkpane.errors import Problem
from thinkpane.runs.run import BytesCame, Over, Run, Sent
from thinkpane.runs.wire import WireEntry
from thinkpane.streaming.events import AnswerDelta, AnswerWasThinking, Ended, Failed, Started, ThinkingDelta, ToolDelta

THINK = ThinkingDelta("hm", "field: reasoning")


class Stoppable:
    """Counts how often it was stopped."""

    def __init__(self) -> None:
        self.stops = 0

    def stop(self) -> None:
        self.stops += 1


def a_run() -> Run:
    return Run(
        HttpRequest("POST", "http://a.example/v1", (), {}), endpoint="here", label="low", prompt="P", time=Clock()
    )


def test_a_new_run_knows_what_was_asked() -> None:
    run = a_run()
    assert (run.endpoint, run.label, run.prompt, run.request.url) == ("here", "low", "P", "http://a.example/v1")
    assert (run.state, run.is_over, run.problem, run.wire, run.drain()) == ("connecting", False, None, [], [])
    assert run.id != a_run().id


def test_nothing_changes_before_it_is_drained() -> None:
    run = a_run()
    run.put(Sent(), 0.1)
    run.put(WireEntry(200, "data", b"x"), 0.2)
    run.put(BytesCame(), 0.2)
    run.put(THINK, 0.3)
    run.put(AnswerDelta("yes"), 0.4)
    run.put(Ended(clean=True), 0.5)
    run.put(Over(), 0.6)
    assert (run.state, run.wire, run.transcript.thinking, run.clock.to_first_byte) == ("connecting", [], "", None)
    assert not run.is_over
    assert run.wait(0)
    assert run.drain() == [THINK, AnswerDelta("yes"), Ended(clean=True)]
    assert run.wire == [WireEntry(200, "data", b"x")]
    assert (run.transcript.thinking, run.transcript.answer) == ("hm", "yes")
    assert (run.clock.to_first_byte, run.clock.to_first_thinking, run.clock.elapsed) == (0.2, 0.3, 0.6)
    assert (run.state, run.is_over) == ("done", True)
    assert run.drain() == []


def test_the_state_follows_what_was_drained() -> None:
    run = a_run()
    states = []
    for arrival in (Sent(), Started(), THINK, ToolDelta("1"), THINK, AnswerDelta("a"), THINK, AnswerWasThinking("tag")):
        run.put(arrival, 1)
        run.drain()
        states.append(run.state)
    assert states == [
        "waiting",
        "waiting",
        "thinking",
        "answering",
        "thinking",
        "answering",
        "thinking",
        "answering",
    ]


def test_how_it_ended() -> None:
    failed, stopped, late = a_run(), a_run(), a_run()
    problem = Problem("network", "Gone.")
    failed.put(Failed(problem), 1)
    stopped.stop("Enough.")
    late.stop()
    late.put(Ended(clean=True), 1)
    for run in (failed, stopped, late):
        run.put(Over(), 2)
        run.drain()
    assert [run.state for run in (failed, stopped, late)] == ["failed", "stopped", "done"]
    assert [run.problem for run in (failed, stopped, late)] == [problem, None, None]
    assert stopped.stop_reason == "Enough."


def test_stop_reaches_what_is_under_way_once_and_what_begins_later() -> None:
    run, first, second = a_run(), Stoppable(), Stoppable()
    run.hold(first)
    assert first.stops == 0
    run.stop("one")
    run.stop("two")
    run.hold(second)
    assert (first.stops, second.stops, run.stop_reason, run.is_stopping) == (1, 1, "one", True)


def test_stop_after_the_end_does_nothing() -> None:
    run, handle = a_run(), Stoppable()
    run.hold(handle)
    run.put(Over(), 1)
    run.stop("late")
    assert (handle.stops, run.is_stopping, run.stop_reason) == (0, False, "")


def test_the_end_of_a_reply_ends_the_transfer_without_a_stop() -> None:
    run, handle = a_run(), Stoppable()
    run.end_transfer()
    run.hold(handle)
    assert (handle.stops, run.is_stopping) == (1, False)


def test_another_thread_can_be_waited_for() -> None:
    run = a_run()
    assert not run.wait_for_news(0)
    assert not run.wait(0)
    thread = threading.Thread(target=lambda: run.put(THINK, 1))
    thread.start()
    assert run.wait_for_news(20)
    thread.join()
    assert run.drain() == [THINK]
    assert not run.wait_for_news(0)


def test_events_of_a_thread_that_goes_on_are_neither_lost_nor_doubled() -> None:
    run, count = a_run(), 5000

    def fill() -> None:
        for number in range(count):
            run.put(AnswerDelta(f"{number} "), number)
        run.put(Over(), count)

    thread = threading.Thread(target=fill)
    thread.start()
    drained = 0
    while not run.is_over:
        assert run.wait_for_news(20)
        drained += len(run.drain())
    thread.join()
    assert drained == count
    assert run.transcript.answer == "".join(f"{number} " for number in range(count))
