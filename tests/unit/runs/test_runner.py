"""Whole runs against a loopback server: what is decoded, kept, stopped and told."""

import base64
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from support.patience import PATIENCE
from support.proxy_server import ProxyServer
from support.runs import CALL, CHAT, USUAL, endpoint_at, run_of, seen_to_its_end
from support.server import CHAT_END, Server, answer, chat_event, chat_stream
from thinkpane.endpoints.client import Client
from thinkpane.endpoints.deadlines import Deadlines
from thinkpane.endpoints.dialects._api import Call, DecodeOptions
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.profile import Endpoint
from thinkpane.endpoints.recording import read_recording
from thinkpane.endpoints.secret import Secret
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.runs.journal import Journal
from thinkpane.runs.loop_guard import LoopGuard
from thinkpane.runs.runner import Runner
from thinkpane.streaming.events import Ended

CANARY = "sk-canary/4711+abc=DEF"


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[Runner]:
    found = Runner(Client, Journal(tmp_path / "journals"))
    yield found
    found.close()


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journals")


def test_a_reply_is_decoded_as_its_bytes_at_once_would_be() -> None:
    body = chat_stream("Thinking… 😀", "Answer\u2028 ✓")
    pieces = [body[at : at + 7] for at in range(0, len(body), 7)]
    run, _server = run_of([answer(b"", headers=["X: y"], sized=False), *pieces])
    decoder = CHAT.decoder(DecodeOptions())
    other = [*decoder.feed(body), *decoder.close()]
    joined = run_of([answer(body)])[0]
    assert other[-1] == Ended(clean=True)
    for each in (run, joined):
        assert (each.transcript.thinking, each.transcript.answer) == ("Thinking… 😀", "Answer\u2028 ✓")
        assert (each.state, each.transcript.is_clean, each.transcript.finish) == ("done", True, "stop")
    assert "".join(entry.data for entry in run.wire if entry.kind == "data") == body.decode()


def test_events_are_the_same_as_decoding_at_once(runner: Runner) -> None:
    body = chat_stream()
    with Server([answer(body)]) as server:
        run = runner.start(endpoint_at(server.url), CHAT, CALL, deadlines=USUAL)
        events = seen_to_its_end(run)
    decoder = CHAT.decoder(DecodeOptions())
    assert events == [*decoder.feed(body), *decoder.close()]


def test_the_wire_tells_the_whole_story(runner: Runner) -> None:
    with Server([answer(chat_stream())]) as server:
        run = runner.start(endpoint_at(server.url), CHAT, CALL, label="low", deadlines=USUAL)
        seen_to_its_end(run)
    kinds = [entry.kind for entry in run.wire]
    assert (kinds[0], kinds[1], kinds[-1]) == ("request", "response", "over")
    assert set(kinds[2:-1]) == {"data"}
    assert run.wire[0].data.startswith(f"POST {server.url}/chat/completions\n")
    assert '"content": "Hello?"' in run.wire[0].data
    assert [entry.ms for entry in run.wire] == sorted(entry.ms for entry in run.wire)
    clock = run.clock
    assert clock.to_first_byte is not None
    assert clock.to_first_thinking is not None
    assert clock.to_first_answer is not None
    assert 0 < clock.to_first_byte <= clock.to_first_thinking <= clock.to_first_answer <= clock.elapsed


def test_the_journal_holds_the_bytes_as_they_came(runner: Runner, journal: Journal) -> None:
    body = b"\xef\xbb\xbf" + chat_stream() + b": \xff\xfe not text\n\n"
    with Server([answer(body)]) as server:
        run = runner.start(endpoint_at(server.url), CHAT, CALL, label="low", deadlines=USUAL)
        seen_to_its_end(run)
    (file,) = journal.files()
    found = read_recording(file.read_bytes())
    assert body.startswith(found.data)
    assert found.data.startswith(b"\xef\xbb\xbf" + chat_stream()[:-1])
    assert (found.header.title, found.header.dialect, found.header.path) == ("low", "openai-chat", "chat")
    assert (found.status, found.ended, found.problem) == (200, True, None)
    asked = found.header.extra["request"]
    assert isinstance(asked, dict)
    assert asked["body"] == server.received[0].json


