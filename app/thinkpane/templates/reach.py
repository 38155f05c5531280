"""How template sources reach the network: by what the caller hands in, so that they stay pure themselves."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats import strict_json
from thinkpane.formats.json_values import JsonObject
from thinkpane.templates.files import source_problem

ANSWER_LIMIT = 16 * 2**20
"""Bytes of a server's JSON; /props and /api/show have some 100 kB."""

OFFLINE = frozenset({"network", "timeout", "tls", "proxy", "incomplete"})
"""Kinds of problems with which what is kept of an earlier visit is read instead."""


class Reply(Protocol):
    """An HTTP answer as it came, redirects included."""

    @property
    def status(self) -> int:
        """The status code."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers, names in lower case."""

    @property
    def body(self) -> bytes:
        """The body, without any transfer or content encoding."""


class Ask(Protocol):
    """One request, waited for. It follows no redirect and adds a key only for the origin the key belongs to."""

    def __call__(self, url: str, headers: Mapping[str, str], *, limit: int, body: JsonObject | None = None) -> Reply:
        """GET, or POST of JSON where there is a `body`. limit: bytes of the answer's body to read at most.

        Raises ThinkpaneError, of a kind in `OFFLINE` where no whole answer came, "limit" where it is longer.
        """


@dataclass(frozen=True, slots=True)
class Reach:
    """ask: does one request. cache: the folder where what was fetched is kept; it is made when needed."""

    ask: Ask
    cache: Path


def required(reach: Reach | None, ref: str) -> Reach:
    """`reach`, for a source that cannot do without. Raises ThinkpaneError (kind "template_source")."""
    if reach is None:
        raise source_problem(f"“{ref}” lies on the network, which is not reached from here.")
    return reach


def read_json(reach: Reach, url: str, body: JsonObject | None = None) -> JsonObject:
    """The JSON object at `url`. Raises ThinkpaneError (kind "server" for a refusal or anything but such an object)."""
    headers = {"Accept": "application/json"} | ({"Content-Type": "application/json"} if body is not None else {})
    reply = reach.ask(url, headers, limit=ANSWER_LIMIT, body=body)
    if reply.status != 200:
        raise refused(url, reply)
    try:
        value = strict_json.parse_bytes(reply.body)
    except ThinkpaneError as fault:
        raise server_problem(f"“{url}” answers with no JSON: {fault.problem.message}", reply.status) from None
    if not isinstance(value, dict):
        raise server_problem(f"“{url}” answers with no JSON object.", reply.status)
    return value


def refused(url: str, reply: Reply) -> ThinkpaneError:
    """The fault of an answer that is none: its status, and the first words of what it says, unless it is a page."""
    said = " ".join(reply.body[:400].decode("utf-8", "replace").split())[:200]
    if said.startswith("<"):
        said = "a web page"
    return server_problem(f"“{url}” answers with status {reply.status}{f': {said}' if said else ''}.", reply.status)


def server_problem(sentence: str, status: int) -> ThinkpaneError:
    """A fault of what a server said."""
    return ThinkpaneError(Problem("server", sentence, detail={"status": status}))
