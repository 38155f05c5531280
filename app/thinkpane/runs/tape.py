"""A recording that is written while a run goes on, and that a full disk or a lost folder does not stop."""

from collections.abc import Callable, Mapping

from thinkpane.endpoints.connection import UNKNOWN, Via
from thinkpane.endpoints.recording import RecordingHeader, RecordingWriter
from thinkpane.endpoints.sink import Sink
from thinkpane.errors import Problem


class Tape:
    """A Sink that writes a recording. The first fault of the disk ends it and is told once."""

    def __init__(
        self,
        header: RecordingHeader,
        write: Callable[[bytes], object],
        say: Callable[[str], None],
        close: Callable[[], object] | None = None,
    ) -> None:
        """write: takes whole lines; it and close may raise OSError. say: takes the sentence for the fault."""
        self._say = say
        self._close = close
        self._writer: Sink | None = None
        self._attempt(lambda: self._begin(header, write))

    def head(self, status: int, headers: Mapping[str, str], ms: float, via: Via = UNKNOWN) -> None:
        """The response's head."""
        writer = self._writer
        if writer is not None:
            self._attempt(lambda: writer.head(status, headers, ms, via))

    def data(self, data: bytes, ms: float) -> None:
        """A piece of the body."""
        writer = self._writer
        if writer is not None:
            self._attempt(lambda: writer.data(data, ms))

    def over(self, problem: Problem | None, ms: float) -> None:
        """The end; the file is closed, also where it took no more."""
        writer, close = self._writer, self._close
        if writer is not None:
            self._attempt(lambda: writer.over(problem, ms))
        self._writer = self._close = None
        if close is not None:
            self._attempt(close)

    def _begin(self, header: RecordingHeader, write: Callable[[bytes], object]) -> None:
        self._writer = RecordingWriter(header, write)

    def _attempt(self, act: Callable[[], object]) -> None:
        try:
            act()
        except OSError as fault:
            self._writer = None
            self._say(f"The reply is not kept on disk any more: {fault.strerror or fault}. The run goes on.")
