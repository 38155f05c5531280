"""The loop guard counts thinking blocks without tool activity (docs/architecture.md, Exact terms)."""

import pytest

from thinkpane.formats.json_values import JsonValue
from thinkpane.runs.loop_guard import BREAKER_TEXT, LoopGuard
from thinkpane.streaming.events import (
    AnswerDelta,
    AnswerWasThinking,
    Ended,
    Event,
    Finish,
    ThinkingDelta,
    ThinkingOpaque,
    ToolDelta,
    Warned,
)

THINK = ThinkingDelta("hm", "field: reasoning")
SAY = AnswerDelta("well")
TOOL = ToolDelta("1", name="look")
THOUGHT: JsonValue = {"role": "assistant", "content": "Well.", "reasoning_content": "Hm."}
PLAIN: JsonValue = {"role": "assistant", "content": "Well."}
USER: JsonValue = {"role": "user", "content": "Go on."}
TOOLS: JsonValue = {"role": "assistant", "reasoning_content": "Hm.", "tool_calls": [{"id": "1"}]}
RESULT: JsonValue = {"role": "tool", "content": "4"}


def fired_at(events: list[Event], *, limit: int = 3, seed: list[JsonValue] | None = None) -> list[int]:
    """At which of the events the guard fired."""
    guard = LoopGuard(limit)
    guard.seed(seed)
    return [place for place, event in enumerate(events) if guard.saw(event)]


@pytest.mark.parametrize(
    ("events", "places"),
    [
        ([THINK, SAY, THINK, SAY, THINK, THINK, SAY, THINK], [4]),
        ([THINK, THINK, THINK, THINK], []),
        ([THINK, ThinkingOpaque("redacted", "x"), THINK], []),
        ([ThinkingOpaque("redacted", "x"), SAY, THINK, SAY, ThinkingOpaque("redacted", "y")], [4]),
        ([THINK, SAY, THINK, TOOL, THINK, SAY, THINK, SAY, THINK], [8]),
        ([THINK, AnswerDelta(""), THINK, Warned("a", "b"), THINK, Finish("stop"), Ended(clean=True)], []),
        ([THINK, SAY, THINK, SAY, AnswerWasThinking("tag"), SAY, THINK, SAY, THINK], [8]),
        ([SAY, SAY, SAY], []),
    ],
)
def test_within_a_reply(events: list[Event], places: list[int]) -> None:
    assert fired_at(events) == places


@pytest.mark.parametrize(
    ("seed", "places"),
    [
        ([USER, THOUGHT, USER, THOUGHT, USER], [0]),
        ([USER, THOUGHT, USER, PLAIN, USER], [2]),
        ([USER, THOUGHT, USER, THOUGHT, USER, TOOLS, RESULT], [4]),
        ([USER, THOUGHT, RESULT, THOUGHT], [2]),
        ([USER, THOUGHT, THOUGHT, THOUGHT, THOUGHT], [0]),
        ([], [4]),
    ],
)
def test_earlier_turns_count(seed: list[JsonValue], places: list[int]) -> None:
    assert fired_at([THINK, SAY, THINK, SAY, THINK], seed=seed) == places


@pytest.mark.parametrize(
    ("message", "count"),
    [
        ({"role": "assistant", "reasoning": "Hm."}, 1),
        ({"role": "assistant", "thinking": "Hm."}, 1),
        ({"role": "assistant", "reasoning_content": "  ", "content": "x"}, 0),
        ({"role": "assistant", "content": "<think>\nHm.</think>Well."}, 1),
        ({"role": "assistant", "content": "<think>\n\n</think>\n\nWell."}, 0),
        ({"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm."}, {"type": "text"}]}, 1),
        ({"role": "assistant", "content": [{"type": "thinking"}, {"type": "tool_use"}]}, 0),
        ({"role": "user", "content": [{"type": "tool_result"}]}, 0),
        ({"role": "assistant", "reasoning": "Hm.", "function_call": {"name": "f"}}, 0),
        ({"role": "user", "reasoning": "Hm.", "content": "<think>no"}, 0),
        ("no message", 0),
        (None, 0),
    ],
)
def test_thinking_in_messages_is_found_in_every_form(message: JsonValue, count: int) -> None:
    guard = LoopGuard()
    guard.seed([message])
    assert guard.count == count


@pytest.mark.parametrize("messages", [None, "raw text", {}])
def test_what_is_no_list_of_messages_counts_nothing(messages: JsonValue) -> None:
    guard = LoopGuard()
    guard.seed(messages)
    assert guard.count == 0


def test_the_limit_is_settable() -> None:
    events: list[Event] = [THINK, SAY, THINK]
    assert fired_at(events, limit=1) == [0]
    assert fired_at(events, limit=2) == [2]
    with pytest.raises(ValueError, match="at least 1"):
        LoopGuard(0)


def test_the_breaker_is_two_sentences_to_send() -> None:
    assert BREAKER_TEXT.startswith("STOP thinking and start executing.")
    assert BREAKER_TEXT.endswith("complete the task.")
