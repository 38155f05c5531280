"""One request of a run, its sink called by hand: times, signs of life, and what comes after the end."""

import pytest

from support.clock import Clock
from support.server import CHAT_END, chat_event
from support.sinks import KeepingSink
from thinkpane.endpoints.dialects._api import DEFAULT_LIMITS, DecodeOptions, Decoder, HttpRequest, Limits
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.errors import Problem
from thinkpane.runs.attempt import Attempt
from thinkpane.runs.how import How
from thinkpane.runs.run import Run
from thinkpane.runs.wire import SHOWN
from thinkpane.streaming.events import AnswerDelta, Event, Started

CHAT = dialect_named("openai-chat")


@pytest.fixture
def run() -> Run:
    return Run(HttpRequest("POST", "http://a.example/v1", (), {}), time=Clock())


def attempt(run: Run, *, began: float = 0.0, idle_seconds: float = 120.0, tape: KeepingSink | None = None) -> Attempt:
    tapes = () if tape is None else (tape,)
    return Attempt(run, How(CHAT), began=began, idle_seconds=idle_seconds, tapes=tapes)


def test_states_and_times_follow_the_request(run: Run) -> None:
    tape = KeepingSink()
    made = attempt(run, began=2.0, tape=tape)
    made.sent(100)
    run.drain()
    assert run.state == "waiting"
    made.head(200, {"content-type": "text/event-stream"}, 500)
    made.data(chat_event(content="Yes."), 1500)
    made.data(CHAT_END, 2500)
    made.over(None, 3000)
    run.drain()
    assert (run.clock.to_first_byte, run.clock.to_first_answer, run.clock.elapsed) == (3.5, 3.5, 5.0)
    assert [entry.ms for entry in run.wire] == [2500, 3500, 4500, 4500, 5000]
    assert tape.times == [2500, 3500, 4500, 5000]
    assert tape.body == chat_event(content="Yes.") + CHAT_END
    assert run.transcript.is_clean


def test_long_signs_of_life_alone_are_told_once_each_time(run: Run) -> None:
    made = attempt(run, idle_seconds=10)
    made.head(200, {}, 0)
    for ms in (5_000, 11_000, 60_000):
        made.data(b": alive\n\n", ms)
    made.data(chat_event(content="Yes."), 61_000)
    made.data(b": alive\n\n", 70_000)
    made.data(b": alive\n\n", 72_000)
    run.drain()
    assert [warned.id for warned in run.transcript.warnings] == ["keep-alive-only"] * 2
    assert "10 s" in run.transcript.warnings[0].message


def test_nothing_is_taken_after_a_stop_or_the_end_mark(run: Run) -> None:
    tape = KeepingSink()
    made = attempt(run, tape=tape)
    made.head(200, {}, 0)
    made.data(chat_event(content="Yes.") + CHAT_END, 1)
    made.data(chat_event(content=" No."), 2)
    made.over(Problem("stopped", "Stopped."), 3)
    run.drain()
    assert (run.transcript.answer, run.state, run.transcript.is_clean) == ("Yes.", "done", True)
    assert tape.ends == [None]


def test_text_that_was_held_back_comes_with_a_stop(run: Run) -> None:
    made = attempt(run)
    made.head(200, {}, 0)
    made.data(chat_event(content="a <thi"), 1)
    run.stop()
    made.data(chat_event(content="nking"), 2)
    made.over(Problem("stopped", "Stopped."), 3)
    assert run.drain()[0] == Started("c", "m")
    assert (run.transcript.answer, run.state, run.problem) == ("a <thi", "stopped", None)
    assert run.transcript.warnings == []


def test_an_error_answer_after_a_stop_is_no_failure(run: Run) -> None:
    made = attempt(run)
    made.head(500, {}, 0)
    run.stop("Enough.")
    made.over(Problem("stopped", "Stopped."), 1)
    run.drain()
    assert (run.state, run.problem, run.stop_reason) == ("stopped", None, "Enough.")


def test_a_character_cut_in_two_is_whole_on_the_wire(run: Run) -> None:
    made = attempt(run)
    made.head(200, {"content-type": "text/event-stream"}, 0)
    data = chat_event(content="x").replace(b'"x"', '"😀"'.encode())
    middle = data.index("😀".encode()) + 2
    made.data(data[:middle], 1)
    made.data(data[middle:] + b"\xf0\x9f", 2)
    made.over(None, 3)
    events = run.drain()
    assert AnswerDelta("😀", "answer 1") in events
    assert b"".join(entry.raw for entry in run.wire if entry.kind == "data") == data + b"\xf0\x9f"


def test_a_stream_without_end_does_not_fill_the_memory(run: Run) -> None:
    made, piece = attempt(run), b": " + b"x" * 500_000 + b"\n\n"
    made.head(200, {}, 0)
    for ms in range(60):
        made.data(piece, ms)
    made.data(chat_event(content="Yes.") + CHAT_END, 50)
    made.over(None, 51)
    run.drain()
    kept = sum(len(entry.raw) for entry in run.wire if entry.kind == "data")
    assert SHOWN <= kept < SHOWN + len(piece)
    assert [entry.data for entry in run.wire if entry.kind == "note"] == [
        f"More than {SHOWN:,} bytes came; what follows is read, but not shown here."
    ]
    assert run.transcript.answer == "Yes."


def test_a_decoder_that_fails_does_not_keep_the_run_from_ending(run: Run) -> None:
    class Broken:
        is_over = False

        def feed(self, data: bytes) -> list[Event]:
            return []

        def close(self) -> list[Event]:
            raise ZeroDivisionError("by zero")

    class BrokenDialect(type(CHAT)):  # type: ignore[misc]  # whatever class the dialect has
        def decoder(self, options: DecodeOptions, limits: Limits = DEFAULT_LIMITS) -> Decoder:
            return Broken()

    made = Attempt(run, How(BrokenDialect()))
    made.head(200, {}, 0)
    made.data(b"x", 1)
    made.over(None, 2)
    run.drain()
    assert run.is_over
    assert run.problem is not None
    assert (run.problem.kind, run.state) == ("internal", "failed")
    assert "by zero" in run.problem.message
