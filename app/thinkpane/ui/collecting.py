"""Python's search for lost objects, made in the window's thread, when nobody waits for it.

By itself Python searches in whatever thread makes an object: a widget or a watcher that is found lost there is
destroyed there, which Qt does not allow (a file watcher left its descriptor with the window's event loop, which then
never rested). And looking through a document of a million tokens, or a reply of 128k, stops the window for a quarter of
a second.
"""

import gc

from PySide6.QtCore import QObject, QTimer

from thinkpane.ui.bridge import RunFeed
from thinkpane.workspace.document import Document

LOOK = 200
"""Milliseconds between two looks at the objects that were made since the last one."""

YOUNG = 5_000
"""How many new objects are worth a look."""

MIDDLE = 10
"""After so many looks those that stayed are looked at again."""

REST = 5_000
"""Milliseconds without an edit or a reply after which objects are looked through: all of them once for each document,
later those that came since. Looking through all of a million tokens stops the window for two frames."""


class Collecting(QObject):
    """Does the searching of this process while `parent`, the window, is there."""

    def __init__(self, document: Document, runs: RunFeed, parent: QObject, rest: int = REST) -> None:
        super().__init__(parent)
        self._runs = runs
        self._document = document
        self._searched: int | None = None
        self._looks = 0
        gc.disable()
        self._look = QTimer(self, interval=LOOK)
        self._look.timeout.connect(self._on_look_timeout)
        self._look.start()
        self._rested = QTimer(self, singleShot=True, interval=rest)
        self._rested.timeout.connect(self._on_rested_timeout)
        runs.finished.connect(lambda _run: self._rested.start())
        self.destroyed.connect(document.listen(lambda _change: self._rested.start()))
        self.destroyed.connect(gc.unfreeze)
        self.destroyed.connect(gc.enable)

    def _on_look_timeout(self) -> None:
        if gc.get_count()[0] >= YOUNG:
            self._looks += 1
            gc.collect(0 if self._looks % MIDDLE else 1)

    def _on_rested_timeout(self) -> None:
        if self._runs.is_live:
            return
        if self._searched != self._document.serial:
            self._searched = self._document.serial
            gc.unfreeze()
        gc.collect()
        gc.freeze()
