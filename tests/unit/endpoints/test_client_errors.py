"""One named sentence for each way in which a connection fails, and TLS mix-ups against a real server."""

import datetime
import ipaddress
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.patience import PATIENCE
from support.server import Server, answer
from support.sinks import KeepingSink
from thinkpane.endpoints.client import Client
from thinkpane.endpoints.client_errors import connect_problem, head_problem
from thinkpane.endpoints.deadlines import Deadlines
from thinkpane.endpoints.dialects._api import HttpRequest
from thinkpane.errors import Problem

HERE = "https://a.example:443"


def caused(*causes: BaseException) -> BaseException:
    """An exception that the next one led to, and so on."""
    fault = OSError("All connection attempts failed")
    fault.__cause__ = causes[0] if len(causes) == 1 else BaseExceptionGroup("several", causes)
    return fault


@pytest.mark.parametrize(
    ("fault", "name", "words"),
    [
        (caused(socket.gaierror(-2, "Name or service not known")), "dns", "not known: Name or service"),
        (caused(ConnectionRefusedError(111, "refused")), "refused", "Is the server running"),
        (caused(OSError(113, "No route to host"), OSError(101, "Network")), "unreachable", "No route to host"),
        (caused(ssl.SSLError(1, "[SSL: HANDSHAKE_FAILURE] no")), "handshake", "HANDSHAKE_FAILURE"),
        (caused(ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] no")), "http_on_https", "http://"),
        (RuntimeError("odd"), "unreachable", "odd"),
    ],
)
def test_a_connection_that_did_not_come_about(fault: BaseException, name: str, words: str) -> None:
    problem = connect_problem(fault, HERE)
    assert problem.detail["class"] == name
    assert words in problem.message
    assert HERE in problem.message
    assert "\n" not in problem.message


def test_causes_that_lead_in_a_circle_end() -> None:
    one, two = OSError("a"), OSError("b")
    one.__context__, two.__cause__ = two, one
    assert connect_problem(one, HERE).detail["class"] == "unreachable"


def test_a_server_that_hangs_up_or_talks_nonsense() -> None:
    assert (
        head_problem(RuntimeError("Server disconnected without sending a response."), HERE).detail["class"] == "closed"
    )
    assert head_problem(RuntimeError("bad header"), HERE).detail["class"] == "protocol"


@pytest.fixture
def certificate(tmp_path: Path) -> ssl.SSLContext:
    """A server's context with a certificate that nobody trusts, made for this test alone."""
    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem, secret = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    file = tmp_path / "server.pem"
    file.write_bytes(made.public_bytes(pem) + key.private_bytes(pem, secret, serialization.NoEncryption()))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


@pytest.fixture
def client() -> Iterator[Client]:
    found = Client()
    yield found
    found.close()


def failed(client: Client, url: str) -> Problem:
    sink = KeepingSink()
    client.send(HttpRequest("POST", url, (), {}), None, sink, Deadlines(PATIENCE, PATIENCE, PATIENCE))
    problem = sink.ended()
    assert problem is not None
    return problem


def test_a_certificate_that_nobody_trusts(client: Client, certificate: ssl.SSLContext) -> None:
    with Server([answer(b"{}")], tls=certificate) as server:
        problem = failed(client, server.url)
    assert (problem.kind, problem.detail["class"]) == ("tls", "certificate")
    assert "self-signed" in problem.message
    assert server.received == []


def test_an_authority_of_ones_own_is_honoured(
    client: Client, certificate: ssl.SSLContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "server.pem"))
    sink = KeepingSink()
    with Server([answer(b"{}")], tls=certificate) as server:
        client.send(HttpRequest("POST", server.url, (), {}), None, sink, Deadlines(PATIENCE, PATIENCE, PATIENCE))
        assert sink.ended() is None
    assert (sink.status, sink.body) == (200, b"{}")


def test_https_to_a_server_of_http(client: Client) -> None:
    with Server([b"HTTP/1.1 400 Bad Request\r\n\r\n"], hasty=True) as server:
        problem = failed(client, server.url.replace("http:", "https:"))
    assert (problem.kind, problem.detail["class"]) == ("tls", "http_on_https")


def test_http_to_a_server_of_https(client: Client, certificate: ssl.SSLContext) -> None:
    with Server([answer(b"{}")], tls=certificate) as server:
        problem = failed(client, server.url.replace("https:", "http:"))
    assert problem.kind in ("tls", "network")
    assert problem.detail["class"] in ("https_on_http", "closed")
    with Server([b"\x15\x03\x03\x00\x02\x02\x46"]) as server:
        problem = failed(client, server.url)
    assert (problem.kind, problem.detail["class"]) == ("tls", "https_on_http")
    assert "https://" in problem.message


def test_bytes_in_a_library_s_words_are_shown_as_text() -> None:
    for written in ("bytearray(b'SSH-2.0-OpenSSH_9.2')", "b'SSH-2.0-OpenSSH_9.2'"):
        found = head_problem(ValueError(f"illegal status line: {written}"), "http://a.example")
        assert found.message == "The answer of http://a.example is no HTTP: illegal status line: “SSH-2.0-OpenSSH_9.2”."
    quoted = head_problem(ValueError('illegal status line: bytearray(b"it\'s \\\\xff")'), "http://a.example")
    assert quoted.message.endswith("illegal status line: “it's \\\\xff”.")
