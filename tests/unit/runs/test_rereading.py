"""The stored bytes of a run, read otherwise, and the way back."""

from dataclasses import replace

import pytest

from support.clock import Clock
from support.runs import run_of
from support.server import CHAT_END, chat_event
from thinkpane.endpoints.dialects._api import DecodeOptions, HttpRequest
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.runs.attempt import Attempt
from thinkpane.runs.how import How
from thinkpane.runs.rereading import reread
from thinkpane.runs.run import Run

CHAT = dialect_named("openai-chat")
STREAM = {"content-type": "text/event-stream"}


def run_with(*pieces: tuple[float, bytes], problem: Problem | None = None, status: int = 200) -> Run:
    run = Run(HttpRequest("POST", "http://a.example/v1", (), {}), time=Clock())
    made = Attempt(run, How(CHAT))
    made.head(status, STREAM, 5)
    for ms, piece in pieces:
        made.data(piece, ms)
    made.over(problem, 9_000)
    run.drain()
    return run


def how(run: Run, **options: object) -> How:
    assert run.how is not None
    return replace(run.how, options=DecodeOptions(**options))  # type: ignore[arg-type]  # spelled out by the caller


THINKS = (
    (1_000, chat_event(content="Hm.</thi")),
    (3_500, chat_event(content="nk>So <b>")),
    (4_000, chat_event(content="x</b>") + CHAT_END),
)


def test_the_same_settings_give_the_same_reply_and_times() -> None:
    run = run_with(*THINKS)
    found = reread(run, how(run))
    assert found.transcript.as_json() == run.transcript.as_json()
    assert vars(found.clock).keys() == vars(run.clock).keys()
    times = [
        (clock.to_first_byte, clock.to_first_thinking, clock.to_first_answer, clock.thinking_seconds, clock.elapsed)
        for clock in (found.clock, run.clock)
    ]
    assert times[0] == times[1]


def test_other_settings_give_another_reply_and_the_first_one_stays() -> None:
    run = run_with(*THINKS)
    before = run.transcript
    assert (before.thinking, before.answer) == ("Hm.", "So <b>x</b>")
    run.show(reread(run, how(run, think_tags=(("<b>", "</b>"),), think_mode="anywhere")))
    assert (run.transcript.thinking, run.transcript.answer) == ("x", "Hm.</think>So ")
    assert run.reading is not None
    run.show(reread(run, how(run, think_tags=())))
    assert (run.transcript.thinking, run.transcript.answer) == ("", "Hm.</think>So <b>x</b>")
    run.show(None)
    assert run.transcript is before
    assert run.reading is None


def test_what_the_prompt_opened_is_a_setting_too() -> None:
    run = run_with((10, chat_event(content="Hm, no end") + CHAT_END))
    assert run.transcript.answer == "Hm, no end"
    run.show(reread(run, how(run, prompt_opens_thinking=True)))
    assert run.transcript.thinking_blocks[0].source == "opened by the prompt"
    assert [warned.id for warned in run.transcript.warnings] == ["thinking-not-closed", "no-answer-only-thinking"]


def test_a_broken_connection_stays_one() -> None:
    lost = Problem("incomplete", "The connection broke off.", detail={"class": "closed"})
    run = run_with((10, chat_event(content="Ha")), problem=lost)
    run.show(reread(run, how(run)))
    assert (run.state, run.problem) == ("failed", lost)


def test_a_stop_stays_one() -> None:
    run = Run(HttpRequest("POST", "http://a.example/v1", (), {}), time=Clock())
    made = Attempt(run, How(CHAT))
    made.head(200, STREAM, 0)
    made.data(chat_event(content="Ha"), 5)
    run.stop("Seen enough.")
    made.over(Problem("stopped", "Stopped."), 6)
    run.drain()
    run.show(reread(run, how(run, think_mode="anywhere")))
    assert (run.state, run.transcript.answer, run.transcript.ended) == ("stopped", "Ha", False)
    assert [warned.message for warned in run.transcript.warnings] == ["Seen enough."]


def test_only_the_last_answer_counts_where_it_was_asked_for_twice() -> None:
    body = b'{"choices": [{"message": {"content": "<think>a</think>b"}, "finish_reason": "stop"}]}'
    run, _server = run_of(
        [b'HTTP/1.1 400 No\r\nContent-Length: 32\r\n\r\n{"error": "streaming is not on"}'],
        [b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body],
    )
    assert (run.transcript.thinking, run.transcript.answer) == ("a", "b")
    found = reread(run, how(run, think_tags=()))
    assert found.transcript.answer == "<think>a</think>b"
    assert "fell-back-to-buffered" in [warned.id for warned in found.transcript.warnings]


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (Run(HttpRequest("POST", "http://a.example/v1", (), {}), time=Clock()), "still coming"),
        (run_with((10, b"{}"), status=500), "with an error"),
        (run_with(), "No byte"),
    ],
)
def test_where_there_is_nothing_to_read_it_is_said(run: Run, words: str) -> None:
    with pytest.raises(ThinkpaneError, match=words):
        reread(run, How(CHAT))


def test_a_run_that_is_not_over_shows_no_other_reading() -> None:
    run = Run(HttpRequest("POST", "http://a.example/v1", (), {}), time=Clock())
    with pytest.raises(ValueError, match="over"):
        run.show(None)
