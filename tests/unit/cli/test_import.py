"""`thinkpane import`: one text, or many lines."""

import json
from pathlib import Path

import pytest

from thinkpane.cli._api import Services
from thinkpane.cli.program import run


def test_a_template_in_a_file(running: Services, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "paste.txt"
    file.write_text("| {{ messages[0].content }} | |\n| {{ bos_token }} | |")
    assert run(["import", str(file)], running) == 0
    assert json.loads(capsys.readouterr().out) == {
        "format": "template",
        "messages": [],
        "template": "{{ messages[0].content }}\n{{ bos_token }}",
        "warnings": ["table-pipes-removed"],
    }


def test_what_is_not_known_is_one_sentence(
    running: Services, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "paste.txt"
    file.write_text("Just words.")
    assert run(["import", str(file)], running) == 1
    assert "none of the formats" in capsys.readouterr().err
    assert run(["import", str(file), "--json"], running) == 1
    assert json.loads(capsys.readouterr().out)["error"]["kind"] == "import"
    file.write_bytes(b"\xff")
    assert run(["import", str(file)], running) == 1
    assert "not UTF-8" in capsys.readouterr().err


def test_lines_go_on_after_a_bad_one(running: Services, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "pastes.jsonl"
    pastes = [
        {"id": 1, "paste": "{{ bos_token }}"},
        {"id": 2, "paste": 7},
        {"id": 3, "paste": '{"chat_template": "x"}'},
    ]
    file.write_text("\n".join(json.dumps(each) for each in pastes))
    assert run(["import", "--jsonl", str(file)], running) == 0
    first, second, third = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["id"], first["format"]) == (1, "template")
    assert second["error"]["field"] == "paste"
    assert (third["id"], third["format"], third["template"]) == (3, "tokenizer_config", "x")


@pytest.mark.parametrize("words", [["import"], ["import", "a", "--jsonl", "b"]])
def test_a_command_line_that_cannot_be(running: Services, words: list[str]) -> None:
    assert run(words, running) == 2
