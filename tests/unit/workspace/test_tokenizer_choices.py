"""Tokenizers that a person chose by hand are kept by template, up to a bound."""

from pathlib import Path

import pytest

from thinkpane.workspace import tokenizer_choices
from thinkpane.workspace.tokenizer_choices import TokenizerChoices


def test_a_choice_is_kept_and_taken_back(tmp_path: Path) -> None:
    file = tmp_path / "tokenizers.json"
    choices = TokenizerChoices(file)
    choices.choose("chatml", "none")
    choices.choose("hf:o/m", "cl100k_base")
    again = TokenizerChoices(file)
    assert (again.of("chatml"), again.of("hf:o/m"), again.of("glm-5.2")) == ("none", "cl100k_base", "")
    assert again.refs() == ["cl100k_base", "none"]
    again.choose("chatml", "")
    assert TokenizerChoices(file).of("chatml") == ""


def test_one_for_a_pasted_text_is_not_the_next_pasted_text_s(tmp_path: Path) -> None:
    choices = TokenizerChoices(tmp_path / "tokenizers.json")
    choices.choose("", "http://127.0.0.1:8080")
    assert choices.of("") == "http://127.0.0.1:8080"
    assert TokenizerChoices(tmp_path / "tokenizers.json").of("") == ""
    (tmp_path / "before.json").write_text('{"": "http://127.0.0.1:8080", "chatml": "none", "x": 1}', encoding="utf-8")
    before = TokenizerChoices(tmp_path / "before.json")
    assert (before.of(""), before.of("chatml"), before.of("x")) == ("", "none", "")


@pytest.mark.parametrize("content", ["", "[1]", "{", '"x"'])
def test_a_file_that_says_nothing_is_none(tmp_path: Path, content: str) -> None:
    file = tmp_path / "tokenizers.json"
    file.write_text(content, encoding="utf-8")
    assert TokenizerChoices(file).of("chatml") == ""


def test_the_oldest_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizer_choices, "MOST", 2)
    choices = TokenizerChoices(tmp_path / "tokenizers.json")
    for template in ("a", "b", "a", "c"):
        choices.choose(template, "none")
    kept = TokenizerChoices(tmp_path / "tokenizers.json")
    assert [kept.of(each) for each in "abc"] == ["none", "", "none"]
