"""Where requests go for every spelling of a base URL."""

import pytest

from support.wire_cases import WireCase, counted, wire_cases
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.errors import ThinkpaneError

CASES = [case for case in wire_cases("endpoint") if "url" in case.expect]


@pytest.mark.parametrize("case", counted(CASES))
def test_url_case(case: WireCase) -> None:
    assert dialect_named(case.input["api"]).url(case.input["base_url"]) == case.expect["url"]


CHAT = "/chat/completions"


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("https://api.example.test", "https://api.example.test/v1" + CHAT),
        ("https://api.example.test/", "https://api.example.test/v1" + CHAT),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1" + CHAT),
        ("  http://h:1/v1  ", "http://h:1/v1" + CHAT),
        ("http://h:1/v1//", "http://h:1/v1" + CHAT),
        ("http://h:1//v1", "http://h:1/v1" + CHAT),
        ("http://h:1/v1/chat/completions", "http://h:1/v1" + CHAT),
        ("http://h:1/v1/chat/completions/", "http://h:1/v1" + CHAT),
        ("http://h:1/v1/completions", "http://h:1/v1" + CHAT),
        ("http://h:1/v1/models", "http://h:1/v1" + CHAT),
        ("http://h:1/chat/completions", "http://h:1" + CHAT),
        ("https://api.example.test/api/paas/v4", "https://api.example.test/api/paas/v4" + CHAT),
        ("https://api.example.test/compatible-mode/v1", "https://api.example.test/compatible-mode/v1" + CHAT),
        ("https://az.example.test/openai?api-version=1", "https://az.example.test/openai" + CHAT + "?api-version=1"),
        ("http://h:1/v1#frag", "http://h:1/v1" + CHAT),
        ("localhost:1234", "http://localhost:1234/v1" + CHAT),
        ("127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1" + CHAT),
        ("box:8000", "http://box:8000/v1" + CHAT),
        ("192.168.0.7:8000", "http://192.168.0.7:8000/v1" + CHAT),
        ("api.example.test", "https://api.example.test/v1" + CHAT),
        ("api.example.test/v1", "https://api.example.test/v1" + CHAT),
        ("http://[::1]:8080", "http://[::1]:8080/v1" + CHAT),
        ("[::1]:8080/v1", "http://[::1]:8080/v1" + CHAT),
        ("::1", "http://[::1]/v1" + CHAT),
        ("LOCALHOST:8080", "http://LOCALHOST:8080/v1" + CHAT),
        ("HTTPS://H.example.test/V1/", "https://H.example.test/V1" + CHAT),
        ("https://h:1/V1/Chat/Completions", "https://h:1/V1" + CHAT),
        ("box.lan:8000/v1", "http://box.lan:8000/v1" + CHAT),
        ("box.example.test:80", "http://box.example.test:80/v1" + CHAT),
        ("//api.example.test/v1", "https://api.example.test/v1" + CHAT),
        ('"http://h:1/v1"', "http://h:1/v1" + CHAT),
        ("<http://h:1/v1>", "http://h:1/v1" + CHAT),
        ("http://h:1/api/chat", "http://h:1/v1" + CHAT),
        ("http://h:1/api/generate/", "http://h:1/v1" + CHAT),
        ("http://h:1/completion", "http://h:1/v1" + CHAT),
        ("http://h:1/gw/api/tags", "http://h:1/gw" + CHAT),
        ("http://h:1/v1/messages/count_tokens", "http://h:1/v1" + CHAT),
        ("https://h:1/v1/chat/completions?api-version=1", "https://h:1/v1" + CHAT + "?api-version=1"),
        ("https://h:1?key=1", "https://h:1/v1" + CHAT + "?key=1"),
    ],
)
def test_spellings(base: str, url: str) -> None:
    assert dialect_named("openai-chat").url(base) == url
    assert dialect_named("openai-completions").url(base) == url.replace(CHAT, "/completions")


@pytest.mark.parametrize(
    ("base", "anthropic", "ollama"),
    [
        ("http://h:1", "/v1/messages", "/api/chat"),
        ("http://h:1/", "/v1/messages", "/api/chat"),
        ("http://h:1/v1", "/v1/messages", "/api/chat"),
        ("http://h:1/V1/", "/V1/messages", "/api/chat"),
        ("http://h:1/gw", "/gw/v1/messages", "/gw/api/chat"),
        ("http://h:1/gw/v1/messages/", "/gw/v1/messages", "/gw/api/chat"),
        ("http://h:1/gw/messages", "/gw/messages", "/gw/api/chat"),
        ("http://h:1/v1/messages/count_tokens", "/v1/messages", "/api/chat"),
        ("http://h:1/api", "/api/v1/messages", "/api/chat"),
        ("http://h:1/api/chat", "/v1/messages", "/api/chat"),
        ("http://h:1/v1/api/chat", "/v1/messages", "/api/chat"),
        ("http://h:1/v1/chat/completions", "/v1/messages", "/api/chat"),
    ],
)
def test_spellings_for_the_other_wires(base: str, anthropic: str, ollama: str) -> None:
    assert dialect_named("anthropic").url(base) == "http://h:1" + anthropic
    assert dialect_named("ollama").url(base) == "http://h:1" + ollama


@pytest.mark.parametrize(
    ("base", "words"),
    [
        ("", "no base URL"),
        ("   ", "no base URL"),
        ("ftp://h/v1", "no http"),
        ("file:///etc/passwd", "no http"),
        ("http://", "no http"),
        ("http://h:99999/v1", "Port"),
        ("http://[::1", "web address"),
        ("http://h:0/v1", "no http"),
        ("http:/h/v1", "no http"),
        ("http//h/v1", "no http"),
        ("http://h/v1 x", "blank"),
        ("http://h\\@other/v1", "backslash"),
        ("https://user:secret@h/v1", "user name or password"),
    ],
)
def test_what_is_no_base_url(base: str, words: str) -> None:
    with pytest.raises(ThinkpaneError) as caught:
        dialect_named("openai-chat").url(base)
    assert caught.value.problem.kind == "url"
    assert words in caught.value.problem.message
    assert "secret" not in caught.value.problem.message
