"""What went over the wire in one run, as text to read; keys are masked."""

import codecs
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from thinkpane.endpoints.dialects._api import HttpRequest
from thinkpane.endpoints.redact import MASK, masked_headers, masked_url
from thinkpane.formats import strict_json
from thinkpane.formats.json_values import JsonValue

WireKind: TypeAlias = Literal["request", "response", "data", "note", "error", "over"]

LONGEST_DATA_URL = 4096
"""Characters up to which a data URL in a request is shown whole."""


@dataclass(frozen=True, slots=True)
class WireEntry:
    """One thing that went out or came in.

    ms: milliseconds since the run began. kind: request and response are heads, data is a piece of the body as it
    came, note, error and over are our own words. data: its text; bytes that are no UTF-8 stand as U+FFFD (the journal
    has them as they were).
    """

    ms: float
    kind: WireKind
    data: str


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


def response_text(status: int, headers: Mapping[str, str]) -> str:
    """A response's status and headers."""
    return "\n".join([f"HTTP {status}", *(f"{name}: {value}" for name, value in headers.items())])


class WireText:
    """Reads the bytes of one body as text, a character cut in two included."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def text(self, data: bytes) -> str:
        """The text that `data` completes."""
        return self._decoder.decode(data)

    def close(self) -> str:
        """What the end of the body left unfinished, as U+FFFD."""
        return self._decoder.decode(b"", final=True)
