"""Everything that can go wrong between a server and us, each with the state that a run must end in.

The ways: "" = straight and in the clear; "tls" and "h2" with a certificate of an authority of our own; "proxy" and
"tunnel" = by a proxy to a server in the clear and to one with TLS (support/faulty_ways.py).

Source: the house's table of wire cases (reliability notes, section 3) and what follows from it for every dialect.
"""

import gzip
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from support.encoded_replies import LogicalReply, encoded, unfinished
from support.h2_frames import Data, Frame, GoAway, Headers, Hold, Raw, Reset
from support.patience import PATIENCE
from support.server import Repeat, Step, answer
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


def chunked(data: bytes) -> bytes:
    """A head and one chunk; the last chunk is missing."""
    return HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + f"{len(data):x}\r\n".encode() + data + b"\r\n"


def error(status: str, *headers: str) -> bytes:
    """A JSON error answer."""
    return answer(b'{"error": {"message": "no luck"}}', status=status, kind="application/json", headers=headers)


def page(text: bytes, kind: str) -> bytes:
    """A page with status 200."""
    return answer(text, kind=kind)


def squeezed(data: bytes) -> bytes:
    """A gzip answer."""
    return answer(gzip.compress(data), headers=["Content-Encoding: gzip"])


def bomb() -> bytes:
    """300 MB in 0.3 MB."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = b"".join(packer.compress(bytes(1 << 20)) for _ in range(300)) + packer.flush()
    return answer(packed, headers=["Content-Encoding: gzip"])


FAULTS = (
    NetworkFault("nothing is wrong", lambda b: [answer(b.whole, kind=b.kind)], "", keeps=True),
    NetworkFault("whole, then broken off", lambda b: [sized(10**9) + b.whole, "reset"], "", keeps=True),
    NetworkFault("whole, then held open", lambda b: [sized(10**9) + b.whole, "hold"], "", keeps=True),
    NetworkFault("closed without an answer", [], "network", "closed", requests=2),
    NetworkFault("reset without an answer", ["reset"], "network", "closed", requests=2),
    NetworkFault("half a status line", [b"HTTP/1.1 20"], "network", "closed", requests=2),
    NetworkFault("not HTTP at all", [b"220 mail.example ESMTP\r\n\r\n"], "network", "protocol"),
    NetworkFault("negative length", [HEAD + b"Content-Length: -5\r\n\r\n"], "network", "protocol"),
    NetworkFault("two lengths", [HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n"], "network", "protocol"),
    NetworkFault("a header without colon", [HEAD + b"no colon\r\n\r\n"], "network", "protocol"),
    NetworkFault("200 kB of headers", [HEAD + b"X: " + b"y" * 200_000 + b"\r\n\r\n"], "network", "protocol"),
    NetworkFault("an endless header", [HEAD + b"X: ", Repeat(b"y" * 65536, 3200)], "network", "protocol"),
    NetworkFault("no answer", ["hold"], "timeout", "headers", deadlines=NO_HEAD),
    NetworkFault("headers byte by byte", [Repeat(b"H", 9999, 0.05)], "timeout", "headers", deadlines=NO_HEAD),
    NetworkFault(
        "a flood of 1xx",
        lambda b: [Repeat(b"HTTP/1.1 102 Processing\r\n\r\n", 20_000), answer(b.whole, kind=b.kind)],
        "",
        keeps=True,
    ),
    NetworkFault(
        "1xx without end",
        [Repeat(b"HTTP/1.1 102 Wait\r\n\r\n", 9999, 0.05)],
        "timeout",
        "headers",
        deadlines=NO_HEAD,
    ),
    NetworkFault("silence before the body", [sized(999), "hold"], "timeout", "idle", deadlines=NO_BODY),
    NetworkFault(
        "silence in the body",
        lambda b: [sized(9999) + b.part, "hold"],
        "timeout",
        "idle",
        keeps=True,
        deadlines=NO_BODY,
    ),
    NetworkFault(
        "a slow drip",
        lambda b: [sized(10**6) + b.part, Repeat(b" ", 9999, 0.05)],
        "timeout",
        "total",
        keeps=True,
        deadlines=replace(PATIENT, total=5.0),
    ),
    NetworkFault(
        "comments only",
        lambda b: [sized(10**6), Repeat(b"\n" if b.api in LINES else b":\n\n", 9999, 0.05)],
        "timeout",
        "first_event",
        deadlines=replace(PATIENT, first_event=0.3),
    ),
    NetworkFault("cut by length", lambda b: [sized(10**9) + b.part], "incomplete", keeps=True),
    NetworkFault(
        "reset in the body",
        lambda b: [sized(10**9) + b.part, Repeat(b"", 1, 0.3), "reset", b"x"],
        "incomplete",
        keeps=False,
    ),
    NetworkFault("end inside a chunk", lambda b: [chunked(b.part)], "incomplete", keeps=True),
    NetworkFault("a chunk with a wrong size", lambda b: [chunked(b.part) + b"zz\r\n"], "incomplete", keeps=True),
    NetworkFault(
        "a 5 MB chunk extension",
        lambda b: [chunked(b.part) + b"5;", Repeat(b"x" * 65536, 80)],
        "incomplete",
        keeps=True,
    ),
    NetworkFault(
        "closed before the finish mark",
        lambda b: [answer(b.part, kind=b.kind, sized=False)],
        "incomplete",
        "truncated",
        keeps=True,
    ),
    NetworkFault(
        "closed inside an event",
        lambda b: [answer(b.part + b.event(b'{"a": 1}')[:9], kind=b.kind, sized=False)],
        "incomplete",
        "truncated",
        keeps=True,
    ),
    NetworkFault(
        "closed inside a character",
        lambda b: [answer(b.part + b"\xf0\x9f", kind=b.kind, sized=False)],
        "incomplete",
        "truncated",
        keeps=True,
    ),
    NetworkFault(
        "no blank line at the end", lambda b: [answer(b.whole.rstrip(b"\n"), kind=b.kind, sized=False)], "", keeps=True
    ),
    NetworkFault("an empty body", lambda b: [answer(b"", kind=b.kind)], "incomplete", "truncated", requests=2),
    NetworkFault("a byte order mark", lambda b: [answer(b"\xef\xbb\xbf" + b.whole, kind=b.kind)], "", keeps=True),
    NetworkFault(
        "bytes that are no UTF-8",
        lambda b: [answer(b.event(b'{"type": "ping", "x": "\xff", "done": false}') + b.whole, kind=b.kind)],
        "",
        keeps=True,
    ),
    NetworkFault(
        "U+2028 and U+0085 in the data",
        lambda b: [
            answer(b.event('{"type": "ping", "x": "\u2028\x85", "done": false}'.encode()) + b.whole, kind=b.kind)
        ],
        "",
        keeps=True,
    ),
    NetworkFault(
        "an endless line", lambda b: [sized(10**9) + b.part, Repeat(b"data: x" * 9000, 3200)], "limit", keeps=True
    ),
    NetworkFault(
        "64 MB in one event",
        lambda b: [
            sized(10**9) + b.part,
            Repeat(
                (b'{"a": "' if b.api in LINES else b"data: ") + b"x" * 9000 + (b"" if b.api in LINES else b"\n"), 7400
            ),
        ],
        "limit",
        keeps=True,
    ),
    NetworkFault(
        "an event of 8 MB",
        lambda b: [sized(10**9) + b.part + b.event(b'{"a": "' + b"x" * 8_000_000 + b'"}')],
        "limit",
        keeps=True,
    ),
    NetworkFault("a gzip bomb", [bomb()], "limit"),
    NetworkFault("gzip all the same", lambda b: [squeezed(b.whole)], "", keeps=True),
    NetworkFault(
        "gzip that is none", lambda b: [answer(b.whole, kind=b.kind, headers=["Content-Encoding: gzip"])], "compression"
    ),
    NetworkFault(
        "gzip cut short",
        lambda b: [HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b.whole)[:-30]],
        "incomplete",
    ),
    NetworkFault(
        "brotli", lambda b: [answer(b"\x0b\x02", kind=b.kind, headers=["Content-Encoding: br"])], "compression"
    ),
    NetworkFault("302 elsewhere", [error("302 Found", "Location: http://other.example/v1")], "redirect"),
    NetworkFault("307 elsewhere", [error("307 Temporary Redirect", "Location: http://other.example/v1")], "redirect"),
    NetworkFault("308 on the same server", [error("308 Permanent Redirect", "Location: /v2")], "redirect"),
    NetworkFault("a redirect to a file", [error("302 Found", "Location: file:///etc/passwd")], "redirect"),
    NetworkFault("a redirect to nowhere", [error("302 Found")], "redirect"),
    NetworkFault("401", [error("401 Unauthorized")], "server", "auth"),
    NetworkFault("402", [error("402 Payment Required")], "server", "quota"),
    NetworkFault("403", [error("403 Forbidden")], "server", "auth"),
    NetworkFault("404", [error("404 Not Found")], "server", "not_found"),
    NetworkFault("413", [error("413 Content Too Large")], "server", "bad_request"),
    NetworkFault("422", [error("422 Unprocessable")], "server", "bad_request"),
    NetworkFault("429 for an hour", [error("429 Too Many", "Retry-After: 3600")], "server", "rate_limit"),
    NetworkFault(
        "429 with a date in 2065",
        [error("429 Too Many", "Retry-After: Thu, 01 Jan 2065 00:00:00 GMT")],
        "server",
        "rate_limit",
    ),
    NetworkFault("500", [error("500 Broken")], "server", "server"),
    NetworkFault("503", [error("503 Busy")], "server", "overloaded"),
    NetworkFault("529", [error("529 Overloaded")], "server", "overloaded"),
    NetworkFault(
        "an error page of 100 MB",
        [b"HTTP/1.1 500 Broken\r\n\r\n", Repeat(b"<p>no luck</p>" * 5000, 1500)],
        "server",
        "server",
    ),
    NetworkFault("an error with status 200", [error("200 OK")], "server", requests=2),
    NetworkFault(
        "an error in the stream",
        lambda b: [answer(b.part + b.event(b'{"error": {"message": "no luck"}}'), kind=b.kind)],
        "server",
        keeps=True,
    ),
    NetworkFault("a captive portal", [page(b"<html><title>Sign in</title></html>", "text/html")], "not_a_stream"),
    NetworkFault(
        "HTML labelled as a stream", lambda b: [page(b"<!doctype html><title>Sign in</title>", b.kind)], "not_a_stream"
    ),
    NetworkFault(
        "plain words labelled as a stream",
        lambda b: [page(b"upstream connect error or disconnect\n", b.kind)],
        "not_a_stream",
    ),
    NetworkFault(
        "20 000 events in one chunk",
        lambda b: [
            answer(b.part + b.event(b'{"type": "ping", "done": false}') * 20_000 + b.whole[len(b.part) :], kind=b.kind)
        ],
        "",
        keeps=True,
    ),
)
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


def by(way: Way, name: str, script: Script, kind: str, class_: str = "", **more: Any) -> NetworkFault:
    """A fault on that way; what is not a NetworkFault's goes into `with_`."""
    own = {key: more.pop(key) for key in ("keeps", "requests", "deadlines") if key in more}
    return NetworkFault(f"{way}: {name}", script, kind, class_, way=way, with_=more, **own)


