"""Repairs a template's text beside the window: a text of half a megabyte takes seconds."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import QObject, Qt, Signal, Slot

from thinkpane.engine.host import Engine
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.ui.models.text_changes import Stretch, changes

DEADLINE = 60.0
"""Seconds that one repair may take; the longest text that a template may have takes some 15."""


@dataclass(frozen=True, slots=True)
class Made:
    """A repair: its text, and what was done in sentences. gone, added: what differs, in the text before and in this."""

    text: str
    said: tuple[str, ...]
    gone: Sequence[Stretch] = ()
    added: Sequence[Stretch] = ()


class RepairMaker(QObject):
    """One text under the kinds of repair that were asked for last.

    Signals:
        made(object): the Made of the newest wish.
    """

    made = Signal(object)
    _done = Signal(int, object)

    def __init__(self, text: str, engine: Engine, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._engine = engine
        self._newest = 0
        self._told = 0
        self._lock = threading.Lock()
        self._closed = False
        self._done.connect(self._on_thread_done, Qt.ConnectionType.QueuedConnection)

    @property
    def is_working(self) -> bool:
        """Whether the newest wish is still to be told."""
        return self._told != self._newest

    def ask(self, kinds: Sequence[str], family: str | None) -> None:
        """Wants the text with these kinds repaired (templates/repair.py); earlier wishes are forgotten."""
        self._newest += 1
        self._engine.cancel(self)
        asked = (self._newest, [*kinds], family)
        threading.Thread(target=self._work, args=asked, name="repair", daemon=True).start()

    def close(self) -> None:
        """Nothing is told any more."""
        with self._lock:
            self._closed = True
        self._engine.cancel(self)

    def _work(self, number: int, kinds: list[str], family: str | None) -> None:
        try:
            payload: JsonObject = {"source": self._text, "kinds": [*kinds], "family": family}
            found = self._engine.job("repair", payload, DEADLINE, self)
            text = str(found["source"])
            made = Made(text, tuple(cast("list[str]", found["said"])), *changes(self._text, text))
        except ThinkpaneError as error:
            made = Made(self._text, (f"Nothing was repaired: {error.problem.message}",))
        with self._lock:
            if not self._closed:
                self._done.emit(number, made)

    @Slot(int, object)
    def _on_thread_done(self, number: int, made: Made) -> None:
        if number == self._newest:
            self._told = number
            self.made.emit(made)
