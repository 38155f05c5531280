"""Documents and templates that are opened, saved, dropped on the window, or left by a crash."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from support.services import PatientServices
from support.windows import prompt_with
from thinkpane.ui.document_files import SAMPLES, first_document
from thinkpane.ui.main_window import MainWindow
from thinkpane.workspace.document_file import read_document, write_document
from thinkpane.workspace.state import DocumentState


def test_files_open_save_and_are_remembered(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "talk.thinkpane.json"
    write_document(path, replace(first_document(), template="chatml"))
    assert window.files.open(path)
    assert window.windowTitle() == "talk – Thinkpane"
    assert [window.layout_.recent.item(0).text()] == ["talk"]
    window.choices.use_template("llama-3")
    assert window.windowTitle().startswith("*talk")
    assert window.files.save()
    assert window.windowTitle() == "talk – Thinkpane"
    assert read_document(path).template == "llama-3"


def test_the_open_file_alone_is_lit_in_the_list(window: MainWindow, tmp_path: Path) -> None:
    path, recent = tmp_path / "talk.thinkpane.json", window.layout_.recent
    write_document(path, first_document())
    for leave in (window.files.new, lambda: window.files.open_sample(next(iter(SAMPLES)))):
        assert window.files.open(path)
        assert [item.text() for item in recent.selectedItems()] == ["talk"]
        leave()
        assert [recent.item(row).text() for row in range(recent.count())] == ["talk"]
        assert recent.selectedItems() == []
        assert recent.currentRow() == -1


def test_a_file_that_is_no_document_is_one_sentence(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "bad.thinkpane.json"
    path.write_text("{")
    before = window.document.state
    assert not window.files.open(path)
    assert window.document.state is before
    assert "bad.thinkpane.json" in window.layout_.banner.sentence.text()


@pytest.mark.parametrize(
    ("answer", "opened"), [(QMessageBox.StandardButton.Cancel, False), (QMessageBox.StandardButton.Discard, True)]
)
def test_unsaved_work_is_asked_about(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, answer: QMessageBox.StandardButton, opened: bool
) -> None:
    asked: list[str] = []

    def question(parent: object, title: str, text: str, *rest: object) -> QMessageBox.StandardButton:
        asked.append(text)
        return answer

    monkeypatch.setattr(QMessageBox, "question", question)
    window.choices.use_template("llama-3")
    window.files.new()
    assert len(asked) == 1
    assert (not window.document.state.conversation.messages) == opened


def test_dropped_files_open(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "dropped.thinkpane.json"
    write_document(path, replace(first_document(), template="chatml"))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copy, button, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPoint(5, 5), copy, data, button, keys))
    assert window.document.path == path


def test_a_dropped_template_is_taken_into_use(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "mine.jinja"
    path.write_text("mine: {{ messages[-1].content }}")
    window.open_path(path)
    prompt_with(window, qtbot, "mine: [L3]")
    assert window.layout_.tiers.buttons == []


def test_work_that_a_crash_left_is_offered(
    make_window: Callable[[DocumentState], MainWindow], services: PatientServices, qtbot: QtBot
) -> None:
    crashed = make_window(first_document())
    crashed.restore()
    crashed.choices.use_template("llama-3")
    autosave = crashed.files._autosave
    assert autosave is not None
    assert autosave.flush()
    assert autosave._lock is not None
    autosave._lock.let_go()
    fresh = make_window(first_document())
    fresh.restore()
    assert "Unsaved work" in fresh.layout_.banner.sentence.text()
    QTest.mouseClick(fresh.layout_.banner.choices[0], Qt.MouseButton.LeftButton)
    assert fresh.document.state.template == "llama-3"
    assert fresh.document.is_modified


def test_closing_asks_about_unsaved_work(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Cancel)
    window.choices.use_template("llama-3")
    assert not window.close()
    assert window.isVisible()
