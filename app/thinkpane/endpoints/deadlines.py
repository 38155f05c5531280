"""How long to wait for a server, step by step."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds; None = as long as it takes.

    connect: for the connection, TLS included. headers: from sending to the last response header; servers that do not
    stream send them only when the reply is finished. first_event: from there to the first event that says anything,
    signs of life do not count. idle: between two pieces of the body. total: for everything.
    """

    connect: float | None = 10.0
    headers: float | None = 120.0
    idle: float | None = 120.0
    total: float | None = None
    first_event: float | None = None


DEFAULT_DEADLINES = Deadlines()
