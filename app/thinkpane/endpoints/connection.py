"""How an endpoint's server is reached: by which HTTP, by which proxy, and on whose word its certificate is trusted."""

import re
from dataclasses import dataclass

from thinkpane.errors import Problem, ThinkpaneError

NO_PROXY = "none"
"""In place of a proxy's address: none at all, whatever the environment says."""

VARIABLE = "env:"
"""Before the name of an environment variable that holds a proxy's address, which may have a password then."""

_VARIABLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Connection:
    """The settings of one endpoint; the usual ones change nothing.

    http2: HTTP/2 where a server offers it in the TLS handshake; addresses without TLS stay with HTTP/1.1.
    proxy: "" = what the environment names, `NO_PROXY`, `VARIABLE` with a name, else an address without a password.
    ca_file: a PEM file with authorities that are trusted beside the usual ones, "" = none.
    """

    http2: bool = False
    proxy: str = ""
    ca_file: str = ""


USUAL = Connection()


@dataclass(frozen=True, slots=True)
class Via:
    """How a request went. protocol: "HTTP/1.1", "HTTP/2", "" = unknown. proxy: its address without a password."""

    protocol: str = ""
    proxy: str = ""


UNKNOWN = Via()


def check_connection(connection: Connection) -> None:
    """Raises ThinkpaneError (kind "proxy") for a proxy that cannot be kept in a file."""
    proxy = connection.proxy
    if proxy.startswith(VARIABLE):
        if not _VARIABLE_NAME.fullmatch(proxy.removeprefix(VARIABLE)):
            raise ThinkpaneError(Problem("proxy", "After env: stands the name of an environment variable."))
    elif "@" in proxy:
        sentence = (
            "A proxy's user name and password would stand in the settings; keep the whole address in an environment "
            "variable and name that: env:NAME."
        )
        raise ThinkpaneError(Problem("proxy", sentence))