def test_a_recording_can_be_kept_beside_the_journal(runner: Runner, journal: Journal) -> None:
    lines: list[bytes] = []
    with Server([answer(chat_stream())]) as server:
        seen_to_its_end(runner.start(endpoint_at(server.url), CHAT, CALL, record=lines.append, deadlines=USUAL))
    assert b"".join(lines) == journal.files()[0].read_bytes()


def test_a_journal_that_cannot_be_written_does_not_stop_a_run(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_bytes(b"")
    run, _server = run_of([answer(chat_stream())], journal=Journal(taken))
    assert (run.state, run.transcript.answer) == ("done", "Hello there.")
    assert [warned.id for warned in run.transcript.warnings] == ["not-kept-on-disk"]


def test_stop_keeps_the_text_and_says_why(runner: Runner, journal: Journal) -> None:
    start = answer(chat_event(reasoning_content="Hm.") + chat_event(content="So far"), sized=False)
    with Server([start, "hold"]) as server:
        run = runner.start(endpoint_at(server.url), CHAT, CALL, deadlines=USUAL)
        while not run.transcript.answer:
            assert run.wait_for_news(PATIENCE)
            run.drain()
        run.stop("Seen enough.")
        seen_to_its_end(run)
    assert (run.state, run.problem, run.transcript.ended) == ("stopped", None, False)
    assert (run.transcript.thinking, run.transcript.answer) == ("Hm.", "So far")
    assert run.transcript.warnings[-1].message == "Seen enough."
    assert run.wire[-1].data == "Seen enough."
    problem = read_recording(journal.files()[0].read_bytes()).problem
    assert problem is not None
    assert problem.kind == "stopped"


def test_a_reply_that_is_over_is_not_waited_for(runner: Runner) -> None:
    with Server([answer(chat_stream(), sized=False), "hold"]) as server:
        run = runner.start(endpoint_at(server.url), CHAT, CALL, deadlines=USUAL)
        seen_to_its_end(run)
    assert (run.state, run.transcript.is_clean, run.problem) == ("done", True, None)


def test_a_reply_that_was_whole_before_its_connection_broke_is_no_failure() -> None:
    whole = chat_event(content="Yes.") + CHAT_END.partition(b"data: [DONE]")[0]
    run, _server = run_of([b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n" + whole])
    assert (run.state, run.transcript.is_clean) == ("done", True)
    assert [warned.id for warned in run.transcript.warnings] == ["ended-badly"]


@pytest.mark.parametrize(
    ("script", "kind", "words"),
    [
        ([answer(b"<html><title>Hotel Wi-Fi</title></html>", kind="text/html")], "not_a_stream", "Hotel Wi-Fi"),
        ([answer(b'{"error":{"message":"bad key"}}', status="401 No")], "server", "bad key"),
        ([answer(b'{"error":{"message":"not yours"}}', status="403 No")], "server", "not yours"),
        ([answer(b"{}", status="429 Slow", headers=["Retry-After: 7"])], "server", "7 s"),
        ([answer(chat_event(content="x") + b'data: {"choices": [{"del', sized=False)], "incomplete", ""),
        ([answer(b"data: " + b"x" * 2_000_000 + b"\n\n")], "limit", "1,000,000"),
        ([answer(b"data: " + b"x" * 3_000_000, sized=False), "hold"], "limit", "1,000,000"),
    ],
)
def test_faults_end_in_one_sentence(script: list[bytes], kind: str, words: str) -> None:
    run, _server = run_of(script)
    assert run.state == "failed"
    assert run.problem is not None
    assert run.problem.kind == kind
    assert words in run.problem.message
    assert run.transcript.ended
    assert run.wire[-1].kind == "error"
    assert run.wire[-1].data == run.problem.message


def test_retry_after_reaches_the_problem() -> None:
    run, _server = run_of([answer(b"{}", status="429 Slow", headers=["Retry-After: 7"])])
    assert run.problem is not None
    assert run.problem.detail["retry_after"] == 7


def test_a_reply_that_dies_keeps_what_came() -> None:
    run, _server = run_of([b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n" + chat_event(content="so far") + b"data"])
    assert run.transcript.answer == "so far"
    assert run.problem is not None
    assert "broke off" in run.problem.message
    assert not run.transcript.is_clean


def test_silence_is_told_and_keeps_what_came() -> None:
    start = answer(chat_event(content="so far"), sized=False)
    run, _server = run_of([start, "hold"], deadlines=Deadlines(PATIENCE, PATIENCE, 0.05))
    assert run.transcript.answer == "so far"
    assert run.problem is not None
    assert run.problem.kind == "timeout"


def test_a_key_is_in_no_entry_event_file_or_repr(runner: Runner, journal: Journal) -> None:
    echo = f'{{"error": {{"message": "wrong key {CANARY}"}}}}'.encode()
    call = replace(CALL, messages=[{"role": "user", "content": f"Is {CANARY} my key?"}])
    for script in ([answer(echo, status="401 No")], [answer(chat_stream(CANARY, f"It is {CANARY}."))]):
        with Server(script) as server:
            endpoint = replace(endpoint_at(server.url), headers={"X-Also": CANARY})
            key = Secret(CANARY, server.url)
            run = runner.start(endpoint, CHAT, call, key=key, deadlines=USUAL)
            events = seen_to_its_end(run)
        assert server.received[0].headers["authorization"] == f"Bearer {CANARY}"
        assert CANARY not in repr(run.wire)
        assert CANARY not in repr(events)
        assert CANARY not in repr(run.problem)
        assert CANARY not in str(run.transcript.as_json())
        assert CANARY not in journal.files()[0].read_text()


@pytest.mark.parametrize("password", ["schlüssel", "pw12", "hunter"])
def test_a_proxy_s_password_is_in_no_entry_event_or_file(
    runner: Runner, journal: Journal, monkeypatch: pytest.MonkeyPatch, password: str
) -> None:
    escaped, coded = quote(password), base64.b64encode(f"me:{password}".encode()).decode()
    echo = f"<p>Basic {coded} is me:{password}, not {escaped} nor {password}</p>".encode()
    headers = [f"X-You: {coded} {escaped}"]
    said = answer(echo, status="407 Proxy Authentication Required", kind="text/html", headers=headers)
    with ProxyServer(answer=said) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url.replace("//", f"//me:{escaped}@"))
        run = runner.start(endpoint_at("http://model.example"), CHAT, CALL, deadlines=USUAL)
        events = seen_to_its_end(run)
    assert run.problem is not None
    kept = journal.files()[0]
    shown = [entry.raw.decode() for entry in run.wire] + [str(events), str(run.problem), kept.read_text()]
    shown.append(read_recording(kept.read_bytes(), kept.name).data.decode())
    for each in (password, escaped, coded):
        assert not [text for text in shown if each in text]
    assert any("***" in text for text in shown)


def test_a_key_of_another_origin_is_not_sent(runner: Runner) -> None:
    with Server([answer(chat_stream())]) as server:
        run = runner.start(
            endpoint_at(server.url), CHAT, CALL, key=Secret(CANARY, "https://a.example"), deadlines=USUAL
        )
        seen_to_its_end(run)
    assert server.received == []
    assert run.problem is not None
    assert run.problem.kind == "key"
    assert run.state == "failed"


def test_the_loop_guard_stops_the_run_and_keeps_what_came(runner: Runner) -> None:
    rounds = b"".join(chat_event(reasoning_content=f"plan {n}") + chat_event(content=f"So {n}.") for n in range(6))
    with Server([answer(rounds, sized=False), "hold"]) as server:
        run = runner.start(endpoint_at(server.url), CHAT, CALL, guard=LoopGuard(3), deadlines=USUAL)
        seen_to_its_end(run)
    assert (run.loop_guard_fired, run.state, run.problem) == (True, "stopped", None)
    assert run.transcript.answer == "So 0.So 1."
    assert len(run.transcript.thinking_blocks) == 3
    assert "loop guard" in run.stop_reason


def test_the_loop_guard_counts_earlier_turns(runner: Runner) -> None:
    turn: JsonValue = {"role": "assistant", "content": "Well.", "reasoning_content": "Hm."}
    call = replace(CALL, messages=[turn, turn, {"role": "user", "content": "Go on."}])
    with Server([answer(chat_stream())]) as server:
        run = runner.start(endpoint_at(server.url), CHAT, call, guard=LoopGuard(3), deadlines=USUAL)
        seen_to_its_end(run)
    assert run.loop_guard_fired


def test_what_a_dialect_cannot_say_is_a_warning(runner: Runner) -> None:
    with Server([answer(chat_stream())]) as server:
        run = runner.start(endpoint_at(server.url), CHAT, replace(CALL, thinking=True), deadlines=USUAL)
        seen_to_its_end(run)
    assert run.request.warnings
    assert [warned.id for warned in run.transcript.warnings] == [each.kind for each in run.request.warnings]


def test_a_call_that_cannot_be_made_raises_and_starts_nothing(runner: Runner, journal: Journal) -> None:
    with pytest.raises(ThinkpaneError):
        runner.start(endpoint_at("file:///etc/passwd"), CHAT, CALL)
    with pytest.raises(ThinkpaneError):
        runner.start(endpoint_at("http://a.example"), CHAT, replace(CALL, messages="raw text"))
    with pytest.raises(ThinkpaneError, match="NaN"):
        runner.start(endpoint_at("http://a.example"), CHAT, replace(CALL, params={"temperature": float("nan")}))
    assert journal.files() == []


def test_the_client_is_made_when_it_is_needed_and_once() -> None:
    made: list[Client] = []

    def make() -> Client:
        made.append(Client())
        return made[-1]

    runner = Runner(make)
    runner.close()
    assert made == []
    with Server([answer(chat_stream())]) as server:
        for _ in range(2):
            seen_to_its_end(runner.start(endpoint_at(server.url), CHAT, CALL, deadlines=USUAL))
    runner.close()
    assert len(made) == 1


def test_closing_ends_runs_that_are_under_way() -> None:
    runner = Runner(Client)
    with Server([answer(chat_event(content="so far"), sized=False), "hold"]) as server:
        run = runner.start(endpoint_at(server.url), CHAT, CALL, deadlines=USUAL)
        assert server.held.wait(PATIENCE)
        runner.close()
        seen_to_its_end(run)
    assert run.transcript.ended
    assert run.problem == Problem("stopped", "Stopped.")


def test_a_raw_call_sends_its_prompt_exactly(runner: Runner) -> None:
    prompt = "<|user|>\u2028 Grüße\r\n<|assistant|><think>"
    body = b'data: {"choices":[{"index":0,"text":"hm</think>yes","finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    with Server([answer(body)]) as server:
        endpoint = Endpoint("raw", "openai-completions", server.url)
        options = DecodeOptions(prompt_opens_thinking=True)
        call = Call("raw", "m", prompt=prompt)
        run = runner.start(endpoint, dialect_named("openai-completions"), call, options=options, deadlines=USUAL)
        seen_to_its_end(run)
    assert server.received[0].json["prompt"] == prompt
    assert run.prompt == prompt
    assert (run.transcript.thinking, run.transcript.answer) == ("hm", "yes")
