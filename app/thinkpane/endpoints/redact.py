"""Takes keys and passwords out of text and bytes by their value, in every spelling in which a server may echo them."""

import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias
from urllib.parse import urlsplit, urlunsplit

from thinkpane.endpoints.secret import Password, Secret
from thinkpane.endpoints.spellings import Place, spellings

MASK = "***"

Hidden: TypeAlias = Secret | Password

_TELLING = re.compile(r"auth|key|token|secret|cookie|password|signature", re.IGNORECASE)
# Where a word begins and ends. A letter of a JSON escape is none, nor are typographic marks (UTF-8 begins them with C2,
# E2 or EF); in a refusal every other letter than ASCII's may stand beside what is masked, rather than that it is shown.
_ESCAPED, _MARK = rb"(?<=\\[bfnrt])", rb"(?<=\xc2.)|(?<=[\xe2\xef]..)"
_EDGES: Mapping[Place, tuple[bytes, bytes]] = {
    "reply": (
        rb"(?:(?<![0-9A-Za-z_\x80-\xff])|" + _MARK + rb"|" + _ESCAPED + rb")",
        rb"(?![0-9A-Za-z_\x80-\xc1\xc3-\xe1\xe3-\xee\xf0-\xff])",
    ),
    "error": (rb"(?:(?<![0-9A-Za-z_])|" + _ESCAPED + rb")", rb"(?![0-9A-Za-z_])"),
    "header": (rb"(?<![0-9A-Za-z_])", rb"(?![0-9A-Za-z_])"),
}
_SEEN_BEFORE = 3
"""Bytes before a spelling that tell whether a word begins there."""


def redact(text: str, secrets: Iterable[Hidden], place: Place = "reply") -> str:
    """`text` with the mask in place of each key and password (endpoints/spellings.py)."""
    redactor = StreamRedactor(secrets, place)
    return (redactor.feed(text.encode("utf-8", "surrogatepass")) + redactor.close()).decode("utf-8", "surrogatepass")


class StreamRedactor:
    """Masks keys and passwords in bytes that come in pieces, one cut in two included.

    Only the end of a piece that may be the beginning of one is held back, until the next piece or the end.
    """

    def __init__(self, secrets: Iterable[Hidden], place: Place = "reply") -> None:
        found = {each for secret in secrets for each in spellings(secret, place)}
        ordered = sorted(found, key=lambda each: (-len(each.data), each.data, each.alone))
        before, after = _EDGES[place]
        self._known = [(each.data, bool(each.alone)) for each in ordered]
        self._pattern = re.compile(
            b"|".join(
                (before if each.alone == "both" else b"") + re.escape(each.data) + (after if each.alone else b"")
                for each in ordered
            ),
            re.DOTALL,
        )
        # What a piece may end with that the next may make a spelling; one that has to stand alone is open as a whole.
        self._begun = {data[:size] for data, is_alone in self._known for size in range(1, len(data) + is_alone)}
        self._longest = max(map(len, self._begun), default=0)
        self._before = self._held = b""

    def feed(self, data: bytes) -> bytes:
        """What can be given out of all that came so far."""
        return self._given(data, is_last=False) if self._known else data

    def close(self) -> bytes:
        """What was held back; no more comes that could make it a key."""
        return self._given(b"", is_last=True) if self._held else b""

    def _given(self, data: bytes, *, is_last: bool) -> bytes:
        data = self._before + self._held + data
        at, found = len(self._before), list[bytes]()
        if any(spelling in data for spelling, _ in self._known):
            for match in self._pattern.finditer(data, at):
                if match.end() == len(data) and not is_last and self._is_open(match.group()):
                    break
                found += [data[at : match.start()], MASK.encode()]
                at = match.end()
        end = len(data) if is_last else len(data) - self._held_back(data[at:])
        found.append(data[at:end])
        self._before, self._held = data[max(0, end - _SEEN_BEFORE) : end], data[end:]
        return b"".join(found)

    def _is_open(self, spelling: bytes) -> bool:
        """Whether it counts only where no more of its word follows."""
        return (spelling, False) not in self._known

    def _held_back(self, data: bytes) -> int:
        """How many bytes at the end of `data` may be the beginning of a spelling, or one that has to stand alone."""
        sizes = range(min(len(data), self._longest), 0, -1)
        return next((size for size in sizes if data[-size:] in self._begun), 0)


def masked_headers(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The headers with the values masked of those whose names tell of a key, a token or a cookie."""
    return {name: MASK if _TELLING.search(name) else value for name, value in headers}


def masked_url(url: str) -> str:
    """The URL with every value in its query masked, and without user and password."""
    parts = urlsplit(url)
    query = "&".join(f"{each.partition('=')[0]}={MASK}" for each in parts.query.split("&")) if parts.query else ""
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, query, ""))


def redacted_headers(headers: Mapping[str, str], secrets: Iterable[Hidden]) -> dict[str, str]:
    """A server's headers, cookies masked and keys that it echoes too."""
    known = tuple(secrets)
    return {
        name: MASK if "cookie" in name.lower() else redact(value, known, "header") for name, value in headers.items()
    }
