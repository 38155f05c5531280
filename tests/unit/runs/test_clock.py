"""The times of a run."""

import pytest

from support.clock import Clock
from thinkpane.runs.clock import RunClock
from thinkpane.streaming.events import AnswerDelta, AnswerWasThinking, Finish, ThinkingDelta, ThinkingOpaque, ToolDelta

THOUGHT = ThinkingDelta("hm", "field: reasoning")


def test_nothing_has_come_yet() -> None:
    time = Clock()
    clock = RunClock(time)
    time.now += 2
    assert clock.elapsed == 2
    assert (clock.to_first_byte, clock.to_first_thinking, clock.to_first_answer) == (None, None, None)
    assert (clock.thinking_seconds, clock.answer_rate) == (0, None)


def test_first_times_and_the_rate_of_the_answer() -> None:
    clock = RunClock(Clock())
    clock.saw_byte(0.5)
    clock.saw_byte(0.6)
    clock.saw(THOUGHT, 1)
    clock.saw(AnswerDelta("12345"), 3)
    assert clock.answer_rate is None
    clock.saw(AnswerDelta("1234567890"), 5)
    clock.saw(Finish("stop"), 6)
    assert (clock.to_first_byte, clock.to_first_thinking, clock.to_first_answer) == (0.5, 1, 3)
    assert clock.thinking_seconds == 2
    assert clock.answer_rate == 7.5


def test_thinking_grows_while_it_lasts_and_several_blocks_add_up() -> None:
    time = Clock()
    clock = RunClock(time)
    clock.saw(THOUGHT, 1)
    time.now += 4
    assert clock.thinking_seconds == 3
    clock.saw(ToolDelta("1"), 5)
    clock.saw(ThinkingOpaque("redacted", "x"), 7)
    clock.freeze(8)
    assert clock.thinking_seconds == 5


def test_an_answer_that_was_thinking_counts_as_thinking() -> None:
    clock = RunClock(Clock())
    clock.saw(AnswerDelta("hm"), 1)
    clock.saw(AnswerWasThinking("tag"), 4)
    assert (clock.to_first_thinking, clock.to_first_answer) == (1, None)
    clock.saw(AnswerDelta("yes"), 5)
    assert (clock.thinking_seconds, clock.to_first_answer) == (3, 5)


@pytest.mark.parametrize("late", [0.0, 50.0])
def test_a_frozen_clock_stands_still(late: float) -> None:
    time = Clock()
    clock = RunClock(time)
    clock.saw(THOUGHT, 2)
    clock.freeze(6)
    clock.freeze(7)
    time.now += late
    assert (clock.elapsed, clock.thinking_seconds) == (6, 4)


def test_events_of_a_recording_may_be_ahead_of_the_time() -> None:
    clock = RunClock(Clock())
    clock.saw(THOUGHT, 9)
    assert clock.elapsed == 9
