"""The client on other ways than the usual one: an authority of one's own, a proxy, HTTP/2; against live servers."""

import base64
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from support.certificates import Authority, authority
from support.nobody import nobody
from support.patience import PATIENCE
from support.proxy_server import ProxyServer
from support.server import Server, answer, chat_event, chat_stream
from support.sinks import KeepingSink
from thinkpane.endpoints.client import Client
from thinkpane.endpoints.connection import Connection, Via
from thinkpane.endpoints.deadlines import Deadlines
from thinkpane.endpoints.dialects._api import HttpRequest
from thinkpane.endpoints.secret import Secret
from thinkpane.errors import Problem

DEADLINES = Deadlines(PATIENCE, PATIENCE, PATIENCE)


@pytest.fixture
def client() -> Iterator[Client]:
    found = Client()
    yield found
    found.close()


@pytest.fixture
def own(tmp_path: Path) -> Authority:
    return authority(tmp_path)


def sent(client: Client, url: str, connection: Connection, key: Secret | None = None) -> KeepingSink:
    sink = KeepingSink()
    client.send(HttpRequest("POST", url, (), {"a": 1}, connection=connection), key, sink, DEADLINES)
    sink.ended()
    return sink


def problem_of(sink: KeepingSink) -> Problem:
    found = sink.ends[0]
    assert found is not None
    assert "\n" not in found.message
    return found


# Certificates.


def test_an_authority_of_ones_own_is_taken_from_the_endpoints_file_alone(client: Client, own: Authority) -> None:
    with Server([answer(b"{}")], tls=own.context()) as server:
        refused = problem_of(sent(client, server.url, Connection()))
        taken = sent(client, server.url, Connection(ca_file=str(own.ca_file)))
        again = problem_of(sent(client, server.url, Connection()))
    assert (refused.kind, refused.detail["class"]) == ("tls", "certificate")
    assert "name that authority's file in the endpoint" in refused.message
    assert (taken.ends, taken.body) == ([None], b"{}")
    assert again == refused


@pytest.mark.parametrize(
    ("host", "age", "name", "words"),
    [
        ("127.0.0.1", 30, "certificate_expired", "out of its time"),
        ("127.0.0.1", -30, "certificate_expired", "out of its time"),
        ("other.example", 0, "certificate_host", "another host's"),
        ("127.0.0.2", 0, "certificate_host", "another host's"),
    ],
)
def test_a_certificate_that_is_not_good_is_named(
    client: Client, own: Authority, host: str, age: int, name: str, words: str
) -> None:
    with Server([answer(b"{}")], tls=own.context(host=host, age=age)) as server:
        problem = problem_of(sent(client, server.url, Connection(ca_file=str(own.ca_file))))
    assert (problem.kind, problem.detail["class"]) == ("tls", name)
    assert words in problem.message
    assert ".." not in problem.message
    assert server.received == []


def test_a_file_of_authorities_that_is_none_is_named(client: Client, tmp_path: Path) -> None:
    (tmp_path / "empty.pem").write_text("nothing")
    for name, words in (("missing.pem", "cannot be read"), ("empty.pem", "holds no certificate"), (".", "cannot be")):
        path = tmp_path / name
        problem = problem_of(sent(client, "https://127.0.0.1:1/v1", Connection(ca_file=str(path))))
        assert (problem.kind, problem.detail["class"]) == ("tls", "ca_file")
        assert words in problem.message
        assert str(path) in problem.message


def test_a_file_of_authorities_that_was_mended_is_read_anew(client: Client, own: Authority, tmp_path: Path) -> None:
    file = tmp_path / "mine.pem"
    way = Connection(ca_file=str(file))
    with Server([answer(b"{}")], tls=own.context()) as server:
        assert problem_of(sent(client, server.url, way)).detail["class"] == "ca_file"
        file.write_bytes(own.ca_file.read_bytes())
        assert sent(client, server.url, way).ends == [None]


