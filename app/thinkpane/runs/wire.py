"""What went over the wire in one run, to read; keys are masked, and what came is kept byte for byte."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from thinkpane.endpoints.connection import UNKNOWN, Via
from thinkpane.endpoints.dialects._api import HttpRequest
from thinkpane.endpoints.redact import MASK, masked_headers, masked_url
from thinkpane.formats import strict_json
from thinkpane.formats.json_values import JsonValue

WireKind: TypeAlias = Literal["request", "response", "data", "note", "error", "over"]

LONGEST_DATA_URL = 4096
"""Characters up to which a data URL in a request is shown whole."""

SHOWN = 16 * 1024 * 1024
"""Bytes of a reply's body that the wire keeps in memory; a stream may go on without end."""


@dataclass(frozen=True, slots=True)
class WireEntry:
    """One thing that went out or came in.

    ms: milliseconds since the run began, when the last byte of it was there. kind: request and response are heads, data
    is one event of the body (runs/wire_frames.py), note, error and over are our own words. raw: its bytes; those of the
    body exactly as they came, so that all "data" entries of a request in a row are the body.
    """

    ms: float
    kind: WireKind
    raw: bytes

    @property
    def data(self) -> str:
        """It as text; bytes that are no UTF-8 stand as U+FFFD."""
        return self.raw.decode("utf-8", "replace")


def said(ms: float, kind: WireKind, text: str) -> WireEntry:
    """An entry of text of ours."""
    return WireEntry(ms, kind, text.encode("utf-8", "backslashreplace"))


def request_text(request: HttpRequest, *, has_key: bool) -> str:
    """The request as HTTP shows it, headers and query masked where they may hold a secret, the body indented."""
    headers = masked_headers(request.headers)
    if has_key:
        headers[request.secret.name] = request.secret.prefix + MASK
    lines = [f"{request.method} {masked_url(request.url)}", *(f"{name}: {value}" for name, value in headers.items())]
    return "\n".join(lines) + "\n\n" + strict_json.dump(shortened(request.body))


def shortened(value: JsonValue) -> JsonValue:
    """The value with every long data URL cut after its beginning: nobody reads the megabytes of a picture."""
    match value:
        case str() if len(value) > LONGEST_DATA_URL and value.startswith("data:"):
            return f"{value[:64]}… ({len(value):,} characters)"
        case list():
            return [shortened(each) for each in value]
        case dict():
            return {key: shortened(each) for key, each in value.items()}
    return value


def response_text(status: int, headers: Mapping[str, str], via: Via = UNKNOWN) -> str:
    """A response's status and headers, and how it came."""
    way = [f"(through the proxy {via.proxy})"] if via.proxy else []
    lines = (f"{name}: {value}" for name, value in headers.items())
    return "\n".join([f"{via.protocol or 'HTTP'} {status}", *way, *lines])
