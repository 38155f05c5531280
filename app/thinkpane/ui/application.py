"""Opens the window, or does the same job without one where there is no display."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from thinkpane.cli.output import write_error
from thinkpane.engine.freed_memory import keep_freed_memory
from thinkpane.ui.screen import missing_libraries, no_display

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from thinkpane.ui.services import Services

COMMAND_LINE_AT_FAULT = 2

TURN = 0.0005
"""Seconds that a thread beside the window may hold the interpreter when the window wants it, in place of Python's 5 ms:
while a pane paints it is handed over dozens of times, and four threads that count a prompt of a million tokens made a
quarter of a second of 8 ms."""

SPARE = 2
"""Warm workers besides the one that renders: the owners of a million tokens and the turns before are worked out for
seconds, and the next key must find one that is free."""


def main(argv: Sequence[str], services: "Services") -> int:
    """Opens the window with the file that `argv` names, if any, and gives the exit status."""
    unknown = [word for word in argv if word.startswith("-")]
    if unknown or len(argv) > 1:
        what = f"there is no option “{unknown[0]}”" if unknown else "name one file at most"
        write_error(f"thinkpane: {what} (see thinkpane --help)")
        return COMMAND_LINE_AT_FAULT
    reason = no_display() or missing_libraries(window=True)
    if reason:
        from thinkpane.ui.tour import main as take_tour

        return take_tour(services, reason)
    return _open_window(Path(argv[0]) if argv else None, services)


def make_application() -> "QApplication":
    """The one QApplication of this process: its own look on every platform, and its name."""
    from PySide6.QtWidgets import QApplication

    keep_freed_memory()
    sys.setswitchinterval(TURN)
    found = QApplication.instance()
    application = found if isinstance(found, QApplication) else QApplication(["thinkpane"])
    application.setApplicationName("Thinkpane")
    application.setDesktopFileName("thinkpane")
    application.setStyle("Fusion")
    return application


def _open_window(path: Path | None, services: "Services") -> int:
    application = make_application()
    from thinkpane.ui.collecting import Collecting
    from thinkpane.ui.main_window import MainWindow

    services.engine.keep(SPARE)
    window = MainWindow(services)
    Collecting(window.document, window.runs, window)
    window.view.apply_theme()
    window.restore()
    if path is None:
        window.files.show_first_document()
    else:
        window.prompts.refresh()
        window.open_path(path)
    window.show()
    window.view.focus_messages()
    application.styleHints().colorSchemeChanged.connect(lambda _: window.view.apply_theme())
    return application.exec()
