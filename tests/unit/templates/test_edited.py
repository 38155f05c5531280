"""An edited template keeps all but its text; its file form is whole where the original is out of reach."""

import pytest

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.templates.edited import EditedTemplate, edit_of, edited_from_json, edited_to_json, load_edited
from thinkpane.templates.named import choose
from thinkpane.templates.template import GO, Template

ORIGINAL = Template(
    "a",
    "old",
    title="A",
    named={"default": "old", "tool_use": "tools"},
    variables={"bos_token": "<s>"},
    special_tokens=("<s>", "</s>"),
    syntax=GO,
)


def missing(ref: str) -> Template:
    raise ThinkpaneError(Problem("file", f"There is no file “{ref}”."))


def test_edit_takes_the_place_of_every_named_text() -> None:
    found = load_edited(lambda _ref: ORIGINAL, "a", edit_of(ORIGINAL, "new"))
    assert (found.id, found.title, found.source, found.special_tokens) == ("a", "A", "new", ("<s>", "</s>"))
    assert choose(found, "", has_tools=True) == "new"


def test_what_is_remembered_stands_in_for_an_original_that_is_gone() -> None:
    found = load_edited(missing, "a", edit_of(ORIGINAL, "new"))
    assert (found.id, found.source, found.variables) == ("a", "new", {"bos_token": "<s>"})
    assert found.special_tokens == ("<s>", "</s>")
    assert "There is no file “a”." in found.notes[0]


def test_text_without_what_is_remembered_needs_its_original() -> None:
    with pytest.raises(ThinkpaneError, match="There is no file “a”"):
        load_edited(missing, "a", EditedTemplate("new"))


def test_text_without_an_original_stands_alone() -> None:
    assert load_edited(missing, "", EditedTemplate("new")).source == "new"


@pytest.mark.parametrize(
    "edited",
    [EditedTemplate("a\r\nb\u2028\u00a0\x00"), edit_of(ORIGINAL, ""), EditedTemplate("x", {}, (), {"note": [1]})],
)
@pytest.mark.parametrize("ref", ["", "chatml"])
def test_file_form_comes_back(edited: EditedTemplate, ref: str) -> None:
    assert edited_from_json(edited_to_json(ref, edited)) == (ref, edited)


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"ref": 1, "source": ""},
        {"source": None},
        {"source": "", "variables": []},
        {"source": "", "special_tokens": [1]},
    ],
)
def test_other_shapes_are_refused(value: dict[str, object]) -> None:
    with pytest.raises(ThinkpaneError, match="“template"):
        edited_from_json(value)  # type: ignore[arg-type]  # that is what is tested
