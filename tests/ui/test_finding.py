"""Ctrl+F from anywhere in the window."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from support.message_cards import card
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.messages import MessagesPane
from thinkpane.ui.panes.prompt import PromptPane
from thinkpane.ui.panes.template import TemplatePane
from thinkpane.ui.widgets.exact_text import ExactTextEdit

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def prompt_of(window: MainWindow) -> PromptPane:
    found = window.layout_.panes["prompt"]
    assert isinstance(found, PromptPane)
    return found


@pytest.fixture
def editor(window: MainWindow, qtbot: QtBot) -> ExactTextEdit:
    """The first message's, with the keyboard."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    pane = window.layout_.panes["messages"]
    assert isinstance(pane, MessagesPane)
    found = card(pane, 0).editor
    found.setFocus()
    qtbot.waitUntil(found.hasFocus)
    return found


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, key, modifiers)


def test_a_message_being_written_finds_in_the_prompt(window: MainWindow, editor: ExactTextEdit) -> None:
    before, prompt = editor.text, prompt_of(window)
    window.layout_.show_pane("problems")
    press(Qt.Key.Key_F, CONTROL)
    assert prompt.find_bar.isVisible()
    assert prompt.find_bar.field.hasFocus()
    QTest.keyClicks(prompt.find_bar.field, "s")
    assert prompt.find_bar.field.text() == "s"
    assert editor.text == before


def test_next_and_previous_hit_from_a_message(window: MainWindow, editor: ExactTextEdit, qtbot: QtBot) -> None:
    bar = prompt_of(window).find_bar
    press(Qt.Key.Key_F3)
    assert bar.field.hasFocus(), "nothing was looked for yet"
    bar.field.setText("e")
    qtbot.waitUntil(lambda: " of " in bar.count())
    first = bar.count()
    editor.setFocus()
    press(Qt.Key.Key_F3)
    assert bar.count() != first
    press(Qt.Key.Key_F3, SHIFT)
    assert bar.count() == first
    assert editor.hasFocus()


def test_a_view_with_a_row_of_its_own_finds_there(window: MainWindow, editor: ExactTextEdit) -> None:
    template = window.layout_.panes["template"]
    assert isinstance(template, TemplatePane)
    window.layout_.show_pane("template")
    template.editor.setFocus()
    press(Qt.Key.Key_F, CONTROL)
    assert template.find_bar.field.hasFocus()
    assert prompt_of(window).find_bar.isHidden()
    template.find_bar.stop()
    window.actions_["find"].trigger()
    assert template.find_bar.field.hasFocus()
    assert prompt_of(window).find_bar.isHidden()


def test_ctrl_g_goes_to_a_place_of_the_prompt_from_a_message(window: MainWindow, editor: ExactTextEdit) -> None:
    before, bar = editor.text, prompt_of(window).going.bar
    window.layout_.show_pane("problems")
    press(Qt.Key.Key_G, CONTROL)
    assert bar.isVisible()
    assert bar.field.hasFocus()
    QTest.keyClicks(bar.field, "2")
    assert (bar.field.text(), editor.text) == ("2", before)


@pytest.mark.parametrize("pane", ["controls", "sampling", "json", "wire", "answer"])
def test_ctrl_g_opens_it_from_other_panes_too(window: MainWindow, editor: ExactTextEdit, pane: str) -> None:
    assert editor.hasFocus()
    window.layout_.show_pane(pane)
    window.layout_.panes[pane].setFocus()
    press(Qt.Key.Key_G, CONTROL)
    assert prompt_of(window).going.bar.field.hasFocus()


def test_ctrl_g_stays_with_the_template_where_that_has_the_keyboard(window: MainWindow, editor: ExactTextEdit) -> None:
    template = window.layout_.panes["template"]
    assert isinstance(template, TemplatePane)
    window.layout_.show_pane("template")
    template.editor.setFocus()
    press(Qt.Key.Key_G, CONTROL)
    assert template.line_bar.field.hasFocus()
    assert prompt_of(window).going.bar.isHidden()


def test_the_menu_tells_the_keys(window: MainWindow) -> None:
    shown = [window.actions_[id].text().replace("&", "") for id in ("find", "find_next", "find_previous", "go_to")]
    assert shown[:3] == ["Find…\tCtrl+F", "Find next\tF3", "Find previous\tShift+F3"]
    assert shown[3] == "Go to a place of the prompt…\tCtrl+G"
