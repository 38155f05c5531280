"""Edited texts stay with the document when it takes another template, and come back with theirs."""

from thinkpane.templates.edited import EditedTemplate, KeptEdit
from thinkpane.workspace.document_file import document_from_json, document_to_json
from thinkpane.workspace.kept_edits import MOST_KEPT, with_own_text, with_template
from thinkpane.workspace.state import DocumentState

EDIT = EditedTemplate("edited", {"bos_token": "<s>"}, ("<s>",))
OTHER = EditedTemplate("other text", {})


def test_an_edit_goes_and_comes_with_its_template() -> None:
    begun = DocumentState(template="a", edited=EDIT)
    gone = with_template(begun, "b")
    assert (gone.template, gone.edited, gone.kept_edits) == ("b", None, (KeptEdit("a", "", EDIT),))
    back = with_template(gone, "a")
    assert (back.template, back.edited, back.kept_edits) == ("a", EDIT, ())


def test_named_texts_of_one_template_have_edits_of_their_own() -> None:
    begun = DocumentState(template="a", template_name="tool_use", edited=EDIT)
    plain = with_template(begun, "a", "")
    assert (plain.template_name, plain.edited) == ("", None)
    assert with_template(plain, "a", "tool_use").edited == EDIT


def test_a_text_without_original_is_kept_too_and_each_of_several() -> None:
    first = with_own_text(DocumentState(template="a"), EDIT)
    assert (first.template, first.edited, first.kept_edits) == ("", EDIT, ())
    second = with_own_text(first, OTHER)
    assert second.kept_edits == (KeptEdit("", "", EDIT),)
    third = with_template(second, "a")
    assert [each.edited for each in third.kept_edits] == [OTHER, EDIT]
    assert with_template(third, "").edited == OTHER


def test_the_newest_edit_of_a_template_is_the_one_that_is_kept() -> None:
    old = DocumentState(template="a", edited=OTHER, kept_edits=(KeptEdit("a", "", EDIT), KeptEdit("b", "", EDIT)))
    assert with_template(old, "c").kept_edits == (KeptEdit("a", "", OTHER), KeptEdit("b", "", EDIT))


def test_there_is_a_bound() -> None:
    state = DocumentState(template="0", edited=EDIT)
    for number in range(1, MOST_KEPT + 4):
        state = with_own_text(state, EditedTemplate(str(number)))
    assert len(state.kept_edits) == MOST_KEPT
    assert state.kept_edits[0].edited.source == str(MOST_KEPT + 2)


def test_a_file_keeps_them() -> None:
    kept = (KeptEdit("a", "tool_use", EDIT), KeptEdit("", "", EditedTemplate("own", None, (), {"more": 1})))
    state = DocumentState(kept_edits=kept)
    assert document_from_json(document_to_json(state)) == state
    assert "kept_edits" not in document_to_json(DocumentState())
