"""What a failed connection means, as one sentence. Told by the exceptions' own classes and words, never by a guess."""

import re
import socket
import ssl
from collections.abc import Iterator

from thinkpane.errors import Problem

_BYTES = re.compile(r"""(?:bytearray\()?b(?P<quote>['"])(?P<text>.*?)(?P=quote)\)?""")
_CLOSED = ("disconnected", "closed", "reset", "incomplete", "EOF")


def connect_problem(fault: BaseException, origin: str) -> Problem:
    """Why no connection came about."""
    for cause in _causes(fault):
        if isinstance(cause, ssl.SSLCertVerificationError):
            sentence = f"The certificate of {origin} is not trusted: {cause.verify_message}."
            return _problem("tls", sentence, origin, "certificate")
        if isinstance(cause, ssl.SSLError):
            if "WRONG_VERSION_NUMBER" in str(cause) or "HTTP_REQUEST" in str(cause):
                sentence = f"The server at {origin} does not speak TLS; its address probably begins with http://."
                return _problem("tls", sentence, origin, "http_on_https")
            return _problem("tls", f"No TLS connection to {origin}: {_words(cause)}.", origin, "handshake")
        if isinstance(cause, socket.gaierror):
            sentence = f"The host of {origin} is not known: {cause.strerror or _words(cause)}."
            return _problem("network", sentence, origin, "dns")
        if isinstance(cause, ConnectionRefusedError):
            sentence = f"Nothing answers at {origin}: the connection was refused. Is the server running?"
            return _problem("network", sentence, origin, "refused")
    for cause in _causes(fault):
        if isinstance(cause, OSError) and cause.errno is not None:
            return _problem("network", f"No connection to {origin}: {cause.strerror}.", origin, "unreachable")
    return _problem("network", f"No connection to {origin}: {_words(fault)}.", origin, "unreachable")


def proxy_problem(fault: BaseException, origin: str) -> Problem:
    """The environment's proxy did not let it through."""
    return _problem("network", f"The environment's proxy did not reach {origin}: {_words(fault)}.", origin, "proxy")


def head_problem(fault: BaseException, origin: str) -> Problem:
    """Why no answer came although there was a connection."""
    words = _words(fault)
    if "illegal request line" in words and origin.startswith("http:"):
        sentence = f"The server at {origin} expects TLS; its address probably begins with https://."
        return _problem("tls", sentence, origin, "https_on_http")
    if any(word in words for word in _CLOSED) or isinstance(fault.__cause__, OSError) or not words:
        return _problem("network", f"{origin} closed the connection without an answer.", origin, "closed")
    return _problem("network", f"The answer of {origin} is no HTTP: {_shown(words)}.", origin, "protocol")


def body_problem(fault: BaseException, origin: str) -> Problem:
    """Why the body ended before its end."""
    words = _words(fault)
    why = f" ({words})" if words else ""
    sentence = f"The connection to {origin} broke off before the reply was complete{why}."
    return _problem("incomplete", sentence, origin, "closed")


def timeout_problem(what: str, seconds: float | None, origin: str) -> Problem:
    """A deadline passed. what: connect, headers, first_event, idle or total."""
    limit = f"{seconds:g} s" if seconds is not None else "the time allowed"
    sentence = {
        "connect": f"No connection to {origin} within {limit}.",
        "headers": f"{origin} did not begin to answer within {limit}.",
        "first_event": f"{origin} sent signs of life for {limit}, but no event; the reply was given up.",
        "idle": f"Nothing came from {origin} for {limit}; the rest of the reply was given up.",
        "total": f"The reply from {origin} was not complete within {limit}.",
    }[what]
    return _problem("timeout", sentence, origin, what)


def redirect_problem(status: int, target: str, origin: str) -> Problem:
    """The server sends to another address. target: that origin, "" where it names none."""
    where = f"to {target}" if target and target != origin else "to another path of the same server"
    sentence = (
        f"{origin} redirects {where} ({status}); redirects are not followed, because a request may hold a key. "
        "If that is the right address, enter it in the endpoint."
    )
    return Problem("redirect", sentence, detail={"status": status, "class": "redirect", "target": target})


def _problem(kind: str, sentence: str, origin: str, name: str) -> Problem:
    return Problem(kind, sentence, detail={"class": name, "origin": origin})


def _causes(fault: BaseException) -> Iterator[BaseException]:
    """The exception and all that led to it, groups unfolded; each once."""
    waiting, seen = [fault], set[int]()
    while waiting:
        cause = waiting.pop(0)
        if id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        waiting += [each for each in (cause.__cause__, cause.__context__) if each is not None]
        if isinstance(cause, BaseExceptionGroup):
            waiting += cause.exceptions


def _shown(words: str) -> str:
    """The library's words without Python's writing of bytes: bytearray(b'SSH-2.0') becomes “SSH-2.0”."""
    return _BYTES.sub(lambda found: f"“{found['text']}”", words)


def _words(fault: BaseException) -> str:
    return str(fault).strip().rstrip(".")[:300]
