"""Edits of a template are never lost: another choice keeps them, undo stays within the text, removal has a way back."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.templates import own
from thinkpane.templates.library import load
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.template import TemplatePane
from thinkpane.workspace.own_templates import save_own
from thinkpane.workspace.state import DocumentState

TALK = DocumentState(template="chatml", conversation=Conversation((message("user", "Hi"),)))


@pytest.fixture
def window(make_window: Callable[[DocumentState], MainWindow]) -> MainWindow:
    save_own("mine", replace(load("chatml"), source="mine {{ messages[0].content }}"), "My own")
    return make_window(TALK)


def pane_of(window: MainWindow, qtbot: QtBot) -> TemplatePane:
    window.layout_.show_pane("template")
    pane = window.layout_.panes["template"]
    assert isinstance(pane, TemplatePane)
    feed = window.prompts.templates
    qtbot.waitUntil(lambda: (feed.is_ready or not feed.wanted) and not pane.editor.isReadOnly())
    return pane


def edit(pane: TemplatePane, words: str) -> str:
    pane.editor.go_to(1)
    QTest.keyClicks(pane.editor, words)
    return pane.text


def press(window: MainWindow, text: str) -> None:
    [button] = [each for each in window.layout_.banner.choices if each.text() == text]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_another_template_keeps_the_edit_and_says_so(window: MainWindow, qtbot: QtBot) -> None:
    edited = edit(pane_of(window, qtbot), "X")
    window.choices.use_template("llama-3")
    assert window.document.state.edited is None
    assert "“ChatML” is kept" in window.layout_.banner.sentence.text()
    press(window, "Bring it back")
    assert window.document.state.template == "chatml"
    assert pane_of(window, qtbot).text == edited
    assert "in force again" in window.layout_.banner.sentence.text()
    press(window, "Take the original")
    assert window.document.state.edited is None
    window.document.undo()
    assert pane_of(window, qtbot).text == edited


def test_an_own_text_can_be_chosen_again(window: MainWindow, qtbot: QtBot) -> None:
    window.templates.use_text("pasted {{ messages[0].content }}")
    window.choices.use_template("llama-3")
    entries = {each.text(): each for each in window.layout_.top.template.menu_of_entries.actions()}
    entries["Own text"].trigger()
    assert pane_of(window, qtbot).text == "pasted {{ messages[0].content }}"


def test_undo_in_the_editor_ends_at_the_choice_of_the_template(window: MainWindow, qtbot: QtBot) -> None:
    edit(pane_of(window, qtbot), "X")
    window.choices.use_template("mine")
    pane = pane_of(window, qtbot)
    qtbot.waitUntil(lambda: pane.editor.text.startswith("mine"))
    edit(pane, "Y")
    QTest.keyClick(pane.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.document.state.edited is None
    QTest.keyClick(pane.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.document.state.template == "mine", "the choice stays"
    assert "Choose template" in pane.remark.text()
    window.files.undo()
    assert window.document.state.template == "chatml"
    QTest.keyClick(pane.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert window.document.state.template == "chatml"


def test_typing_while_the_file_is_read_again_is_an_edit(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "mine.jinja"
    file.write_text("one {{ messages[0].content }}")
    window.choices.use_template(str(file))
    pane = pane_of(window, qtbot)
    qtbot.waitUntil(lambda: pane.editor.text.startswith("one"))
    window.prompts.reload_template()
    assert window.prompts.original is None
    edit(pane, "typed ")
    assert window.document.state.edited is not None
    assert pane.text.startswith("typed one")


def test_another_template_that_loads_takes_no_typing(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "mine.jinja"
    file.write_text("one")
    pane = pane_of(window, qtbot)
    before = pane.editor.text
    window.choices.use_template(str(file))
    assert window.prompts.original is None
    QTest.keyClicks(pane.editor, "lost")
    assert pane.editor.text == before, "nothing appears that would go again"
    assert not pane.tools.save.isEnabled()
    qtbot.waitUntil(lambda: pane.editor.text == "one" and not pane.editor.isReadOnly())


@pytest.mark.parametrize("answer", [QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.Cancel])
def test_an_own_template_is_removed_after_a_question_and_put_back(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, answer: QMessageBox.StandardButton
) -> None:
    asked: list[str] = []

    def question(_parent: QWidget, _title: str, text: str, *_: object) -> QMessageBox.StandardButton:
        asked.append(text)
        return answer

    monkeypatch.setattr(QMessageBox, "question", question)
    window.choices.use_template("mine")
    pane = pane_of(window, qtbot)
    qtbot.waitUntil(lambda: pane.editor.text.startswith("mine"))
    assert window.actions_["remove_own"].isEnabled()
    window.own.remove_current()
    assert "“My own”" in asked[0]
    if answer == QMessageBox.StandardButton.Cancel:
        assert own.ids() == ("mine",)
        return
    assert own.ids() == ()
    assert window.layout_.own_templates.count() == 0
    assert window.document.state.template == ""
    assert pane.text == "mine {{ messages[0].content }}", "the document keeps the text"
    qtbot.waitUntil(lambda: window.prompts.prompt.text == "mine Hi")
    press(window, "Put it back")
    assert own.ids() == ("mine",)
    assert (window.document.state.template, window.document.state.edited) == ("mine", None)


def test_delete_in_the_list_asks_to_remove(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)
    window.layout_.own_templates.setCurrentRow(0)
    [remove] = window.layout_.own_templates.actions()
    remove.trigger()
    assert own.ids() == ()
    assert window.document.state.template == "chatml"


def test_saving_says_that_the_file_was_changed_meanwhile(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[str] = []

    def question(_parent: QWidget, _title: str, text: str, *_: object) -> QMessageBox.StandardButton:
        asked.append(text)
        return QMessageBox.StandardButton.Cancel

    monkeypatch.setattr(QMessageBox, "question", question)
    file = tmp_path / "mine.jinja"
    file.write_text("one {{ messages[0].content }}")
    window.choices.use_template(str(file))
    pane = pane_of(window, qtbot)
    qtbot.waitUntil(lambda: pane.editor.text.startswith("one"))
    edit(pane, "typed ")
    pane.saving.to_file(pane.text)
    assert "changed elsewhere" not in asked[-1]
    file.write_text("two {{ messages[0].content }}")
    window.prompts.reload_template()
    qtbot.waitUntil(
        lambda: window.prompts.original is not None and window.prompts.original.source.startswith("two"),
    )
    pane.saving.to_file(pane.text)
    assert "changed elsewhere" in asked[-1]
