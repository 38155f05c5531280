"""`thinkpane render`: the prompt exactly, JSON, many lines, and each fault with its status."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from support.records import render_cases
from thinkpane.cli._api import Services
from thinkpane.cli.program import run

TALK: list[Any] = [{"role": "user", "content": "hé\r\n"}]
ECHO = "{{ messages[0].content }}{{ x }}|{{ add_generation_prompt }}"


class Stdin(io.TextIOWrapper):
    """Standard input that holds some bytes."""

    def __init__(self, data: str) -> None:
        super().__init__(io.BytesIO(data.encode()), encoding="utf-8")


@pytest.fixture
def body(tmp_path: Path) -> Path:
    """A file with a plain body."""
    path = tmp_path / "body.json"
    path.write_text(json.dumps({"messages": TALK}))
    return path


@pytest.fixture
def template(tmp_path: Path) -> Path:
    """A file with a template that shows what it gets."""
    path = tmp_path / "echo.jinja"
    path.write_text(ECHO)
    return path


def output(words: list[str], running: Services, capsysbinary: pytest.CaptureFixture[bytes]) -> tuple[int, str, str]:
    """Status, standard output and standard error of a command line."""
    status = run(words, running)
    captured = capsysbinary.readouterr()
    return status, captured.out.decode(), captured.err.decode()


Capture = pytest.CaptureFixture[bytes]


def test_prompt_exactly(body: Path, template: Path, running: Services, capsysbinary: Capture) -> None:
    words = ["render", str(body), "--template", str(template)]
    assert output(words, running, capsysbinary) == (0, "hé\r\n|True", "")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--set", "x=1"], "hé\r\n1|True"),
        (["--set", "x=a b=c"], "hé\r\na b=c|True"),
        (["--set", 'x={"a": [null]}'], "hé\r\n{'a': [None]}|True"),
        (["--set", "x=1", "--set", "x=2"], "hé\r\n2|True"),
        (["--no-generation-prompt"], "hé\r\n|False"),
        (["--continue-final"], "hé\r\n"),
        (["--continue-final", "content"], "hé\r\n"),
        (["--profile", "plain"], "hé\r\n|True"),
    ],
)
def test_options(
    options: list[str], expected: str, body: Path, template: Path, running: Services, capsysbinary: Capture
) -> None:
    words = ["render", str(body), "--template", str(template), *options]
    assert output(words, running, capsysbinary)[:2] == (0, expected)


def test_file_after_continue_final_is_the_file(
    body: Path, template: Path, running: Services, capsysbinary: Capture
) -> None:
    words = ["render", "--template", str(template), "--continue-final", str(body)]
    assert output(words, running, capsysbinary)[:2] == (0, "hé\r\n")


def test_document_brings_its_own(tmp_path: Path, running: Services, capsysbinary: Capture) -> None:
    (tmp_path / "own.jinja").write_text("{{ messages }}{{ x }}")
    path = tmp_path / "a.thinkpane.json"
    path.write_text(
        json.dumps(
            {
                "thinkpane": 1,
                "template": str(tmp_path / "own.jinja"),
                "messages": [{"role": "user", "content": None}],
                "variables": {"x": 7},
                "profile": "plain",
            }
        )
    )
    assert output(["render", str(path)], running, capsysbinary)[1] == "[{'role': 'user', 'content': None}]7"
    words = ["render", str(path), "--profile", "transformers", "--set", "x=8"]
    assert output(words, running, capsysbinary)[1] == "[{'role': 'user'}]8"


def test_body_carries_template_variables_and_options(
    tmp_path: Path, template: Path, running: Services, capsysbinary: Capture
) -> None:
    path = tmp_path / "body.json"
    path.write_text(
        json.dumps({"messages": TALK, "chat_template_kwargs": {"x": 3}, "add_generation_prompt": False, "stream": True})
    )
    assert output(["render", str(path), "--template", str(template)], running, capsysbinary)[1] == "hé\r\n3|False"


def test_standard_input(
    template: Path, running: Services, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin(json.dumps(TALK)))
    assert output(["render", "-", "--template", str(template)], running, capsysbinary)[1] == "hé\r\n|True"


def test_template_from_standard_input(
    body: Path, running: Services, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin("[{{ messages[0].role }}]\n"))
    assert output(["render", str(body), "--template", "-"], running, capsysbinary)[1] == "[user]"


def test_now(body: Path, tmp_path: Path, running: Services, capsysbinary: Capture) -> None:
    (tmp_path / "t.jinja").write_text("{{ strftime_now('%d %B %Y') }}")
    words = ["render", str(body), "--template", str(tmp_path / "t.jinja"), "--now", "2026-01-15T09:30:00"]
    assert output(words, running, capsysbinary)[1] == "15 January 2026"


def test_json(body: Path, template: Path, running: Services, capsysbinary: Capture) -> None:
    found = json.loads(output(["render", str(body), "--template", str(template), "--json"], running, capsysbinary)[1])
    assert found == {"text": "hé\r\n|True"}


def test_template_error_is_one_line(body: Path, tmp_path: Path, running: Services, capsysbinary: Capture) -> None:
    (tmp_path / "t.jinja").write_text("\n{% for m in messages %}{{ raise_exception('no\n\x1b[1mway') }}{% endfor %}")
    words = ["render", str(body), "--template", str(tmp_path / "t.jinja")]
    status, out, err = output(words, running, capsysbinary)
    assert (status, out) == (1, "")
    assert err == "thinkpane: template line 2, message 1: The template refuses this conversation: no \\x1b[1mway\n"
    status, out, err = output([*words, "--json"], running, capsysbinary)
    assert (status, err) == (1, "")
    assert json.loads(out)["error"]["line"] == 2


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["render"], 2, "name a FILE"),
        (["render", "-", "--template", "-"], 2, "only once"),
        (["render", "a", "b"], 2, "b"),
        (["render", "a", "--profile", "nope"], 2, "nope"),
        (["render", "a", "--set", "x"], 2, "NAME=VALUE"),
        (["render", "a", "--now", "yesterday"], 2, "“yesterday” is no ISO time"),
        (["render", "a", "--jsonl", "-"], 2, "--jsonl"),
        (["render", "a", "--json", "--jsonl", "-"], 2, "--json"),
        (["nope"], 2, "nope"),
        (["render", "/no/such/file"], 1, "/no/such/file"),
    ],
)
def test_faults(
    words: list[str], status: int, said: str, running: Services, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin('{"messages": []}'))
    if "x" in words:
        monkeypatch.setattr("thinkpane.cli.input_files.read_file", lambda _path: b'{"messages": []}')
    found, out, err = output(words, running, capsysbinary)
    assert (found, out) == (status, "")
    assert said in err
    assert err.count("\n") == 1


def test_both_asked_for_is_an_error(tmp_path: Path, template: Path, running: Services, capsysbinary: Capture) -> None:
    path = tmp_path / "body.json"
    path.write_text(json.dumps({"messages": TALK, "add_generation_prompt": True}))
    words = ["render", str(path), "--template", str(template), "--continue-final"]
    assert output(words, running, capsysbinary)[0] == 1


def test_unknown_template_is_one_line(body: Path, running: Services, capsysbinary: Capture) -> None:
    status, _out, err = output(["render", str(body), "--template", "chatmml"], running, capsysbinary)
    assert (status, "chatml" in err, err.count("\n")) == (1, True, 1)


def test_half_a_surrogate_pair(tmp_path: Path, running: Services, capsysbinary: Capture) -> None:
    path = tmp_path / "body.json"
    path.write_text('[{"role": "user", "content": "a\\ud83d"}]')
    words = ["render", str(path), "--template", "chatml"]
    status, out, err = output(words, running, capsysbinary)
    assert (status, out) == (1, "")
    assert "U+D83D" in err
    assert "a\\ud83d" in output([*words, "--json"], running, capsysbinary)[1]


def lines(
    given: list[Any], running: Services, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> tuple[int, list[Any]]:
    """What --jsonl answers to the lines (a text is a line as it is)."""
    text = "\n".join(each if isinstance(each, str) else json.dumps(each) for each in given)
    monkeypatch.setattr(sys, "stdin", Stdin(text))
    status, out, _err = output(["render", "--jsonl", "-"], running, capsysbinary)
    return status, [json.loads(line) for line in out.split("\n")[:-1]]


def test_lines(running: Services, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    source = {"source": ECHO}
    given: list[Any] = [
        {"id": "a", "template": source, "messages": TALK},
        "",
        "no json",
        "[]",
        {"id": 0, "template": source, "messages": TALK, "kwargs": {"x": None, "add_generation_prompt": False}},
        {"id": None, "template": source, "messages": TALK, "continue_final_message": "content"},
        {"template": {"source": "{{ messages }}"}, "messages": "raw"},
        {"id": 1, "template": source, "messages": TALK, "add_generation_prompt": True, "continue_final_message": True},
        {"id": 2, "template": {"source": "\n{{ 1 / 0 }}"}, "messages": TALK},
        {"id": 3, "template": 4, "messages": TALK},
        {"id": 4, "template": source},
        {"id": 5, "template": source, "messages": TALK, "profile": "nope"},
        {"id": 6, "template": {"source": "{{ tools }}{{ documents }}"}, "messages": TALK, "tools": [], "documents": []},
        {
            "id": 7,
            "template": {"source": "{{ messages }}"},
            "messages": [{"role": "user", "content": None}],
            "profile": "plain",
        },
        {"id": 8, "template": {"source": "{{ strftime_now('%Y') }}"}, "messages": TALK, "now": "2001-01-01"},
        {"id": 9, "template": "nope", "messages": TALK},
    ]
    status, found = lines(given, running, capsysbinary, monkeypatch)
    assert status == 0
    assert found[0] == {"id": "a", "text": "hé\r\n|True"}
    assert found[1]["error"]["message"].startswith("Input line 3: ")
    assert found[2]["error"]["kind"] == "json"
    assert found[3:6] == [{"id": 0, "text": "hé\r\nNone|False"}, {"id": None, "text": "hé\r\n"}, {"text": "raw"}]
    assert [each["error"]["kind"] for each in found[6:11]] == ["request", "template", "request", "json", "profile"]
    assert (found[7]["id"], found[7]["error"]["line"]) == (2, 2)
    assert found[11] == {"id": 6, "text": "[][]"}
    assert found[12]["text"] == "[{'role': 'user', 'content': None}]"
    assert found[13]["text"] == "2001"
    assert found[14]["error"]["kind"] == "template_source"


def test_no_line_could_be_read(running: Services, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    status, found = lines(["x", "y"], running, capsysbinary, monkeypatch)
    assert (status, len(found)) == (1, 2)


def test_public_cases(running: Services, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = render_cases()
    given = [
        {"add_generation_prompt": False, **{name: value for name, value in case["input"].items() if name != "kwargs"}}
        | {"id": case["id"], "template": {"source": case["input"]["template"]}, "profile": "plain"}
        | ({"kwargs": case["input"]["kwargs"]} if "kwargs" in case["input"] else {})
        for case in cases
    ]
    for each in given:
        if "add_generation_prompt" in each.get("kwargs", {}):
            del each["add_generation_prompt"]
    _status, found = lines(given, running, capsysbinary, monkeypatch)
    for case, result in zip(cases, found, strict=True):
        assert result["id"] == case["id"]
        assert result.get("text") == case["expect"].get("text")
        if "line" in case["expect"]:
            assert result["error"]["line"] == case["expect"]["line"]
            assert case["expect"]["error_contains"] in result["error"]["message"]


def test_trace_tells_the_owner_of_every_character(
    body: Path, template: Path, running: Services, capsysbinary: Capture
) -> None:
    status, text, _ = output(["render", str(body), "--template", str(template), "--trace"], running, capsysbinary)
    found = json.loads(text)
    assert status == 0
    assert found["text"] == "hé\r\n|True"
    assert [[start, end, owner["path"], owner["at"]] for start, end, owner in found["spans"]] == [
        [0, 4, "messages[0].content", [0, 4]],
        [4, 5, None, None],
        [5, 9, "add_generation_prompt", None],
    ]
    assert found["reads"] == ["add_generation_prompt", "messages[0].content"]
    assert found["ignored"] == ["messages[0].role"]


def test_trace_of_a_line(tmp_path: Path, running: Services, capsysbinary: Capture) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text(
        json.dumps({"id": 7, "template": {"source": "{{ x }}"}, "messages": TALK, "kwargs": {"x": "a"}, "trace": True})
    )
    found = json.loads(output(["render", "--jsonl", str(path)], running, capsysbinary)[1])
    assert found["id"] == 7
    assert found["spans"] == [[0, 1, {"line": 1, "column": 4, "via": [], "path": "x", "at": [0, 1]}]]


def test_document_with_an_edited_template(
    template: Path, tmp_path: Path, running: Services, capsysbinary: Capture
) -> None:
    document = tmp_path / "a.thinkpane.json"
    edited = {"ref": str(tmp_path / "gone.jinja"), "source": "{{ b }}\u00a0|{{ messages[0].role }}"}
    whole = {**edited, "variables": {"b": "<s>"}, "special_tokens": ["<s>"]}
    for value, expected in ((whole, (0, "<s>\u00a0|user")), ({"source": "alone"}, (0, "alone")), (edited, (1, ""))):
        document.write_text(json.dumps({"thinkpane": 1, "template": value, "messages": TALK}))
        assert output(["render", str(document)], running, capsysbinary)[:2] == expected
    # The option means the template it names, not the document's text.
    assert output(["render", str(document), "--template", str(template)], running, capsysbinary)[1] == "hé\r\n|True"


HELLO = [{"role": "user", "content": "Hello"}]


def test_options_are_what_lines_do_not_say(tmp_path: Path, running: Services, capsysbinary: Capture) -> None:
    path = tmp_path / "lines.jsonl"
    asked = [
        {"id": 1, "messages": HELLO},
        {"id": 2, "messages": HELLO, "template": {"source": "own {{ a }} {{ b }}"}, "kwargs": {"b": 3}},
    ]
    path.write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    (tmp_path / "t.jinja").write_text("{{ a }} {{ b }}", encoding="utf-8")
    words = ["render", "--jsonl", str(path), "--template", str(tmp_path / "t.jinja"), "--set", "a=1", "--set", "b=2"]
    status, out, _ = output(words, running, capsysbinary)
    assert status == 0
    assert [json.loads(line)["text"] for line in out.splitlines()] == ["1 2", "own 1 3"]


def test_standard_input_is_not_read_twice(running: Services, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    status, out, told = output(["render", "-", "--template", "-"], running, capsysbinary)
    assert (status, out) == (2, "")
    assert "can be read only once" in told
