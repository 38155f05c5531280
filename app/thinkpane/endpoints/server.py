"""One endpoint's server, asked for what lies beside its replies: what it is, its models, its own prompts and tokens."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from thinkpane.endpoints.asking import Answer
from thinkpane.endpoints.dialects._api import Call, HttpRequest
from thinkpane.endpoints.dialects._errors import http_problem, not_a_stream
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.dialects._urls import joined, joined_native
from thinkpane.endpoints.profile import Endpoint
from thinkpane.errors import ThinkpaneError
from thinkpane.formats import strict_json
from thinkpane.formats.json_values import JsonObject, JsonValue

Send: TypeAlias = Callable[[HttpRequest], Answer]
"""Sends one request with the endpoint's key and waits for the whole answer; raises ThinkpaneError where none comes."""

_OWN = ("content-type", "accept", "accept-encoding")
_ANY_CALL = {
    "chat": Call("chat", "any", messages=[{"role": "user", "content": "any"}]),
    "raw": Call("raw", "any", prompt="any"),
}


class Server:
    """Asks the server of `endpoint`; every question waits for its answer, so never on the window's thread."""

    def __init__(self, endpoint: Endpoint, send: Send) -> None:
        """Raises ThinkpaneError (kind "url", "dialect") for an endpoint that cannot be asked."""
        self.endpoint = endpoint
        self._send = send
        dialect = dialect_named(endpoint.dialect)
        asked = dialect.request(endpoint.base_url, _ANY_CALL[dialect.path])
        own = tuple((name, value) for name, value in asked.headers if name.lower() not in _OWN)
        self._headers = (("Accept", "application/json"), *own, *endpoint.headers.items())
        self._secret = asked.secret

    def answer(self, path: str, body: JsonObject | None = None) -> Answer:
        """GET of a path, or POST where there is a body; whatever its status.

        Paths that begin with /v1 lie where the endpoint's own requests go, others at the server's root.
        """
        base = self.endpoint.base_url
        url = joined(base, path.removeprefix("/v1")) if path.startswith("/v1/") else joined_native(base, path)
        return self.sent(HttpRequest("GET" if body is None else "POST", url, (), body or {}))

    def sent(self, request: HttpRequest) -> Answer:
        """The answer to a request that is made already; the endpoint's own headers and key are added."""
        given = {name.lower() for name, _ in request.headers}
        own = tuple((name, value) for name, value in self._headers if name.lower() not in given)
        kind = () if request.method == "GET" else (("Content-Type", "application/json"),)
        headers = (*request.headers, *own, *(each for each in kind if "content-type" not in given))
        made = HttpRequest(request.method, request.url, headers, request.body, self._secret)
        return self._send(replace(made, connection=self.endpoint.connection))

    def json(self, path: str, body: JsonObject | None = None) -> JsonValue:
        """The JSON that it answers. Raises ThinkpaneError for an error answer, and for one that is no JSON."""
        return json_of(self.answer(path, body))

    def found(self, path: str, body: JsonObject | None = None) -> JsonObject | None:
        """The JSON object that it answers, None for an error answer or another one. Raises where no answer came."""
        return object_of(self.answer(path, body))


def object_of(answer: Answer) -> JsonObject | None:
    """An answer's JSON object, None where it is an error or anything else."""
    if answer.status != 200:
        return None
    try:
        value = strict_json.parse_bytes(answer.body)
    except ThinkpaneError:
        return None
    return value if isinstance(value, dict) else None


def json_of(answer: Answer) -> JsonValue:
    """An answer's JSON. Raises ThinkpaneError (kind "server", "not_a_stream") where it has none."""
    if answer.status >= 300:
        raise ThinkpaneError(http_problem(answer.status, answer.headers, answer.body))
    try:
        return strict_json.parse_bytes(answer.body)
    except ThinkpaneError:
        raise ThinkpaneError(not_a_stream(answer.body)) from None
