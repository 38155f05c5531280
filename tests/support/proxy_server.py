"""A loopback HTTP proxy, plain and CONNECT, that lets through, refuses, wants a password, or dies in between."""

import base64
import contextlib
import socket
import threading
from functools import partial
from urllib.parse import urlsplit

from support.loopback import LoopbackServer, close_quietly
from support.patience import PATIENCE
from support.server import Received, read_request


class ProxyServer(LoopbackServer):
    """Passes requests on to this machine, whatever host they name. Use as a context manager.

    received: the heads that it got, those of CONNECT among them.
    """

    def __init__(self, *, password: str = "", answer: bytes = b"", dies: threading.Event | None = None) -> None:
        """password: what it wants, as user:password, "" = nothing. answer: what it says in place of passing on.

        dies: it breaks off once this is set, and it has passed on all that came before.
        """
        super().__init__()
        self._wanted = "Basic " + base64.b64encode(password.encode()).decode() if password else ""
        self._answer = answer
        self._dies = dies
        self.received: list[Received] = []

    @property
    def url(self) -> str:
        """Its address, without a password."""
        return f"http://127.0.0.1:{self.port}"

    def _serve(self, client: socket.socket, number: int) -> None:
        try:
            client.settimeout(PATIENCE)
            request = read_request(client)
            if request is None:
                return
            self.received.append(request)
            if self._wanted and request.headers.get("proxy-authorization") != self._wanted:
                client.sendall(_refusal("407 Proxy Authentication Required"))
            elif self._answer:
                client.sendall(self._answer)
            else:
                self._pass_on(client, request)
        except OSError:
            return  # the other side broke off, which is what many tests are about
        finally:
            close_quietly(client)

    def _pass_on(self, client: socket.socket, request: Received) -> None:
        method, target, _ = request.head.split("\r\n", 1)[0].split(" ")
        is_tunnel = method == "CONNECT"
        port = int(target.rpartition(":")[2]) if is_tunnel else urlsplit(target).port or 80
        server = socket.create_connection(("127.0.0.1", port), PATIENCE)
        server.settimeout(PATIENCE)
        self._open.append(server)
        if is_tunnel:
            client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            self._start(partial(self._copy, client, server))
        else:
            server.sendall(_relative(request).encode("latin-1") + b"\r\n\r\n" + request.body)
        self._copy(server, client, self._dies)

    def _copy(self, source: socket.socket, target: socket.socket, dies: threading.Event | None = None) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536) if dies is None else _before(dies, source):
                target.sendall(data)
        close_quietly(source)
        close_quietly(target)


def _before(dies: threading.Event, source: socket.socket) -> bytes:
    """What was sent before that was set, b"" once all has been read."""
    source.settimeout(0.05)
    while True:
        is_all_there = dies.is_set()
        try:
            return source.recv(65536)
        except TimeoutError:
            if is_all_there:
                return b""


def _relative(request: Received) -> str:
    """The head with a path in place of the whole address, and without what is meant for the proxy."""
    first, *lines = request.head.split("\r\n")
    method, target, version = first.split(" ")
    path = urlsplit(target)._replace(scheme="", netloc="").geturl() or "/"
    kept = [line for line in lines if not line.lower().startswith("proxy-")]
    return "\r\n".join([f"{method} {path} {version}", *kept])


def _refusal(status: str) -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: 2\r\nContent-Type: text/plain\r\n\r\nno".encode()