def good(b: Bytes) -> Sequence[Step]:
    """A server with nothing wrong."""
    return [answer(b.whole, kind=b.kind)]


def half(b: Bytes) -> Sequence[Step]:
    """A reply that stops in its middle."""
    return [sized(10**9) + b.part, "hold"]


def refused(status: str) -> bytes:
    """What a proxy says in place of passing on."""
    return answer(b"<html><title>Sign in</title></html>", status=status, kind="text/html")


WAY_FAULTS = (
    by("tls", "an authority of one's own", good, "", keeps=True),
    by("tls", "an authority that nobody knows", good, "tls", "certificate", requests=0, trusted=False),
    by("tls", "a certificate of last month", good, "tls", "certificate_expired", requests=0, age=30),
    by("tls", "another host's certificate", good, "tls", "certificate_host", requests=0, host="other.example"),
    by("tls", "a file of authorities that is none", good, "tls", "ca_file", requests=0, trusted="missing"),
    by("proxy", "nothing is wrong", good, "", keeps=True),
    by("proxy", "wants a password", good, "server", "proxy_auth", requests=0, password="me:secret"),
    by("proxy", "has its password", good, "", keeps=True, password="me:secret", known=True),
    by("proxy", "is not there", good, "network", "proxy", requests=0, gone=True),
    by("proxy", "answers with a page", good, "not_a_stream", requests=0, says=refused("200 OK")),
    by("proxy", "fails", good, "server", "server", requests=0, says=refused("502 Bad Gateway")),
    by("proxy", "dies in the reply", half, "incomplete", "closed", keeps=True, dies=True),
    by("proxy", "is of SOCKS", good, "proxy", "socks", requests=0, socks=True),
    by("tunnel", "nothing is wrong", good, "", keeps=True),
    by("tunnel", "wants a password", good, "network", "proxy_auth", requests=0, password="me:secret"),
    by("tunnel", "has its password", good, "", keeps=True, password="me:secret", known=True),
    by("tunnel", "is not there", good, "network", "proxy", requests=0, gone=True),
    by("tunnel", "is refused", good, "network", "proxy", requests=0, says=refused("403 Forbidden")),
    by("tunnel", "a page in its place", good, "tls", requests=0, says=refused("200 OK")),
    by("tunnel", "dies in the reply", half, "incomplete", "closed", keeps=True, dies=True),
)
APIS = ("openai-chat", "ollama", "anthropic", "openai-responses", "openai-completions", "ollama-generate", "llamacpp")
PAIRS = [(api, fault) for api in APIS for fault in (*FAULTS, *H2_FAULTS, *WAY_FAULTS)]
"""Every fault in every dialect."""
