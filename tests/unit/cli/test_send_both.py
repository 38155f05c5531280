"""`thinkpane send --path both`: two requests of one conversation, both replies, and whether they agree."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.path_server import PathServer
from support.server import CHAT_END, chat_event
from support.services import PatientServices
from thinkpane.cli.program import run
from thinkpane.endpoints.recording import read_recording

Send = Callable[..., tuple[int, str, str]]
BODY = {"messages": [{"role": "user", "content": "Why?"}]}
PROMPT = "<|im_start|>user\nWhy?<|im_end|>\n<|im_start|>assistant\n"


@pytest.fixture
def send(running: PatientServices, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Send]:
    services = PatientServices(running.engine)

    def send(url: str, *words: str) -> tuple[int, str, str]:
        file = tmp_path / "body.json"
        file.write_text(json.dumps(BODY), encoding="utf-8")
        dialect = [] if url == "demo" else ["--template", "chatml"]
        status = run(["send", "--endpoint", url, "--path", "both", *dialect, *words, str(file)], services)
        told = capsys.readouterr()
        return status, told.out, told.err

    yield send
    services.close()


def text_event(text: str, finish: str | None = None) -> bytes:
    return f"data: {json.dumps({'choices': [{'index': 0, 'text': text, 'finish_reason': finish}]})}\n\n".encode()


@pytest.fixture
def server() -> Iterator[PathServer]:
    chat = (chat_event(reasoning_content="Hm."), chat_event(content="Because."), CHAT_END)
    raw = (text_event("<think>Hm.</think>Be"), text_event("tter.", "stop"), b"data: [DONE]\n\n")
    with PathServer(chat=chat, completions=raw) as found:
        found.json["/props"] = {"build_info": "b1"}
        found.json["/apply-template"] = {"prompt": PROMPT}
        yield found


def test_both_replies_and_what_came_of_them(send: Send, server: PathServer, running: PatientServices) -> None:
    status, out, err = send(f"openai-chat+{server.url}", "--param", "temperature=0")
    assert status == 0
    assert out == "=== Chat: the server's template\nBecause.\n=== Raw: our prompt\nBetter.\n"
    assert (
        "The replies differ. The answers part after character 2: Chat goes on with “cause.”, Raw with “tter.”." in err
    )
    assert "The prompts were the same." in err
    assert server.received["/v1/completions"][0]["prompt"] == PROMPT
    assert server.received["/v1/chat/completions"][0]["messages"] == BODY["messages"]
    headers = [
        read_recording(each.read_bytes()).header
        for each in PatientServices(running.engine).folders.journals.glob("*.transcript")
    ]
    pairs = {each.path: each.extra["pair"] for each in headers if each.extra.get("pair")}
    assert set(pairs) == {"chat", "raw"}


def test_as_json(send: Send, server: PathServer) -> None:
    status, out, _err = send(f"openai-chat+{server.url}", "--json")
    found = json.loads(out)
    assert status == 0
    assert (found["chat"]["answer"], found["raw"]["answer"]) == ("Because.", "Better.")
    assert found["chat"]["thinking"] == found["raw"]["thinking"] == "Hm."
    assert found["agreement"]["verdict"] == "differ"
    assert found["agreement"]["first_difference"] == {"part": "answer", "at": 2, "texts": ["cause.", "tter."]}
    assert found["prompts"] == {"same": True, "cause": ""}


def test_one_path_that_fails_is_status_1(send: Send, server: PathServer) -> None:
    server.refused["/v1/completions"] = 403
    status, out, err = send(f"openai-chat+{server.url}")
    assert status == 1
    assert "Because." in out
    assert err.count("Raw brought no reply: ") == 1
    assert err.count("There is none.") == 1


def test_two_paths_that_fail_are_told_each_once(send: Send, server: PathServer) -> None:
    server.refused = {"/v1/completions": 403, "/v1/chat/completions": 500}
    status, _out, err = send(f"openai-chat+{server.url}")
    assert status == 1
    assert [err.count(f"{name} brought no reply: ") for name in ("Chat", "Raw")] == [1, 1]
    assert err.count("There is none.") == 2


def test_one_path_only_is_said(send: Send) -> None:
    status, out, err = send("anthropic+http://127.0.0.1:9")
    assert (status, out) == (1, "")
    assert "has no raw path" in err
    status, _out, err = send("demo")
    assert status == 1
    assert "replays recordings" in err


def test_a_recording_keeps_one_reply(send: Send, server: PathServer, tmp_path: Path) -> None:
    status, _out, err = send(f"openai-chat+{server.url}", "--record", str(tmp_path / "x"))
    assert status == 2
    assert "--record keeps one reply" in err
    assert not server.received
