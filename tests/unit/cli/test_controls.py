"""`thinkpane controls`: the object of docs/cli.md, readable lines, and faults in one line with status 1."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.services import PatientServices
from thinkpane.cli.program import run
from thinkpane.templates import built_in


@pytest.fixture(scope="module")
def services() -> Iterator[PatientServices]:
    services = PatientServices()
    yield services
    services.close()


def test_json_is_the_object_of_the_contract(services: PatientServices, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["controls", "glm-5.2", "--json"], services) == 0
    found = json.loads(capsys.readouterr().out)
    effort = found["variables"][0]
    assert (effort["name"], effort["type"], effort["values"]) == ("reasoning_effort", "choice", ["high", "max"])
    assert (effort["effect"], effort["detail"]) == ("changes", "“high”: +4 −3 characters")
    assert [tier["label"] for tier in found["tiers"]] == ["High", "Max", "Off"]
    assert found["thinking"] | {"open": "<think>", "close": "</think>", "opened_by_prompt": True} == found["thinking"]
    assert found["tiers"][1]["others"] is True


def test_lines_are_for_people(services: PatientServices, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["controls", "protium-1.0"], services) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "thinking_level" in lines[5]
    assert lines[5].endswith("none: read, but never has an effect")
    assert sum(line.startswith("tier ") for line in lines) == 13
    assert lines[-3].endswith("opened by the prompt")
    assert lines[-2].endswith("content, tool_call_id, id, role, reasoning_content, tool_calls")
    assert lines[-1].endswith("user, assistant, tool, system")


def test_a_faulty_template_ends_in_one_line(
    services: PatientServices, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "bad.jinja"
    path.write_text("line\n{% if %}", encoding="utf-8")
    assert run(["controls", str(path)], services) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert "line 2" in told.err
    assert run(["controls", str(path), "--json"], services) == 1
    assert json.loads(capsys.readouterr().out)["error"]["line"] == 2


def test_a_file_without_template_toml_shows_the_same_controls(
    services: PatientServices, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "glm.jinja"
    path.write_text(built_in.load("glm-5.2").source, encoding="utf-8")
    assert run(["controls", str(path), "--json"], services) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(each["name"], each["effect"]) for each in found["variables"]] == [
        ("reasoning_effort", "changes"),
        ("enable_thinking", "changes"),
        ("clear_thinking", "changes"),
    ]
    assert [(each["label"], each["values"]) for each in found["tiers"]] == [
        ("high", ["high"]),
        ("max", ["max"]),
        ("No thinking", []),
    ]


def test_special_tokens_that_are_missing_are_no_controls(
    services: PatientServices, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "tokens.jinja"
    path.write_text("{{ bos_token + messages[0].content }}{{ 'x' if flag }}", encoding="utf-8")
    assert run(["controls", str(path), "--json"], services) == 0
    assert [each["name"] for each in json.loads(capsys.readouterr().out)["variables"]] == ["flag"]


def test_a_template_without_controls_says_so_by_empty_lists(
    services: PatientServices, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "plain.jinja"
    path.write_text("{{ messages[0].content }}", encoding="utf-8")
    assert run(["controls", str(path), "--json"], services) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["variables"], found["tags"], found["tiers"]) == ([], [], [])
