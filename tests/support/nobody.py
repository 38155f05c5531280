"""An address at which nobody answers."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def nobody() -> Iterator[str]:
    """host:port where connections are refused. It stays taken: a port that was given back may be somebody else's."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{taken.getsockname()[1]}"
