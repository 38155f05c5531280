"""What a failed connection means, as one sentence. Told by the exceptions' own classes and words, never by a guess."""

import re
import socket
import ssl
from collections.abc import Iterator

from thinkpane.errors import Problem

_BYTES = re.compile(r"""(?:bytearray\()?b(?P<quote>['"])(?P<text>.*?)(?P=quote)\)?""")
_FRAME = re.compile(r"<(?P<name>ConnectionTerminated|StreamReset)\b.*?error_code:\s*(?:ErrorCodes\.)?(?P<code>\w+)")
_FRAMES = {"ConnectionTerminated": "GOAWAY", "StreamReset": "RST_STREAM"}
_CODES = (
    "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
    "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
    "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
)  # fmt: skip
"""By their numbers (RFC 9113, section 7)."""
_EXPIRED = (9, 10)  # X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_CERT_HAS_EXPIRED
_OTHER_HOST = (62, 64)  # X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH
_CLOSED = ("disconnected", "closed", "reset", "incomplete", "EOF")


def connect_problem(fault: BaseException, origin: str, proxy: str = "") -> Problem:
    """Why no connection came about. proxy: the origin of the one on the way, "" where there is none."""
    for cause in _causes(fault):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return _certificate_problem(cause, origin)
        if isinstance(cause, ssl.SSLError):
            return _tls_problem(cause, origin, proxy)
        if isinstance(cause, socket.gaierror):
            whose = f"proxy {proxy}, which leads to {origin}," if proxy else f"host of {origin}"
            sentence = f"The {whose} is not known: {cause.strerror or _words(cause)}."
            return _problem("network", sentence, origin, "proxy" if proxy else "dns")
        if isinstance(cause, ConnectionRefusedError):
            if proxy:
                sentence = f"Nothing answers at the proxy {proxy}, which leads to {origin}: the connection was refused."
                return _problem("network", sentence, origin, "proxy")
            sentence = f"Nothing answers at {origin}: the connection was refused. Is the server running?"
            return _problem("network", sentence, origin, "refused")
    where, name = (f"the proxy {proxy}, which leads to {origin}", "proxy") if proxy else (origin, "unreachable")
    for cause in _causes(fault):
        if isinstance(cause, OSError) and cause.errno is not None:
            return _problem("network", f"No connection to {where}: {cause.strerror}.", origin, name)
    return _problem("network", f"No connection to {where}: {_words(fault)}.", origin, name)


def _certificate_problem(fault: ssl.SSLCertVerificationError, origin: str) -> Problem:
    words = fault.verify_message.rstrip(".")
    if fault.verify_code in _EXPIRED:
        sentence = f"The certificate of {origin} is out of its time: {words}. Is this machine's clock right?"
        return _problem("tls", sentence, origin, "certificate_expired")
    if fault.verify_code in _OTHER_HOST:
        return _problem("tls", f"The certificate of {origin} is another host's: {words}.", origin, "certificate_host")
    sentence = (
        f"The certificate of {origin} is not trusted: {words}. If an authority of your own made it, name that "
        "authority's file in the endpoint."
    )
    return _problem("tls", sentence, origin, "certificate")


def _tls_problem(fault: ssl.SSLError, origin: str, proxy: str) -> Problem:
    if "WRONG_VERSION_NUMBER" in str(fault) or "HTTP_REQUEST" in str(fault):
        if proxy:
            sentence = f"What answers behind the proxy {proxy} in the place of {origin} does not speak TLS."
            return _problem("tls", sentence, origin, "http_on_https")
        sentence = f"The server at {origin} does not speak TLS; its address probably begins with http://."
        return _problem("tls", sentence, origin, "http_on_https")
    way = f" through the proxy {proxy}" if proxy else ""
    why = "it was closed in the middle of the handshake" if "EOF" in str(fault) else _words(fault)
    return _problem("tls", f"No TLS connection to {origin}{way}: {why}.", origin, "handshake")


def proxy_problem(fault: BaseException, origin: str, proxy: str) -> Problem:
    """The proxy did not let it through."""
    words = _words(fault)
    if words.startswith("407"):
        sentence = f"The proxy {proxy} wants a user name and a password (407) before it leads to {origin}."
        return _problem("network", sentence, origin, "proxy_auth")
    return _problem("network", f"The proxy {proxy} does not lead to {origin}: {words}.", origin, "proxy")


def head_problem(fault: BaseException, origin: str, proxy: str = "") -> Problem:
    """Why no answer came although there was a connection."""
    words = _words(fault)
    if "illegal request line" in words and origin.startswith("http:"):
        sentence = f"The server at {origin} expects TLS; its address probably begins with https://."
        return _problem("tls", sentence, origin, "https_on_http")
    who = f"The proxy {proxy} on the way to {origin}" if proxy else origin
    frame = _FRAME.search(words)
    if frame is not None:
        words = _frame_words(frame)
        advice = " Switch HTTP/2 off in the endpoint." if "HTTP_1_1_REQUIRED" in words else ""
        sentence = f"{who} ended the request without an answer ({words}).{advice}"
        return _problem("network", sentence, origin, "closed")
    if any(word in words for word in _CLOSED) or isinstance(fault.__cause__, OSError) or not words:
        return _problem("network", f"{who} closed the connection without an answer.", origin, "closed")
    return _problem("network", f"The answer of {who} is no HTTP: {_shown(words)}.", origin, "protocol")


def _frame_words(frame: re.Match[str]) -> str:
    """The HTTP/2 frame by its name, and its code by its own."""
    code = frame["code"]
    known = code.isdecimal() and int(code) < len(_CODES)
    return f"{_FRAMES[frame['name']]}, {_CODES[int(code)] if known else code}"


def body_problem(fault: BaseException, origin: str, proxy: str = "") -> Problem:
    """Why the body ended before its end."""
    way = f" through the proxy {proxy}" if proxy else ""
    words = _words(fault)
    if frame := _FRAME.search(words):
        words = _frame_words(frame)
    why = f" ({_shown(words)})" if words else ""
    sentence = f"The connection to {origin}{way} broke off before the reply was complete{why}."
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
