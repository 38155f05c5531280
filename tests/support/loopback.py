"""A loopback server that serves each connection in a thread of its own and ends with its test."""

import contextlib
import socket
import threading
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Self

from support.patience import PATIENCE


class LoopbackServer:
    """What servers of tests have in common. Use as a context manager.

    closing: set once it ends. A subclass says in `_serve` what it does with a connection.
    """

    def __init__(self) -> None:
        self.closing = threading.Event()
        self._open: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._threads = [threading.Thread(target=self._accept, daemon=True)]

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        # Closing alone does not wake a thread that waits in accept.
        with socket.create_connection(("127.0.0.1", self.port)):
            self._threads[0].join(PATIENCE)
        self._listener.close()
        for connection in self._open:
            close_quietly(connection)
        for thread in self._threads[1:]:
            thread.join(PATIENCE)

    def _accept(self) -> None:
        for number in count():
            connection, _ = self._listener.accept()
            self._open.append(connection)
            if self.closing.is_set():
                return
            self._start(partial(self._serve, connection, number))

    def _start(self, act: Callable[[], None]) -> None:
        """Does it in a thread that the end waits for."""
        thread = threading.Thread(target=act, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _serve(self, connection: socket.socket, number: int) -> None:
        """number: how many connections came before, from 0."""
        raise NotImplementedError


def close_quietly(connection: socket.socket) -> None:
    """Ends both directions, so that a thread in recv wakes, then closes."""
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
