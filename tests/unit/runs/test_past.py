"""Runs of before, read back from their journals as they were, and those that a crash cut off."""

from dataclasses import replace
from pathlib import Path

import pytest

from support.runs import CALL, CHAT, endpoint_at, seen_to_its_end
from support.server import Server, Step, answer, chat_event, chat_stream
from thinkpane.endpoints.client import Client
from thinkpane.endpoints.dialects._api import DEFAULT_LIMITS, Call, DecodeOptions
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.secret import Secret
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.runs.journal import Journal, JournalFile, is_held
from thinkpane.runs.past import (
    CUT_OFF,
    PastRun,
    cut_off_runs,
    how_it_ended,
    options_json,
    options_of,
    past_run,
    past_runs,
    read_past,
    settle,
)
from thinkpane.runs.reply_end import end_word
from thinkpane.runs.rereading import reread
from thinkpane.runs.run import Run
from thinkpane.runs.runner import Runner

RAW = dialect_named("openai-completions")


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path)


def done(journal: Journal, body: bytes, call: Call = CALL, options: DecodeOptions | None = None) -> Run:
    """A run that is over and in the journal."""
    runner = Runner(Client, journal)
    try:
        with Server([answer(body)]) as server:
            key = Secret("sk-very-secret", endpoint_at(server.url).origin)
            dialect = CHAT if call.path == "chat" else RAW
            given = options or DecodeOptions()
            run = runner.start(endpoint_at(server.url), dialect, call, key=key, pair="p1", label="Chat", options=given)
            seen_to_its_end(run)
    finally:
        runner.close()
    return run


def only(journal: Journal) -> PastRun:
    (found,) = past_runs(journal)
    return found


def cut(journal: Journal, lines: int, rest: bytes = b"") -> PastRun:
    """The journal as a crash would leave it: its first lines, and a part of one more."""
    file = journal.files()[0]
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:lines]) + rest)
    return only(journal)


def test_what_there_is(journal: Journal) -> None:
    run = done(journal, chat_stream())
    past = only(journal)
    assert (past.endpoint, past.model, past.pair, past.ended, past.problem) == ("here", "m", "p1", True, "")
    assert past.header.label == "Chat"
    assert past.file.name.endswith(f"{run.id[:8]}.transcript")


def test_a_run_is_as_it_was(journal: Journal) -> None:
    run = done(journal, chat_stream("Hm.", "Yes."))
    past = read_past(only(journal), DEFAULT_LIMITS)
    assert (past.is_over, past.state, past.problem) == (True, "done", None)
    assert past.transcript.as_json() == run.transcript.as_json()
    assert past.clock.to_first_byte == pytest.approx(run.clock.to_first_byte, abs=1e-3)
    assert past.clock.to_first_answer == pytest.approx(run.clock.to_first_answer, abs=1e-3)
    assert past.clock.elapsed == pytest.approx(run.clock.elapsed, abs=1e-3)
    data = [entry.raw for entry in past.wire if entry.kind == "data"]
    assert data == [entry.raw for entry in run.wire if entry.kind == "data"]
    assert past.request.body == run.request.body
    assert past.pair == "p1"


@pytest.mark.parametrize(
    ("response", "word"),
    [
        (answer(chat_stream()), "done"),
        (answer(b'{"error": {"message": "It broke."}}', status="500 Broken", kind="application/json"), "error 500"),
        (answer(b'{"error": {"message": "No such seed."}}', status="400 Bad", kind="application/json"), "refused 400"),
        (answer(chat_event(content="Half."), sized=False), "cut off"),
    ],
)
def test_how_it_ended_is_said_as_while_it_ran(journal: Journal, response: Step, word: str) -> None:
    runner = Runner(Client, journal)
    try:
        with Server([response]) as server:
            run = runner.start(endpoint_at(server.url), CHAT, CALL)
            seen_to_its_end(run)
    finally:
        runner.close()
    said, why = how_it_ended(only(journal), DEFAULT_LIMITS)
    assert said == end_word(run.transcript) == word
    assert why == (run.problem.message if run.problem else "")


def test_how_one_ended_that_a_person_or_a_crash_cut_off(journal: Journal) -> None:
    done(journal, chat_stream())
    file = journal.files()[0]
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:2]))
    assert how_it_ended(only(journal), DEFAULT_LIMITS) == ("cut off", CUT_OFF.message)
    end = b'{"ms": 9, "end": {"kind": "stopped", "message": "Stopped."}}'
    file.write_bytes(b"".join(lines[:2]) + end + b"\n")
    assert how_it_ended(only(journal), DEFAULT_LIMITS) == ("stopped", "")


def test_how_one_ended_that_is_still_written(journal: Journal) -> None:
    done(journal, chat_stream())
    header = journal.files()[0].read_bytes().splitlines(keepends=True)[0]
    journal.files()[0].unlink()
    file = journal.open("0" * 32)
    file.write(header)
    assert how_it_ended(only(journal), DEFAULT_LIMITS) == ("running", "")
    file.close()


def test_no_key_is_in_it(journal: Journal) -> None:
    done(journal, chat_stream())
    past = read_past(only(journal), DEFAULT_LIMITS)
    assert "sk-very-secret" not in b"".join(entry.raw for entry in past.wire).decode()
    assert b"sk-very-secret" not in journal.files()[0].read_bytes()


