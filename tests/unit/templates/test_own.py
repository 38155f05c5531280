"""Own templates are found by id, read to the byte, and never hide a built-in one."""

from pathlib import Path

import pytest

from thinkpane.errors import ThinkpaneError
from thinkpane.folders import folders
from thinkpane.templates import own
from thinkpane.templates.library import load

ODD = "{{ x }}\r\n\u00a0\u2028\r{# é #}\n"


def put(id: str, source: str = ODD, toml: str | None = None) -> Path:
    """Writes an own template by hand."""
    folder = folders().own_templates / id
    folder.mkdir(parents=True)
    (folder / "template.jinja").write_bytes(source.encode())
    if toml is not None:
        (folder / "template.toml").write_text(toml, encoding="utf-8")
    return folder


def test_own_template_is_a_ref_and_comes_to_the_byte() -> None:
    assert own.ids() == ()
    put("mine", toml='title = "Mine"\norigin = ""\nlicence = ""\neos = "</s>"\nspecial_tokens = []\n')
    put("bare")
    assert own.ids() == ("bare", "mine")
    found = load("mine")
    assert (found.source, found.title, found.built_in) == (ODD, "Mine", False)
    assert found.variables == {"eos_token": "</s>"}
    assert load("bare").title == "bare"


def test_other_folders_and_built_in_ids_are_no_own_templates() -> None:
    put("chatml", "mine")
    put("Not An Id")
    (folders().own_templates / "empty").mkdir()
    assert "Not An Id" not in own.ids()
    assert "empty" not in own.ids()
    assert load("chatml").built_in


def test_a_damaged_one_is_listed_and_says_why() -> None:
    put("broken", toml="title = ")
    (folders().own_templates / "broken" / "template.toml").write_text("title = ")
    (found,) = own.all_own()
    assert (found.id, found.title) == ("broken", "broken")
    assert "not valid TOML" in found.notes[0]
    put("latin").joinpath("template.jinja").write_bytes(b"\xff")
    with pytest.raises(ThinkpaneError, match="not UTF-8"):
        load("latin")


def test_it_has_no_named_ones() -> None:
    put("mine")
    assert load("mine", "default").source == ODD
    with pytest.raises(ThinkpaneError, match="no named templates"):
        load("mine", "tool_use")


@pytest.mark.parametrize(
    ("title", "id"),
    [
        ("Protium 1.0 (mine)", "protium-1.0-mine"),
        ("  Ärger! ", "rger"),
        ("漢字", ""),
        ("a" * 99, "a" * 64),
        ("..x..", "x"),
    ],
)
def test_id_of_a_title(title: str, id: str) -> None:
    assert own.id_for(title) == id


@pytest.mark.parametrize("id", ["", "chatml", "a/b", "..", "x.jinja", "Ab", "-a", "a" * 65, "a\n"])
def test_ids_that_cannot_be(id: str) -> None:
    with pytest.raises(ThinkpaneError):
        own.check_id(id)
