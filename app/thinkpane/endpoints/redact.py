"""Takes keys out of text and bytes by their value, in every spelling in which a server may echo them."""

import base64
import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from urllib.parse import quote, quote_plus, urlsplit, urlunsplit

from thinkpane.endpoints.secret import Secret

MASK = "***"

SHORTEST = 8
"""Values with fewer characters are placeholders ("none", "EMPTY"); masking them would garble ordinary words."""

_TELLING = re.compile(r"auth|key|token|secret|cookie|password|signature", re.IGNORECASE)


def redact(text: str, secrets: Iterable[Secret]) -> str:
    """`text` with the mask in place of each key: plain, URL-encoded, JSON-escaped, and in base64 at any offset."""
    for secret in secrets:
        for spelling in spellings(secret.value):
            text = text.replace(spelling, MASK)
    return text


@lru_cache(maxsize=64)
def spellings(value: str) -> tuple[str, ...]:
    """The ways in which `value` may be written, longest first; none for one shorter than `SHORTEST`."""
    if len(value) < SHORTEST:
        return ()
    escaped = json.dumps(value)[1:-1]
    found = {value, quote(value, safe=""), quote(value), quote_plus(value), escaped, escaped.replace("/", "\\/")}
    raw = value.encode("utf-8", "surrogatepass")
    for before in range(3):
        # The first and last characters also depend on what stands around the key, so they are left out.
        coded = base64.b64encode(b"\0" * before + raw).decode("ascii").rstrip("=")
        inner = coded[(0, 2, 3)[before] : len(coded) if not (before + len(raw)) % 3 else -1]
        found |= {inner, inner.replace("+", "-").replace("/", "_")}
    return tuple(sorted(found, key=len, reverse=True))


class StreamRedactor:
    """Masks keys in bytes that come in pieces, a key cut in two included.

    Only the end of a piece that may be the beginning of a key is held back, until the next piece or the end.
    """

    def __init__(self, secrets: Iterable[Secret]) -> None:
        self._spellings = [each.encode() for secret in secrets for each in spellings(secret.value)]
        self._held = b""

    def feed(self, data: bytes) -> bytes:
        """What can be given out of all that came so far."""
        if not self._spellings:
            return data
        data = self._masked(self._held + data)
        keep = max(_overlap(data, spelling) for spelling in self._spellings)
        self._held = data[len(data) - keep :]
        return data[: len(data) - keep]

    def close(self) -> bytes:
        """What was held back; no more comes that could make it a key."""
        held, self._held = self._held, b""
        return held

    def _masked(self, data: bytes) -> bytes:
        for spelling in self._spellings:
            data = data.replace(spelling, MASK.encode())
        return data


def masked_headers(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The headers with the values masked of those whose names tell of a key, a token or a cookie."""
    return {name: MASK if _TELLING.search(name) else value for name, value in headers}


def masked_url(url: str) -> str:
    """The URL with every value in its query masked, and without user and password."""
    parts = urlsplit(url)
    query = "&".join(f"{each.partition('=')[0]}={MASK}" for each in parts.query.split("&")) if parts.query else ""
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, query, ""))


def redacted_headers(headers: Mapping[str, str], secrets: Iterable[Secret]) -> dict[str, str]:
    """A server's headers, cookies masked and keys that it echoes too."""
    known = tuple(secrets)
    return {name: MASK if "cookie" in name.lower() else redact(value, known) for name, value in headers.items()}


def _overlap(data: bytes, spelling: bytes) -> int:
    """How many bytes at the end of `data` are the beginning of `spelling`, less than all of it."""
    for size in range(min(len(data), len(spelling) - 1), 0, -1):
        if data.endswith(spelling[:size]):
            return size
    return 0
