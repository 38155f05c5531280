"""Where requests go for a base URL as a person typed it.

Only a bare host gets `/v1` added; every other path is taken at its word, so that `/v1beta/openai` and gateways under
any prefix work. A whole request URL pasted as base is recognised by its ending.
"""

import re
from urllib.parse import SplitResult, urlsplit, urlunsplit

from thinkpane.errors import Problem, ThinkpaneError

_ENDINGS = ("/chat/completions", "/completions", "/responses", "/models", "/messages", "/embeddings")
_LOCAL = re.compile(r"(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|0\.0\.0\.0|\[|[^.:/]+(:\d+)?(/|$))")


def joined(base_url: str, ending: str, *, bare: str = "/v1") -> str:
    """The URL for `ending` (with its leading slash). bare: what a host without a path gets in between.

    Raises ThinkpaneError (kind "url") where base_url is no http or https address or carries a user name or password.
    """
    parts = split(base_url)
    path = re.sub(r"/{2,}", "/", parts.path).rstrip("/")
    for each in _ENDINGS:
        if path.endswith(each):
            path = path.removesuffix(each)
            break
    else:
        path = path or bare
    return urlunsplit((parts.scheme, parts.netloc, path + ending, parts.query, ""))


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
