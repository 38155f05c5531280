"""A long body in the JSON pane is read beside the window: nothing of it keeps a key waiting."""

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.formats import json_places
from thinkpane.prompt.places import Place
from thinkpane.ui.document_files import first_document
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.json_body import JsonPane
from thinkpane.workspace.state import DocumentState

LONG = "Every line of this reads like the one before it.\n" * 800


@pytest.fixture
def readers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The threads that long texts were walked through in."""
    found: list[str] = []
    walk = json_places._places

    def places(text: str) -> tuple[json_places.JsonPlace, ...]:
        misses = walk.cache_info().misses
        places = walk(text)
        if len(text) > len(LONG) and walk.cache_info().misses > misses:
            found.append(threading.current_thread().name)
        return places

    walk.cache_clear()
    monkeypatch.setattr(json_places, "_places", places)
    return found


@pytest.fixture
def pane(make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot, readers: list[str]) -> JsonPane:
    talk = Conversation((message("system", LONG), message("user", "Find me.")))
    window = make_window(replace(first_document(), conversation=talk))
    window.layout_.show_pane("json")
    found = window.layout_.panes["json"]
    assert isinstance(found, JsonPane)
    qtbot.waitUntil(lambda: len(found.editor.editor.text) > len(LONG))
    return found


def selected(pane: JsonPane) -> str:
    start, end = pane.editor.editor.selected
    return pane.editor.editor.text[start:end]


def window_of(pane: JsonPane) -> MainWindow:
    window = pane.window()
    assert isinstance(window, MainWindow)
    return window


def test_what_is_chosen_is_selected_once_the_text_is_read(pane: JsonPane, readers: list[str], qtbot: QtBot) -> None:
    links = window_of(pane).context.links
    links.place_chosen.emit(Place("message", 1, "content"))
    qtbot.waitUntil(lambda: "Find me." in selected(pane))
    assert readers == ["json"]
    links.place_chosen.emit(Place("message", 1, "content", (0, 4)))
    assert selected(pane) == "Find", "the same text is not read again"
    assert readers == ["json"]


def test_keys_wait_for_no_reading_and_the_caret_is_told_when_they_rest(
    pane: JsonPane, readers: list[str], qtbot: QtBot
) -> None:
    window, editor = window_of(pane), pane.editor.editor
    told: list[Place] = []
    window.context.links.field_entered.connect(told.append)
    window.activateWindow()
    editor.setFocus(Qt.FocusReason.OtherFocusReason)
    qtbot.waitUntil(editor.hasFocus)
    at = editor.text.index("Find me.")
    editor.select(at, at)
    for key in "abc":
        QTest.keyClicks(editor, key)
    qtbot.waitUntil(lambda: bool(told) and told[-1].field == "content" and told[-1].index == 1)
    assert set(readers) == {"json"}


def test_a_choice_before_a_key_moves_the_caret_no_more(pane: JsonPane, qtbot: QtBot, readers: list[str]) -> None:
    window, editor = window_of(pane), pane.editor.editor
    window.activateWindow()
    editor.setFocus(Qt.FocusReason.OtherFocusReason)
    qtbot.waitUntil(editor.hasFocus)
    editor.select(3, 3)
    window.context.links.place_chosen.emit(Place("message", 1, "content"))
    QTest.keyClick(editor, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: bool(readers))
    caret = editor.selected
    window.context.links.place_pointed.emit(Place("message", 1, "content"))
    assert editor.selected == caret
