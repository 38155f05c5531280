"""Where requests go for a base URL as a person typed it.

Only a bare host gets `/v1` added; every other path is taken at its word, so that `/v1beta/openai` and gateways under
any prefix work. A whole request URL pasted as base is recognised by its ending.
"""

import ipaddress
import re
from urllib.parse import SplitResult, urlsplit, urlunsplit

from thinkpane.errors import Problem, ThinkpaneError

_ENDINGS = (
    "/chat/completions", "/completions", "/responses", "/models", "/messages/count_tokens", "/messages", "/embeddings",
)  # fmt: skip
_OWN_ENDINGS = ("/api/chat", "/api/generate", "/api/tags", "/api/version", "/completion", "/props", "/apply-template")
"""Requests of servers' own APIs, which lie beside their OpenAI one."""
_NATIVE_ENDINGS = (*_OWN_ENDINGS, "/completions", "/api", "/v1")
_LOCAL = re.compile(
    r"(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|0\.0\.0\.0|\[|[^.:/]+(:\d+)?(/|$)"
    r"|[^:/]+(\.(local|lan|internal|home\.arpa)(:\d+)?|:80)(/|$))",
    re.IGNORECASE,
)
_QUOTES = (('"', '"'), ("'", "'"), ("`", "`"), ("<", ">"))


def joined(base_url: str, ending: str, *, bare: str = "/v1") -> str:
    """The URL for `ending` (with its leading slash). bare: what a host without a path gets in between.

    Raises ThinkpaneError (kind "url") where base_url is no http or https address or carries a user name or password.
    """
    parts = split(base_url)
    path, found = _openai_base(parts.path)
    return _rebuilt(parts, (path if found else path or bare) + ending)


def joined_versioned(base_url: str, ending: str, version: str = "/v1") -> str:
    """The URL for `ending` below `version`, whatever prefix a gateway has; a path that ends in either has it already.

    Raises ThinkpaneError (kind "url") as `joined` does.
    """
    parts = split(base_url)
    path, found = _openai_base(parts.path)
    return _rebuilt(parts, (path if found or path.lower().endswith(version) else path + version) + ending)


def joined_native(base_url: str, ending: str) -> str:
    """The URL for `ending` of a server's own API, which lies beside its OpenAI one: a `/v1` at the end is taken off.

    Raises ThinkpaneError (kind "url") as `joined` does.
    """
    parts = split(base_url)
    path, _ = _without(parts.path, _ENDINGS)
    for _ in range(2):
        # Twice: what is left of /v1/api/chat is /v1.
        path, _ = _without(path, _NATIVE_ENDINGS)
    return _rebuilt(parts, path + ending)


def _openai_base(path: str) -> tuple[str, bool]:
    """The path without the request at its end; True where what is left is a base as it stands."""
    path, found = _without(path, _ENDINGS)
    return (path, True) if found else (_without(path, _OWN_ENDINGS)[0], False)


def _without(path: str, endings: tuple[str, ...]) -> tuple[str, bool]:
    """The path without slashes at its end and without the first of `endings` that it has; True where it had one."""
    path = re.sub(r"/{2,}", "/", path).rstrip("/")
    for each in endings:
        if path.lower().endswith(each):
            return path[: -len(each)], True
    return path, False


def _rebuilt(parts: SplitResult, path: str) -> str:
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))


def split(base_url: str) -> SplitResult:
    """The parts of a base URL; without a scheme it is http for hosts of this network, https for others.

    Raises ThinkpaneError (kind "url") as `joined` does.
    """
    typed = _unquoted(base_url.strip())
    if not typed:
        raise _refused("The endpoint has no base URL.")
    if re.search(r"[\s\\\x00-\x1f\x7f]", typed):
        raise _refused("The base URL holds a blank, a backslash or a control character.")
    if "://" not in typed:
        typed = typed.lstrip("/")
        typed = ("http://" if _LOCAL.match(typed) else "https://") + typed
    try:
        parts = urlsplit(typed)
        # As a host the scheme's own word is a slip: http:/host, http//host.
        known = parts.scheme in ("http", "https") and parts.hostname not in (None, "", "http", "https")
        known = known and (parts.port is None or parts.port > 0)
    except ValueError as fault:
        raise _refused(f"“{base_url}” is no web address: {fault}.") from None
    if not known:
        raise _refused(f"“{base_url}” is no http or https address.")
    if "@" in parts.netloc:
        raise _refused("The base URL carries a user name or password; keys belong in the endpoint's key field.")
    return parts


def _unquoted(typed: str) -> str:
    """What was typed without quotes around it; an IPv6 address in its brackets."""
    for opening, closing in _QUOTES:
        if typed.startswith(opening) and typed.endswith(closing):
            typed = typed[1:-1].strip()
    try:
        return f"[{ipaddress.IPv6Address(typed)}]"
    except ValueError:
        return typed


def _refused(sentence: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("url", sentence))
