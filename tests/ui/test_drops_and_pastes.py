"""Texts and files that are dropped on the window or pasted: each goes where it belongs."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from support.arrivals import TALK, drop_files, drop_text, prompt_is
from support.gguf_files import gguf
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.widgets.exact_text import ExactTextEdit
from thinkpane.workspace.document_file import document_to_json
from thinkpane.workspace.state import DocumentState


@pytest.fixture
def window(make_window: Callable[[DocumentState], MainWindow]) -> MainWindow:
    return make_window(TALK)


def test_a_gguf_file_that_is_dropped(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "m.gguf"
    file.write_bytes(gguf({"tokenizer.chat_template": "gguf {{ messages[0].content }}"}))
    drop_files(window, file)
    prompt_is(window, qtbot, "gguf Hi")


@pytest.mark.parametrize("name", ["tokenizer_config.json", "my-tokenizer.json"])
def test_a_json_file_with_a_template_is_no_document(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, name: str
) -> None:
    file = tmp_path / name
    file.write_text(json.dumps({"chat_template": "json {{ bos_token }}", "bos_token": "<s>"}))
    drop_files(window, file)
    prompt_is(window, qtbot, "json <s>")


def test_text_that_is_dropped_or_pasted_is_the_template_and_one_undo_takes_it_back(
    window: MainWindow, qtbot: QtBot
) -> None:
    before = window.document.state
    drop_text(window, "dropped {{ messages[0].content }}")
    prompt_is(window, qtbot, "dropped Hi")
    QGuiApplication.clipboard().setText("pasted {{ messages[0].content }}")
    window.actions_["paste_template"].trigger()
    prompt_is(window, qtbot, "pasted Hi")
    window.document.undo()
    window.document.undo()
    assert window.document.state is before


def test_pasted_json_with_several_templates_offers_the_others(window: MainWindow, qtbot: QtBot) -> None:
    named = [{"name": name, "template": f"{name} {{{{ messages[0].content }}}}"} for name in ("default", "rag")]
    window.templates.use_text(json.dumps({"chat_template": named}))
    prompt_is(window, qtbot, "default Hi")
    [button] = window.layout_.banner.choices
    assert button.text() == "rag"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    prompt_is(window, qtbot, "rag Hi")


def test_a_text_without_any_template_is_asked_about(window: MainWindow, qtbot: QtBot) -> None:
    before = window.document.state
    drop_text(window, "Just some words.")
    assert window.document.state is before
    assert "There is no template here" in window.layout_.banner.sentence.text()
    QTest.mouseClick(window.layout_.banner.choices[0], Qt.MouseButton.LeftButton)
    prompt_is(window, qtbot, "Just some words.")


def test_a_clipboard_without_text_is_told(window: MainWindow) -> None:
    QGuiApplication.clipboard().clear()
    window.templates.paste()
    assert "no text on the clipboard" in window.layout_.banner.sentence.text()


def test_a_conversation_that_is_dropped_as_text_keeps_the_template(window: MainWindow, qtbot: QtBot) -> None:
    drop_text(window, json.dumps([{"role": "user", "content": "From elsewhere"}]))
    assert window.document.state.template == "chatml"
    assert window.document.state.conversation.messages[0].text == "From elsewhere"
    window.document.undo()
    assert window.document.state is TALK


def test_a_documents_text_asks_about_unsaved_work(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Cancel)
    window.choices.use_template("llama-3")
    text = json.dumps(document_to_json(replace(TALK, template="glm-5.2")))
    drop_text(window, text)
    assert window.document.state.template == "llama-3"
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)
    drop_text(window, text)
    assert window.document.state.template == "glm-5.2"


def test_of_several_files_the_first_is_opened_and_said(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    for name in ("a.jinja", "b.jinja"):
        (tmp_path / name).write_text(name)
    drop_files(window, tmp_path / "a.jinja", tmp_path / "b.jinja")
    prompt_is(window, qtbot, "a.jinja")
    assert "Only “a.jinja” was opened" in window.layout_.banner.sentence.text()


def test_an_editor_leaves_files_to_the_window_and_takes_texts(window: MainWindow, tmp_path: Path) -> None:
    editor = ExactTextEdit()
    files, text = QMimeData(), QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.jinja"))])
    text.setText("https://example.org/")
    assert not editor.canInsertFromMimeData(files)
    assert editor.canInsertFromMimeData(text)
    editor.deleteLater()
