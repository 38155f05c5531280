"""An endpoint as a person set it up. It never holds a key, only where the key is found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from thinkpane.endpoints.connection import USUAL, Connection
from thinkpane.formats.json_values import JsonValue

DEMO = "demo"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One endpoint.

    dialect: chat and raw dialect are chosen from it and `path`. base_url: as typed.
    key_ref: "" (no key), "keyring", "env:NAME" or "session"; the key is bound to `origin`.
    headers, extra_body: sent with every request as they stand; no secrets belong here.
    variant: the server's ways of chat completions by name (variant_table.py), "" = what its address says.
    variant_edits: fields of the variant that a person set otherwise. connection: how the server is reached.
    """

    name: str
    dialect: str
    base_url: str
    model: str = ""
    key_ref: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    extra_body: Mapping[str, JsonValue] = field(default_factory=dict)
    variant: str = ""
    variant_edits: Mapping[str, JsonValue] = field(default_factory=dict)
    connection: Connection = USUAL

    @property
    def origin(self) -> str:
        """scheme://host:port, the only place its key may go."""
        return origin_of(self.base_url)


def endpoint_from_text(text: str) -> Endpoint | None:
    """The endpoint that `dialect+URL` describes, named by that text; None for text of any other form."""
    dialect, plus, url = text.partition("+")
    return Endpoint(text, dialect, url) if dialect and plus and url else None


def origin_of(url: str) -> str:
    """scheme://host:port of a URL, the port always written out; "" where it is no http(s) URL."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return ""
    return f"{parts.scheme}://{parts.hostname}:{port or (443 if parts.scheme == 'https' else 80)}"
