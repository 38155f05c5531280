"""Where a key goes: to its own origin, and into nothing that anybody reads."""

import json
import logging
from base64 import b64encode
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from support.patience import PATIENCE
from support.server import Server, answer
from support.sinks import KeepingSink
from thinkpane.endpoints.client import Client
from thinkpane.endpoints.deadlines import Deadlines
from thinkpane.endpoints.dialects._api import HttpRequest, SecretHeader
from thinkpane.endpoints.secret import Secret

CANARY = "sk-canary/4711+abc=DEF"
USUAL = Deadlines(PATIENCE, PATIENCE, PATIENCE)


@pytest.fixture
def client() -> Iterator[Client]:
    found = Client()
    yield found
    found.close()


def refused(client: Client, request: HttpRequest, key: Secret | None = None) -> str:
    """The sentence by which a request is refused."""
    sink = KeepingSink()
    client.send(request, key, sink, USUAL)
    problem = sink.ended()
    assert problem is not None
    assert CANARY not in repr(problem)
    assert sink.status == 0
    return problem.message


def test_a_key_goes_into_its_header_at_its_own_origin(client: Client) -> None:
    with Server([answer(b"{}")]) as server:
        for secret in (SecretHeader(), SecretHeader("x-api-key", "")):
            sink = KeepingSink()
            request = HttpRequest("POST", server.url, (("X-Api-Key", "placeholder"),), {}, secret)
            client.send(request, Secret(CANARY, server.url), sink, USUAL)
            assert sink.ended() is None
    assert server.received[0].headers["authorization"] == f"Bearer {CANARY}"
    assert server.received[1].head.lower().count("x-api-key") == 1
    assert server.received[1].headers["x-api-key"] == CANARY


def test_a_key_is_not_sent_to_another_origin(client: Client) -> None:
    with Server([answer(b"{}")]) as server:
        for origin in ("http://127.0.0.1:1", f"https://127.0.0.1:{server.port}", f"http://localhost:{server.port}"):
            said = refused(client, HttpRequest("POST", server.url, (), {}), Secret(CANARY, origin))
            assert "nothing was sent" in said
    assert server.received == []


def test_a_key_does_not_follow_a_redirect(client: Client) -> None:
    with Server([answer(b"{}")]) as other:
        moved = answer(b"", status="307 Temporary", headers=[f"Location: {other.url}"])
        with Server([moved]) as server:
            sink = KeepingSink()
            client.send(HttpRequest("POST", server.url, (), {}), Secret(CANARY, server.url), sink, USUAL)
            problem = sink.ended()
    assert problem is not None
    assert problem.kind == "redirect"
    assert other.received == []
    assert CANARY not in repr(problem)


@pytest.mark.parametrize(
    "url",
    [
        "http://user:pw@127.0.0.1/v1",
        "http://good.example\\@127.0.0.1/v1",
        "http://127.0.0.1 /v1",
        "http://127.0.0.1/v1\r\nX: y",
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "127.0.0.1:8080",
        "http://",
        "http://127.0.0.1:99999/",
        "http://[::1",
        "",
    ],
)
def test_addresses_that_are_none_or_hold_a_password_are_refused(client: Client, url: str) -> None:
    said = refused(client, HttpRequest("POST", url, (), {}), Secret(CANARY, "http://127.0.0.1"))
    assert "pw" not in said


def test_headers_that_cannot_be_sent_are_refused_without_their_value(client: Client) -> None:
    for name, value in (("X-A", f"{CANARY}\r\nX-B: 1"), ("X-A", f"{CANARY}é"), ("X A", "1"), ("", "1")):
        assert CANARY not in refused(client, HttpRequest("POST", "http://127.0.0.1:1/", ((name, value),), {}))


def test_a_body_that_json_cannot_hold_is_refused(client: Client) -> None:
    said = refused(client, HttpRequest("POST", "http://127.0.0.1:1/", (), {"temperature": float("nan")}))
    assert "NaN" in said


def test_a_key_that_a_server_echoes_is_masked_in_body_headers_and_errors(client: Client) -> None:
    spellings = [CANARY, quote(CANARY, safe=""), json.dumps(CANARY)[1:-1], b64encode(CANARY.encode()).decode()]
    spellings += [b64encode(f"user:{CANARY}".encode()).decode(), CANARY.replace("/", "\\/")]
    for status in ("200 OK", "401 Unauthorized"):
        body = " | ".join(spellings).encode()
        cut = len(CANARY) // 2
        script = [answer(body, status=status, headers=[f"X-Echo: {CANARY}"])]
        with Server([script[0][:-cut], script[0][-cut:]]) as server:
            sink = KeepingSink()
            client.send(HttpRequest("POST", server.url, (), {}), Secret(CANARY, server.url), sink, USUAL)
            assert sink.ended() is None
        seen = sink.body.decode() + str(sink.headers)
        assert seen.count("***") == len(spellings) + 1
        for spelling in spellings[:4]:
            assert spelling not in seen


def test_a_key_cut_in_two_by_the_network_is_masked(client: Client) -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunks = [b"%x\r\n%s\r\n" % (len(part), part) for part in (b"your key sk-can", b"ary/4711+abc=", b"DEF is wrong")]
    with Server([head, *chunks, b"0\r\n\r\n"]) as server:
        sink = KeepingSink()
        client.send(HttpRequest("POST", server.url, (), {}), Secret(CANARY, server.url), sink, USUAL)
        assert sink.ended() is None
    assert sink.body == b"your key *** is wrong"


def test_nothing_of_a_request_reaches_a_log(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with Server([answer(b"{}")]) as server:
        sink = KeepingSink()
        url = f"{server.url}?key={CANARY}"
        client.send(HttpRequest("POST", url, (), {}), Secret(CANARY, server.url), sink, USUAL)
        assert sink.ended() is None
    assert len(server.received) == 1
    assert CANARY not in caplog.text
