"""Shows what grows no more often than the window can bear: the dearer the last time was, the longer the pause."""

from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QObject, QTimer

SHARE = 16
"""The pause after a showing is so many times what it took; painting comes on top."""

LONGEST_MS = 100
"""Never longer than this, so that a reader sees a stream and no jerks (source: the house's goals, event to paint)."""


class Pace(QObject):
    """Calls `show` at once where it may, else a little later and once for all that was asked meanwhile."""

    def __init__(self, show: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._show = show
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.now)
        self._due = 0.0

    def ask(self) -> None:
        """Something is new."""
        left = self._due - perf_counter()
        if left <= 0:
            self.now()
        elif not self._timer.isActive():
            self._timer.start(max(1, round(left * 1000)))

    def now(self) -> None:
        """Shows it at once."""
        self._timer.stop()
        began = perf_counter()
        self._show()
        ended = perf_counter()
        self._due = ended + min((ended - began) * SHARE, LONGEST_MS / 1000)
