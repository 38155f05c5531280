"""What stands between those who bring a reply's bytes (client, recordings) and those who read them. No IO here."""

from collections.abc import Mapping
from typing import Protocol

from thinkpane.endpoints.connection import UNKNOWN, Via
from thinkpane.endpoints.dialects._api import Call
from thinkpane.errors import Problem


class Sink(Protocol):
    """Takes one reply as it comes. All calls come from one thread, in order. ms: milliseconds since the request."""

    def head(self, status: int, headers: Mapping[str, str], ms: float, via: Via = UNKNOWN) -> None:
        """The HTTP status and headers (lower-case names), and how they came. At most once, before any data."""

    def data(self, data: bytes, ms: float) -> None:
        """More bytes of the body, of an error answer's too, cut anywhere."""

    def over(self, problem: Problem | None, ms: float) -> None:
        """Nothing more comes; exactly once. problem: what ended it early, None where the body is whole.

        Of kind "stopped" where `Handle.stop` ended it.
        """


class Handle(Protocol):
    """One reply that is under way."""

    def stop(self) -> None:
        """Ends it soon; `over` follows. From any thread, as often as one likes; returns at once."""


class Replayer(Protocol):
    """Plays recorded replies as if a server sent them (endpoints/recorded.py)."""

    def title(self, call: Call) -> str:
        """What the recording for `call` is called."""

    def dialect(self, call: Call) -> str:
        """Id of the dialect that the recording for `call` was made in."""

    def replay(self, call: Call, sink: Sink, speed: float = 1.0) -> Handle:
        """Plays the recording for `call` into `sink`, from a thread of its own.

        speed: 1 = as recorded, 2 = twice as fast, 0 = at once; the recorded times are handed on divided by it.
        """
