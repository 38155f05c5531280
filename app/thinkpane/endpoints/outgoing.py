"""Checks a request before a byte of it goes out: its address, its headers, and whether the key may go there."""

import re

from thinkpane.endpoints.dialects._api import HttpRequest
from thinkpane.endpoints.profile import origin_of
from thinkpane.endpoints.secret import Secret
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats import strict_json

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_NO_URL = re.compile(r"[\s\\\x00-\x1f\x7f]")


def checked_origin(url: str) -> str:
    """scheme://host:port of `url`. Raises ThinkpaneError (kind "url") where it is no plain web address.

    Addresses that two readers may read as two hosts (backslashes, blanks, user names) are refused.
    """
    origin = origin_of(url)
    if _NO_URL.search(url):
        raise ThinkpaneError(Problem("url", "The address holds a blank, a backslash or a control character."))
    if not origin:
        raise ThinkpaneError(
            Problem("url", f"“{url[:100]}” is no web address: it has to begin with http:// or https://.")
        )
    if "@" in url.split("//", 1)[1].split("/", 1)[0]:
        raise ThinkpaneError(
            Problem("url", "The address holds a user name or password; keys belong in the key's field.")
        )
    return origin


def outgoing_headers(request: HttpRequest, key: Secret | None) -> list[tuple[str, str]]:
    """The headers as they are sent, the key's among them; an uncompressed answer is always asked for.

    Raises ThinkpaneError (kind "key") where the key belongs to another origin, (kind "header") for a header that
    HTTP cannot hold; the value is never quoted.
    """
    found = {name.lower(): (name, value) for name, value in request.headers}
    found["accept-encoding"] = ("Accept-Encoding", "identity")
    for name, value in found.values():
        _check_header(name, value)
    if key is not None:
        origin = checked_origin(request.url)
        if key.origin != origin:
            sentence = f"The key belongs to {key.origin} and is not sent to {origin}; nothing was sent."
            raise ThinkpaneError(Problem("key", sentence, detail={"origin": origin}))
        found[request.secret.name.lower()] = (request.secret.name, request.secret.prefix + key.value)
    return list(found.values())


def outgoing_body(request: HttpRequest) -> bytes | None:
    """The body as UTF-8 JSON, None for a GET. Raises ThinkpaneError (kind "request") for NaN and Infinity."""
    if request.method == "GET":
        return None
    try:
        return strict_json.dump(request.body, indent=None).encode("utf-8")
    except ValueError:
        raise ThinkpaneError(
            Problem("request", "The request holds NaN or Infinity, which JSON does not have.")
        ) from None


def _check_header(name: str, value: str) -> None:
    if not _NAME.fullmatch(name):
        raise ThinkpaneError(Problem("header", f"“{name[:60]}” is no name for a header."))
    for place, character in enumerate(value, 1):
        if not character.isascii() or not (character.isprintable() or character == "\t"):
            sentence = f"The header {name} has a character that cannot be sent (U+{ord(character):04X}) at {place}."
            raise ThinkpaneError(Problem("header", sentence))
