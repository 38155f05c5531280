"""What tests do with a whole window, again and again."""

from dataclasses import replace

from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from thinkpane.conversation import edits
from thinkpane.conversation.messages import message
from thinkpane.ui.main_window import MainWindow

Answer = QMessageBox.StandardButton


def run_to_end(window: MainWindow, qtbot: QtBot) -> None:
    """A run of the document, to its end."""
    with qtbot.waitSignal(window.runs.finished):
        window.session.run(demo_speed=0)


def prompt_with(window: MainWindow, qtbot: QtBot, text: str) -> None:
    """Waits for the document's own prompt, with that text in it."""
    qtbot.waitUntil(lambda: window.prompts.prompt.is_current and text in window.prompts.prompt.text)


def add(window: MainWindow, text: str) -> None:
    """One more user message."""
    state = window.document.state
    talk = edits.add(state.conversation, message("user", text))
    window.document.change(replace(state, conversation=talk), ["messages"], "test", "Add")


def let_go(window: MainWindow) -> None:
    """The window's autosave is on disk as after a crash."""
    autosave = window.files._autosave
    assert autosave is not None
    assert autosave.flush()
    assert autosave._lock is not None
    autosave._lock.let_go()
