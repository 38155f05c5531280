"""Everything that can go wrong between a server and us, each with the state that a run must end in.

The ways: "" = straight and in the clear; "tls" and "h2" with a certificate of an authority of our own; "proxy" and
"tunnel" = by a proxy to a server in the clear and to one with TLS (support/faulty_ways.py).

Source: the house's table of wire cases (reliability notes, section 3) and what follows from it for every dialect.
"""

import gzip
import zlib
from dataclasses import replace

from support.h2_faults import H2_FAULTS
from support.network_fault import HEAD, LINES, NO_BODY, NO_HEAD, PATIENT, NetworkFault, sized
from support.server import Repeat, answer
from support.way_faults import WAY_FAULTS


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
APIS = ("openai-chat", "ollama", "anthropic", "openai-responses", "openai-completions", "ollama-generate", "llamacpp")
PAIRS = [(api, fault) for api in APIS for fault in (*FAULTS, *H2_FAULTS, *WAY_FAULTS)]
"""Every fault in every dialect."""