def test_how_it_was_read_is_kept(journal: Journal) -> None:
    body = b'data: {"choices":[{"index":0,"text":"Hm.</think>Yes.","finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    options = DecodeOptions(prompt_opens_thinking=True, think_tags=(("<think>", "</think>"),))
    run = done(journal, body, Call("raw", "m", prompt="Well?"), options)
    assert run.transcript.thinking == "Hm."
    past = read_past(only(journal), DEFAULT_LIMITS)
    assert (past.transcript.thinking, past.transcript.answer, past.prompt) == ("Hm.", "Yes.", "Well?")
    assert past.how is not None
    assert past.how.options == options
    assert reread(past, past.how).transcript.answer == "Yes."


def test_a_whole_answer_without_a_stream(journal: Journal) -> None:
    runner = Runner(Client, journal)
    body = b'{"choices":[{"message":{"content":"All."},"finish_reason":"stop"}]}'
    try:
        with Server([answer(body, kind="application/json")]) as server:
            call = Call("chat", "m", messages=CALL.messages, stream=False)
            seen_to_its_end(runner.start(endpoint_at(server.url), CHAT, call))
    finally:
        runner.close()
    assert read_past(only(journal), DEFAULT_LIMITS).transcript.answer == "All."


def test_what_llamacpp_repeats_of_a_continued_message_is_no_answer_then_and_now(journal: Journal) -> None:
    runner = Runner(Client, journal)
    body = b'{"choices":[{"message":{"content":"Once upon a time"},"finish_reason":"stop"}],"timings":{"prompt_n":1}}'
    try:
        with Server([answer(body, kind="application/json")]) as server:
            begun: list[JsonObject] = [{"role": "user", "content": "Go."}, {"role": "assistant", "content": "Once"}]
            call = Call("chat", "m", messages=[*begun], stream=False)
            run = runner.start(endpoint_at(server.url), CHAT, call)
            seen_to_its_end(run)
    finally:
        runner.close()
    assert run.transcript.answer == " upon a time"
    assert run.how is not None
    assert reread(run, replace(run.how, options=DecodeOptions("anywhere"))).transcript.answer == " upon a time"
    assert read_past(only(journal), DEFAULT_LIMITS).transcript.answer == " upon a time"


@pytest.mark.parametrize("rest", [b"", b'{"ms": 5, "te'])
def test_what_a_crash_cut_off_is_kept_and_said(journal: Journal, rest: bytes) -> None:
    done(journal, chat_event(content="Half."))
    past = cut(journal, 3, rest)
    assert not past.ended
    run = read_past(past, DEFAULT_LIMITS)
    assert (run.state, run.transcript.answer) == ("failed", "Half.")
    assert run.problem is not None
    assert run.problem.message == CUT_OFF.message


@pytest.mark.parametrize("rest", [b"", b'{"ms": 5, "te'])
def test_a_settled_one_is_not_offered_again_and_loses_nothing(journal: Journal, rest: bytes) -> None:
    done(journal, chat_event(content="Half."))
    settle(cut(journal, 3, rest))
    past = only(journal)
    assert past.ended
    assert past.problem == CUT_OFF.message
    assert read_past(past, DEFAULT_LIMITS).transcript.answer == "Half."


def test_one_that_is_being_written_is_no_crash(journal: Journal) -> None:
    done(journal, chat_stream())
    header = journal.files()[0].read_bytes().splitlines(keepends=True)[0]
    journal.files()[0].unlink()
    file = journal.open("0" * 32)
    file.write(header)
    assert is_held(file.path)
    assert only(journal).ended
    file.close()
    assert not is_held(file.path)
    assert not only(journal).ended


def test_a_run_of_a_prompt_of_megabytes_is_there_and_offered(journal: Journal) -> None:
    long: JsonObject = {"role": "user", "content": "word " * 600_000}
    done(journal, chat_stream(), Call("chat", "m", messages=[long]))
    done(journal, chat_stream())
    assert [each.ended for each in past_runs(journal)] == [True, True]
    assert cut_off_runs(journal) == []
    file = journal.files()[1]
    file.write_bytes(file.read_bytes().partition(b"\n")[0] + b"\n")
    (past,) = cut_off_runs(journal)
    assert (past.file, past.model, past.ended) == (file, "m", False)
    settle(past)
    assert cut_off_runs(journal) == []


def test_what_is_no_journal_is_passed_over(tmp_path: Path, journal: Journal) -> None:
    (tmp_path / "strange.transcript").write_text("x")
    (tmp_path / "20260101T000000.000000Z-0.transcript").write_bytes(b"\xff\n")
    assert past_runs(journal) == []
    assert past_run(tmp_path / "none.transcript") is None


def test_one_that_is_gone_is_said(journal: Journal) -> None:
    done(journal, chat_stream())
    past = only(journal)
    past.file.unlink()
    with pytest.raises(ThinkpaneError, match="cannot be read"):
        read_past(past, DEFAULT_LIMITS)
    with pytest.raises(ThinkpaneError, match="cannot be written"):
        settle(past)


@pytest.mark.parametrize(
    "options",
    [DecodeOptions(), DecodeOptions("anywhere", (), True, "harmony"), DecodeOptions(think_tags=(("<a>", "</a>"),))],
)
def test_options_there_and_back(options: DecodeOptions) -> None:
    assert options_of(options_json(options)) == options


def test_strange_options_are_as_usual() -> None:
    assert options_of(None) == options_of({"think_mode": 3, "channels": []}) == DecodeOptions()


def test_the_files_name_says_when(journal: Journal) -> None:
    file = JournalFile(journal.folder / "x")
    file.close()
    assert past_run(file.path) is None
