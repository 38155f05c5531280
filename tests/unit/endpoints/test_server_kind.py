"""What a server is, found by asking, and that nothing is asked of well-known addresses."""

from typing import Any

import pytest

from support.server_answers import LLAMACPP, Answers, Given
from thinkpane.endpoints.profile import Endpoint
from thinkpane.endpoints.server import Server
from thinkpane.endpoints.server_kind import server_kind
from thinkpane.errors import Problem, ThinkpaneError


def found(
    by_path: dict[str, Given], base_url: str = "http://127.0.0.1:1/v1", **headers: str
) -> tuple[str, str, list[str]]:
    send = Answers(by_path, headers)
    kind = server_kind(Server(Endpoint("e", "openai-chat", base_url), send))
    return kind.name, kind.title, [path for path, _ in send.asked]


@pytest.mark.parametrize(
    ("by_path", "name", "title"),
    [
        ({"/props": LLAMACPP}, "llamacpp", "llama.cpp b1"),
        ({"/api/version": {"version": "0.14.1"}}, "ollama", "Ollama 0.14.1"),
        ({"/version": {"version": "0.33.0"}}, "vllm", "vLLM 0.33.0"),
        ({"/get_model_info": {"model_path": "m"}}, "sglang", "SGLang"),
        ({"/get_model_info": {}, "/version": {"version": "1"}}, "sglang", "SGLang"),
        ({"/api/v1/models": {"models": []}}, "lmstudio", "LM Studio"),
        ({"/v1/models": {"data": [{"id": "m", "owned_by": "vllm"}]}}, "vllm", "vLLM"),
        ({"/v1/models": {"data": [{"id": "m", "owned_by": "library"}]}}, "ollama", "Ollama"),
        ({"/v1/models": {"data": [{"id": "m", "owned_by": "me"}]}}, "", ""),
        ({"/props": {"x": 1}}, "", ""),
        ({}, "", ""),
    ],
)
def test_kinds(by_path: dict[str, Given], name: str, title: str) -> None:
    assert found(by_path)[:2] == (name, title)


def test_a_header_tells_too() -> None:
    assert found({}, server="llama.cpp")[0] == "llamacpp"


def test_well_known_addresses_are_not_asked() -> None:
    assert found({}, "https://api.deepseek.com") == ("deepseek", "DeepSeek", [])


@pytest.mark.parametrize(
    "base", ["http://h:1", "http://h:1/v1", "http://h:1/v1/chat/completions", "http://h:1/api/chat"]
)
def test_questions_go_to_the_root(base: str) -> None:
    assert found({"/props": LLAMACPP}, base)[2] == ["/props"]


def test_a_wrong_key_is_told_at_once() -> None:
    with pytest.raises(ThinkpaneError, match="key"):
        found({"/props": (401, {"error": {"message": "Invalid API Key"}})})


def test_one_broken_answer_does_not_end_it() -> None:
    answers = Answers({"/version": {"version": "1"}})

    def send(request: Any) -> Any:
        if request.url.endswith("/api/version"):
            raise ThinkpaneError(Problem("incomplete", "It broke off."))
        return answers(request)

    assert server_kind(Server(Endpoint("e", "openai-chat", "http://h:1"), send)).name == "vllm"


def test_a_server_that_is_not_there_is_told() -> None:
    def send(_request: object) -> Any:
        raise ThinkpaneError(Problem("network", "Nothing answers."))

    with pytest.raises(ThinkpaneError, match="Nothing answers"):
        server_kind(Server(Endpoint("e", "openai-chat", "http://h:1"), send))


def test_the_key_goes_in_the_dialects_own_header() -> None:
    send = Answers({"/props": LLAMACPP})
    server_kind(Server(Endpoint("e", "anthropic", "http://h:1", headers={"x-team": "a"}), send))
    assert send.requests[0].secret.name == "x-api-key"
    assert ("anthropic-version", "2023-06-01") in send.requests[0].headers
    assert ("x-team", "a") in send.requests[0].headers
