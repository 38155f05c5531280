"""What can go wrong on the way to a server: certificates, proxies and tunnels (support/faulty_ways.py)."""

from collections.abc import Sequence
from typing import Any

from support.network_fault import Bytes, NetworkFault, Script, Way, sized
from support.server import Step, answer


def by(way: Way, name: str, script: Script, kind: str, class_: str = "", **more: Any) -> NetworkFault:
    """A fault on that way; what is not a NetworkFault's goes into `with_`."""
    own = {key: more.pop(key) for key in ("keeps", "requests", "deadlines") if key in more}
    return NetworkFault(f"{way}: {name}", script, kind, class_, way=way, with_=more, **own)


def good(b: Bytes) -> Sequence[Step]:
    """A server with nothing wrong."""
    return [answer(b.whole, kind=b.kind)]


def half(b: Bytes) -> Sequence[Step]:
    """A reply that stops in its middle."""
    return [sized(10**9) + b.part, "hold"]


def refused(status: str) -> bytes:
    """What a proxy says in place of passing on."""
    return answer(b"<html><title>Sign in</title></html>", status=status, kind="text/html")


WAY_FAULTS = (
    by("tls", "an authority of one's own", good, "", keeps=True),
    by("tls", "an authority that nobody knows", good, "tls", "certificate", requests=0, trusted=False),
    by("tls", "a certificate of last month", good, "tls", "certificate_expired", requests=0, age=30),
    by("tls", "another host's certificate", good, "tls", "certificate_host", requests=0, host="other.example"),
    by("tls", "a file of authorities that is none", good, "tls", "ca_file", requests=0, trusted="missing"),
    by("proxy", "nothing is wrong", good, "", keeps=True),
    by("proxy", "wants a password", good, "server", "proxy_auth", requests=0, password="me:secret"),
    by("proxy", "has its password", good, "", keeps=True, password="me:secret", known=True),
    by("proxy", "is not there", good, "network", "proxy", requests=0, gone=True),
    by("proxy", "answers with a page", good, "not_a_stream", requests=0, says=refused("200 OK")),
    by("proxy", "fails", good, "server", "server", requests=0, says=refused("502 Bad Gateway")),
    by("proxy", "dies in the reply", half, "incomplete", "closed", keeps=True, dies=True),
    by("proxy", "is of SOCKS", good, "proxy", "socks", requests=0, socks=True),
    by("tunnel", "nothing is wrong", good, "", keeps=True),
    by("tunnel", "wants a password", good, "network", "proxy_auth", requests=0, password="me:secret"),
    by("tunnel", "has its password", good, "", keeps=True, password="me:secret", known=True),
    by("tunnel", "is not there", good, "network", "proxy", requests=0, gone=True),
    by("tunnel", "is refused", good, "network", "proxy", requests=0, says=refused("403 Forbidden")),
    by("tunnel", "a page in its place", good, "tls", requests=0, says=refused("200 OK")),
    by("tunnel", "dies in the reply", half, "incomplete", "closed", keeps=True, dies=True),
)
