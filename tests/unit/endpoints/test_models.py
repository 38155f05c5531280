"""The list of models that an endpoint offers."""

import pytest

from thinkpane.endpoints.connection import USUAL, Connection
from thinkpane.endpoints.dialects._api import BEARER, SecretHeader
from thinkpane.endpoints.models import model_names, models, with_scheme
from thinkpane.endpoints.profile import Endpoint
from thinkpane.endpoints.secret import Secret
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue


class Server:
    """Answers every GET with one value, and keeps what it was asked."""

    def __init__(self, answer: JsonValue) -> None:
        self.answer = answer
        self.url = ""
        self.key: Secret | None = None
        self.headers: dict[str, str] = {}
        self.connection = USUAL

    def get_json(
        self,
        url: str,
        key: Secret | None,
        deadline: float,
        cap: int,
        *,
        secret: SecretHeader = BEARER,
        headers: tuple[tuple[str, str], ...] = (),
        connection: Connection = USUAL,
    ) -> JsonValue:
        assert deadline > 0
        assert cap > 0
        self.url, self.key, self.headers, self.connection = url, key, dict(headers), connection
        return self.answer


@pytest.mark.parametrize(
    ("dialect", "base", "url"),
    [
        ("openai-chat", "http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/models"),
        ("openai-chat", "http://host/gateway/v1/chat/completions", "http://host/gateway/v1/models"),
        ("openai-completions", "127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1/models"),
        ("ollama", "http://127.0.0.1:11434", "http://127.0.0.1:11434/api/tags"),
    ],
)
def test_the_list_lies_beside_the_requests(dialect: str, base: str, url: str) -> None:
    server = Server({"data": []})
    models(Endpoint("x", dialect, base), None, server.get_json)
    assert server.url == url


def test_the_list_is_asked_for_on_the_endpoints_own_way() -> None:
    server = Server({"data": []})
    way = Connection(http2=True, proxy="http://p:1", ca_file="ca.pem")
    models(Endpoint("x", "openai-chat", "https://host", connection=way), None, server.get_json)
    assert server.connection == way


def test_the_endpoints_own_headers_go_along() -> None:
    server = Server({"data": [{"id": "small"}]})
    key = Secret("abcdefgh", "http://host:80")
    found = models(Endpoint("x", "openai-chat", "http://host", headers={"x-team": "a"}), key, server.get_json)
    assert found == ("small",)
    assert server.headers["x-team"] == "a"
    assert server.connection == USUAL
    assert server.key is key


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ({"data": [{"id": "a"}, {"id": "b", "object": "model"}]}, ("a", "b")),
        ({"models": [{"name": "a:latest", "size": 3}]}, ("a:latest",)),
        ([{"id": "a"}, "b", {"id": 3}], ("a",)),
        ({"data": [], "object": "list"}, ()),
    ],
)
def test_names_of_a_list(value: JsonValue, names: tuple[str, ...]) -> None:
    assert model_names(value) == names


@pytest.mark.parametrize("value", [{"object": "list"}, "models", {"data": {"a": 1}}, None])
def test_what_is_no_list_is_one_sentence(value: JsonValue) -> None:
    with pytest.raises(ThinkpaneError, match="no list of models"):
        model_names(value)


def test_a_scheme_is_written_out() -> None:
    assert with_scheme("localhost:8080/v1") == "http://localhost:8080/v1"
    assert with_scheme(" api.example.test ") == "https://api.example.test"
    with pytest.raises(ThinkpaneError):
        with_scheme("ftp://x")