# Proxies.


def test_a_plain_proxy_passes_on_and_the_head_says_so(client: Client) -> None:
    key = Secret("key-canary-word", "http://model.example")
    with Server([answer(chat_stream())]) as server, ProxyServer() as proxy:
        key = replace(key, origin=f"http://model.example:{server.port}")
        found = sent(client, f"http://model.example:{server.port}/v1", Connection(proxy=proxy.url), key)
    assert (found.ends, found.body) == ([None], chat_stream())
    assert found.via == Via("HTTP/1.1", proxy.url)
    assert server.received[0].head.startswith("POST /v1 ")


def test_a_tunnel_shows_the_proxy_nothing_but_the_host(client: Client, own: Authority) -> None:
    way = Connection(ca_file=str(own.ca_file))
    with Server([answer(chat_stream())], tls=own.context(host="model.example")) as server, ProxyServer() as proxy:
        key = Secret("key-canary-word", f"https://model.example:{server.port}")
        found = sent(client, f"https://model.example:{server.port}/v1", replace(way, proxy=proxy.url), key)
    assert (found.ends, found.body) == ([None], chat_stream())
    assert [each.head.split("\r\n")[0] for each in proxy.received] == [f"CONNECT model.example:{server.port} HTTP/1.1"]
    assert "canary" not in proxy.received[0].head
    assert server.received[0].headers["authorization"] == "Bearer key-canary-word"


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_wants_a_password(
    client: Client, own: Authority, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    tls = own.context(host="model.example") if scheme == "https" else None
    with Server([answer(b"{}")], tls=tls) as server, ProxyServer(password="me:canary-word") as proxy:
        url = f"{scheme}://model.example:{server.port}/v1"
        way = Connection(proxy=proxy.url, ca_file=str(own.ca_file))
        without = sent(client, url, way)
        assert server.received == []
        monkeypatch.setenv("CORP", proxy.url.replace("//", "//me:canary-word@"))
        taken = sent(client, url, replace(way, proxy="env:CORP"))
    if scheme == "https":
        assert problem_of(without).detail["class"] == "proxy_auth"
        assert "wants a user name and a password (407)" in problem_of(without).message
    else:
        assert (without.status, without.ends) == (407, [None])
    assert (taken.ends, taken.body) == ([None], b"{}")
    assert taken.via.proxy == proxy.url


def test_a_proxys_password_is_masked_where_it_is_echoed(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    echo = answer(b"you said canary-word and bWU6Y2FuYXJ5LXdvcmQ=", headers=["X-You: canary-word"])
    with ProxyServer(answer=echo) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url.replace("//", "//me:canary-word@"))
        found = sent(client, "http://model.example/v1", Connection())
    assert found.ends == [None]
    assert b"canary" not in found.body
    assert b"Y2FuYXJ5" not in found.body
    assert "canary" not in str(found.headers)


@pytest.mark.parametrize("status", ["407 Proxy Authentication Required", "200 OK"])
@pytest.mark.parametrize("password", ["pä$$wört-über", "ключ", "hunter", "pw12"])
def test_passwords_that_are_short_or_of_other_letters_are_masked_too(
    client: Client, monkeypatch: pytest.MonkeyPatch, password: str, status: str
) -> None:
    coded, escaped = base64.b64encode(f"me:{password}".encode()), quote(password, safe="")
    body = b"Basic " + coded + f" http://me:{escaped}@proxy me:{password}".encode()
    body += f" wrong: {password}, {escaped}".encode() if status.startswith("407") else b""
    with ProxyServer(answer=answer(body, status=status, headers=[f"X-You: me:{escaped}", f"X-It: {escaped}"])) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url.replace("//", f"//me:{escaped}@"))
        found = sent(client, "http://model.example/v1", Connection())
    assert proxy.received[0].headers["proxy-authorization"] == f"Basic {coded.decode()}"
    for each in (password.encode(), escaped.encode(), coded):
        assert each not in found.body
        assert each.decode() not in str(found.headers)
    assert found.body.count(b"***") >= 3


