"""What a pasted text is recognised as, and what is said of it."""

import json
from pathlib import Path

import pytest

from thinkpane.errors import ThinkpaneError
from thinkpane.workspace.importers._api import Imported, Importer
from thinkpane.workspace.importers._registry import all_importers, recognise

SEEDS = Path(__file__).parents[2] / "data" / "seeds"


def seed(number: str) -> str:
    [file] = SEEDS.glob(f"{number}_*.txt")
    return file.read_bytes().decode("utf-8")


def test_every_importer_has_a_name_of_its_own_and_a_place() -> None:
    names = [each.name for each in all_importers()]
    assert len(set(names)) == len(names)
    assert [each.order for each in all_importers()] == sorted(each.order for each in all_importers())


@pytest.mark.parametrize("importer", all_importers(), ids=lambda each: each.name)
@pytest.mark.parametrize("paste", ["", "{", "plain words", '{"messages": []}', "\x00", "[1, 2]", "curl http://x"])
def test_what_is_of_no_known_format_is_left_alone(importer: Importer, paste: str) -> None:
    assert importer.read(paste) is None


@pytest.mark.parametrize(
    ("paste", "template", "warnings"),
    [
        (
            "| {%- for m in messages %} | |\n| {{- m.content }} | |\n| {%- endfor %} | |",
            "{%- for m in messages %}\n{{- m.content }}\n{%- endfor %}",
            ("table-pipes-removed",),
        ),
        (
            "{% for m in messages %}{{ m.content }}{% endfor %}\n\nGLM 5.2 BF16",
            "{% for m in messages %}{{ m.content }}{% endfor %}\n\nGLM 5.2 BF16",
            ("text-after-last-tag:GLM 5.2 BF16",),
        ),
        ("```jinja\n{{ bos_token }}\n```", "{{ bos_token }}", ("markdown-fence-removed",)),
        ("{{ bos_token }}", "{{ bos_token }}", ()),
        ("\ufeff{{ bos_token }}", "{{ bos_token }}", ()),
    ],
)
def test_a_template_with_what_it_was_copied_from(paste: str, template: str, warnings: tuple[str, ...]) -> None:
    assert recognise(paste) == Imported("template", template, warnings=warnings)


@pytest.mark.parametrize(
    ("number", "warnings"),
    [
        ("000", ("folded-line-breaks:1", "stripped-tags:1")),
        ("001", ("text-after-last-tag:GLM 5.2 BF16", "folded-line-breaks:1", "stripped-tags:1")),
        ("004", ("table-pipes-removed", "folded-indentation:2")),
    ],
)
def test_seeds_are_recognised_and_their_damage_said(number: str, warnings: tuple[str, ...]) -> None:
    found = recognise(seed(number))
    assert (found.format, found.warnings) == ("template", warnings)


def test_a_document_is_no_template() -> None:
    with pytest.raises(ThinkpaneError, match="none of the formats that can be read: tokenizer_config, template"):
        recognise(seed("003"))


def test_a_tokenizer_config_gives_its_templates_and_tokens() -> None:
    config = {"chat_template": [{"name": "default", "template": "{{ 1 }}"}, {"name": "rag", "template": "{{ 2 }}"}]}
    found = recognise(json.dumps(config | {"bos_token": {"content": "<s>"}}))
    assert found.format == "tokenizer_config"
    assert found.template == "{{ 1 }}"
    assert found.templates == {"default": "{{ 1 }}", "rag": "{{ 2 }}"}
    assert found.as_json()["variables"] == {"bos_token": "<s>"}


def test_a_faulty_tokenizer_config_is_told() -> None:
    with pytest.raises(ThinkpaneError, match="chat_template"):
        recognise('{"chat_template": 3}')
