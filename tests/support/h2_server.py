"""A loopback server of HTTP/2 over TLS that plays a script of frames, sound or not, and counts its requests."""

import socket
import ssl
from collections.abc import Sequence
from typing import Any

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions

from support.h2_frames import Data, Frame, GoAway, Headers, Hold, Raw, Reset
from support.loopback import LoopbackServer, close_quietly
from support.patience import PATIENCE


class H2Server(LoopbackServer):
    """Plays one script a connection, the last one again for all further ones. Use as a context manager.

    requests: how many arrived; heads: their header fields.
    """

    def __init__(self, tls: ssl.SSLContext, *scripts: Sequence[Frame]) -> None:
        """tls: with "h2" in its ALPN protocols."""
        super().__init__()
        self._tls = tls
        self._scripts = scripts
        self.heads: list[dict[str, str]] = []
        self.bodies: list[bytes] = []

    @property
    def url(self) -> str:
        """The base URL of an endpoint that leads here."""
        return f"https://127.0.0.1:{self.port}/v1"

    @property
    def requests(self) -> int:
        """How many requests arrived."""
        return len(self.heads)

    def _serve(self, raw: socket.socket, number: int) -> None:
        connection, script = raw, self._scripts[min(number, len(self._scripts) - 1)]
        try:
            raw.settimeout(PATIENCE)
            connection = self._tls.wrap_socket(raw, server_side=True)
            self._open.append(connection)
            talk = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
            talk.initiate_connection()
            connection.sendall(talk.data_to_send())
            stream = self._read_request(connection, talk)
            for frame in script if stream is not None else ():
                self._send(connection, talk, stream or 1, frame)
            connection.sendall(talk.data_to_send())
            # With anything unread a close would be a reset, and the other side would lose what it has not read yet.
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(65536):
                pass
        except (OSError, h2.exceptions.ProtocolError):
            return  # the other side broke off, or gave this stream up, which is what many tests are about
        finally:
            close_quietly(connection)

    def _read_request(self, connection: socket.socket, talk: Any) -> int | None:
        head: dict[str, str] = {}
        body = b""
        while True:
            data = connection.recv(65536)
            if not data:
                return None
            for event in talk.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    head = {str(name): str(value) for name, value in event.headers}
                elif isinstance(event, h2.events.DataReceived):
                    body += event.data or b""
                    talk.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded):
                    self.heads.append(head)
                    self.bodies.append(body)
                    connection.sendall(talk.data_to_send())
                    return int(event.stream_id)
            connection.sendall(talk.data_to_send())

    def _send(self, connection: socket.socket, talk: Any, stream: int, frame: Frame) -> None:
        match frame:
            case Headers():
                # It goes with what follows: whatever waits for the body must not wait for this thread's turn.
                talk.send_headers(stream, [(":status", frame.status), *frame.fields], end_stream=frame.ends)
                return
            case Data():
                self._send_data(connection, talk, stream, frame)
            case GoAway():
                talk.close_connection(frame.code, last_stream_id=stream if frame.last is None else frame.last)
            case Reset():
                talk.reset_stream(stream, frame.code)
            case Raw():
                connection.sendall(talk.data_to_send() + frame.data)
            case Hold():
                connection.sendall(talk.data_to_send())
                while connection.recv(4096):
                    pass
        connection.sendall(talk.data_to_send())

    def _send_data(self, connection: socket.socket, talk: Any, stream: int, frame: Data) -> None:
        """All of it, however small the other side's window is."""
        left = frame.data
        while left:
            room = min(talk.local_flow_control_window(stream), talk.max_outbound_frame_size, len(left))
            if not room:
                talk.receive_data(connection.recv(65536))
                continue
            talk.send_data(stream, left[:room])
            connection.sendall(talk.data_to_send())
            left = left[room:]
        if frame.ends:
            talk.end_stream(stream)
