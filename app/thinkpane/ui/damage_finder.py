"""Looks for damage in a template's text beside the window: it takes a second for each million characters."""

import threading
from typing import Any, cast

from PySide6.QtCore import QObject, Qt, Signal, Slot

from thinkpane.engine.host import Engine
from thinkpane.errors import ThinkpaneError
from thinkpane.templates.repair import Damage

DEADLINE = 60.0
"""Seconds that one text may take; the longest that a template may have takes some 15."""

_Found = tuple[str, tuple[Damage, ...]]


class DamageFinder(QObject):
    """What looks damaged in the text that was given last.

    Signals:
        found(): `text` and `damages` are those of another text.
    """

    found = Signal()
    _done = Signal(object)

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine
        self._wanted = ""
        self._text = ""
        self._damages: tuple[Damage, ...] = ()
        self._lock = threading.Lock()
        self._closed = False
        self._done.connect(self._on_thread_done, Qt.ConnectionType.QueuedConnection)

    @property
    def text(self) -> str:
        """The text that `damages` are of."""
        return self._text

    @property
    def damages(self) -> tuple[Damage, ...]:
        """What looks damaged in it."""
        return self._damages

    def look(self, text: str) -> None:
        """Looks through `text`; only the newest one counts."""
        if text == self._wanted:
            return
        self._wanted = text
        self._engine.cancel(self)
        threading.Thread(target=self._look_beside, args=(text,), name="damage", daemon=True).start()

    def close(self) -> None:
        """Nothing is told any more."""
        with self._lock:
            self._closed = True
        self._engine.cancel(self)

    def _look_beside(self, text: str) -> None:
        try:
            found = self._engine.job("damage", {"source": text}, DEADLINE, self)["damages"]
        except ThinkpaneError:
            return  # a newer text took its place; where it took too long nothing is known of it
        result: _Found = (text, tuple(Damage(**each) for each in cast("list[dict[str, Any]]", found)))
        with self._lock:
            if not self._closed:
                self._done.emit(result)

    @Slot(object)
    def _on_thread_done(self, result: _Found) -> None:
        if result[0] == self._wanted:
            self._text, self._damages = result
            self.found.emit()
