"""A pause before a request goes out again, which can be ended as a request can."""

import threading
from collections.abc import Callable


class Waiting:
    """The Handle of a pause: after `seconds` it calls `go`, unless `stop` came first, which calls `end`."""

    def __init__(self, seconds: float, go: Callable[[], None], end: Callable[[], None]) -> None:
        self._go = go
        self._end = end
        self._lock = threading.Lock()
        self._is_over = False
        self._timer = threading.Timer(seconds, self._on_timer)
        self._timer.daemon = True
        self._timer.start()

    def stop(self) -> None:
        """Ends the pause; nothing goes out."""
        self._timer.cancel()
        if self._takes_over():
            self._end()

    def _on_timer(self) -> None:
        if self._takes_over():
            self._go()

    def _takes_over(self) -> bool:
        """True for the first of the two that asks."""
        with self._lock:
            is_first, self._is_over = not self._is_over, True
        return is_first
