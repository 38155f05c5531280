"""The caret of the message that is typed into stays in sight."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from support.message_cards import build, card
from support.panes import document_with
from thinkpane.ui.panes.messages import MessagesPane
from thinkpane.ui.widgets.exact_text import ExactTextEdit

CONTROL = Qt.KeyboardModifier.ControlModifier
LONG = "\n".join(f"line {n}" for n in range(25))


def is_in_sight(pane: MessagesPane, editor: ExactTextEdit) -> bool:
    """Whether the caret's whole line can be seen."""
    caret = editor.cursorRect()
    seen = pane.list.viewport()
    return seen.rect().contains(QRect(editor.viewport().mapTo(seen, caret.topLeft()), caret.size()))


def small(qtbot: QtBot, *said: str) -> MessagesPane:
    pane = build(qtbot, document_with(*(("user", text) for text in said)))
    pane.resize(460, 240)
    qtbot.waitUntil(lambda: pane.list.viewport().height() < 260)
    return pane


@pytest.fixture
def pane(qtbot: QtBot) -> MessagesPane:
    return small(qtbot, LONG, "hi", "ho")


def test_the_list_follows_what_is_typed(qtbot: QtBot, pane: MessagesPane) -> None:
    editor = card(pane, 0).editor
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_End, CONTROL)
    qtbot.waitUntil(lambda: is_in_sight(pane, editor))
    for _ in range(8):
        QTest.keyClick(editor, Qt.Key.Key_Return)
        QTest.keyClicks(editor, "Q1")
        qtbot.waitUntil(lambda: is_in_sight(pane, editor))
    QTest.keyClick(editor, Qt.Key.Key_Home, CONTROL)
    qtbot.waitUntil(lambda: is_in_sight(pane, editor))


def test_a_text_that_scrolls_in_its_card_is_followed_too(qtbot: QtBot) -> None:
    pane = small(qtbot, "hi", "word " * 20_000)
    editor = card(pane, 1).editor
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_End, CONTROL)
    qtbot.waitUntil(lambda: is_in_sight(pane, editor))


def test_wheeling_away_holds_until_the_next_key(qtbot: QtBot, pane: MessagesPane) -> None:
    editor = card(pane, 0).editor
    editor.setFocus()
    editor.moveCursor(QTextCursor.MoveOperation.Start)
    bar = pane.list.verticalScrollBar()
    qtbot.waitUntil(lambda: is_in_sight(pane, editor))
    QApplication.processEvents()
    bar.setValue(bar.maximum())
    QApplication.processEvents()
    assert bar.value() == bar.maximum()
    assert not is_in_sight(pane, editor)
    QTest.keyClick(editor, Qt.Key.Key_Control, CONTROL)
    QApplication.processEvents()
    assert bar.value() == bar.maximum()
    QTest.keyClicks(editor, "x")
    qtbot.waitUntil(lambda: is_in_sight(pane, editor))
    bar.setValue(bar.maximum())
    QTest.keyClick(editor, Qt.Key.Key_Home, CONTROL)
    qtbot.waitUntil(lambda: is_in_sight(pane, editor))
    bar.setValue(bar.maximum())
    QTest.keyClick(editor, Qt.Key.Key_Home, CONTROL)
    qtbot.waitUntil(lambda: is_in_sight(pane, editor))


def test_paste_and_undo_are_followed(qtbot: QtBot, pane: MessagesPane) -> None:
    editor = card(pane, 0).editor
    editor.setFocus()
    editor.moveCursor(QTextCursor.MoveOperation.End)
    QApplication.clipboard().setText("\npasted" * 9)
    bar = pane.list.verticalScrollBar()
    for key in (Qt.Key.Key_V, Qt.Key.Key_Z, Qt.Key.Key_Y):
        bar.setValue(0)
        QTest.keyClick(editor, key, CONTROL)
        qtbot.waitUntil(lambda: is_in_sight(pane, editor))


def test_a_selection_drawn_with_the_mouse_is_followed(qtbot: QtBot, pane: MessagesPane) -> None:
    editor = card(pane, 0).editor
    view = editor.viewport()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    QTest.mouseMove(view, QPoint(5, 300))
    qtbot.waitUntil(lambda: editor.textCursor().hasSelection() and is_in_sight(pane, editor))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(5, 300))
