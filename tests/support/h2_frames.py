"""What a server of HTTP/2 may send, as steps of a script (support/h2_server.py)."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Headers:
    """A response's head."""

    status: str = "200"
    fields: tuple[tuple[str, str], ...] = ()
    ends: bool = False


@dataclass(frozen=True)
class Data:
    """A piece of the body; ends: with END_STREAM."""

    data: bytes = b""
    ends: bool = False


@dataclass(frozen=True)
class GoAway:
    """The connection is given up. code: of RFC 9113, section 7. last: the last stream that was dealt with."""

    code: int = 0
    last: int | None = None


@dataclass(frozen=True)
class Reset:
    """The stream is given up."""

    code: int = 2


@dataclass(frozen=True)
class Raw:
    """Bytes in the place of frames."""

    data: bytes


@dataclass(frozen=True)
class Hold:
    """Nothing more comes until the other side goes."""


Frame: TypeAlias = Headers | Data | GoAway | Reset | Raw | Hold
