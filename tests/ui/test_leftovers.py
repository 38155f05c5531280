"""What a crash left behind: told apart, restored one by one, and on the disk until it is kept anew."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from support.services import PatientServices
from support.windows import Answer, add
from thinkpane.conversation import edits
from thinkpane.conversation.messages import message
from thinkpane.ui.document_files import first_document
from thinkpane.ui.main_window import MainWindow
from thinkpane.workspace.autosave import Leftover, claim_leftovers
from thinkpane.workspace.document_file import document_to_json
from thinkpane.workspace.state import DocumentState


def leave(folder: Path, name: str, text: str, when: str) -> None:
    state = DocumentState(template="glm-5.2")
    talk = edits.add(state.conversation, message("user", text))
    found = {"saved_at": when, "path": None, "document": document_to_json(replace(state, conversation=talk))}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(found))


@pytest.fixture
def two_left(make_window: Callable[[DocumentState], MainWindow], services: PatientServices) -> MainWindow:
    leave(services.folders.autosaves, "a", "first words of one", "2026-01-02T10:00:00+00:00")
    leave(services.folders.autosaves, "b", "first words of two", "2026-01-01T10:00:00+00:00")
    window = make_window(first_document())
    window.restore()
    return window


def test_leftovers_are_told_apart(two_left: MainWindow) -> None:
    sentence = two_left.layout_.banner.sentence.text()
    for words in ("02 January", "“first words of one”", "1 message", "glm-5.2", "bytes", "1 more after it"):
        assert words in sentence


def test_restoring_asks_about_what_was_typed(
    two_left: MainWindow, services: PatientServices, answers: list[Answer]
) -> None:
    add(two_left, "typed meanwhile")
    answers.append(Answer.Cancel)
    two_left.layout_.banner.choices[0].click()
    assert two_left.document.state.conversation.messages[-1].text == "typed meanwhile"
    assert "first words of one" in two_left.layout_.banner.sentence.text(), "it is asked about again"
    assert (services.folders.autosaves / "a.json").exists()
    answers.append(Answer.Discard)
    two_left.layout_.banner.choices[0].click()
    assert [each.text for each in two_left.document.state.conversation.messages] == ["first words of one"]


def test_a_second_restore_does_not_destroy_the_first(
    two_left: MainWindow, services: PatientServices, answers: list[Answer]
) -> None:
    two_left.layout_.banner.choices[0].click()
    assert "first words of two" in two_left.layout_.banner.sentence.text()
    answers.append(Answer.Cancel)
    two_left.layout_.banner.choices[0].click()
    assert [each.text for each in two_left.document.state.conversation.messages] == ["first words of one"]
    assert (services.folders.autosaves / "b.json").exists()
    two_left.layout_.banner.choices[1].click()
    assert two_left.layout_.banner.isHidden()
    kept = claim_leftovers(services.folders.autosaves)
    assert [each.state and each.state.conversation.messages[0].text for each in kept] == ["first words of two"]


def test_what_was_restored_leaves_the_disk_only_when_it_is_kept_anew(
    two_left: MainWindow, services: PatientServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    autosave = two_left.files._autosave
    assert autosave is not None
    monkeypatch.setattr(type(autosave), "flush", lambda *_: False)
    discarded: list[Leftover] = []
    monkeypatch.setattr(Leftover, "discard", discarded.append)
    two_left.layout_.banner.choices[0].click()
    assert discarded == []
