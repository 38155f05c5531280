"""One thing that can go wrong between a server and us, and the reply that it goes wrong in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from support.encoded_replies import LogicalReply, encoded, unfinished
from support.h2_frames import Frame
from support.patience import PATIENCE
from support.server import Step
from thinkpane.endpoints.deadlines import Deadlines

THOUGHT, SAID = "Plan it.", "Very good, so far."
REPLY = LogicalReply((THOUGHT,), (SAID,))
RAW = ("openai-completions", "ollama-generate", "llamacpp")
LINES = ("ollama", "ollama-generate")
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
PATIENT = Deadlines(connect=PATIENCE, headers=PATIENCE, idle=PATIENCE)
NO_HEAD = replace(PATIENT, headers=0.3)
NO_BODY = replace(PATIENT, idle=0.3)
"""The one deadline that a fault is to run into; what is waited for never comes, so that a slow machine changes nothing:
what comes before has all the time there is."""

Script: TypeAlias = "Sequence[Step | Frame] | Callable[[Bytes], Sequence[Step | Frame]]"
Way: TypeAlias = Literal["", "tls", "h2", "proxy", "tunnel"]


@dataclass(frozen=True)
class Bytes:
    """A reply in one dialect: all of it, and all before its finish mark (the answer is whole there)."""

    api: str
    whole: bytes
    part: bytes

    @property
    def kind(self) -> str:
        """Its Content-Type."""
        return "application/x-ndjson" if self.api in LINES else "text/event-stream"

    def script(self, of: Script) -> Sequence[Any]:
        """What a server sends; most faults have something of the reply in them."""
        return of(self) if callable(of) else of

    def event(self, data: bytes) -> bytes:
        """One event of JSON."""
        return data + b"\n" if self.api in LINES else b"data: " + data + b"\n\n"


@dataclass(frozen=True)
class NetworkFault:
    """One fault.

    script: what the server sends. kind, name: of the problem that the run ends with (`name` is its class), "" = any;
    kind "" = no problem. keeps: the partial text must be there. requests: how many the server gets at most.
    way: by which it is reached; with_: what is special about it (support/faulty_ways.py).
    """

    name: str
    script: Script
    kind: str
    class_: str = ""
    keeps: bool = False
    deadlines: Deadlines = PATIENT
    requests: int = 1
    way: Way = ""
    with_: Mapping[str, Any] = field(default_factory=dict)


def bytes_of(api: str) -> Bytes:
    """The reply of all these faults in that dialect."""
    return Bytes(api, encoded(api, REPLY), unfinished(api, REPLY))


def sized(size: int) -> bytes:
    """A response's head with that Content-Length."""
    return HEAD + f"Content-Length: {size}\r\n\r\n".encode()
