"""A sink that keeps what it is given, to be waited for."""

import threading
from collections.abc import Mapping

from support.patience import PATIENCE
from thinkpane.endpoints.connection import UNKNOWN, Via
from thinkpane.errors import Problem


class KeepingSink:
    """Keeps head, body and end; `ended` gives the end."""

    def __init__(self) -> None:
        self.status = 0
        self.via = UNKNOWN
        self.headers: Mapping[str, str] = {}
        self.pieces: list[bytes] = []
        self.times: list[float] = []
        self.ends: list[Problem | None] = []
        self.threads: set[str] = set()
        self.came = threading.Event()
        """Set once bytes came."""
        self._over = threading.Event()

    @property
    def body(self) -> bytes:
        """All bytes."""
        return b"".join(self.pieces)

    def head(self, status: int, headers: Mapping[str, str], ms: float, via: Via = UNKNOWN) -> None:
        """Keeps the head."""
        self._mark(ms)
        self.status, self.headers, self.via = status, headers, via

    def data(self, data: bytes, ms: float) -> None:
        """Keeps a piece."""
        self._mark(ms)
        self.pieces.append(data)
        self.came.set()

    def over(self, problem: Problem | None, ms: float) -> None:
        """Keeps the end."""
        self._mark(ms)
        self.ends.append(problem)
        self._over.set()

    def ended(self) -> Problem | None:
        """Waits for the end and gives its problem."""
        assert self._over.wait(PATIENCE), "nothing ended within the test's patience"
        return self.ends[0]

    def _mark(self, ms: float) -> None:
        self.times.append(ms)
        self.threads.add(threading.current_thread().name)
