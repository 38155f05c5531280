"""A reply while it comes: each text on its own stream, safe for terminals, exact for files."""

import io
import sys

import pytest

from thinkpane.cli.output import write_answer
from thinkpane.cli.reply_printer import ReplyPrinter
from thinkpane.streaming.events import AnswerDelta, AnswerWasThinking, Event, ThinkingDelta


class Stream(io.TextIOWrapper):
    """A standard stream that may be a terminal."""

    def __init__(self, terminal: bool) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", newline="\n")
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal

    @property
    def text(self) -> str:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode("utf-8")


def printed(monkeypatch: pytest.MonkeyPatch, events: list[Event], *, terminal: bool) -> tuple[str, str]:
    """Standard output and standard error."""
    out, err = Stream(terminal), Stream(terminal)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    printer = ReplyPrinter()
    for event in events:
        printer.take([event])
    printer.end()
    monkeypatch.undo()
    return out.text, err.text


def thinking(text: str) -> ThinkingDelta:
    return ThinkingDelta(text, "field: reasoning_content")


def test_files_get_both_texts_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[Event] = [thinking("a\x1b[1m"), thinking("b\n"), AnswerDelta("c\r\n\x07"), AnswerDelta("d")]
    assert printed(monkeypatch, events, terminal=False) == ("c\r\n\x07d\n", "a\x1b[1mb\n")


def test_a_terminal_dims_thinking_and_obeys_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[Event] = [thinking("a\x1b[1m\tb"), AnswerDelta("c\x1b]0;title\x07\nd")]
    out, err = printed(monkeypatch, events, terminal=True)
    assert out == "c\\x1b]0;title\\x07\nd\n"
    assert err == "\x1b[2ma\\x1b[1m\tb\n\x1b[0m"


def test_thinking_after_an_answer_begins_on_a_new_line(monkeypatch: pytest.MonkeyPatch) -> None:
    out, err = printed(monkeypatch, [AnswerDelta("a"), thinking("b"), AnswerDelta("c\n")], terminal=False)
    assert (out, err) == ("a\nc\n", "b\n")


def test_no_reply_prints_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert printed(monkeypatch, [], terminal=True) == ("", "")


def test_an_answer_that_turns_out_to_be_thinking_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    out, err = printed(monkeypatch, [AnswerDelta("a"), AnswerWasThinking("closed by </think>")], terminal=False)
    assert out == "a\n"
    assert "turned out to be thinking" in err


def test_what_is_decoded_is_shown_on_a_terminal_like_what_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    for terminal, shown in ((True, "a\\x1b[2J\tb\n"), (False, "a\x1b[2J\tb\n")):
        out = Stream(terminal)
        monkeypatch.setattr(sys, "stdout", out)
        write_answer("a\x1b[2J\tb\n")
        monkeypatch.undo()
        assert out.text == shown