def test_a_reason_that_names_the_password_is_masked(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    said = b"HTTP/1.1 403 No hunter for me:hunter\r\nContent-Length: 0\r\n\r\n"
    with ProxyServer(answer=said) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url.replace("//", "//me:hunter@"))
        problem = problem_of(sent(client, "https://model.example/v1", Connection()))
    assert "hunter" not in problem.message
    assert "403" in problem.message


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", "403 Forbidden"),
        (answer(b"<html><title>Sign in</title></html>", status="502 Bad Gateway", kind="text/html"), "502 Bad Gateway"),
    ],
)
def test_a_proxy_that_refuses_a_tunnel_is_named(client: Client, said: bytes, words: str) -> None:
    with ProxyServer(answer=said) as proxy:
        problem = problem_of(sent(client, "https://model.example/v1", Connection(proxy=proxy.url)))
    assert (problem.kind, problem.detail["class"]) == ("network", "proxy")
    assert proxy.url in problem.message
    assert words in problem.message


def test_a_page_in_place_of_a_tunnel_is_no_tls(client: Client) -> None:
    page = answer(b"<html><title>Sign in</title></html>", kind="text/html")
    with ProxyServer(answer=page) as proxy:
        problem = problem_of(sent(client, "https://model.example/v1", Connection(proxy=proxy.url)))
    assert problem.kind == "tls"
    assert proxy.url in problem.message


def test_a_proxy_that_is_not_there_is_named_and_not_the_server(client: Client) -> None:
    with nobody() as place:
        for url in ("http://model.example/v1", "https://model.example/v1"):
            problem = problem_of(sent(client, url, Connection(proxy=f"http://{place}")))
            assert (problem.kind, problem.detail["class"]) == ("network", "proxy")
            assert f"proxy http://{place}" in problem.message


def test_a_proxy_that_dies_in_the_reply_keeps_what_came(client: Client) -> None:
    start = b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n" + chat_event(role="assistant")
    with Server([start, "hold"]) as server, ProxyServer(dies=server.held) as proxy:
        found = sent(client, f"http://model.example:{server.port}/v1", Connection(proxy=proxy.url))
    assert problem_of(found).kind == "incomplete"
    assert f"through the proxy {proxy.url}" in problem_of(found).message
    assert found.body.startswith(chat_event(role="assistant"))


def test_the_environments_proxy_and_its_exceptions(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    with ProxyServer(answer=answer(b"by proxy")) as proxy, Server([answer(b"direct")]) as server:
        monkeypatch.setenv("http_proxy", proxy.url)
        assert sent(client, "http://model.example/v1", Connection()).body == b"by proxy"
        assert sent(client, server.url, Connection()).body == b"direct"
        monkeypatch.setenv("no_proxy", "model.example")
        direct = problem_of(sent(client, "http://model.example/v1", Connection()))
        assert "proxy" not in direct.message
        monkeypatch.setenv("no_proxy", "")
        assert problem_of(sent(client, "http://model.example/v1", Connection(proxy="none"))).kind == "network"
    assert len(proxy.received) == 1


def test_many_requests_on_different_ways_do_not_meet(client: Client, own: Authority) -> None:
    with Server([answer(b"direct")]) as server, ProxyServer(answer=answer(b"by proxy")) as proxy:
        sinks = [KeepingSink() for _ in range(8)]
        for number, sink in enumerate(sinks):
            way = Connection(proxy=proxy.url) if number % 2 else Connection()
            client.send(HttpRequest("POST", server.url, (), {}, connection=way), None, sink, DEADLINES)
        assert [sink.ended() for sink in sinks] == [None] * 8
    assert [sink.body for sink in sinks] == [b"direct", b"by proxy"] * 4
    assert threading.active_count() < 60
