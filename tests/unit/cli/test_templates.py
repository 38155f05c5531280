"""`thinkpane templates`: what is there, and what the source of one REF holds."""

import json
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from support.server import Server, answer
from thinkpane.cli._api import Services
from thinkpane.cli.program import run
from thinkpane.templates.template import Template
from thinkpane.workspace.own_templates import save_own

SEEDS = Path(__file__).parents[2] / "data" / "seeds"


def told(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def write_model(folder: Path) -> None:
    (folder / "chat_template.jinja").write_text("{{ 1 }}")
    config = {"chat_template": "{{ 2 }}", "bos_token": "<s>", "eos_token": {"content": "a\x1b[2J"}}
    (folder / "tokenizer_config.json").write_text(json.dumps(config))


def test_own_templates_are_listed_too(running: Services, capsys: pytest.CaptureFixture[str]) -> None:
    save_own("mine", Template("x", "{{ 1 }}"), "My template")
    assert run(["templates"], running) == 0
    assert any(line.split() == ["mine", "My", "template", "(own)"] for line in told(capsys))
    assert run(["templates", "--json"], running) == 0
    listed = {each["id"]: each for each in json.loads(capsys.readouterr().out)["templates"]}
    assert (listed["mine"]["built_in"], listed["chatml"]["built_in"]) == (False, True)


def test_a_model_folder_tells_every_text_and_who_takes_it(
    running: Services, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    write_model(tmp_path)
    assert run(["templates", str(tmp_path)], running) == 0
    lines = told(capsys)
    assert "text     default: chat_template.jinja (jinja, 7 characters, taken)" in lines
    assert "text     default: tokenizer_config.json (jinja, 7 characters)" in lines
    assert 'variable bos_token = "<s>"' in lines
    assert "tokens   2 special tokens from tokenizer_config.json" in lines
    assert any(line.startswith("takes    GGUF converter") and "tokenizer_config.json" in line for line in lines)
    assert any(line.startswith("note     Runtimes take different templates") for line in lines)
    assert not any("\x1b" in line for line in lines)


def test_the_same_as_json(running: Services, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    write_model(tmp_path)
    assert run(["templates", str(tmp_path), "--json"], running) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(each["place"], each["source"]) for each in found["texts"]] == [
        ("chat_template.jinja", "{{ 1 }}"),
        ("tokenizer_config.json", "{{ 2 }}"),
    ]
    assert {each["runtime"]: each["place"] for each in found["runtimes"]}["SGLang"] == "chat_template.jinja"
    assert found["variables"] == {"bos_token": "<s>", "eos_token": "a\x1b[2J"}
    assert found["damage"] == []


def test_damage_is_told(running: Services, capsys: pytest.CaptureFixture[str]) -> None:
    [seed] = SEEDS.glob("004_*.txt")
    assert run(["templates", str(seed)], running) == 0
    assert any(line.startswith("damage   line 1, certain: 113 of 113 lines") for line in told(capsys))


def test_a_server_is_asked_when_it_is_named(running: Services, capsys: pytest.CaptureFixture[str]) -> None:
    server = Server([answer(json.dumps({"chat_template": "{{ 1 }}", "bos_token": "<s>"}).encode())])
    with server:
        assert run(["templates", server.url], running) == 0
    assert any("the server's /props" in line for line in told(capsys))


def test_what_is_no_template_is_one_sentence(running: Services, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["templates", "chatlm"], running) == 1
    assert "did you mean “chatml”" in capsys.readouterr().err


def test_standard_input_is_a_template(
    running: Services, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(b"{{ messages }}")))
    assert run(["templates", "-"], running) == 0
    lines = told(capsys)
    assert "from     standard input" in lines
    assert any("14 characters" in line for line in lines)


def test_a_broken_configuration_names_its_file_and_its_own_line(
    running: Services, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "tokenizer_config.json").write_text('{"chat_template": "x",\n "bos_token": }')
    for ref in (tmp_path, tmp_path / "tokenizer_config.json"):
        assert run(["templates", str(ref)], running) == 1
        error = capsys.readouterr().err
        assert "tokenizer_config.json”" in error
        assert "(line 2, column 15)" in error
        assert "template line" not in error
