"""What is said of a template's source."""

from pathlib import Path

import pytest

from thinkpane.templates import library
from thinkpane.templates.named import found_texts
from thinkpane.templates.ollama import go_or_jinja
from thinkpane.templates.template import FoundTemplate, RuntimeChoice, Template
from thinkpane.ui.models import source_facts as facts

ONE = FoundTemplate("chat_template.jinja", "default", "one")
TWO = FoundTemplate("tokenizer_config.json", "default", "two")
CHOICES = (RuntimeChoice("vLLM", ONE, "why"), RuntimeChoice("SGLang", TWO, "why"), RuntimeChoice("other", None, "no"))
FOLDER = Template("x", "one", found=(ONE, TWO), choices=CHOICES, notes=("Runtimes take different templates",))


@pytest.mark.parametrize(
    ("template", "line"),
    [
        (Template("x", ""), "no special tokens come with it"),
        (Template("x", "", variables={"bos_token": "", "eos_token": "</s>"}), "eos_token “</s>”"),
        (
            Template("x", "", variables={"bos_token": "<s>"}, special_tokens=("<s>",), tokens_from="a.json"),
            "bos_token “<s>”, 1 special token, from a.json",
        ),
        (Template("x", "", special_tokens=("<a>", "<b>")), "2 special tokens"),
        (Template("x", "", variables={"bos_token": "b" * 30}), f"bos_token “{'b' * 24}…”"),
    ],
)
def test_tokens_with_where_they_stand(template: Template, line: str) -> None:
    assert facts.tokens_line(template) == line


def test_a_texts_takers_and_the_runtimes_lines() -> None:
    assert facts.takers(FOLDER, ONE) == ("vLLM",)
    assert facts.runtime_lines(FOLDER) == (
        ("vLLM", "chat_template.jinja", "why"),
        ("SGLang", "tokenizer_config.json", "why"),
        ("other", "none", "no"),
    )


def test_the_notes_in_short() -> None:
    assert facts.warning(FOLDER) == "runtimes differ"
    assert facts.warning(Template("x", "", notes=("a", "b"))) == "2 notes"
    assert facts.warning(Template("x", "")) == ""
    assert facts.warning(go_or_jinja("r", "{{ .Prompt }}", "", title="t", origin="o")) == "not rendered"


def test_texts_of_a_source_that_lists_none() -> None:
    assert [each.source for each in found_texts(Template("x", "text"))] == ["text"]
    named = Template("x", "a", named={"default": "a", "rag": "b"})
    assert [(each.name, each.source) for each in found_texts(named)] == [("default", "a"), ("rag", "b")]
    assert facts.is_named(named, found_texts(named)[1])


def test_a_text_elsewhere_in_a_folder_is_opened_by_its_file(tmp_path: Path) -> None:
    (tmp_path / "chat_template.jinja").write_text("one")
    (tmp_path / "tokenizer_config.json").write_text('{"chat_template": "two"}')
    template = library.load(str(tmp_path))
    [_, config] = found_texts(template)
    assert facts.ref_for(template, config) == str(tmp_path / "tokenizer_config.json")
    assert facts.ref_for(FOLDER, ONE) == ""


@pytest.mark.parametrize(
    ("ref", "name"),
    [
        ("hf:a/b@main", "a/b@main"),
        ("http://127.0.0.1:8080", "127.0.0.1:8080"),
        ("ollama+http://h:1#m", "h:1#m"),
        ("ollama:qwen3:8b", "qwen3:8b"),
        ("/models/own.jinja", "own.jinja"),
        ("/models/qwen/chat_template.jinja", "qwen/chat_template.jinja"),
        ("/", "/"),
    ],
)
def test_a_ref_by_a_short_name(ref: str, name: str) -> None:
    assert facts.short_name(ref) == name


def test_which_is_taken_by_itself() -> None:
    named = Template("x", "a", named={"default": "a", "tool_use": "b"})
    assert (facts.default_name(named, False), facts.default_name(named, True)) == ("default", "tool_use")
    assert facts.default_name(Template("x", "a", named={"rag": "a"}), True) == ""
