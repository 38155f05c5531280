"""Small JSON answers, as lists of models are."""

from collections.abc import Iterator

import pytest

from support.patience import PATIENCE
from support.server import Server, answer
from thinkpane.endpoints.client import Client
from thinkpane.endpoints.dialects._api import SecretHeader
from thinkpane.endpoints.secret import Secret
from thinkpane.errors import ThinkpaneError


@pytest.fixture
def client() -> Iterator[Client]:
    found = Client()
    yield found
    found.close()


def test_json_comes_back_as_a_value(client: Client) -> None:
    with Server([answer(b'{"data": [{"id": "a"}]}', kind="application/json")]) as server:
        key = Secret("sk-canary-1", server.url)
        found = client.get_json(
            f"{server.url}/models", key, PATIENCE, 1000, secret=SecretHeader("x-api-key", ""), headers=(("X-V", "1"),)
        )
    assert found == {"data": [{"id": "a"}]}
    request = server.received[0]
    assert request.head.startswith("GET /v1/models HTTP/1.1")
    assert (request.headers["x-api-key"], request.headers["x-v"], request.body) == ("sk-canary-1", "1", b"")


@pytest.mark.parametrize(
    ("sent", "kind", "words"),
    [
        (answer(b'{"error": {"message": "no key"}}', status="401 No"), "server", "no key"),
        (answer(b"<html><title>Log in</title></html>", kind="text/html"), "not_a_stream", "Log in"),
        (answer(b'"' + b"x" * 2000 + b'"'), "limit", "1,000 bytes"),
        (answer(b"", status="302 Found", headers=["Location: http://a.example/"]), "redirect", "http://a.example"),
        (b"", "network", "without an answer"),
    ],
)
def test_what_is_no_json_ends_in_one_sentence(client: Client, sent: bytes, kind: str, words: str) -> None:
    with Server([sent]) as server, pytest.raises(ThinkpaneError, match=words) as caught:
        client.get_json(server.url, None, PATIENCE, 1000)
    assert caught.value.problem.kind == kind


def test_a_server_that_says_nothing_is_given_up(client: Client) -> None:
    with Server(["hold"]) as server, pytest.raises(ThinkpaneError) as caught:
        client.get_json(server.url, None, 0.05, 1000)
    assert caught.value.problem.kind == "timeout"
