"""A loopback HTTP server that answers exactly the bytes of a script, well-formed or not, and keeps what it was sent."""

import json
import socket
import ssl
import struct
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from support.loopback import LoopbackServer, close_quietly
from support.patience import PATIENCE


@dataclass(frozen=True)
class Repeat:
    """The same bytes so many times, with a pause before each; it ends early where the other side breaks off."""

    data: bytes
    times: int
    pause: float = 0.0


Step: TypeAlias = bytes | Repeat | Literal["hold", "reset"]
"""Bytes to send; "hold" = send nothing more until the server or the other side closes; "reset" = break off hard."""


@dataclass(frozen=True)
class Received:
    """One request as it arrived."""

    head: str
    body: bytes

    @property
    def headers(self) -> dict[str, str]:
        """Its headers, names in lower case."""
        pairs = [line.partition(":") for line in self.head.split("\r\n")[1:]]
        return {name.lower(): value.strip() for name, _, value in pairs}

    @property
    def json(self) -> dict[str, object]:
        """Its body as an object."""
        found = json.loads(self.body)
        assert isinstance(found, dict)
        return found


class Server(LoopbackServer):
    """Plays one script a connection, the last one again for all further ones. Use as a context manager."""

    def __init__(self, *scripts: Sequence[Step], tls: ssl.SSLContext | None = None, hasty: bool = False) -> None:
        """tls: speaks https by it. hasty: answers the first bytes, whatever they are, without reading a request."""
        super().__init__()
        self._tls = tls
        self._hasty = hasty
        self.received: list[Received] = []
        self.held = threading.Event()
        """Set once a script has come to its "hold"."""
        self._scripts = list(scripts)

    @property
    def url(self) -> str:
        """The base URL of an endpoint that leads here."""
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}/v1"

    def _serve(self, connection: socket.socket, number: int) -> None:
        script = self._scripts[min(number, len(self._scripts) - 1)] if self._scripts else ()
        try:
            connection.settimeout(PATIENCE)
            if self._tls is not None:
                connection = self._tls.wrap_socket(connection, server_side=True)
            if self._hasty:
                connection.recv(65536)
            elif (request := read_request(connection)) is not None:
                self.received.append(request)
            for step in script:
                if step == "reset":
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                elif step == "hold":
                    self.held.set()
                    while connection.recv(4096):
                        pass
                elif isinstance(step, Repeat):
                    self._repeat(connection, step)
                elif isinstance(step, bytes):
                    connection.sendall(step)
        except OSError:
            # The other side broke off, which is what many tests are about.
            return
        finally:
            if "reset" in script:
                connection.close()
            else:
                close_quietly(connection)

    def _repeat(self, connection: socket.socket, step: Repeat) -> None:
        for _ in range(step.times):
            if self.closing.wait(step.pause) if step.pause else self.closing.is_set():
                return
            connection.sendall(step.data)


def read_request(connection: socket.socket) -> Received | None:
    """The whole request, None where the other side leaves before it is complete."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more:
            return None
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    found = Received(head.decode("latin-1"), body)
    size = int(found.headers.get("content-length", "0"))
    while len(body) < size:
        more = connection.recv(65536)
        if not more:
            return None
        body += more
    return Received(found.head, body)


def answer(
    body: bytes,
    *,
    status: str = "200 OK",
    kind: str = "text/event-stream",
    headers: Sequence[str] = (),
    sized: bool = True,
) -> bytes:
    """A whole HTTP/1.1 answer. sized: with its Content-Length; else it ends with the connection."""
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", "Connection: close", *headers]
    lines += [f"Content-Length: {len(body)}"] if sized else []
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def chat_event(**delta: str) -> bytes:
    """One event of a streamed chat completion."""
    return (
        b"data: " + json.dumps({"id": "c", "model": "m", "choices": [{"index": 0, "delta": delta}]}).encode() + b"\n\n"
    )


CHAT_END = b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
"""A finish reason, then the end mark."""


def chat_stream(thinking: str = "Let me see.", text: str = "Hello there.") -> bytes:
    """A whole streamed chat completion."""
    return chat_event(role="assistant") + chat_event(reasoning_content=thinking) + chat_event(content=text) + CHAT_END


def chat_body(text: str = "Hello there.") -> bytes:
    """A whole chat completion that does not stream."""
    message = {"role": "assistant", "reasoning_content": "Let me see.", "content": text}
    return json.dumps({"id": "c", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}).encode()
