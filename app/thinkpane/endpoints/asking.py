"""Whole HTTP answers, one at a time, for what lies below and asks by a function (templates/reach.py)."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass

from thinkpane.endpoints.client import Client
from thinkpane.endpoints.deadlines import Deadlines
from thinkpane.endpoints.dialects._api import HttpRequest
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject

DEADLINES = Deadlines(connect=10.0, headers=30.0, idle=30.0, total=120.0)
"""For one answer of at most some MB."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer as it came (templates.reach.Reply)."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Asking:
    """Asks with a client, and without any key: keys belong to endpoints."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def __call__(self, url: str, headers: Mapping[str, str], *, limit: int, body: JsonObject | None = None) -> Answer:
        """The answer of `url` (templates.reach.Ask); blocks, so never on the client's own thread.

        Raises ThinkpaneError: what the client says where none came, kind "limit" where it is longer than `limit`.
        """
        method = "GET" if body is None else "POST"
        whole = _Whole(limit)
        self._client.send(HttpRequest(method, url, tuple(headers.items()), body or {}), None, whole, DEADLINES)
        return whole.answer()


class _Whole:
    """The sink that waits for one whole answer, whatever its status."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._status = 0
        self._headers: Mapping[str, str] = {}
        self._body = bytearray()
        self._problem: Problem | None = None
        self._done = threading.Event()

    def head(self, status: int, headers: Mapping[str, str], ms: float) -> None:
        self._status, self._headers = status, {name.lower(): value for name, value in headers.items()}

    def data(self, data: bytes, ms: float) -> None:
        self._body += data
        if len(self._body) > self._limit:
            sentence = f"The answer is larger than {self._limit:,} bytes; reading stopped there."
            raise ThinkpaneError(Problem("limit", sentence, detail={"limit": self._limit}))

    def over(self, problem: Problem | None, ms: float) -> None:
        self._problem = problem
        self._done.set()

    def answer(self) -> Answer:
        """Waits for the end. A redirect is an answer like others: who asked decides whether it is followed."""
        self._done.wait()
        if self._problem is not None and self._problem.kind != "redirect":
            raise ThinkpaneError(self._problem)
        return Answer(self._status, self._headers, bytes(self._body))
