"""Which template each runtime takes of a model's folder."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from thinkpane.templates import library
from thinkpane.templates.template import Template


def load(folder: Path, files: Mapping[str, object]) -> Template:
    for name, value in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return library.load(str(folder))


def taken(template: Template) -> dict[str, str | None]:
    return {
        each.runtime.split()[-1].strip("()"): each.taken.source if each.taken else None for each in template.choices
    }


JINJA, LIST = "chat_template.jinja", [{"name": "rag", "template": "R"}, {"name": "default", "template": "C"}]


def test_one_text_needs_no_warning(tmp_path: Path) -> None:
    template = load(tmp_path, {JINJA: "A", "tokenizer_config.json": {"chat_template": "A"}})
    assert set(taken(template).values()) == {"A"}
    assert template.notes == ()
    assert [each.place for each in template.found] == [JINJA, "tokenizer_config.json"]


def test_tokenizers_and_the_converter_disagree(tmp_path: Path) -> None:
    template = load(tmp_path, {JINJA: "J", "tokenizer_config.json": {"chat_template": "C"}})
    assert template.source == "J"
    assert taken(template) == {"tokenizer": "J", "Ollama": "C", "vLLM": "J", "SGLang": "J"}
    [note] = template.notes
    assert "chat_template.jinja (transformers (tokenizer), vLLM, SGLang)" in note
    assert "tokenizer_config.json (GGUF converter" in note


def test_a_processor_s_json_beats_the_jinja_file(tmp_path: Path) -> None:
    template = load(tmp_path, {JINJA: "J", "chat_template.json": {"chat_template": "P"}})
    assert taken(template) == {"tokenizer": "J", "processor": "P", "Ollama": "J", "vLLM": "P", "SGLang": "J"}


def test_a_processor_refuses_json_with_additional_files(tmp_path: Path) -> None:
    files = {JINJA: "J", "additional_chat_templates/rag.jinja": "R", "chat_template.json": {"chat_template": "P"}}
    template = load(tmp_path, files)
    assert taken(template)["processor"] is None
    assert taken(template)["vLLM"] == "J"
    assert any("processor) takes no template here. It refuses" in note for note in template.notes)


@pytest.mark.parametrize("config", ["preprocessor_config.json", "processor_config.json"])
def test_a_processor_reads_no_tokenizer_config(tmp_path: Path, config: str) -> None:
    template = load(tmp_path, {config: {}, "tokenizer_config.json": {"chat_template": "C"}})
    assert taken(template) == {"tokenizer": "C", "processor": None, "Ollama": "C", "vLLM": "C", "SGLang": "C"}


def test_sglang_takes_the_first_of_a_list(tmp_path: Path) -> None:
    template = load(tmp_path, {"tokenizer_config.json": {"chat_template": LIST}})
    assert template.source == "C"
    assert taken(template) == {"tokenizer": "C", "Ollama": "C", "vLLM": "C", "SGLang": "R"}
    assert "“rag” in tokenizer_config.json (SGLang)" in template.notes[0]


def test_several_without_a_default_need_a_name(tmp_path: Path) -> None:
    files = {"additional_chat_templates/a.jinja": "A", "additional_chat_templates/b.jinja": "B"}
    template = load(tmp_path, files)
    assert taken(template) == {"tokenizer": None, "Ollama": None, "vLLM": None, "SGLang": "A"}


def test_only_a_processor_s_template_is_shown(tmp_path: Path) -> None:
    template = load(tmp_path, {"chat_template.json": {"chat_template": "P"}})
    assert template.source == "P"
    assert taken(template) == {"tokenizer": None, "processor": "P", "Ollama": "P", "vLLM": "P", "SGLang": None}
