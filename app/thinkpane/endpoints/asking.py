"""Whole HTTP answers, one at a time, for what lies below and asks by a function (templates/reach.py)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from thinkpane.endpoints.client import Client
from thinkpane.endpoints.connection import UNKNOWN, Via
from thinkpane.endpoints.deadlines import Deadlines
from thinkpane.endpoints.dialects._api import HttpRequest
from thinkpane.endpoints.secret import Secret
from thinkpane.endpoints.whole_answer import WholeAnswer
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject

DEADLINES = Deadlines(connect=10.0, headers=30.0, idle=30.0, total=120.0)
"""For one answer of at most some MB."""

ANSWER = 16 * 1024 * 1024
"""Bytes that an answer about the server itself may have; the prompt or the models of a gateway have some MB at most."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer as it came (templates.reach.Reply)."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    via: Via = UNKNOWN


class Asking:
    """Asks with a client, and without any key: keys belong to endpoints."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def __call__(self, url: str, headers: Mapping[str, str], *, limit: int, body: JsonObject | None = None) -> Answer:
        """The answer of `url` (templates.reach.Ask); blocks, so never on the client's own thread.

        Raises ThinkpaneError: what the client says where none came, kind "limit" where it is longer than `limit`.
        """
        method = "GET" if body is None else "POST"
        return exchange(self._client, HttpRequest(method, url, tuple(headers.items()), body or {}), None, limit=limit)


def exchange(
    client: Client, request: HttpRequest, key: Secret | None, *, limit: int, deadlines: Deadlines = DEADLINES
) -> Answer:
    """The whole answer to `request`, whatever its status; blocks, so never on the client's own thread.

    Raises ThinkpaneError: what the client says where none came, kind "limit" where it is longer than `limit` bytes.
    """
    whole = WholeAnswer(limit)
    client.send(request, key, whole, deadlines)
    whole.wait()
    # A redirect is an answer like others: who asked decides whether it is followed.
    if whole.problem is not None and whole.problem.kind != "redirect":
        raise ThinkpaneError(whole.problem)
    return Answer(whole.status, whole.headers, bytes(whole.body), whole.via)


def sending(client: Client, key: Secret | None, deadlines: Deadlines = DEADLINES) -> Callable[[HttpRequest], Answer]:
    """Sends with that key and waits (endpoints.server.Send)."""
    return lambda request: exchange(client, request, key, limit=ANSWER, deadlines=deadlines)
