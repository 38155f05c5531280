"""The client over HTTP/2, against a live server that sends exactly the frames it is told to."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("h2")

from support.certificates import Authority, authority
from support.h2_frames import Data, Frame, GoAway, Headers, Hold, Raw, Reset
from support.h2_server import H2Server
from support.patience import PATIENCE
from support.proxy_server import ProxyServer
from support.server import Server, answer, chat_stream
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


def asked(url: str, own: Authority, *, http2: bool = True) -> HttpRequest:
    return HttpRequest("POST", url, (), {"a": 1}, connection=Connection(http2, "", str(own.ca_file)))


def outcome(client: Client, own: Authority, *script: Frame) -> tuple[KeepingSink, Problem | None, int]:
    sink = KeepingSink()
    with H2Server(own.context(protocols=("h2",)), script) as server:
        client.send(asked(server.url, own), None, sink, DEADLINES)
        return sink, sink.ended(), server.requests


def test_a_reply_comes_whole_and_says_how(client: Client, own: Authority) -> None:
    body = chat_stream() * 300
    sink = KeepingSink()
    with H2Server(
        own.context(protocols=("h2",)), [Headers("200", (("x-some", "thing"),)), Data(body, ends=True)]
    ) as server:
        key = Secret("key-canary-word", server.url)
        client.send(asked(server.url, own), key, sink, DEADLINES)
        assert sink.ended() is None
    assert (sink.status, sink.headers["x-some"], sink.body) == (200, "thing", body)
    assert sink.via == Via("HTTP/2")
    assert server.heads[0]["authorization"] == "Bearer key-canary-word"
    assert server.bodies == [b'{"a": 1}']


def test_a_server_that_does_not_offer_it_is_asked_by_http_1(client: Client, own: Authority) -> None:
    for protocols in ((), ("http/1.1",)):
        sink = KeepingSink()
        with Server([answer(chat_stream())], tls=own.context(protocols=protocols)) as server:
            client.send(asked(server.url, own), None, sink, DEADLINES)
            assert sink.ended() is None
        assert (sink.via, sink.body) == (Via("HTTP/1.1"), chat_stream())


def test_it_is_not_used_unasked_nor_without_tls(client: Client, own: Authority) -> None:
    sink = KeepingSink()
    with Server([answer(b"{}")], tls=own.context(protocols=("h2", "http/1.1"))) as server:
        client.send(asked(server.url, own, http2=False), None, sink, DEADLINES)
        assert sink.ended() is None
    assert sink.via == Via("HTTP/1.1")
    sink = KeepingSink()
    with Server([answer(b"{}")]) as plain:
        client.send(asked(plain.url, own), None, sink, DEADLINES)
        assert sink.ended() is None
    assert sink.via == Via("HTTP/1.1")


def test_it_goes_through_a_tunnel(client: Client, own: Authority) -> None:
    sink = KeepingSink()
    script: list[Frame] = [Headers(), Data(chat_stream(), ends=True)]
    tls = own.context(host="model.example", protocols=("h2",))
    with H2Server(tls, script) as server, ProxyServer() as proxy:
        request = asked(server.url.replace("127.0.0.1", "model.example"), own)
        way = replace(request.connection, proxy=proxy.url)
        client.send(replace(request, connection=way), None, sink, DEADLINES)
        assert sink.ended() is None
    assert (sink.via, sink.body) == (Via("HTTP/2", proxy.url), chat_stream())


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ([GoAway()], "(GOAWAY, NO_ERROR)"),
        ([GoAway(11)], "(GOAWAY, ENHANCE_YOUR_CALM)"),
        ([GoAway(999)], "(GOAWAY, 999)"),
        ([Reset(7)], "(RST_STREAM, REFUSED_STREAM)"),
        ([Reset(2)], "(RST_STREAM, INTERNAL_ERROR)"),
        ([], "closed the connection"),
    ],
)
def test_what_ends_before_an_answer_is_named_in_words(
    client: Client, own: Authority, script: Sequence[Frame], words: str
) -> None:
    _sink, problem, requests = outcome(client, own, *script)
    assert problem is not None
    assert (problem.kind, problem.detail["class"]) == ("network", "closed")
    assert words in problem.message
    assert "<" not in problem.message
    assert requests == 1


def test_a_server_that_wants_http_1_says_what_to_do(client: Client, own: Authority) -> None:
    problem = outcome(client, own, Reset(13))[1]
    assert problem is not None
    assert "Switch HTTP/2 off in the endpoint." in problem.message


@pytest.mark.parametrize("end", [GoAway(2), Reset(), Raw(b"\xff" * 100), Data()])
def test_what_ends_in_the_reply_keeps_what_came(client: Client, own: Authority, end: Frame) -> None:
    sink, problem, requests = outcome(client, own, Headers(), Data(b"so far"), end)
    assert problem is not None
    assert (problem.kind, problem.detail["class"]) == ("incomplete", "closed")
    assert "<" not in problem.message
    assert (sink.body, requests) == (b"so far", 1)


def test_stop_ends_a_silent_stream(client: Client, own: Authority) -> None:
    sink = KeepingSink()
    with H2Server(own.context(protocols=("h2",)), [Headers(), Data(b"first"), Hold()]) as server:
        handle = client.send(asked(server.url, own), None, sink, DEADLINES)
        assert sink.came.wait(PATIENCE)
        handle.stop()
        problem = sink.ended()
    assert problem is not None
    assert (problem.kind, sink.body) == ("stopped", b"first")


def test_no_log_holds_the_key(client: Client, own: Authority, caplog: pytest.LogCaptureFixture) -> None:
    sink = KeepingSink()
    with caplog.at_level(logging.DEBUG), H2Server(own.context(protocols=("h2",)), [Headers(ends=True)]) as server:
        client.send(asked(server.url, own), Secret("key-canary-word", server.url), sink, DEADLINES)
        assert sink.ended() is None
    assert "canary" not in caplog.text
