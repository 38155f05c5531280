"""The client against a loopback server that sends exactly the bytes it is told to."""

import gzip
import zlib
from collections.abc import Iterator

import pytest

from support.nobody import nobody
from support.patience import PATIENCE
from support.server import CHAT_END, Server, Step, answer, chat_event, chat_stream
from support.sinks import KeepingSink
from thinkpane.endpoints.client import ERROR_BODY, Client
from thinkpane.endpoints.deadlines import Deadlines
from thinkpane.endpoints.dialects._api import HttpRequest
from thinkpane.errors import Problem

SHORT = Deadlines(PATIENCE, PATIENCE, idle=0.05)
USUAL = Deadlines(PATIENCE, PATIENCE, PATIENCE)


@pytest.fixture
def client() -> Iterator[Client]:
    found = Client()
    yield found
    found.close()


def asked(url: str, *headers: tuple[str, str]) -> HttpRequest:
    return HttpRequest("POST", url, (("Content-Type", "application/json"), *headers), {"prompt": "Grüße 😀"})


def outcome(client: Client, *script: Step, deadlines: Deadlines = USUAL) -> tuple[KeepingSink, Problem | None]:
    """What a sink has after one request to a server that plays `script`."""
    sink = KeepingSink()
    with Server(script) as server:
        client.send(asked(server.url), None, sink, deadlines)
        return sink, sink.ended()


def failed(client: Client, *script: Step, deadlines: Deadlines = USUAL) -> Problem:
    problem = outcome(client, *script, deadlines=deadlines)[1]
    assert problem is not None
    return problem


def test_the_request_goes_out_as_it_is_and_the_body_comes_back_byte_for_byte(client: Client) -> None:
    body = b"\xef\xbb\xbf\xff\xe2\x80\xa8" + chat_stream()
    sink, sent = KeepingSink(), list[float]()
    with Server([answer(body, headers=["X-Some: Thing"])]) as server:
        client.send(asked(server.url, ("X-Mine", "yes")), None, sink, USUAL, sent.append)
        assert sink.ended() is None
    assert (sink.status, sink.headers["x-some"], sink.body) == (200, "Thing", body)
    request = server.received[0]
    assert request.head.startswith("POST /v1 HTTP/1.1\r\n")
    assert request.body.decode() == '{"prompt": "Grüße 😀"}'
    assert request.headers["accept-encoding"] == "identity"
    assert request.headers["x-mine"] == "yes"
    assert "authorization" not in request.headers
    assert "cookie" not in request.headers
    assert len(sent) == 1


def test_times_count_from_the_request_and_never_go_back(client: Client) -> None:
    sink, _problem = outcome(client, answer(chat_stream()))
    assert sink.times == sorted(sink.times)
    assert sink.times[0] >= 0
    assert sink.threads == {"thinkpane-client"}


def test_a_server_that_is_down_is_named_in_one_sentence(client: Client) -> None:
    sink = KeepingSink()
    with nobody() as place:
        client.send(asked(f"http://{place}/v1"), None, sink, USUAL)
        problem = sink.ended()
    assert problem is not None
    assert problem.kind == "network"
    assert problem.detail["class"] == "refused"
    assert f"http://{place}" in problem.message


def test_error_answers_are_handed_on_up_to_a_cap(client: Client) -> None:
    sink, problem = outcome(client, answer(b'{"error":"no"}', status="401 Unauthorized", kind="application/json"))
    assert (problem, sink.status, sink.body) == (None, 401, b'{"error":"no"}')
    sink, problem = outcome(client, answer(b"x" * (ERROR_BODY * 2), status="500 Broken"))
    assert problem is None
    assert sink.body == b"x" * ERROR_BODY


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
def test_redirects_are_not_followed(client: Client, status: str) -> None:
    with Server([answer(chat_stream())]) as other:
        location = f"Location: http://user:secret-pw@127.0.0.1:{other.port}/v1?key=abc"
        problem = failed(client, answer(b"", status=status, headers=[location]))
        assert problem.kind == "redirect"
        assert f"http://127.0.0.1:{other.port}" in problem.message
        assert "secret-pw" not in problem.message
    assert other.received == []


def test_a_redirect_within_the_server_and_one_that_leads_nowhere_end_as_well(client: Client) -> None:
    inside = failed(client, answer(b"", status="307 Temporary", headers=["Location: /v1/"]))
    assert "another path of the same server" in inside.message
    for location in ("Location: file:///etc/passwd", "X-None: 1"):
        assert failed(client, answer(b"", status="302 Found", headers=[location])).kind == "redirect"


def test_a_connection_that_breaks_off_keeps_what_came(client: Client) -> None:
    for ending in ((b"",), ("reset",)):
        sink, problem = outcome(
            client, b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n" + chat_event(content="so far"), *ending
        )
        assert problem is not None
        assert (problem.kind, problem.detail["class"]) == ("incomplete", "closed")
        if ending == (b"",):
            assert sink.body == chat_event(content="so far")


def test_a_body_that_ends_with_its_connection_is_no_fault_of_the_client(client: Client) -> None:
    sink, problem = outcome(client, answer(chat_event(content="hel") + b"data: {", sized=False))
    assert problem is None
    assert sink.body.endswith(b"data: {")


def test_a_connection_closed_before_any_answer_says_so(client: Client) -> None:
    problem = failed(client)
    assert problem.detail["class"] == "closed"
    assert "without an answer" in problem.message


@pytest.mark.parametrize(
    "junk",
    [
        b"220 mail.example ESMTP\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno colon here\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X-Y: " + b"y" * 200_000 + b"\r\n\r\n",
    ],
)
def test_what_is_no_http_ends_in_one_sentence(client: Client, junk: bytes) -> None:
    problem = failed(client, junk)
    assert problem.kind == "network"
    assert problem.detail["class"] == "protocol"
    assert len(problem.message) < 500


