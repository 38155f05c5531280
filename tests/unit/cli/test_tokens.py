"""`thinkpane tokens`: the contract's object, lists for people, plain text, faults."""

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from support.fake_web import FakeWeb
from support.services import PatientServices
from thinkpane.cli.program import run
from thinkpane.tokens.byte_level import letters

BODY = json.dumps({"messages": [{"role": "user", "content": "é"}]})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model folder: a template that prints the message, a tokenizer of single bytes, and a conversation."""
    made = Tokenizer(models.BPE({letter: byte for byte, letter in enumerate(letters())}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    made.add_special_tokens(["<|user|>"])
    made.save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "chat_template.jinja").write_text("<|user|>{{ messages[0].content }}", encoding="utf-8")
    (tmp_path / "body.json").write_text(BODY, encoding="utf-8")
    return tmp_path


def test_json_is_the_object_of_the_contract(
    running: PatientServices, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    words = ["tokens", str(folder / "body.json"), "--template", str(folder / "chat_template.jinja"), "--json"]
    assert run(words, running) == 0
    assert json.loads(capsys.readouterr().out) == {
        "count": 3,
        "ids": [256, 0xC3, 0xA9],
        "pieces": ["<|user|>", "\\xc3", "\\xa9"],
        "offsets": [[0, 8], [8, 9], [8, 9]],
        "special": [True, False, False],
    }


def test_plain_text(
    running: PatientServices, capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"hi<|user|>")))
    assert run(["tokens", "-", "--text", "--tokenizer", str(folder)], running) == 0
    assert capsys.readouterr().out == "104  'h'\n105  'i'\n256  '<|user|>'  special\n3 tokens\n"


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--text"], 2, "--text needs a FILE and a --tokenizer"),
        (["BODY", "--template", "chatml"], 1, "No tokenizer belongs to the template"),
        (["BODY", "--template", "chatml", "--tokenizer", "nowhere"], 1, "There is no file or folder “nowhere”"),
        (["BODY", "--template", "chatml", "--tokenizer", "BODY", "--set", "x"], 2, "NAME=VALUE"),
    ],
)
def test_faults_are_one_line(
    running: PatientServices,
    capsys: pytest.CaptureFixture[str],
    folder: Path,
    words: list[str],
    status: int,
    said: str,
) -> None:
    (folder / "alone").mkdir()
    alone = folder / "alone" / "body.json"
    alone.write_text(BODY, encoding="utf-8")
    assert run(["tokens", *(str(alone) if word == "BODY" else word for word in words)], running) == status
    told = capsys.readouterr()
    assert said in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""


def test_a_gguf_that_is_none_is_named(
    running: PatientServices, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "bad.gguf").write_bytes(b"nothing of the kind")
    (tmp_path / "text").write_text("hi")
    words = ["tokens", str(tmp_path / "text"), "--text", "--tokenizer", str(tmp_path / "bad.gguf")]
    assert run(words, running) == 1
    assert "bad.gguf”" in capsys.readouterr().err


def test_a_server_that_merely_stands_in_a_file_is_sent_no_prompt(
    running: PatientServices, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    web = FakeWeb()
    monkeypatch.setattr(PatientServices, "reach", property(lambda _: web.reach(tmp_path)))
    edited = {"ref": "http://elsewhere:8080", "source": "{{ messages[0].content }}", "variables": {}}
    file = tmp_path / "talk.thinkpane.json"
    file.write_text(json.dumps({"thinkpane": 1, "template": edited, "messages": [{"role": "user", "content": "é"}]}))
    assert run(["tokens", str(file)], running) == 1
    assert "lies on the network, which is not reached from here" in capsys.readouterr().err
    assert web.asked == []
    web.put_json("http://elsewhere:8080/tokenize", {"tokens": [{"id": 7, "piece": "é"}]})
    assert run(["tokens", str(file), "--tokenizer", "http://elsewhere:8080"], running) == 0
    assert "7  'é'" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["tokenizer.json", "tokenizer.model"])
@pytest.mark.parametrize(
    ("content", "said"),
    [("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "is a Git LFS pointer"), ("", "is empty")],
)
def test_a_broken_tokenizer_beside_a_template_leaves_an_estimate(
    running: PatientServices, capsys: pytest.CaptureFixture[str], folder: Path, name: str, content: str, said: str
) -> None:
    (folder / "tokenizer.json").unlink()
    (folder / name).write_text(content, encoding="utf-8")
    body = str(folder / "body.json")
    assert run(["tokens", body, "--template", str(folder)], running) == 0
    told = capsys.readouterr()
    assert told.out == "≈ 3 tokens, an estimate by length\n"
    assert told.err.count("\n") == 1
    assert f"{name}” {said}" in told.err
    assert run(["tokens", body, "--template", str(folder), "--tokenizer", str(folder)], running) == 1
    capsys.readouterr()
    for command, out in (("render", "<|user|>é"), ("lint", "")):
        assert run([command, body, "--template", str(folder)], running) == 0
        told = capsys.readouterr()
        assert told.out.startswith(out)
        assert told.err.count("\n") == (name == "tokenizer.json")
