"""Events added up to what the panes show."""

from hypothesis import given
from hypothesis import strategies as st

from thinkpane.errors import Problem
from thinkpane.streaming.blocks import GrowingText
from thinkpane.streaming.events import (
    AnswerDelta,
    AnswerWasThinking,
    Ended,
    Event,
    Failed,
    Finish,
    Started,
    ThinkingDelta,
    ThinkingOpaque,
    TimingsReport,
    ToolDelta,
    Unknown,
    UsageReport,
    Warned,
)
from thinkpane.streaming.transcript import Transcript


def of(*events: Event) -> Transcript:
    transcript = Transcript()
    for at, event in enumerate(events):
        transcript.apply(event, float(at))
    return transcript


def test_blocks_stand_in_order_of_arrival_with_their_times() -> None:
    transcript = of(
        Started("c1", "m"),
        ThinkingDelta("pl", "field: reasoning", "t1"),
        ThinkingDelta("an", "field: reasoning", "t1"),
        AnswerDelta("4", "a2"),
        ToolDelta("c", "id", "f", '{"x"'),
        ToolDelta("c", arguments=":1}"),
        ThinkingDelta("more", "tag: <think>", "t3"),
    )
    assert (transcript.id, transcript.model) == ("c1", "m")
    assert [type(block).__name__ for block in transcript.blocks] == [
        "ThinkingBlock", "AnswerBlock", "ToolCall", "ThinkingBlock",
    ]  # fmt: skip
    first, second = transcript.thinking_blocks
    assert (first.text, first.source, first.started, first.latest) == ("plan", "field: reasoning", 1.0, 2.0)
    assert (second.text, second.source) == ("more", "tag: <think>")
    assert (transcript.thinking, transcript.answer) == ("planmore", "4")
    call = transcript.tool_calls[0]
    assert (call.id, call.name, call.arguments, call.arguments_value) == ("id", "f", '{"x":1}', {"x": 1})
    assert call.arguments_problem is None


def test_json_is_the_object_of_the_contract() -> None:
    transcript = of(
        ThinkingDelta("plan", "tag: <think>", "t"),
        ThinkingOpaque("signature", "S", "t"),
        ThinkingOpaque("redacted", "xx", "r"),
        AnswerDelta("4", "a"),
        ToolDelta("c", None, "f", "{"),
        Finish("stop"),
        UsageReport({"total_tokens": 1}),
        Warned("w", "One."),
        Warned("w", "Two."),
        Failed(Problem("server", "No.", detail={"status": 500})),
        Failed(Problem("incomplete", "Later.")),
        Ended(clean=False),
    )
    assert transcript.as_json() == {
        "thinking": "plan",
        "answer": "4",
        "tool_calls": [{"id": None, "name": "f", "arguments": "{"}],
        "finish": "stop",
        "thinking_blocks": ["plan"],
        "redacted": 1,
        "signatures": ["S"],
        "usage": {"total_tokens": 1},
        "warn": ["w"],
        "error": {"kind": "server", "message": "No.", "status": 500},
    }
    assert transcript.ended
    assert not transcript.is_clean


def test_a_quiet_reply_has_no_error() -> None:
    transcript = of(AnswerDelta("4", "a"), Finish("stop"), Ended(clean=True))
    assert "error" not in transcript.as_json()
    assert transcript.is_clean


def test_blocks_of_the_server_are_parted_by_a_blank_line() -> None:
    transcript = of(ThinkingDelta("a", "block: thinking", "1"), ThinkingDelta("b", "block: thinking", "2"))
    assert transcript.thinking == "a\n\nb"
    assert of(ThinkingDelta("a", "tag", "1"), ThinkingDelta("b", "tag", "2")).thinking == "ab"


def test_a_word_for_tools_wins_else_the_first() -> None:
    assert of(Finish("stop"), Finish("tool_calls"), Finish("stop")).finish == "tool_calls"
    assert of(Finish("length"), Finish("stop")).finish == "length"


def test_answer_that_was_thinking_moves_and_is_counted() -> None:
    transcript = of(AnswerDelta("Let me add.\n", "a1"), AnswerWasThinking("closed by </think>"), AnswerDelta("4", "a2"))
    assert (transcript.thinking, transcript.answer, transcript.rereads) == ("Let me add.", "4", 1)
    block = transcript.thinking_blocks[0]
    assert (block.source, block.started) == ("closed by </think>", 0.0)


def test_a_signature_alone_is_a_redacted_block() -> None:
    transcript = of(ThinkingOpaque("signature", "Eq", "0"), ThinkingOpaque("signature", "Bz", "0"))
    assert [(block.redacted, block.signature) for block in transcript.thinking_blocks] == [(True, "EqBz")]
    assert transcript.as_json()["thinking_blocks"] == []


def test_broken_arguments_say_where() -> None:
    call = of(ToolDelta("c", None, "f", '{"a": 1,\n "b"')).tool_calls[0]
    assert call.arguments_value is None
    assert call.arguments_problem is not None
    assert call.arguments_problem.line == 2


def test_the_rest_is_kept() -> None:
    transcript = of(TimingsReport({"predicted_n": 1}), Unknown("odd", {"x": 1}), Started("", "late"))
    assert transcript.timings == {"predicted_n": 1}
    assert transcript.unknown == [Unknown("odd", {"x": 1})]
    assert transcript.model == "late"


class Counted(str):
    """A piece that counts the characters that are copied where it is added to a text."""

    __slots__ = ()
    copied = 0

    def __radd__(self, text: str) -> str:
        type(self).copied += len(text)
        return str(text) + str(self)


def test_appending_copies_nothing_of_what_is_there() -> None:
    Counted.copied = 0
    assert "ab" + Counted("c") == "abc"
    assert Counted.copied == 2
    Counted.copied = 0
    transcript = Transcript()
    transcript.apply_all([AnswerDelta(Counted("x" * 50), "a")] * 2_000)
    assert Counted.copied <= 50
    assert transcript.answer == "x" * 100_000


@given(st.lists(st.text(max_size=5), max_size=8), st.integers(0, 50))
def test_the_tail_of_a_growing_text_is_what_stands_there(pieces: list[str], start: int) -> None:
    text = GrowingText()
    for piece in pieces:
        text.append(piece)
    assert text.tail(start) == "".join(pieces)[start:]


def test_thinking_may_be_told_with_other_thoughts_in_it() -> None:
    transcript = Transcript()
    transcript.apply_all([ThinkingDelta("a", "block: x", "1"), ThinkingDelta("b", "block: x", "2")])
    assert transcript.thinking_with({1: "c"}) == "a\n\nc"
    assert transcript.thinking_with({1: ""}) == "a"
    assert transcript.thinking == "a\n\nb"
