"""Which models an endpoint offers: where its list lies, and how it is read. The caller hands in what asks for it."""

from collections.abc import Mapping
from typing import Protocol
from urllib.parse import urlunsplit

from thinkpane.endpoints.connection import Connection
from thinkpane.endpoints.dialects._api import Call, Dialect, SecretHeader
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.dialects._urls import joined, joined_native, split
from thinkpane.endpoints.profile import Endpoint
from thinkpane.endpoints.secret import Secret
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue

SECONDS = 10.0
BYTES = 16 * 1024 * 1024
"""At most for the whole list; a large gateway's has some hundred kB."""


class GetJson(Protocol):
    """endpoints.client.Client.get_json."""

    def __call__(
        self,
        url: str,
        key: Secret | None,
        deadline: float,
        cap: int,
        *,
        secret: SecretHeader = ...,
        headers: tuple[tuple[str, str], ...] = ...,
        connection: Connection = ...,
    ) -> JsonValue:
        """The JSON at `url`. Raises ThinkpaneError."""


def models(endpoint: Endpoint, key: Secret | None, get_json: GetJson) -> tuple[str, ...]:
    """The names of the endpoint's models, as the server lists them. Waits for the answer.

    Raises ThinkpaneError where there is none, or it is no list of models.
    """
    dialect = dialect_named(endpoint.dialect)
    asked = dialect.request(endpoint.base_url, _ANY_CALL[dialect.path])
    own = tuple((name, value) for name, value in asked.headers if name.lower() not in ("content-type", "accept"))
    url = models_url(dialect, endpoint.base_url)
    headers = (*own, *endpoint.headers.items())
    return model_names(
        get_json(url, key, SECONDS, BYTES, secret=asked.secret, headers=headers, connection=endpoint.connection)
    )


def models_url(dialect: Dialect, base_url: str) -> str:
    """Where the list lies. Raises ThinkpaneError (kind "url")."""
    if dialect.name.startswith("ollama"):
        return joined_native(base_url, "/api/tags")
    return joined(base_url, "/models")


def model_names(value: JsonValue) -> tuple[str, ...]:
    """The names in a list of models in OpenAI's ({data: [{id}]}) or Ollama's ({models: [{name}]}) form.

    Raises ThinkpaneError (kind "server").
    """
    listed = value.get("data", value.get("models")) if isinstance(value, dict) else value
    if not isinstance(listed, list):
        raise ThinkpaneError(Problem("server", "The server answers, but with no list of models."))
    found = (each.get("id") or each.get("name") for each in listed if isinstance(each, Mapping))
    return tuple(name for name in found if isinstance(name, str))


def with_scheme(base_url: str) -> str:
    """A base URL as a person typed it, its scheme written out. Raises ThinkpaneError (kind "url")."""
    return urlunsplit(split(base_url))


_ANY_CALL = {
    "chat": Call("chat", "any", messages=[{"role": "user", "content": "any"}]),
    "raw": Call("raw", "any", prompt="any"),
}
