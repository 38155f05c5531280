"""The endpoints that a person set up, in one JSON file of the config folder. It never holds a key."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from thinkpane.endpoints.connection import Connection, check_connection
from thinkpane.endpoints.profile import DEMO, Endpoint, endpoint_from_text
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.formats.strict_json import dump, parse_bytes
from thinkpane.workspace.atomic_file import read_file, write_atomically

DEMO_ENDPOINT = Endpoint(DEMO, DEMO, "")
"""Replays recorded replies; always there."""

_TEXTS = ("name", "dialect", "base_url", "model", "key_ref", "variant")
_SECRET_HEADERS = ("authorization", "proxy-authorization", "api-key", "x-api-key", "x-goog-api-key", "cookie")


class EndpointStore:
    """The endpoints kept in `file`. It is read anew each time, because other instances write to it too."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._listeners: list[Callable[[], None]] = []

    def all(self) -> tuple[Endpoint, ...]:
        """The endpoints in the order in which they were set up. Raises ThinkpaneError where the file cannot be read."""
        return tuple(_endpoint(each) for each in self._read())

    def named(self, text: str) -> Endpoint:
        """The endpoint that `text` stands for: `demo`, a name, or dialect+URL.

        Raises ThinkpaneError (kind "endpoint") where there is none.
        """
        if text == DEMO:
            return DEMO_ENDPOINT
        saved = self.all()
        found = next((each for each in saved if each.name == text), None) or endpoint_from_text(text)
        if found is None:
            known = ", ".join((DEMO, *(each.name for each in saved)))
            raise ThinkpaneError(Problem("endpoint", f"There is no endpoint “{text}”; known: {known}."))
        return found

    def put(self, endpoint: Endpoint, replacing: str = "") -> None:
        """Keeps an endpoint, in the place of the one called `replacing`.

        Raises ThinkpaneError: kind "endpoint" where its name is taken, its URL is none, or a header holds a key;
        kind "file" where it cannot be written.
        """
        kept = self._read()
        names = [each.get("name") for each in kept]
        check(endpoint, {str(name) for name in names if name != replacing})
        new = _as_json(endpoint)
        if replacing in names:
            place = names.index(replacing)
            kept[place] = {**kept[place], **new}
        else:
            kept.append(new)
        self._write(kept)

    def remove(self, name: str) -> None:
        """Forgets an endpoint; its key is forgotten by workspace/keys.py. Raises ThinkpaneError."""
        self._write([each for each in self._read() if each.get("name") != name])

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Calls `callback` after each change made here; calling the result ends that."""
        self._listeners.append(callback)

        def end() -> None:
            if callback in self._listeners:
                self._listeners.remove(callback)

        return end

    def _read(self) -> list[JsonObject]:
        if not self._file.exists():
            return []
        found = parse_bytes(read_file(self._file, at_most=1 << 22))
        listed = found.get("endpoints") if isinstance(found, dict) else None
        if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
            raise ThinkpaneError(Problem("file", f"{self._file.name} must hold a list of “endpoints”."))
        return [each for each in listed if isinstance(each, dict)]

    def _write(self, kept: list[JsonObject]) -> None:
        value: list[JsonValue] = list(kept)
        write_atomically(self._file, (dump({"endpoints": value}) + "\n").encode("utf-8"))
        for callback in tuple(self._listeners):
            callback()


def check(endpoint: Endpoint, taken: set[str]) -> None:
    """Raises ThinkpaneError (kind "endpoint") where it cannot be kept so. taken: names of others."""
    if not endpoint.name.strip() or endpoint.name == DEMO or endpoint.name in taken:
        raise _wrong("Give the endpoint a name that no other one has.", "name")
    if not endpoint.origin:
        raise _wrong(f"“{endpoint.base_url}” is no http or https address.", "base_url")
    for header in endpoint.headers:
        if header.strip().lower() in _SECRET_HEADERS:
            raise _wrong(f"The header “{header}” holds a key; give it as the endpoint's key instead.", "headers")
    check_connection(endpoint.connection)


def _wrong(sentence: str, field: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("endpoint", sentence, field=field))


def _as_json(endpoint: Endpoint) -> JsonObject:
    found: JsonObject = {name: getattr(endpoint, name) for name in _TEXTS}
    headers: JsonObject = dict(endpoint.headers)
    edits: JsonObject = dict(endpoint.variant_edits)
    connection: JsonObject = dict(asdict(endpoint.connection))
    found |= {"headers": headers, "extra_body": dict(endpoint.extra_body), "variant_edits": edits}
    return found | {"connection": connection}


def _endpoint(value: JsonObject) -> Endpoint:
    texts = {name: _text(value.get(name)) for name in _TEXTS}
    headers, body, edits = (value.get(name) for name in ("headers", "extra_body", "variant_edits"))
    return Endpoint(
        name=texts["name"],
        dialect=texts["dialect"],
        base_url=texts["base_url"],
        model=texts["model"],
        key_ref=texts["key_ref"],
        headers={name: _text(each) for name, each in headers.items()} if isinstance(headers, dict) else {},
        extra_body=body if isinstance(body, dict) else {},
        variant=texts["variant"],
        variant_edits=edits if isinstance(edits, dict) else {},
        connection=_connection(value.get("connection")),
    )


def _connection(value: JsonValue) -> Connection:
    found = value if isinstance(value, dict) else {}
    return Connection(found.get("http2") is True, _text(found.get("proxy")), _text(found.get("ca_file")))


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""
