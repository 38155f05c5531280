"""Another template for a document: the edited text of the one before is kept, and comes back with its template."""

from dataclasses import replace

from thinkpane.templates.edited import EditedTemplate, KeptEdit
from thinkpane.workspace.state import DocumentState

MOST_KEPT = 16
"""Edited texts that one document keeps beside the one in force; the oldest goes, and undo still has it."""


def with_template(state: DocumentState, ref: str, name: str = "") -> DocumentState:
    """The state with the template `ref` and its named text `name`, with the edit of that which was kept, if any."""
    left = with_edit_kept(state)
    found = next((each for each in left.kept_edits if (each.ref, each.name) == (ref, name)), None)
    rest = tuple(each for each in left.kept_edits if each is not found)
    edited = found.edited if found is not None else None
    return replace(left, template=ref, template_name=name, edited=edited, kept_edits=rest)


def with_own_text(state: DocumentState, edited: EditedTemplate) -> DocumentState:
    """The state with a text that has no original."""
    return replace(with_edit_kept(state), template="", template_name="", edited=edited)


def with_edit_kept(state: DocumentState) -> DocumentState:
    """The state whose edit is kept and no longer in force; of one REF's named text the newest, of own texts all."""
    edited = state.edited
    if edited is None:
        return state
    newest = KeptEdit(state.template, state.template_name, edited)
    others = (each for each in state.kept_edits if not _gives_way(each, newest))
    return replace(state, edited=None, kept_edits=(newest, *others)[:MOST_KEPT])


def _gives_way(old: KeptEdit, new: KeptEdit) -> bool:
    if old.ref:
        return (old.ref, old.name) == (new.ref, new.name)
    return old.edited == new.edited
