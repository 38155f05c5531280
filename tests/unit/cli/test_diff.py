"""`thinkpane diff`: two files, variants of one, the object of --json, lines for people, faults with their status."""

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from support.services import PatientServices
from thinkpane.cli.program import run
from thinkpane.tokens.byte_level import letters

SOURCE = "<|user|>\n{{ messages[0].content }}\n<|end|>\n{% if tier %}effort: {{ tier }}\n{% endif %}<|assistant|>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model folder: a template, and two conversations; `bytes.json` is a tokenizer of single bytes, elsewhere."""
    (tmp_path / "t.jinja").write_text(SOURCE, encoding="utf-8")
    for name, text in (("a", "the old word"), ("b", "the new word")):
        body = {"template": str(tmp_path / "t.jinja"), "messages": [{"role": "user", "content": text}]}
        (tmp_path / f"{name}.json").write_text(json.dumps({"thinkpane": 1, **body}), encoding="utf-8")
    made = Tokenizer(models.BPE({letter: byte for byte, letter in enumerate(letters())}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    made.add_special_tokens(["<|user|>", "<|end|>", "<|assistant|>"])
    (tmp_path / "model").mkdir()
    made.save(str(tmp_path / "model" / "tokenizer.json"))
    return tmp_path


def words(folder: Path, *given: str) -> list[str]:
    """A command line; what ends in .json or is “model” lies in the folder."""
    return ["diff", *(str(folder / word) if word.endswith(".json") or word == "model" else word for word in given)]


def test_two_files_as_json(running: PatientServices, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert run(words(folder, "a.json", "b.json", "--tokenizer", "model", "--json"), running) == 0
    assert json.loads(capsys.readouterr().out) == {
        "same": False,
        "tokenizer": "model",
        "removed": 3,
        "added": 3,
        "coarse": False,
        "changes": [
            {
                "a": [13, 16],
                "b": [13, 16],
                "removed": "old",
                "added": "new",
                "count": [3, 3],
                "characters": {"a": [[13, 16]], "b": [[13, 16]]},
                "coarse": False,
            }
        ],
        "owners": [{"owner": "message 1 (user)", "removed": 3, "added": 3}],
    }


def test_two_files_for_people(running: PatientServices, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert run(words(folder, "a.json", "b.json"), running) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("--- A: ")
    assert lines[0].endswith("a.json")
    assert lines[1].endswith("b.json")
    assert lines[2:] == [
        "@@ line 1 of A, line 1 of B @@",
        "  <|user|>",
        "- the old word",
        "?     ^^^",
        "+ the new word",
        "?     ^^^",
        "  <|end|>",
        "  <|assistant|>",
        "",
        "1 difference: 3 characters only in A, 3 only in B (no tokenizer was named or lies beside the template)",
        "By owner: message 1 (user) −3 +3",
    ]


def test_variants_of_one_file(
    running: PatientServices, capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = (folder / "a.json").read_bytes()
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    assert run(words(folder, "-", "--set", "A: tier=low", "--set", "B:tier=high", "--json"), running) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(each["removed"], each["added"]) for each in found["changes"]] == [("low", "high")]
    assert run(words(folder, "a.json", "--set", "B: tier=x", "--set", "unused=1"), running) == 0
    told = capsys.readouterr().out
    assert "+++ B: " in told
    assert "a.json, tier=x\n" in told
    assert "\n+ effort: x\n" in told
    assert "?" not in told


def test_the_same_and_no_line_feed(running: PatientServices, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert run(words(folder, "a.json", "a.json"), running) == 0
    assert capsys.readouterr().out == "The prompts are the same.\n"
    assert run(words(folder, "a.json", "--set", "B: tier=x\x1b[31m\u202e"), running) == 0
    assert "+ effort: x\\x1b[31m\\u202e\n" in capsys.readouterr().out
    other = folder / "other.json"
    other.write_text((folder / "a.json").read_text().replace("old", "x" * 500 + "old" + "y" * 500))
    assert run(words(folder, "a.json", "other.json", "--no-generation-prompt"), running) == 0
    told = capsys.readouterr().out
    assert max(map(len, told.splitlines())) < 1_200


@pytest.mark.parametrize(
    ("given", "notes"),
    [
        (["B: tier=x"], []),
        (["B: unused=1"], ["B: “unused=1” has no effect: the template does not read it here."]),
        (["tier=a", "B: tier=b"], ["B: “tier=a” has no effect: “tier=b” overrules it."]),
        (["B: tier="], ["B: “tier=” has no effect: what it says holds without it, or another variable overrules it."]),
    ],
)
def test_a_value_without_effect_is_told(
    running: PatientServices, capsys: pytest.CaptureFixture[str], folder: Path, given: list[str], notes: list[str]
) -> None:
    options = [word for each in given for word in ("--set", each)]
    assert run(words(folder, "a.json", *options, "--json"), running) == 0
    told = capsys.readouterr()
    assert told.err.splitlines() == [f"thinkpane diff: {note}" for note in notes]
    assert json.loads(told.out)["same"] == (given in (["B: unused=1"], ["B: tier="]))


def test_a_value_that_a_tag_overrules_is_told(
    running: PatientServices, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    source = "{% set t = tier %}{% if '[T]' in messages[-1].content %}{% set t = 'tag' %}{% endif %}{{ t }}"
    (tmp_path / "t.jinja").write_text(source, encoding="utf-8")
    body = {"messages": [{"role": "user", "content": "hi [T]"}]}
    (tmp_path / "a.json").write_text(json.dumps(body), encoding="utf-8")
    given = ["diff", str(tmp_path / "a.json"), "--template", str(tmp_path / "t.jinja"), "--set", "B: tier=low"]
    assert run(given, running) == 0
    told = capsys.readouterr()
    assert told.out == "The prompts are the same.\n"
    why = "something in the conversation overrules it, as a tag in a message does"
    assert told.err == f"thinkpane diff: B: “tier=low” has no effect: {why}.\n"


def test_no_tokenizer_can_be_asked_for(
    running: PatientServices, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    assert run(words(folder, "a.json", "b.json", "--tokenizer", "none", "--json"), running) == 0
    assert json.loads(capsys.readouterr().out)["tokenizer"] is None


@pytest.mark.parametrize(
    ("given", "status", "said"),
    [
        (["a.json"], 2, "name two files"),
        (["a.json", "--set", "x=1"], 2, "name two files"),
        (["-", "-"], 2, "can be read only once"),
        (["a.json", "--set", "B: x"], 2, "NAME=VALUE"),
        (["a.json", "nowhere.json"], 1, "nowhere.json could not be read"),
        (["a.json", "b.json", "--tokenizer", "nowhere"], 1, "There is no file or folder"),
        (["a.json", "b.json", "--tokenizer", "a.json"], 1, "is no tokenizer by its name"),
        (["a.json", "b.json", "--tokenizer", "http://127.0.0.1:1"], 1, "is a server"),
        (["a.json", "b.json", "--template", "command-r7b", "--continue-final", "x"], 1, ""),
    ],
)
def test_faults_are_one_line(
    running: PatientServices, capsys: pytest.CaptureFixture[str], folder: Path, given: list[str], status: int, said: str
) -> None:
    assert run(words(folder, *given), running) == status
    told = capsys.readouterr()
    assert said in told.err
    assert told.err.count("nowhere.json") == given.count("nowhere.json")
    assert told.err.count("\n") == 1
    assert told.out == ""


def test_a_fault_of_the_input_is_an_object(
    running: PatientServices, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    assert run(words(folder, "a.json", "nowhere.json", "--json"), running) == 1
    assert json.loads(capsys.readouterr().out)["error"]["kind"] == "file"


def test_the_file_at_fault_is_named(running: PatientServices, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    broken = folder / "broken.json"
    broken.write_text('{"messages": [3]}', encoding="utf-8")
    assert run(["diff", str(folder / "a.json"), str(broken)], running) == 1
    assert capsys.readouterr().err == f"thinkpane: {broken}: Message 1 is not an object.\n"
    assert run(["render", str(broken)], running) == 1
    assert capsys.readouterr().err == "thinkpane: Message 1 is not an object.\n"


@pytest.mark.parametrize(
    ("given", "notes"),
    [
        ("enable_thinking=true", ""),
        (
            "enable_thinking=false",
            "thinkpane diff: B: “enable_thinking=false” has no effect: "
            "what it says holds without it, or another variable overrules it.\n",
        ),
    ],
)
def test_a_value_is_held_against_the_one_of_the_body(
    running: PatientServices, capsys: pytest.CaptureFixture[str], tmp_path: Path, given: str, notes: str
) -> None:
    body = {"messages": [{"role": "user", "content": "hi"}], "chat_template_kwargs": {"enable_thinking": False}}
    (tmp_path / "a.json").write_text(json.dumps(body), encoding="utf-8")
    line = ["diff", str(tmp_path / "a.json"), "--template", "chatml", "--set", f"B: {given}", "--json"]
    assert run(line, running) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["same"] == bool(notes)
    assert told.err == notes
