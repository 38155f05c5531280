"""`thinkpane request`: what Send would send, in three forms, one or many, and never a key."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.patience import PATIENCE
from support.services import PatientServices
from support.wire_cases import wire_cases
from thinkpane.cli.program import run

Request = Callable[..., tuple[int, str, str]]
BODY = {"messages": [{"role": "user", "content": 'It\'s "q" \\ $X'}], "model": "m", "temperature": 0.5}
CHAT = ["--endpoint", "openai-chat+http://127.0.0.1:9"]
RAW = ["--endpoint", "openai-completions+http://127.0.0.1:9"]
PROMPT = '<|im_start|>user\nIt\'s "q" \\ $X<|im_end|>\n<|im_start|>assistant\n'


@pytest.fixture(scope="module")
def services() -> Iterator[PatientServices]:
    services = PatientServices()
    yield services
    services.close()


@pytest.fixture
def request_of(services: PatientServices, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Request:
    def request_of(body: object, *words: str, name: str = "body.json") -> tuple[int, str, str]:
        path = tmp_path / name
        path.write_text(body if isinstance(body, str) else json.dumps(body), encoding="utf-8")
        status = run(["request", *words, str(path)], services)
        told = capsys.readouterr()
        return status, told.out, told.err

    return request_of


def found(request_of: Request, body: object, *words: str) -> dict[str, Any]:
    status, out, err = request_of(body, *words)
    assert (status, err) == (0, "")
    value: dict[str, Any] = json.loads(out)
    return value


def test_chat_as_json(request_of: Request) -> None:
    body = BODY | {"tool_choice": "auto", "chat_template_kwargs": {"tier": "L3"}}
    value = found(request_of, body, *CHAT, "--model", "n", "--param", "seed=1", "--set", "x=true")
    assert list(value) == ["url", "method", "headers", "body", "warnings", "notes"]
    assert (value["url"], value["method"]) == ("http://127.0.0.1:9/v1/chat/completions", "POST")
    assert value["body"] == {
        "model": "n",
        "messages": BODY["messages"],
        "temperature": 0.5,
        "seed": 1,
        "chat_template_kwargs": {"tier": "L3", "x": True},
        "stream": True,
        "stream_options": {"include_usage": True},
        "tool_choice": "auto",
    }
    assert "Authorization" not in value["headers"]


def test_raw_sends_the_rendered_prompt(request_of: Request) -> None:
    value = found(request_of, BODY, *RAW, "--json")
    assert value["url"] == "http://127.0.0.1:9/v1/completions"
    assert value["body"]["prompt"] == PROMPT
    assert value["body"]["max_tokens"] > 16
    assert "messages" not in value["body"]


def test_either_path_at_one_endpoint(request_of: Request) -> None:
    assert "prompt" in found(request_of, BODY, *CHAT, "--path", "raw")["body"]
    assert "messages" in found(request_of, BODY, *RAW, "--path", "chat")["body"]


def test_a_document_brings_endpoint_path_model_and_template(request_of: Request) -> None:
    document = {
        "thinkpane": 1,
        "template": "glm-5.2",
        "messages": [{"role": "user", "content": "q"}],
        "endpoint": CHAT[1],
        "path": "raw",
        "model": "g",
        "params": {"top_p": 1},
    }
    value = found(request_of, document)
    assert value["url"].endswith("/v1/completions")
    assert (value["body"]["model"], value["body"]["top_p"]) == ("g", 1)
    assert "<|assistant|>" in value["body"]["prompt"]
    assert found(request_of, document | {"path": "chat"})["url"].endswith("/chat/completions")


def test_thinking_goes_to_the_template_on_either_path(request_of: Request) -> None:
    value = found(request_of, BODY, *CHAT, "--thinking", "off", "--effort", "low")
    assert value["body"]["chat_template_kwargs"] == {"enable_thinking": False, "reasoning_effort": "low"}
    assert value["warnings"] == ["thinking-by-convention"] * 2
    assert len(value["notes"]) == 2
    on, off = (found(request_of, BODY, *RAW, "--template", "protium-1.0", "--thinking", word) for word in ("on", "off"))
    assert on["body"]["prompt"] != off["body"]["prompt"]


def test_a_key_is_masked_and_only_its_place_is_named(request_of: Request, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-secret")
    assert found(request_of, BODY, *CHAT, "--key-env", "MY_KEY")["headers"]["Authorization"] == "Bearer ***"
    for form in ("json", "curl", "python"):
        _, out, err = request_of(BODY, *CHAT, "--key-env", "MY_KEY", "--as", form)
        assert "sk-secret" not in out + err
        assert form == "json" or "MY_KEY" in out


def test_curl_says_the_same_to_a_shell(request_of: Request) -> None:
    _, out, err = request_of(BODY, *RAW, "--as", "curl", "--key-env", "MY_KEY")
    words = shlex.split(out.replace("\\\n", " "))
    assert words[:5] == ["curl", "--no-buffer", "-X", "POST", "http://127.0.0.1:9/v1/completions"]
    assert "Authorization: Bearer ${MY_KEY}" in words
    assert json.loads(words[words.index("--data-raw") + 1])["prompt"] == PROMPT
    assert err == ""


def test_python_says_the_same_when_it_runs(request_of: Request) -> None:
    _, out, _ = request_of(BODY, *RAW, "--as", "python", "--key-env", "MY_KEY")
    program = out.partition("with urllib")[0] + "print(json.dumps([json.loads(request.data), dict(request.headers)]))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "MY_KEY": "k"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    body, headers = json.loads(done.stdout)
    assert body["prompt"] == PROMPT
    assert headers["Authorization"] == "Bearer k"


def test_warnings_of_the_other_forms_go_to_standard_error(request_of: Request) -> None:
    _, out, err = request_of(BODY, *CHAT, "--as", "curl", "--thinking", "on")
    assert err.startswith("warning: ")
    assert "warning" not in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--endpoint", "demo"], "demo"),
        (["--endpoint", "nowhere"], "nowhere"),
        (["--endpoint", "nope+http://h"], "nope"),
        (["--endpoint", "openai-chat+ftp://h"], "http"),
        ([*RAW, "--template", "no-such"], "no-such"),
    ],
)
def test_an_input_at_fault(request_of: Request, words: list[str], said: str) -> None:
    status, out, _ = request_of(BODY, *words)
    assert status == 1
    assert said in json.loads(out)["error"]["message"]
    status, out, err = request_of(BODY, *words, "--as", "curl")
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert said in err


@pytest.mark.parametrize("words", [["--param", "x"], ["--param", "x=nope"], ["--thinking", "maybe"], ["--as", "perl"]])
def test_a_command_line_at_fault(request_of: Request, words: list[str]) -> None:
    status, out, err = request_of(BODY, *CHAT, *words)
    assert (status, out, err.count("\n")) == (2, "", 1)


def lines(request_of: Request, *asked: dict[str, Any]) -> list[dict[str, Any]]:
    status, out, _ = request_of("\n".join(map(json.dumps, asked)), "--jsonl")
    assert status == 0
    return [json.loads(line) for line in out.splitlines()]


def test_lines_answer_every_request_case(request_of: Request) -> None:
    cases = [case for case in wire_cases("endpoint") if "response" not in case.input]
    asked = ({"id": case.name, "variables": case.input.get("toggle"), **case.input} for case in cases)
    for each, case in zip(lines(request_of, *asked), cases, strict=True):
        assert each["id"] == case.name
        assert each["url"] == case.expect.get("url", each["url"])
        assert case.expect.get("request_body_contains", {}).items() <= each["body"].items()
        assert not set(case.expect.get("request_body_lacks", ())) & set(each["body"])


def test_a_raw_line_is_rendered(request_of: Request) -> None:
    asked = {"api": "openai-completions", "base_url": "http://h", "messages": BODY["messages"]}
    by_id, by_source, by_prompt = lines(
        request_of,
        asked | {"template": "chatml"},
        asked | {"template": {"source": "{{ x }}{{ messages[0].role }}"}, "variables": {"x": 1}, "thinking": "off"},
        {"api": "openai-completions", "prompt": " p ", "stream": False},
    )
    assert by_id["body"]["prompt"] == PROMPT
    assert by_source["body"]["prompt"] == "1user"
    assert by_source["warnings"] == ["thinking-not-sent"]
    assert (by_prompt["body"]["prompt"], by_prompt["body"]["stream"]) == (" p ", False)


@pytest.mark.parametrize(
    ("thinking", "variables"),
    [
        (True, {"enable_thinking": True}),
        ("off", {"enable_thinking": False}),
        ({"type": "disabled"}, {"enable_thinking": False}),
        ({"type": "enabled", "effort": "max"}, {"enable_thinking": True, "reasoning_effort": "max"}),
        ("high", {"reasoning_effort": "high"}),
    ],
)
def test_thinking_in_a_line(request_of: Request, thinking: object, variables: dict[str, object]) -> None:
    (value,) = lines(request_of, {"api": "openai-chat", "messages": [], "thinking": thinking})
    assert value["body"]["chat_template_kwargs"] == variables


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({}, "api"),
        ({"api": "nope"}, "nope"),
        ({"api": "openai-chat", "messages": 3}, "messages"),
        ({"api": "openai-chat", "messages": [], "params": []}, "params"),
        ({"api": "openai-chat", "messages": [], "thinking": 3}, "thinking"),
        ({"api": "openai-chat", "messages": [], "stream": 3}, "stream"),
        ({"api": "openai-chat", "messages": [], "base_url": "ftp://h"}, "http"),
        ({"api": "openai-completions", "messages": []}, "template"),
        ({"api": "openai-completions", "messages": BODY["messages"], "template": {"source": "{% if %}"}}, "syntax"),
    ],
)
def test_a_bad_line_says_what(request_of: Request, line: dict[str, Any], said: str) -> None:
    bad, good = lines(request_of, {"id": 1, **line}, {"id": 2, "api": "openai-chat"})
    assert bad["id"] == 1
    assert said in bad["error"]["message"]
    assert good["body"]["messages"] == []


def test_the_server_of_a_line_chooses_its_variant(request_of: Request) -> None:
    asked = {"api": "openai-chat", "messages": [], "variables": {"enable_thinking": False}}
    deepseek, local, unknown, by_address = lines(
        request_of,
        asked | {"server": "deepseek"},
        asked | {"server": "llamacpp"},
        asked | {"server": "nobody"},
        asked | {"base_url": "https://dashscope.aliyuncs.com/compatible-mode/v1"},
    )
    assert deepseek["body"]["thinking"] == {"type": "disabled"}
    assert local["body"]["chat_template_kwargs"] == {"enable_thinking": False}
    assert unknown["warnings"] == ["server-unknown"]
    assert by_address["body"]["enable_thinking"] is False
