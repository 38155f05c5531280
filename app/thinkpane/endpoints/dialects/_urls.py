"""Where requests go for a base URL as a person typed it.

Only a bare host gets `/v1` added; every other path is taken at its word, so that `/v1beta/openai` and gateways under
any prefix work. A whole request URL pasted as base is recognised by its ending.
"""

import re
from urllib.parse import SplitResult, urlsplit, urlunsplit

from thinkpane.errors import Problem, ThinkpaneError

_ENDINGS = ("/chat/completions", "/completions", "/responses", "/models", "/messages", "/embeddings")
_NATIVE_ENDINGS = ("/api/chat", "/api/generate", "/completion", "/completions", "/api", "/v1")
_LOCAL = re.compile(r"(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|0\.0\.0\.0|\[|[^.:/]+(:\d+)?(/|$))")


def joined(base_url: str, ending: str, *, bare: str = "/v1") -> str:
    """The URL for `ending` (with its leading slash). bare: what a host without a path gets in between.

    Raises ThinkpaneError (kind "url") where base_url is no http or https address or carries a user name or password.
    """
    parts = split(base_url)
    path, found = _without(parts.path, _ENDINGS)
    return _rebuilt(parts, (path if found else path or bare) + ending)


def joined_versioned(base_url: str, ending: str, version: str = "/v1") -> str:
    """The URL for `ending` below `version`, whatever prefix a gateway has; a path that ends in either has it already.

    Raises ThinkpaneError (kind "url") as `joined` does.
    """
    parts = split(base_url)
    path, found = _without(parts.path, _ENDINGS)
    return _rebuilt(parts, (path if found or path.endswith(version) else path + version) + ending)


def joined_native(base_url: str, ending: str) -> str:
    """The URL for `ending` of a server's own API, which lies beside its OpenAI one: a `/v1` at the end is taken off.

    Raises ThinkpaneError (kind "url") as `joined` does.
    """
    parts = split(base_url)
    path, _ = _without(parts.path, _ENDINGS)
    path, _ = _without(path, _NATIVE_ENDINGS)
    return _rebuilt(parts, path + ending)


def _without(path: str, endings: tuple[str, ...]) -> tuple[str, bool]:
    """The path without slashes at its end and without the first of `endings` that it has; True where it had one."""
    path = re.sub(r"/{2,}", "/", path).rstrip("/")
    for each in endings:
        if path.endswith(each):
            return path.removesuffix(each), True
    return path, False


def _rebuilt(parts: SplitResult, path: str) -> str:
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))


def split(base_url: str) -> SplitResult:
    """The parts of a base URL; without a scheme it is http for hosts of this network, https for others.

    Raises ThinkpaneError (kind "url") as `joined` does.
    """
    typed = base_url.strip()
    if not typed:
        raise _refused("The endpoint has no base URL.")
    if "://" not in typed:
        typed = ("http://" if _LOCAL.match(typed) else "https://") + typed.lstrip("/")
    try:
        parts = urlsplit(typed)
        known = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port >= 0)
    except ValueError as fault:
        raise _refused(f"“{base_url}” is no web address: {fault}.") from None
    if not known:
        raise _refused(f"“{base_url}” is no http or https address.")
    if "@" in parts.netloc:
        raise _refused("The base URL carries a user name or password; keys belong in the endpoint's key field.")
    return parts


def _refused(sentence: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("url", sentence))
