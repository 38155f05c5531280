"""What comes to a window from outside, and the prompt that it makes."""

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from pytestqt.qtbot import QtBot

from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.ui.main_window import MainWindow
from thinkpane.workspace.state import DocumentState

TALK = DocumentState(template="chatml", conversation=Conversation((message("user", "Hi"),)))
"""A document of one message."""


def prompt_is(window: MainWindow, qtbot: QtBot, text: str) -> None:
    """Waits for that prompt."""
    qtbot.waitUntil(lambda: window.prompts.prompt.is_current and window.prompts.prompt.text == text)


def drop(window: MainWindow, data: QMimeData) -> None:
    """Drops that on the window, as a pointer does."""
    action, button, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), action, data, button, keys)
    window.dragEnterEvent(enter)
    assert enter.isAccepted()
    window.dropEvent(QDropEvent(QPoint(5, 5), action, data, button, keys))


def drop_files(window: MainWindow, *paths: Path) -> None:
    """Drops files."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    drop(window, data)


def drop_text(window: MainWindow, text: str) -> None:
    """Drops a text."""
    data = QMimeData()
    data.setText(text)
    drop(window, data)
