"""The open document: undo, merging of steps, what listeners hear, and when it counts as modified."""

from dataclasses import replace
from pathlib import Path

import pytest

from support.clock import Clock
from thinkpane.errors import ThinkpaneError
from thinkpane.workspace.document import PARTS, Change, Document
from thinkpane.workspace.document_file import read_document
from thinkpane.workspace.state import DocumentState


def change(document: Document, template: str, merge: str = "", parts: tuple[str, ...] = ("template",)) -> None:
    document.change(replace(document.state, template=template), parts, "test", f"to {template}", merge)


def test_undo_and_redo_go_through_the_steps() -> None:
    document = Document()
    change(document, "a")
    change(document, "b")
    assert (document.undo_label, document.redo_label) == ("to b", "")
    document.undo()
    assert document.state.template == "a"
    assert (document.undo_label, document.redo_label) == ("to a", "to b")
    document.undo()
    assert not document.can_undo
    document.undo()
    document.redo()
    document.redo()
    assert document.state.template == "b"
    assert not document.can_redo
    document.redo()
    document.undo()
    change(document, "c")
    assert not document.can_redo


def test_quick_steps_of_one_kind_are_one_step() -> None:
    clock = Clock()
    document = Document(clock=clock)
    for text in ("x", "xy", "xyz"):
        change(document, text, "typing")
        clock.now += 0.9
    document.undo()
    assert document.state.template == "chatml"
    document.redo()
    assert document.state.template == "xyz"


@pytest.mark.parametrize("between", ["time", "other kind", "undo", "save"])
def test_what_ends_a_merged_step(between: str, tmp_path: Path) -> None:
    clock = Clock()
    document = Document(clock=clock)
    change(document, "x", "typing")
    if between == "time":
        clock.now += 1.1
    elif between == "other kind":
        change(document, "x2", "other")
    elif between == "undo":
        change(document, "x2")
        document.undo()
    else:
        document.save_as(tmp_path / "a.thinkpane.json")
    before = document.state
    change(document, "xy", "typing")
    document.undo()
    assert document.state is before


def test_listeners_hear_parts_and_cause() -> None:
    document = Document()
    heard: list[Change] = []
    end = document.listen(heard.append)
    change(document, "a", "typing")
    change(document, "b", "typing", ("variables",))
    document.undo()
    document.change(document.state, ["template"], "test", "nothing")
    assert heard == [
        Change(frozenset({"template"}), "test"),
        Change(frozenset({"variables"}), "test"),
        Change(frozenset({"template", "variables"}), "undo"),
    ]
    end()
    end()
    document.redo()
    assert len(heard) == 3


def test_unknown_parts_are_refused() -> None:
    with pytest.raises(ValueError, match="mesages"):
        change(Document(), "a", parts=("mesages",))


def test_modified_until_saved_or_undone(tmp_path: Path) -> None:
    document = Document()
    path = tmp_path / "a.thinkpane.json"
    seen = [document.is_modified]
    change(document, "a")
    seen.append(document.is_modified)
    document.undo()
    seen.append(document.is_modified)
    document.redo()
    document.save_as(path)
    seen.append(document.is_modified)
    assert seen == [False, True, False, False]
    assert document.path == path
    change(document, "b")
    document.save()
    assert read_document(path).template == "b"
    document.undo()
    assert document.is_modified


def test_open_starts_over_and_tells_everyone(tmp_path: Path) -> None:
    path = tmp_path / "a.thinkpane.json"
    Document(DocumentState(template="glm-5.2")).save_as(path)
    document = Document()
    change(document, "x")
    heard: list[Change] = []
    document.listen(heard.append)
    document.open(path)
    assert heard == [Change(PARTS, "open")]
    assert document.state.template == "glm-5.2"
    assert not document.can_undo
    assert not document.is_modified
    document.new()
    assert document.path is None
    assert document.state == DocumentState()


def test_failed_open_and_save_change_nothing(tmp_path: Path) -> None:
    document = Document()
    change(document, "x")
    with pytest.raises(ThinkpaneError):
        document.open(tmp_path / "gone.json")
    with pytest.raises(ThinkpaneError):
        document.save_as(tmp_path)
    assert document.state.template == "x"
    assert document.path is None
    assert document.is_modified
    with pytest.raises(ValueError, match="no file"):
        document.save()


def test_restored_work_counts_as_modified(tmp_path: Path) -> None:
    document = Document()
    document.restore(DocumentState(template="x"), tmp_path / "a.thinkpane.json")
    assert document.is_modified
    assert document.path == tmp_path / "a.thinkpane.json"


def test_a_step_that_is_taken_back_never_was_and_later_ones_stay() -> None:
    document = Document()
    first = document.state
    change(document, "new")
    document.change(replace(document.state, profile="vllm"), ["profile"], "test", "Choose profile")
    document.change(replace(document.state, model="m"), ["endpoint"], "test", "Choose model")
    document.undo()
    heard: list[Change] = []
    document.listen(heard.append)
    document.take_back(first, ["template"], "back", lambda state: replace(state, template=first.template))
    assert heard == [Change(frozenset({"template"}), "back")]
    assert (document.state.template, document.state.profile) == (first.template, "vllm")
    document.redo()
    assert (document.state.template, document.state.model) == (first.template, "m")
    document.undo()
    document.undo()
    assert document.state is first
    assert not document.can_undo
    assert not document.is_modified


def test_nothing_is_taken_back_where_no_step_began() -> None:
    document = Document()
    change(document, "new")
    now = document.state
    document.take_back(now, ["template"], "back", lambda state: replace(state, template="other"))
    assert document.state is now
