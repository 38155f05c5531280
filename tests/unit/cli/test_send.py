"""`thinkpane send`: the reply as it comes, from a server on this machine and from the Demo endpoint."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.patience import PATIENCE
from support.server import Server, answer
from support.services import PatientServices
from thinkpane.cli.program import run
from thinkpane.endpoints.recording import read_recording
from thinkpane.formats.json_values import JsonObject, JsonValue

Send = Callable[..., tuple[int, str, str]]
BODY: JsonObject = {"messages": [{"role": "user", "content": "Why?"}]}
FIRST = Path(__file__).parents[3] / "resources" / "samples" / "first.thinkpane.json"
THINK = "{% for m in messages %}{{ m.content }}{% endfor %}<think>"


@pytest.fixture
def send(running: PatientServices, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Send]:
    """Runs the command at full speed and gives status, standard output and standard error."""
    services = PatientServices(running.engine)
    services.settings.set("demo.speed", 0.0)

    def send(body: object, *words: str) -> tuple[int, str, str]:
        path = body if isinstance(body, Path) else tmp_path / "body.json"
        if not isinstance(body, Path):
            path.write_text(json.dumps(body), encoding="utf-8")
        status = run(["send", *words, str(path)], services)
        told = capsys.readouterr()
        return status, told.out, told.err

    yield send
    services.close()


def events(*values: JsonObject, done: bool = True) -> bytes:
    lines = [f"data: {json.dumps(value)}\n\n" for value in values]
    return "".join([*lines, "data: [DONE]\n\n"] if done else lines).encode()


def delta(finish: str | None = None, **fields: JsonValue) -> JsonObject:
    return {"choices": [{"index": 0, "delta": dict(fields), "finish_reason": finish}]}


def text(value: str, finish: str | None = None) -> JsonObject:
    return {"choices": [{"index": 0, "text": value, "finish_reason": finish}]}


def stream(*values: JsonObject, done: bool = True) -> bytes:
    return answer(events(*values, done=done))


def test_chat(send: Send) -> None:
    call: JsonValue = {"index": 0, "id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
    script = stream(
        delta(reasoning_content="I thi"),
        delta(reasoning_content="nk."),
        delta(content="Be"),
        delta(content="cause."),
        delta(tool_calls=[call]),
        delta("tool_calls"),
    )
    with Server([script]) as server:
        words = ["--endpoint", f"openai-chat+{server.url}", "--param", "seed=1", "--model", "m", "--effort", "low"]
        status, out, err = send(BODY, *words)
        sent = server.received[0].json
    assert (status, out) == (0, "Because.\n")
    assert err.startswith("I think.\n")
    assert 'tool call: f {"a": 1}\n' in err
    assert (sent["messages"], sent["seed"], sent["model"]) == (BODY["messages"], 1, "m")
    assert sent["chat_template_kwargs"] == {"reasoning_effort": "low"}


def test_raw_knows_that_the_prompt_opened_thinking(send: Send, tmp_path: Path) -> None:
    template = tmp_path / "think.jinja"
    template.write_text(THINK)
    with Server([stream(text("Hm."), text("</think>\n\nYes."), text("", "stop"))]) as server:
        words = ["--endpoint", f"openai-completions+{server.url}", "--template", str(template)]
        status, out, err = send(BODY, *words)
        assert server.received[0].json["prompt"] == "Why?<think>"
    assert (status, out, err) == (0, "Yes.\n", "Hm.\n")


def test_the_path_may_be_the_other_one(send: Send) -> None:
    with Server([stream(text("x", "stop"))]) as server:
        status, out, _ = send(BODY, "--endpoint", f"openai-chat+{server.url}", "--path", "raw", "--template", "chatml")
        assert str(server.received[0].json["prompt"]).startswith("<|im_start|>")
    assert (status, out) == (0, "x\n")


def test_json_is_the_transcript(send: Send) -> None:
    with Server([stream(delta(content="Yes."), delta("stop"))]) as server:
        status, out, err = send(BODY, "--endpoint", f"openai-chat+{server.url}", "--json")
    value = json.loads(out)
    assert (status, err) == (0, "")
    assert (value["answer"], value["finish"], value["tool_calls"]) == ("Yes.", "stop", [])
    assert "label" not in value


@pytest.mark.parametrize("number", ["NaN", "1e999", "[" * 400 + "]" * 400])
def test_statistics_that_json_cannot_hold_do_not_cost_the_reply(send: Send, number: str) -> None:
    usage = f'data: {{"choices": [], "usage": {{"total_tokens": 7, "odd": {number}}}}}\n\n'.encode()
    with Server([answer(events(delta(content="Yes."), delta("stop"), done=False) + usage)]) as server:
        status, out, _err = send(BODY, "--endpoint", f"openai-chat+{server.url}", "--json")
    assert status == 0
    assert json.loads(out)["answer"] == "Yes."


@pytest.mark.parametrize("value", ["NaN", "1e999", "{"])
def test_a_parameter_that_is_no_json_is_a_fault_of_the_command_line(send: Send, value: str) -> None:
    status, out, err = send(BODY, "--endpoint", "demo", "--param", f"temperature={value}")
    assert (status, out) == (2, "")
    assert err.splitlines()[-1] == f"thinkpane: --param temperature: “{value}” is no JSON value"


@pytest.mark.parametrize("as_json", [False, True])
def test_a_server_error_is_one_line_and_status_1(send: Send, as_json: bool) -> None:
    body = json.dumps({"error": {"message": "no such model"}}).encode()
    with Server([answer(body, status="404 Not Found", kind="application/json")]) as server:
        words = ["--endpoint", f"openai-chat+{server.url}", "--param", "x=1", *(["--json"] if as_json else [])]
        status, out, err = send(BODY, *words)
    assert status == 1
    assert "no such model" in (json.loads(out)["error"]["message"] if as_json else err)
    if not as_json:
        assert out == ""
        assert err.splitlines()[-1].startswith("thinkpane: ")


def test_what_was_printed_stays_when_the_server_breaks_off(send: Send) -> None:
    with Server([stream(delta(content="Half an ans"), done=False)]) as server:
        status, out, err = send(BODY, "--endpoint", f"openai-chat+{server.url}")
    assert (status, out) == (1, "Half an ans\n")
    assert err.count("thinkpane: ") == 1


def test_the_key_goes_along_and_nowhere_else(send: Send, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    key = "sk-not-a-real-key-5678"
    monkeypatch.setenv("SOME_KEY", key)
    record = tmp_path / "run.transcript"
    with Server([stream(delta(content=f"Your key is {key}."), delta("stop"))]) as server:
        words = ["--endpoint", f"openai-chat+{server.url}", "--key-env", "SOME_KEY", "--record", str(record)]
        status, out, err = send(BODY, *words)
        assert server.received[0].headers["authorization"] == f"Bearer {key}"
    assert status == 0
    assert key not in out + err + record.read_text()


def test_a_key_that_is_not_there_sends_nothing(send: Send) -> None:
    with Server([stream()]) as server:
        status, out, err = send(BODY, "--endpoint", f"openai-chat+{server.url}", "--key-env", "NO_SUCH_KEY")
        assert server.received == []
    assert (status, out) == (1, "")
    assert err.count("\n") == 1
    assert "NO_SUCH_KEY" in err


def test_record_keeps_bytes_and_times(send: Send, tmp_path: Path) -> None:
    record = tmp_path / "run.transcript"
    record.write_text("what was there before")
    with Server([stream(delta(content="Yes."), delta("stop"))]) as server:
        assert send(BODY, "--endpoint", f"openai-chat+{server.url}", "--record", str(record))[0] == 0
    recording = read_recording(record.read_bytes())
    assert recording.header.dialect == "openai-chat"
    assert recording.data == events(delta(content="Yes."), delta("stop"))
    assert recording.ended


def test_a_record_that_cannot_be_written_sends_nothing(send: Send, tmp_path: Path) -> None:
    with Server([stream()]) as server:
        words = ["--endpoint", f"openai-chat+{server.url}", "--record", str(tmp_path / "no" / "folder")]
        status, out, err = send(BODY, *words)
        assert server.received == []
    assert (status, out, err.count("\n")) == (1, "", 1)


def test_a_template_that_fails_sends_nothing(send: Send, tmp_path: Path) -> None:
    template = tmp_path / "bad.jinja"
    template.write_text("{{ raise_exception('No.') }}")
    status, out, err = send(BODY, "--endpoint", "openai-completions+http://127.0.0.1:9", "--template", str(template))
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert "No." in err


def test_halves_of_a_pair_become_one_character(send: Send) -> None:
    halves = stream(delta(content="\ud83d"), delta(content="\ude00 and \ud83d"), delta("stop"))
    with Server([halves]) as server:
        status, out, _ = send(BODY, "--endpoint", f"openai-chat+{server.url}")
    assert (status, out) == (0, "\U0001f600 and \ufffd\n")


# The Demo endpoint.


def test_the_first_sample_is_answered_without_a_network(send: Send) -> None:
    status, out, err = send(FIRST)
    assert status == 0
    assert "for price in prices:" in out
    assert err.startswith("recorded: the first sample at L3 Artemis\n")
    assert 'tool call: get_weather {"city": "Graz"}' in err


def test_the_demo_on_the_chat_path_and_as_json(send: Send) -> None:
    status, out, err = send(FIRST, "--path", "chat", "--json")
    value = json.loads(out)
    assert (status, err) == (0, "")
    assert value["label"] == "recorded: the first sample at L3 Artemis"
    assert value["tool_calls"][0]["name"] == "get_weather"
    assert len(value["thinking"]) > 300


@pytest.mark.parametrize(
    ("words", "thinks", "begin"),
    [
        (["--set", "enable_thinking=false"], False, "`range"),
        (["--thinking", "off"], False, "`range"),
        (["--template", "glm-5.2"], True, "### Review"),
        (["--template", "chatml"], False, "`range"),
    ],
)
def test_the_prompt_chooses_the_reply(send: Send, words: list[str], thinks: bool, begin: str) -> None:
    status, out, _ = send(FIRST, "--json", *words)
    value = json.loads(out)
    assert status == 0
    assert bool(value["thinking"]) == thinks
    assert value["answer"].startswith(begin)


def test_any_other_question_is_told_that_it_has_no_recording(send: Send) -> None:
    status, out, err = send(BODY, "--template", "glm-5.2", "--endpoint", "demo")
    assert status == 0
    assert out.startswith("This reply is **recorded**")
    assert "closing tag" in err


def test_saved_endpoints_go_by_name(send: Send, thinkpane_home: Path) -> None:
    with Server([stream(delta(content="Yes."), delta("stop"))]) as server:
        saved = {"endpoints": [{"name": "mine", "dialect": "openai-chat", "base_url": server.url, "model": "own"}]}
        (thinkpane_home / "config" / "endpoints.json").write_text(json.dumps(saved))
        assert send(BODY, "--endpoint", "mine")[:2] == (0, "Yes.\n")
        assert server.received[0].json["model"] == "own"


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C cannot be sent to one process there")
def test_ctrl_c_stops_and_keeps(tmp_path: Path) -> None:
    body = tmp_path / "body.json"
    body.write_text(json.dumps(BODY))
    record = tmp_path / "run.transcript"
    with Server([answer(events(delta(content="Half\n"), done=False), sized=False), "hold"]) as server:
        words = ["send", str(body), "--endpoint", f"openai-chat+{server.url}", "--record", str(record)]
        # Where these tests run in the background of a shell, Ctrl+C is ignored, and so it would be in a child.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        process = subprocess.Popen(
            [sys.executable, "-m", "thinkpane", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        signal.signal(signal.SIGINT, before)
        assert process.stdout is not None
        assert process.stdout.readline() == "Half\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert "Stopped" in err
    assert (process.returncode, out) == (130, "")
    assert b"Half" in read_recording(record.read_bytes()).data


# The endpoints.


def test_endpoints_are_listed_without_keys(
    running: PatientServices, thinkpane_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    services = PatientServices(running.engine)
    saved = {"name": "mine", "dialect": "openai-chat", "base_url": "https://u:p@h.test/v1?key=s", "key_ref": "env:K"}
    file = thinkpane_home / "config" / "endpoints.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"endpoints": [saved]}))
    assert run(["endpoints", "--json"], services) == 0
    found = json.loads(capsys.readouterr().out)["endpoints"]
    assert [each["name"] for each in found] == ["demo", "mine"]
    assert found[1]["base_url"] == "https://h.test/v1?key=***"
    assert found[1]["key"] == "env:K"
    assert run(["endpoints"], services) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "demo  demo"
    assert lines[1].split() == ["mine", "openai-chat", "https://h.test/v1?key=***", "env:K"]
