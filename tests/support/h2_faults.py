"""What can go wrong between us and a server that speaks HTTP/2 (support/network_fault.py)."""

from typing import Any

from support.h2_frames import Data, GoAway, Headers, Hold, Raw, Reset
from support.network_fault import NO_BODY, NO_HEAD, NetworkFault, Script

OK = Headers()


def h2(name: str, script: Script, kind: str, class_: str = "", **more: Any) -> NetworkFault:
    """A fault of a server that speaks HTTP/2."""
    return NetworkFault(f"h2: {name}", script, kind, class_, way="h2", **more)


def frame(kind: int, payload: bytes, stream: int = 0, flags: int = 0) -> bytes:
    """A frame as it stands on the wire (RFC 9113, section 4.1)."""
    return len(payload).to_bytes(3) + bytes((kind, flags)) + stream.to_bytes(4) + payload


PING = frame(6, bytes(8))
ENDLESS_HEAD = frame(1, b"\x88", 1) + frame(9, b"\x40\x01a" + b"\x7f\x81\x7e" + b"x" * 16_000, 1) * 200
HEADER_BOMB = frame(1, b"\x88\x40\x01a\x7f\x81\x1e" + b"x" * 4000 + b"\xbe" * 12_000, 1, 4)
"""One long header in the table, and then its number again and again (HPACK, RFC 7541)."""

H2_FAULTS = (
    h2("nothing is wrong", lambda b: [OK, Data(b.whole, ends=True)], "", keeps=True),
    h2("whole, then GOAWAY", lambda b: [OK, Data(b.whole), GoAway()], "", keeps=True),
    h2("whole, then RST_STREAM", lambda b: [OK, Data(b.whole), Reset(8)], "", keeps=True),
    h2("GOAWAY before the headers", [GoAway()], "network", "closed", requests=2),
    h2("GOAWAY of what was not read", [GoAway(last=0)], "network", "closed", requests=2),
    h2("RST_STREAM: refused", [Reset(7)], "network", "closed", requests=2),
    h2("RST_STREAM: wants HTTP/1.1", [Reset(13)], "network", "closed", requests=2),
    h2("closed before the headers", [], "network", "closed", requests=2),
    h2("GOAWAY after data", lambda b: [OK, Data(b.part), GoAway(2)], "incomplete", "closed", keeps=True),
    h2("RST_STREAM after data", lambda b: [OK, Data(b.part), Reset()], "incomplete", "closed", keeps=True),
    h2("closed after data", lambda b: [OK, Data(b.part)], "incomplete", "closed", keeps=True),
    h2(
        "END_STREAM before the finish mark",
        lambda b: [OK, Data(b.part, ends=True)],
        "incomplete",
        "truncated",
        keeps=True,
    ),
    h2(
        "END_STREAM inside an event",
        lambda b: [OK, Data(b.part + b.event(b'{"a": 1}')[:9], ends=True)],
        "incomplete",
        "truncated",
        keeps=True,
    ),
    h2("END_STREAM with the headers", [Headers(ends=True)], "incomplete", "truncated", requests=2),
    h2("nonsense for frames", [Raw(b"HTTP/1.1 400 Bad Request\r\n\r\n")], "network", requests=2),
    h2("nonsense after data", lambda b: [OK, Data(b.part), Raw(b"\xff" * 100)], "incomplete", "closed", keeps=True),
    h2("an endless header", [Raw(ENDLESS_HEAD), Hold()], "network", "protocol"),
    h2("a header bomb", [Raw(HEADER_BOMB), Hold()], "network", "protocol"),
    h2("a flood of PING", lambda b: [Raw(PING * 50_000), OK, Data(b.whole, ends=True)], "", keeps=True),
    h2("PING without end", [Raw(PING * 400_000), Hold()], "timeout", "headers", deadlines=NO_HEAD),
    h2("no answer", [Hold()], "timeout", "headers", deadlines=NO_HEAD),
    h2("silence in the body", lambda b: [OK, Data(b.part), Hold()], "timeout", "idle", keeps=True, deadlines=NO_BODY),
    h2("401", [Headers("401"), Data(b'{"error": "no luck"}', ends=True)], "server", "auth"),
    h2("302 elsewhere", [Headers("302", (("location", "http://other.example"),), ends=True)], "redirect"),
    h2(
        "an event of 8 MB",
        lambda b: [OK, Data(b.part + b.event(b'{"a": "' + b"x" * 8_000_000 + b'"}'))],
        "limit",
        keeps=True,
    ),
)