def test_silence_in_the_body_ends_at_the_idle_deadline_and_keeps_what_came(client: Client) -> None:
    start = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + chat_event(content="first")
    sink, problem = outcome(client, start, "hold", deadlines=SHORT)
    assert problem is not None
    assert (problem.kind, problem.detail["class"]) == ("timeout", "idle")
    assert "0.05 s" in problem.message
    assert sink.body == chat_event(content="first")


def test_headers_that_do_not_end_run_into_their_own_deadline(client: Client) -> None:
    problem = failed(client, b"HTTP/1.1 200 OK\r\nX-Slow: ", "hold", deadlines=Deadlines(PATIENCE, 0.05, PATIENCE))
    assert problem.detail["class"] == "headers"


def test_the_whole_reply_has_a_deadline_where_one_is_set(client: Client) -> None:
    start = b"HTTP/1.1 200 OK\r\n\r\n" + chat_event(content="first")
    problem = failed(client, start, "hold", deadlines=Deadlines(PATIENCE, PATIENCE, PATIENCE, 0.05))
    assert problem.detail["class"] == "total"


def test_stop_ends_a_silent_stream_and_keeps_what_came(client: Client) -> None:
    sink = KeepingSink()
    with Server([answer(chat_event(content="first"), headers=["X: y"], sized=False), "hold"]) as server:
        handle = client.send(asked(server.url), None, sink, USUAL)
        assert sink.came.wait(PATIENCE)
        handle.stop()
        handle.stop()
        problem = sink.ended()
    assert problem is not None
    assert problem.kind == "stopped"
    assert sink.body == chat_event(content="first")
    assert len(sink.ends) == 1


def test_stop_before_anything_happened_still_ends_the_sink_once(client: Client) -> None:
    sink = KeepingSink()
    with Server(["hold"]) as server:
        client.send(asked(server.url), None, sink, USUAL).stop()
        problem = sink.ended()
    assert problem is not None
    assert problem.kind == "stopped"


def test_close_ends_all_that_is_under_way_and_may_be_called_again() -> None:
    client, sink = Client(), KeepingSink()
    with Server([b"HTTP/1.1 200 OK\r\n\r\nx", "hold"]) as server:
        handle = client.send(asked(server.url), None, sink, USUAL)
        assert sink.came.wait(PATIENCE)
        client.close()
        client.close()
    problem = sink.ended()
    assert problem is not None
    assert problem.kind == "stopped"
    handle.stop()
    with pytest.raises(RuntimeError):
        client.send(asked("http://127.0.0.1:1/"), None, KeepingSink(), USUAL)


def test_a_server_that_compresses_all_the_same_is_read(client: Client) -> None:
    body = chat_stream()
    for encoding, packed in (("gzip", gzip.compress(body)), ("deflate", zlib.compress(body))):
        sink, problem = outcome(client, answer(packed, headers=[f"Content-Encoding: {encoding}"]))
        assert problem is None
        assert sink.body == body


def test_a_gzip_bomb_is_given_up_early(client: Client) -> None:
    bomb = gzip.compress(b"\0" * 100_000_000)
    sink, problem = outcome(client, answer(bomb, headers=["Content-Encoding: gzip"]))
    assert problem is not None
    assert problem.kind == "limit"
    assert len(sink.body) < 20_000_000


def test_compression_that_is_unknown_or_a_lie_is_one_sentence(client: Client) -> None:
    for encoding in ("br", "gzip, gzip", "gzip"):
        problem = failed(client, answer(CHAT_END, headers=[f"Content-Encoding: {encoding}"]))
        assert problem.kind == "compression"
        assert encoding in problem.message


def test_cookies_are_not_kept(client: Client) -> None:
    with Server([answer(b"", headers=["Set-Cookie: id=canary; Path=/"])]) as server:
        for _ in range(2):
            sink = KeepingSink()
            client.send(asked(server.url), None, sink, USUAL)
            assert sink.ended() is None
            assert "canary" not in str(sink.headers)
    assert "cookie" not in server.received[1].headers


def test_a_sink_that_fails_is_told_so_and_the_client_goes_on(client: Client) -> None:
    class Failing(KeepingSink):
        def data(self, data: bytes, ms: float) -> None:
            raise ValueError("out of ink")

    sink = Failing()
    with Server([answer(b"x")]) as server:
        client.send(asked(server.url), None, sink, USUAL)
        problem = sink.ended()
    assert problem is not None
    assert problem.kind == "internal"
    assert "out of ink" in problem.message
    assert outcome(client, answer(b"x"))[1] is None


def test_this_machines_servers_are_reached_past_the_proxy(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    assert outcome(client, answer(b"x"))[1] is None


def test_a_proxy_that_cannot_be_used_is_told_without_its_password(
    monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    for proxy in ("socks5://me:canary@127.0.0.1:1", "nonsense://me:canary@127.0.0.1:1"):
        monkeypatch.setenv("ALL_PROXY", proxy)
        sink = KeepingSink()
        client.send(asked("http://a.invalid/v1"), None, sink, USUAL)
        problem = sink.ended()
        assert problem is not None
        assert problem.kind == "proxy"
        assert "canary" not in problem.message


def test_a_proxy_does_not_get_the_request_where_it_refuses_the_way(
    monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    with Server([b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"]) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.port}")
        sink = KeepingSink()
        client.send(asked("https://a.invalid/v1"), None, sink, USUAL)
        problem = sink.ended()
    assert problem is not None
    assert problem.detail["class"] == "proxy_auth"
    assert proxy.received[0].head.startswith("CONNECT a.invalid:443")
    assert proxy.received[0].body == b""
