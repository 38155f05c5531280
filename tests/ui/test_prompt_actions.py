"""The menus' ways about the prompt, in a whole window."""

from PySide6.QtGui import QGuiApplication, QKeySequence
from pytestqt.qtbot import QtBot

from thinkpane.ui.actions import ACTIONS, Row
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.prompt import PromptPane


def pane_of(window: MainWindow) -> PromptPane:
    found = window.layout_.panes["prompt"]
    assert isinstance(found, PromptPane)
    return found


def test_special_tokens_are_gone_through_by_the_menu(window: MainWindow) -> None:
    view = pane_of(window).view
    special = [each for each in window.prompts.prompt.segments if each.special]
    window.actions_["next_special"].trigger()
    second = view.selected_text
    window.actions_["previous_special"].trigger()
    first = view.selected_text
    text = window.prompts.prompt.text
    assert [first, second] == [text[each.start : each.end] for each in special[:2]]


def test_going_is_asked_for_by_the_menu(window: MainWindow, qtbot: QtBot) -> None:
    window.layout_.show_pane("problems")
    window.actions_["go_to"].trigger()
    qtbot.waitUntil(pane_of(window).going.bar.field.isVisible)


def test_copying_without_a_tokenizer_says_why(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.tokens.current is not None)
    QGuiApplication.clipboard().setText("before")
    window.actions_["copy_json"].trigger()
    assert window.layout_.banner.sentence.text().startswith("Nothing was copied, because the tokens are not known")
    assert QGuiApplication.clipboard().text() == "before"


def test_no_two_actions_have_one_key() -> None:
    keys = [QKeySequence(key).toString() for row in ACTIONS if isinstance(row, Row) for key in row.shortcut.split()]
    assert sorted(keys) == sorted(set(keys))
