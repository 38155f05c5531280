"""The sink of those who wait for one whole answer of bounded size instead of a stream."""

import threading
from collections.abc import Mapping

from thinkpane.endpoints.connection import UNKNOWN, Via
from thinkpane.errors import Problem, ThinkpaneError


class WholeAnswer:
    """Keeps one answer, whatever its status. cap: the most bytes it may have; what: its name in sentences.

    status, headers (lower-case names), via, body, problem: what came, and what ended it early; read them after `wait`.
    """

    def __init__(self, cap: int, what: str = "The answer") -> None:
        self._cap = cap
        self._what = what
        self.status = 0
        self.headers: Mapping[str, str] = {}
        self.via = UNKNOWN
        self.body = bytearray()
        self.problem: Problem | None = None
        self._done = threading.Event()

    def head(self, status: int, headers: Mapping[str, str], ms: float, via: Via = UNKNOWN) -> None:
        """The status and headers."""
        self.status, self.headers, self.via = status, headers, via

    def data(self, data: bytes, ms: float) -> None:
        """More of the body. Raises ThinkpaneError (kind "limit") where it is too much, which ends the exchange."""
        self.body += data
        if len(self.body) > self._cap:
            sentence = f"{self._what} is larger than {self._cap:,} bytes; reading stopped there."
            raise ThinkpaneError(Problem("limit", sentence, detail={"limit": self._cap}))

    def over(self, problem: Problem | None, ms: float) -> None:
        """Nothing more comes."""
        self.problem = problem
        self._done.set()

    def wait(self) -> None:
        """Waits for the end."""
        self._done.wait()
