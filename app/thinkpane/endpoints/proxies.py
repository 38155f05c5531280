"""Which proxy a request goes through, by an endpoint's own setting or by the environment's variables.

The variables are read as curl and Python read them: http_proxy, https_proxy and all_proxy in either case, the lower
case first, and no_proxy with names, suffixes, ports, networks and *.
"""

import ipaddress
import os
import re
import sys
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from thinkpane.endpoints.connection import NO_PROXY, VARIABLE, Connection
from thinkpane.endpoints.secret import Password
from thinkpane.errors import Problem, ThinkpaneError

_FORM = "an address is http://host:port, with a port up to 65535"
_HOST = re.compile(r"[^\s\"<>\\^`{|}]+")
_LOOPBACK = re.compile(r"localhost|127(\.\d{1,3}){3}|::1", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy in use. url: with user name and password where it has them, never to be shown. origin: without them.

    named_by: who names it, for sentences. passwords: as they are and as they are written, to be masked when echoed.
    """

    url: str = field(repr=False)
    origin: str
    named_by: str
    passwords: tuple[Password, ...] = ()


def proxy_for(url: str, connection: Connection, environment: Mapping[str, str] | None = None) -> Proxy | None:
    """The proxy on the way to `url`, None where the way is direct. environment: None = this process's.

    This machine's own servers are reached directly unless the endpoint itself names a proxy.

    Raises ThinkpaneError (kind "proxy") where the one that is named cannot be used; its address is not quoted.
    """
    variables = os.environ if environment is None else environment
    asked = connection.proxy.strip()
    if asked == NO_PROXY:
        return None
    if asked.startswith(VARIABLE):
        name = asked.removeprefix(VARIABLE)
        if not variables.get(name):
            raise _unusable(
                f"The endpoint's proxy is to be found in the environment variable {name}, which is not set."
            )
        return _proxy(variables[name], f"environment variable {name}")
    if asked:
        return _proxy(asked, "endpoint")
    parts = urlsplit(url)
    if _LOOPBACK.fullmatch(parts.hostname or ""):
        return None
    found = _named(parts.scheme, variables, is_own=environment is None)
    if found is None or _is_bypassed(parts.hostname or "", parts.port, variables, is_own=environment is None):
        return None
    return _proxy(*found)


def _named(scheme: str, variables: Mapping[str, str], *, is_own: bool) -> tuple[str, str] | None:
    """The address that the environment names, and the name of the variable."""
    for name in (f"{scheme}_proxy", "all_proxy"):
        for spelling in (name, name.upper()):
            # A web server's CGI puts a visitor's Proxy header there (httpoxy).
            if spelling == "HTTP_PROXY" and "REQUEST_METHOD" in variables:
                continue
            if address := variables.get(spelling, ""):
                return address, f"environment variable {spelling}"
    if is_own and sys.platform in ("darwin", "win32"):
        system = urllib.request.getproxies()
        address = system.get(scheme) or system.get("all") or ""
        return (address, "system's settings") if address else None
    return None


def _is_bypassed(host: str, port: int | None, variables: Mapping[str, str], *, is_own: bool) -> bool:
    listed = variables.get("no_proxy", variables.get("NO_PROXY"))
    if listed is None:
        return is_own and sys.platform in ("darwin", "win32") and bool(urllib.request.proxy_bypass(host))
    return any(_fits(entry, host.lower(), port) for entry in re.split(r"[\s,]+", listed.lower()) if entry)


def _fits(entry: str, host: str, port: int | None) -> bool:
    """Whether one entry of no_proxy means that host."""
    if entry == "*":
        return True
    try:
        return ipaddress.ip_address(host) in ipaddress.ip_network(entry.strip("[]"), strict=False)
    except ValueError:
        pass  # one of them is a name
    name, colon, wanted = entry.rpartition(":")
    if colon and wanted.isdecimal() and (":" not in name or name.endswith("]")):
        if int(wanted) != port:
            return False
        entry = name
    name = entry.strip("[]").removeprefix("*").removeprefix(".")
    return host == name or host.endswith("." + name)


def _proxy(address: str, named_by: str) -> Proxy:
    address = address.strip()
    address = address if "://" in address else "http://" + address
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        sentence = f"The proxy that the {named_by} names has no address that can be read: {_FORM}."
        raise _unusable(sentence) from None
    scheme = parts.scheme.lower()
    if scheme.startswith("socks"):
        sentence = f"The {named_by} names a SOCKS proxy, which Thinkpane cannot use; name an HTTP proxy, or none."
        raise _unusable(sentence, "socks")
    if scheme not in ("http", "https") or not parts.hostname:
        raise _unusable(f"The proxy that the {named_by} names is none: its address has to begin with http://.")
    if not _HOST.fullmatch(parts.hostname):
        raise _unusable(f"The proxy that the {named_by} names has a host that no machine can have: {_FORM}.")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    origin = f"{scheme}://{host}:{port or (443 if scheme == 'https' else 80)}"
    return Proxy(address, origin, named_by, _passwords(parts.username or "", parts.password or ""))


def _passwords(user: str, password: str) -> tuple[Password, ...]:
    written = Password(password, user)
    return tuple(dict.fromkeys((Password(unquote(password), unquote(user)), written))) if password else ()


def _unusable(sentence: str, name: str = "proxy") -> ThinkpaneError:
    return ThinkpaneError(Problem("proxy", sentence, detail={"class": name}))
