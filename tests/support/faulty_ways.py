"""The servers and proxies of network faults (support/network_faults.py), by the way that leads to them."""

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import pytest

from support.certificates import Authority, authority
from support.network_fault import NetworkFault
from support.nobody import nobody
from support.proxy_server import ProxyServer
from support.server import Server
from thinkpane.endpoints.connection import USUAL, Connection

_KEPT: list[tempfile.TemporaryDirectory[str]] = []
_HOST = "model.example"
"""No name that is looked up anywhere: only proxies see it, and they lead to this machine."""


class Reached(NamedTuple):
    """Where an endpoint leads, how, and how many requests the server itself has had."""

    url: str
    connection: Connection
    requests: Callable[[], int]


@contextmanager
def reached(fault: NetworkFault, script: Sequence[Any]) -> Iterator[Reached]:
    """The fault's server, and its proxy where it has one, while they run."""
    with ExitStack() as stack:
        if fault.way == "h2":
            pytest.importorskip("h2")
            from support.h2_server import H2Server

            tls = _own().context(protocols=("h2",))
            by_frames = stack.enter_context(H2Server(tls, script))
            way = Connection(http2=True, ca_file=str(_own().ca_file))
            yield Reached(by_frames.url, way, lambda: by_frames.requests)
            return
        server = stack.enter_context(Server(script, tls=_tls(fault)))
        yield Reached(_url(fault, server), _connection(fault, server, stack), lambda: len(server.received))


def _tls(fault: NetworkFault) -> Any:
    if fault.way not in ("tls", "tunnel"):
        return None
    usual = _HOST if fault.way == "tunnel" else "127.0.0.1"
    return _own().context(host=fault.with_.get("host", usual), age=fault.with_.get("age", 0))


def _url(fault: NetworkFault, server: Server) -> str:
    if fault.way in ("proxy", "tunnel"):
        return server.url.replace("127.0.0.1", _HOST)
    return server.url


def _connection(fault: NetworkFault, server: Server, stack: ExitStack) -> Connection:
    given = fault.with_
    if not fault.way:
        return USUAL
    trusted = given.get("trusted", True)
    file = "/nowhere/ca.pem" if trusted == "missing" else str(_own().ca_file) if trusted else ""
    if fault.way == "tls":
        return Connection(ca_file=file)
    dies = server.held if given.get("dies") else None
    if given.get("gone"):
        address = f"http://{stack.enter_context(nobody())}"
    else:
        proxy = ProxyServer(password=given.get("password", ""), answer=given.get("says", b""), dies=dies)
        address = stack.enter_context(proxy).url
    if given.get("socks"):
        address = address.replace("http:", "socks5:")
    if given.get("known"):
        named = {"THINKPANE_TEST_PROXY": address.replace("//", f"//{given['password']}@")}
        stack.enter_context(mock.patch.dict(os.environ, named))
        address = "env:THINKPANE_TEST_PROXY"
    return Connection(proxy=address, ca_file=file)


@cache
def _own() -> Authority:
    """One authority for all faults of a process; its folder goes when the process does."""
    _KEPT.append(tempfile.TemporaryDirectory())
    return authority(Path(_KEPT[0].name))
