"""Runs of the Demo endpoint: recorded bytes, live reading, and the word “recorded” wherever the run is named."""

import pytest

from support.patience import PATIENCE
from thinkpane.endpoints.dialects._api import Call, DecodeOptions
from thinkpane.endpoints.profile import DEMO, Endpoint
from thinkpane.endpoints.recorded import Demo, Replayable
from thinkpane.endpoints.recording import Chunk, Recording, RecordingHeader
from thinkpane.runs.loop_guard import LoopGuard
from thinkpane.runs.run import Run
from thinkpane.runs.runner import Runner, Sender

ENDPOINT = Endpoint(DEMO, DEMO, "")
ANSWER = b'data: {"choices":[{"index":0,"delta":{"content":"Yes."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
TEXT = b'data: {"choices":[{"index":0,"text":"Hm.</think>Yes.","finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'


def no_network() -> Sender:
    raise AssertionError("a replay needs no client")


def played(dialect: str, data: bytes, *, label: str = "", guard: LoopGuard | None = None) -> Run:
    header = RecordingHeader("some question", dialect)
    demo = Demo([Replayable(header, lambda: Recording(header, (Chunk(5, data),), ended=True, end_ms=6))])
    run = Runner(no_network).start(
        ENDPOINT,
        None,
        Call("raw", prompt="q<think>"),
        options=DecodeOptions(prompt_opens_thinking=True),
        label=label,
        guard=guard,
        demo=demo,
        speed=0,
    )
    assert run.wait(PATIENCE)
    run.drain()
    assert run.state == "done", run.problem
    return run


@pytest.mark.parametrize(("label", "shown"), [("", "{}"), ("L3", "L3 ({})")])
def test_the_label_says_that_it_is_recorded(label: str, shown: str) -> None:
    assert played("openai-chat", ANSWER, label=label).label == shown.format("recorded: some question")


def test_the_wire_says_that_nothing_was_sent() -> None:
    notes = [entry.data for entry in played("openai-chat", ANSWER).wire if entry.kind == "note"]
    assert notes == ["Nothing was sent: a reply is played that was recorded for some question."]


def test_a_chat_recording_was_split_by_its_server_whatever_the_prompt_ends_in() -> None:
    transcript = played("openai-chat", ANSWER).transcript
    assert (transcript.thinking, transcript.answer) == ("", "Yes.")


def test_a_raw_recording_goes_on_where_the_prompt_ended() -> None:
    transcript = played("openai-completions", TEXT).transcript
    assert (transcript.thinking, transcript.answer) == ("Hm.", "Yes.")


def test_a_guard_keeps_the_count_that_it_was_given_for_a_raw_call() -> None:
    guard = LoopGuard(5)
    guard.seed([{"role": "assistant", "reasoning_content": "a", "content": "b"}])
    played("openai-completions", TEXT, guard=guard)
    assert guard.count == 2
