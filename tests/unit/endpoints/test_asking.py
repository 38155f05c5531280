"""Whole answers by a function: refusals and redirects are answers, and a limit is a limit."""

from collections.abc import Iterator

import pytest

from support.server import Server, answer
from thinkpane.endpoints.asking import Asking
from thinkpane.endpoints.client import Client
from thinkpane.errors import ThinkpaneError


@pytest.fixture
def ask() -> Iterator[Asking]:
    client = Client()
    yield Asking(client)
    client.close()


def test_an_answer_comes_whole_with_lower_case_headers(ask: Asking) -> None:
    with Server([answer(b'{"a": 1}')]) as server:
        found = ask(f"{server.url}/props", {"Range": "bytes=0-3"}, limit=100)
    assert (found.status, found.body) == (200, b'{"a": 1}')
    assert all(name == name.lower() for name in found.headers)
    [received] = server.received
    assert received.headers["range"] == "bytes=0-3"
    assert "authorization" not in received.headers


def test_a_body_is_posted_as_json(ask: Asking) -> None:
    with Server([answer(b"{}")]) as server:
        ask(f"{server.url}/api/show", {}, limit=100, body={"model": "m"})
    [received] = server.received
    assert received.json == {"model": "m"}


def test_a_redirect_is_an_answer_and_is_not_followed(ask: Asking) -> None:
    reply = b"HTTP/1.1 302 Found\r\nLocation: https://elsewhere/x\r\nContent-Length: 0\r\n\r\n"
    with Server([reply]) as server:
        found = ask(server.url, {}, limit=100)
    assert (found.status, found.headers["location"]) == (302, "https://elsewhere/x")


def test_a_refusal_is_an_answer(ask: Asking) -> None:
    with Server([b"HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone"]) as server:
        found = ask(server.url, {}, limit=100)
    assert (found.status, found.body) == (404, b"none")


def test_no_answer_and_too_long_a_one_are_problems(ask: Asking) -> None:
    with Server([answer(b"x" * 200)]) as server, pytest.raises(ThinkpaneError) as caught:
        ask(server.url, {}, limit=100)
    assert caught.value.problem.kind == "limit"
    with pytest.raises(ThinkpaneError) as caught:
        ask(server.url, {}, limit=100)
    assert caught.value.problem.kind == "network"
