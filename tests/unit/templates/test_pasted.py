"""Pasted text: Jinja exactly as it is, JSON that holds a template, and what looks damaged."""

import json

import pytest

from thinkpane.errors import ThinkpaneError
from thinkpane.templates.library import from_pasted


@pytest.mark.parametrize("text", ["{{ x }}\r\n ", "{% if a %}{% endif %}", '{"a": {{ x }}}', "[1, 2] {{ x }}"])
def test_jinja_is_taken_exactly(text: str) -> None:
    template = from_pasted(text)
    assert (template.source, template.title, template.notes) == (text, "Pasted template", ())


def test_a_tokenizer_config_gives_its_template_and_tokens() -> None:
    config = {"chat_template": [{"name": "default", "template": "{{ a }}"}], "bos_token": {"content": "<s>"}}
    template = from_pasted("\n" + json.dumps(config), id="mine")
    assert (template.id, template.source, template.variables) == ("mine", "{{ a }}", {"bos_token": "<s>"})
    assert template.special_tokens == ("<s>",)


def test_a_malformed_config_is_one_sentence() -> None:
    with pytest.raises(ThinkpaneError, match="must be a text or a list"):
        from_pasted('{"chat_template": 5}')


def test_damage_is_told_and_nothing_is_changed() -> None:
    text = "```\n{{ x }}\n```"
    template = from_pasted(text)
    assert template.source == text
    assert "fenced block" in template.notes[0]
    [note] = from_pasted('{"messages": []}').notes
    assert "no template here" in note
