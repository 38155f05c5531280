"""The program's first word, its lists, and what every command offers."""

import json

import pytest

from thinkpane import __version__
from thinkpane.cli._api import Services
from thinkpane.cli._registry import command, command_names
from thinkpane.cli.output import told
from thinkpane.cli.program import run
from thinkpane.errors import Problem


@pytest.mark.parametrize("name", command_names())
def test_every_command_keeps_the_contract(name: str, running: Services, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(name).name == name
    assert command(name).help
    with pytest.raises(SystemExit) as end:
        run([name, "--help"], running)
    assert end.value.code == 0
    assert f"thinkpane {name}" in capsys.readouterr().out


def test_version_and_overview(running: Services, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"], running) == 0
    assert capsys.readouterr().out == f"thinkpane {__version__}\n"
    assert run(["--help"], running) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in command_names())


def test_templates(running: Services, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["templates"], running) == 0
    assert "glm-5.2 " in capsys.readouterr().out
    assert run(["templates", "--json"], running) == 0
    listed = {each["id"]: each for each in json.loads(capsys.readouterr().out)["templates"]}
    assert {"protium-1.0", "glm-5.2", "command-r7b", "memreader", "chatml", "llama-3"} <= set(listed)
    assert all(each["title"] and each["licence"] for each in listed.values())


def test_kinds(running: Services, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["kinds", "--json"], running) == 0
    kinds = json.loads(capsys.readouterr().out)
    assert kinds["profiles"][0] == "transformers"
    assert "openai-chat" in kinds["dialects"]
    assert "built-in" in kinds["template_sources"]
    assert kinds["commands"] == list(command_names())
    assert run(["kinds"], running) == 0
    assert "transformers, llamacpp, ollama, plain, sglang, vllm" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("problem", "line"),
    [
        (Problem("template", "M.", 3, 4, 0, "content"), "template line 3, column 4, message 1 (content): M."),
        (Problem("json", "M (line 3).", 3), "M (line 3)."),
        (Problem("request", "M.", message_index=1), "message 2: M."),
        (Problem("file", "M."), "M."),
    ],
)
def test_problem_in_one_line(problem: Problem, line: str) -> None:
    assert told(problem) == line
