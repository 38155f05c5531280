"""What a crash cut off, asked for in a window and told."""

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from thinkpane.ui.main_window import MainWindow


def offered(window: MainWindow, qtbot: QtBot) -> bool:
    """Has the window look for replies that a crash cut off; whether it asks about one then."""
    with qtbot.waitSignal(window.earlier._left):
        window.earlier.offer_cut_off()
    QApplication.processEvents()
    return window.layout_.banner.isVisible() and bool(window.layout_.banner.choices)
