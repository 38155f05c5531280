"""Templates and special tokens in a model's own files."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates import library
from thinkpane.templates.template import Template

CONFIG: dict[str, JsonValue] = {
    "bos_token": "<s>",
    "eos_token": {"content": "</s>", "lstrip": False},
    "unk_token": None,
    "image_token": "<image>",
    "add_bos_token": True,
    "additional_special_tokens": ["<a>", {"content": "<b>"}],
    "extra_special_tokens": {"boi_token": "<boi>"},
    "added_tokens_decoder": {
        "0": {"content": "<s>", "special": True},
        "1": {"content": "<c>", "special": True},
        "2": {"content": "plain", "special": False},
    },
}
NAMED: list[JsonValue] = [
    {"name": "default", "template": "D"},
    {"name": "tool_use", "template": "T"},
    {"name": "rag", "template": "R"},
]


def write(path: Path, value: Mapping[str, JsonValue]) -> str:
    """The path of a JSON file that holds `value`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)


def test_tokens_become_variables_and_special_tokens(tmp_path: Path) -> None:
    template = library.load(write(tmp_path / "tokenizer_config.json", {**CONFIG, "chat_template": "x"}))
    assert template.source == "x"
    assert template.named == {}
    assert template.title == tmp_path.name
    assert template.variables == {
        "bos_token": "<s>",
        "eos_token": "</s>",
        "image_token": "<image>",
        "boi_token": "<boi>",
    }
    assert template.special_tokens == ("<s>", "</s>", "<image>", "<boi>", "<a>", "<b>", "<c>")


def test_a_list_has_names_and_a_name_picks_the_source(tmp_path: Path) -> None:
    ref = write(tmp_path / "tokenizer_config.json", {"chat_template": NAMED})
    assert library.load(ref).source == "D"
    assert library.load(ref, "rag").source == "R"
    assert library.load(ref).named == {"default": "D", "tool_use": "T", "rag": "R"}
    with pytest.raises(ThinkpaneError, match="no template called “x”; it has: default, rag, tool_use"):
        library.load(ref, "x")


def test_a_processors_file(tmp_path: Path) -> None:
    assert library.load(write(tmp_path / "chat_template.json", {"chat_template": "P"})).source == "P"


def test_choose_takes_the_name_then_tool_use_then_the_default(tmp_path: Path) -> None:
    template = library.load(write(tmp_path / "tokenizer_config.json", {"chat_template": NAMED}))
    assert library.choose(template, "rag", True) == "R"
    assert library.choose(template, "default", True) == "D"
    assert library.choose(template, "", True) == "T"
    assert library.choose(template, "", False) == "D"
    with pytest.raises(ThinkpaneError, match="no template called “x”"):
        library.choose(template, "x", False)


def test_choose_without_a_default_asks_for_a_name() -> None:
    template = Template(id="m", source="T", named={"tool_use": "T", "rag": "R"})
    assert library.choose(template, "", True) == "T"
    with pytest.raises(ThinkpaneError, match="several templates and no default; name one of: rag, tool_use"):
        library.choose(template, "", False)


def test_choose_of_a_single_template_knows_only_default() -> None:
    template = library.from_source("S", id="one")
    assert library.choose(template, "", True) == "S"
    assert library.choose(template, "default", False) == "S"
    with pytest.raises(ThinkpaneError, match="“one” has no template called “tool_use”; it has: default"):
        library.choose(template, "tool_use", True)


def test_a_folders_jinja_files_win_over_its_config(tmp_path: Path) -> None:
    write(tmp_path / "tokenizer_config.json", {**CONFIG, "chat_template": NAMED})
    write(tmp_path / "chat_template.json", {"chat_template": "P"})
    assert library.load(str(tmp_path)).named == {"default": "D", "tool_use": "T", "rag": "R"}
    (tmp_path / "chat_template.jinja").write_text("J", encoding="utf-8")
    template = library.load(str(tmp_path))
    assert (template.source, template.named) == ("J", {})
    assert template.variables["eos_token"] == "</s>"
    further = tmp_path / "additional_chat_templates"
    further.mkdir()
    (further / "tool_use.jinja").write_text("JT", encoding="utf-8")
    assert library.load(str(tmp_path)).named == {"default": "J", "tool_use": "JT"}
    assert library.load(str(tmp_path), "tool_use").source == "JT"


def test_a_folders_processor_file_comes_last(tmp_path: Path) -> None:
    write(tmp_path / "tokenizer_config.json", CONFIG)
    write(tmp_path / "chat_template.json", {"chat_template": "P"})
    assert library.load(str(tmp_path)).source == "P"


def test_a_folders_token_map_fills_in_what_the_config_leaves_out(tmp_path: Path) -> None:
    (tmp_path / "chat_template.jinja").write_text("J", encoding="utf-8")
    write(tmp_path / "special_tokens_map.json", {"bos_token": "<old>", "pad_token": {"content": "<pad>"}})
    write(tmp_path / "tokenizer_config.json", {"bos_token": "<s>", "pad_token": None})
    assert library.load(str(tmp_path)).variables == {"bos_token": "<s>", "pad_token": "<pad>"}


def test_a_folder_without_a_template_says_where_it_looked(tmp_path: Path) -> None:
    with pytest.raises(ThinkpaneError, match=r"has no chat template: none of chat_template\.jinja"):
        library.load(str(tmp_path))
