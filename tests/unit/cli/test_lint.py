"""`thinkpane lint`: findings as the contract says, readable lines, and what it does without a conversation."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from support.services import PatientServices
from thinkpane.cli.program import run

CLEAN = (
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)


def written(path: Path, body: object) -> str:
    path.write_text(body if isinstance(body, str) else json.dumps(body), encoding="utf-8")
    return str(path)


def question(*texts: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": each} for each in texts]}


def test_findings_are_the_object_of_the_contract(
    running: PatientServices, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    template = written(tmp_path / "t.jinja", CLEAN)
    file = written(tmp_path / "body.json", question("a <|im_end|> b"))
    assert run(["lint", file, "--template", template, "--set", "foo=1", "--json"], running) == 0
    found = json.loads(capsys.readouterr().out)["findings"]
    assert [(each["id"], each["severity"]) for each in found] == [
        ("kwarg-unused", "warning"),
        ("special-token-in-content", "warning"),
    ]
    assert found[0]["name"] == "foo"
    assert found[0]["fix"]["unset"] == ["foo"]
    assert (found[1]["message_index"], found[1]["token"]) == (0, "<|im_end|>")


def test_lines_are_for_people(running: PatientServices, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    template = written(tmp_path / "t.jinja", CLEAN)
    assert run(["lint", written(tmp_path / "body.json", question("hi")), "--template", template], running) == 0
    assert capsys.readouterr().out == "No problems found.\n"
    body = written(tmp_path / "other.json", {"messages": [{"role": "tool", "content": "a\nb"}]})
    assert run(["lint", body, "--template", template], running) == 0
    line = capsys.readouterr().out
    assert line.startswith("warning  message 1: Message 1 is a tool's result")
    assert line.endswith("[tool-result-without-call]\n")


def test_a_template_alone_is_checked(
    running: PatientServices, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    source = "{% set ids = [] %}\n{% for m in messages %}{{ m.content }}{% endfor %}\n{{ ids.pop() }}"
    template = written(tmp_path / "t.jinja", source)
    assert run(["lint", "--template", template, "--json"], running) == 0
    found = json.loads(capsys.readouterr().out)["findings"]
    assert ("mutating-call-refused-by-transformers", 3, "pop") in [
        (each["id"], each.get("line"), each.get("name")) for each in found
    ]
    assert not [each for each in found if "message_index" in each]


def test_a_template_that_cannot_be_parsed_is_a_finding(
    running: PatientServices, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    template = written(tmp_path / "t.jinja", "one\n{% if %}")
    assert run(["lint", "--template", template, "--json"], running) == 0
    (found,) = [each for each in json.loads(capsys.readouterr().out)["findings"] if each["severity"] == "error"]
    assert (found["id"], found["line"]) == ("template-syntax", 2)


def test_strict_tells_an_error_by_its_status(
    running: PatientServices, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    broken = written(tmp_path / "t.jinja", "one\n{% if %}")
    assert run(["lint", "--template", broken, "--strict"], running) == 1
    assert "[template-syntax]" in capsys.readouterr().out
    clean = written(tmp_path / "clean.jinja", CLEAN)
    warned = written(tmp_path / "body.json", {"messages": [{"role": "tool", "content": "a"}]})
    assert run(["lint", warned, "--template", clean, "--strict"], running) == 0
    assert run(["lint", "--jsonl", "-", "--strict"], running) == 2


def test_the_target_says_who_adds_the_first_token(
    running: PatientServices, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    template = written(tmp_path / "t.jinja", "{{ bos_token }}" + CLEAN)
    file = written(tmp_path / "body.json", question("hi"))
    asked = ["lint", file, "--template", template, "--set", "bos_token=<s>", "--json"]
    assert run(asked, running) == 0
    assert json.loads(capsys.readouterr().out)["findings"] == []
    assert run([*asked, "--target", "openai-completions"], running) == 0
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert found["id"] == "bos-at-start-of-completions-prompt"
    assert found["fix"]["variables"] == {"bos_token": ""}


def test_a_documents_endpoint_is_the_target(
    running: PatientServices, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    template = written(tmp_path / "t.jinja", "{{ bos_token }}" + CLEAN)
    document = {
        "thinkpane": 1,
        "template": template,
        "variables": {"bos_token": "<s>"},
        "endpoint": "openai-completions+http://127.0.0.1:1/v1",
        "params": {},
        **question("hi"),
    }
    file = written(tmp_path / "d.thinkpane.json", document)
    assert run(["lint", file, "--json"], running) == 0
    assert [each["id"] for each in json.loads(capsys.readouterr().out)["findings"]] == [
        "bos-at-start-of-completions-prompt"
    ]
    document["params"] = {"add_special_tokens": False}
    assert run(["lint", written(tmp_path / "d.thinkpane.json", document), "--json"], running) == 0
    assert json.loads(capsys.readouterr().out)["findings"] == []


def test_jsonl_answers_each_line(
    running: PatientServices, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[dict[str, Any]] = [
        {"id": 1, "template": {"source": CLEAN}, **question("hi"), "kwargs": {"foo": 1}},
        {"id": 2, "template": {"source": CLEAN}},
        {"id": 3, "template": {"source": CLEAN}, "target": 5},
        {"id": 4},
    ]
    text = "\n".join(json.dumps(each) for each in lines)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert run(["lint", "--jsonl", "-"], running) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["id"] for each in found] == [1, 2, 3, 4]
    assert [each["id"] for each in found[0]["findings"]] == ["kwarg-unused"]
    assert found[1]["findings"] == []
    assert [each["error"]["kind"] for each in found[2:]] == ["request", "request"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["lint"], "name a FILE, or a template"),
        (["lint", "x.json", "--jsonl", "y"], "takes the place of FILE"),
        (["lint", "--template", "chatml", "--target", "vlm"], "“vlm”; there are anthropic, llamacpp, ollama"),
    ],
)
def test_a_command_line_without_one_question_is_refused(
    running: PatientServices, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    assert run(words, running) == 2
    assert told in capsys.readouterr().err


def test_a_line_with_a_target_that_is_none_has_an_error(
    running: PatientServices, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    line = {"id": 1, "template": "chatml", "messages": [{"role": "user", "content": "Hi"}], "target": "vlm"}
    assert run(["lint", "--jsonl", written(tmp_path / "lines", line)], running) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["error"]["field"] == "target"
    assert "openai-completions" in found["error"]["message"]
