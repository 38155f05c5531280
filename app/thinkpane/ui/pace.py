"""Shows what grows no more often than the window can bear: the dearer the last time was, the longer the pause."""

from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QObject, QTimer

SHARE = 16
"""The pause after a showing is so many times what it took with its painting."""

LONGEST_MS = 100
"""Never longer than this, so that a reader sees a stream and no jerks (source: the house's goals, event to paint)."""


class Pace(QObject):
    """Calls `show` at once where it may, else a little later and once for all that was asked meanwhile."""

    def __init__(self, show: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._show = show
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.now)
        # The event loop comes to it when what was shown has been laid out and painted.
        self._painted = QTimer(self, singleShot=True, interval=0)
        self._painted.timeout.connect(self._on_painted_timeout)
        self._began = self._due = 0.0

    def ask(self) -> None:
        """Something is new."""
        if self._timer.isActive():
            return
        if perf_counter() >= self._due:
            self.now()
        else:
            self._wait()

    def now(self) -> None:
        """Shows it at once."""
        self._timer.stop()
        self._began = perf_counter()
        self._show()
        self._rest()
        self._painted.start()

    def begin(self) -> None:
        """What is asked next is the first of something else, and does not wait."""
        self._timer.stop()
        self._painted.stop()
        self._due = 0.0

    def _rest(self) -> None:
        ended = perf_counter()
        self._due = ended + min((ended - self._began) * SHARE, LONGEST_MS / 1000)

    def _wait(self) -> None:
        self._timer.start(max(1, round((self._due - perf_counter()) * 1000)))

    def _on_painted_timeout(self) -> None:
        self._rest()
        if self._timer.isActive():
            self._wait()
