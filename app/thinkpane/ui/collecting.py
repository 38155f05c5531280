"""Python's search for lost objects, kept out of the way while a reply comes and while a person types.

A reply of 128k tokens is some hundred thousand objects, and looking through all of them stops the window for a quarter
of a second on a busy machine, several times a reply. Nothing that comes with a reply is lost in circles. A document of
a million tokens is as many: there the search waits until nobody has edited for a while.
"""

import gc

from PySide6.QtCore import QObject, QTimer

from thinkpane.workspace.document import Document

REST = 5_000
"""Milliseconds without an edit after which old objects are looked through."""

_YOUNG, _MIDDLE, _NEVER = 2_000, 20, 1_000_000


class Collecting:
    """Puts the search through old objects off, and back on."""

    def __init__(self) -> None:
        self._usual: tuple[int, int, int] | None = None

    def put_off(self) -> None:
        """Until `resume`, only young objects are looked through."""
        if self._usual is None:
            self._usual = gc.get_threshold()
            gc.set_threshold(_YOUNG, _MIDDLE, _NEVER)

    def resume(self) -> None:
        """As before; does nothing where it was not put off."""
        if self._usual is not None:
            gc.set_threshold(*self._usual)
            self._usual = None


class RestCollecting(QObject):
    """Looks through old objects only when the document has rested for a while; belongs to a window."""

    def __init__(self, document: Document, parent: QObject, rest: int = REST) -> None:
        super().__init__(parent)
        self._collecting = Collecting()
        self._collecting.put_off()
        self._rested = QTimer(self, singleShot=True, interval=rest)
        self._rested.timeout.connect(lambda: gc.collect())
        self.destroyed.connect(document.listen(lambda _change: self._rested.start()))
        self.destroyed.connect(self._collecting.resume)
