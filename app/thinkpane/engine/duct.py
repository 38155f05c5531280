"""What a child process hears us by and answers on, in place of its standard input and output."""

import contextlib
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import BinaryIO, cast


class Duct:
    """requests: what is written here the child reads. replies: what it wrote."""

    def __init__(self, requests: BinaryIO, replies: BinaryIO) -> None:
        self.requests = requests
        self.replies = replies

    def cut(self) -> None:
        """Ends it at once for whoever reads or writes here; may be called from any thread.

        Does nothing on Windows, where that takes until the process has gone.
        """

    def close(self) -> None:
        """Lets go of it; only for the thread that reads and writes."""
        for stream in (self.requests, self.replies):
            with contextlib.suppress(OSError):  # what was still in the buffer has no reader any more
                stream.close()


if sys.platform == "win32":

    def started(command: Sequence[str], environment: Mapping[str, str]) -> "tuple[subprocess.Popen[bytes], Duct]":
        """A child process, and the way to it. Raises OSError."""
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment)
        return process, Duct(cast("BinaryIO", process.stdin), cast("BinaryIO", process.stdout))

else:
    import socket

    class _Pair(Duct):
        # The end of a pipe comes when the other side has closed it, and the system closes what a process had open only
        # after it took back its memory: half a second was seen for 384 MiB on a busy machine. A socket can be shut.

        def __init__(self, ours: socket.socket) -> None:
            super().__init__(open(ours.fileno(), "wb", closefd=False), open(ours.fileno(), "rb", closefd=False))  # noqa: SIM115
            self._ours = ours

        def cut(self) -> None:
            with contextlib.suppress(OSError):  # it was closed, or the other side has gone
                self._ours.shutdown(socket.SHUT_RDWR)

        def close(self) -> None:
            super().close()
            self._ours.close()

    def started(command: Sequence[str], environment: Mapping[str, str]) -> "tuple[subprocess.Popen[bytes], Duct]":
        """A child process, and the way to it. Raises OSError."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                process = subprocess.Popen(
                    command, stdin=theirs.fileno(), stdout=theirs.fileno(), stderr=subprocess.DEVNULL, env=environment
                )
            except OSError:
                ours.close()
                raise
        return process, _Pair(ours)
