"""Faults that servers report in the middle of a stream: in every shape, in every dialect, and outside any event."""

import json

import pytest

from support.encoded_replies import APIS, LogicalReply, unfinished
from support.wire_cases import chat, decoded, sse
from thinkpane.endpoints.dialects._errors import problem_from
from thinkpane.streaming.transcript import Transcript

LINES = ("ollama", "ollama-generate")
SHAPES = {
    "OpenAI": {"error": {"message": "no luck", "type": "t", "param": "messages", "code": "c"}},
    "OpenRouter": {
        "error": {"code": 502, "message": "Provider", "metadata": {"raw": '{"error":{"message":"no luck"}}'}}
    },
    "Z.AI": {"error": {"code": "1302", "message": "no luck"}},
    "a text": {"error": "no luck"},
    "a list": {"error": [{"message": "no luck"}]},
    "several": {"errors": [{"message": "no luck"}]},
    "SGLang": {"object": "error", "message": "no luck", "type": "BadRequestError", "param": None, "code": 400},
    "Anthropic": {"type": "error", "error": {"type": "overloaded_error", "message": "no luck"}},
    "Responses": {"type": "error", "code": "server_error", "message": "no luck", "param": None, "sequence_number": 4},
    "Cohere": {"message": "no luck"},
    "FastAPI": {"detail": "no luck"},
    "FastAPI's validation": {"detail": [{"loc": ["body", "model"], "msg": "no luck", "type": "missing"}]},
    "MiniMax": {"base_resp": {"status_code": 1004, "status_msg": "no luck"}},
    "Baidu": {"error_code": 336003, "error_msg": "no luck"},
    "DashScope": {"code": "InvalidParameter", "message": "no luck", "request_id": "r"},
    "problem+json": {"type": "about:blank", "title": "no luck", "status": 503},
    "Ollama's StatusError": {"StatusCode": 500, "Status": "500", "error": "no luck"},
    "nested": {"error": {"error": {"message": "no luck"}}},
}


def cut(api: str, more: str) -> Transcript:
    body = unfinished(api, LogicalReply((), ("Hi", " you."))) + more.encode()
    found = decoded(api, body)
    for place in range(len(body) - len(more.encode()), len(body)):
        assert decoded(api, body[:place], rest=body[place:]).as_json() == found.as_json()
    return found


def event(api: str, data: str) -> str:
    return data + "\n" if api in LINES else f"data: {data}\n\n"


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_in_every_dialect(api: str, shape: str) -> None:
    found = cut(api, event(api, json.dumps(SHAPES[shape])))
    assert found.problem is not None
    assert (found.problem.kind, found.answer.strip("\n")) == ("server", "Hi you.")
    assert "no luck" in found.problem.message


@pytest.mark.parametrize("api", [api for api in APIS if api not in LINES])
@pytest.mark.parametrize(
    "words",
    [
        'event: error\ndata: {"message": "no luck"}\n\n',
        "event: error\ndata: no luck\n\n",
        'event: error\ndata: "no luck"\n\n',
        'error: {"code": 500, "message": "no luck"}\n\n',  # llama.cpp until 2025
        'error:{"message": "no luck"}',
        '{"error": {"message": "no luck"}}',
        '{\n "error": "no luck"\n}\n',
    ],
)
def test_every_place_in_an_event_stream(api: str, words: str) -> None:
    found = cut(api, words)
    assert found.problem is not None
    assert found.problem.kind == "server"
    assert found.problem.message.endswith("no luck")


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("words", ["upstream timeout", "upstream\ntimeout\n", "<b>upstream timeout</b>\n"])
def test_words_that_stand_alone_are_shown_where_a_reply_is_cut_off(api: str, words: str) -> None:
    found = cut(api, words)
    assert found.problem is not None
    assert found.problem.kind == "incomplete"
    assert ("upstream" if api in LINES else " ".join(words.split())) in found.problem.message


@pytest.mark.parametrize("api", [api for api in APIS if api not in LINES])
def test_fields_of_an_event_stream_are_no_words(api: str) -> None:
    for words in (": on\n\n", "id: 7\n", "retry: 5\n\n", "event: x\n\n", "da", "event"):
        found = cut(api, words)
        assert found.problem is not None
        assert "last that came" not in found.problem.message, words


@pytest.mark.parametrize(
    ("error", "name"),
    [
        ({"type": "overloaded_error"}, "overloaded"),
        ({"type": "rate_limit_error"}, "rate_limit"),
        ({"code": "rate_limit_exceeded"}, "rate_limit"),
        ({"type": "TooManyRequests"}, "rate_limit"),
        ({"type": "authentication_error"}, "auth"),
        ({"code": "invalid_api_key"}, "auth"),
        ({"type": "permission_error"}, "auth"),
        ({"type": "not_found_error"}, "not_found"),
        ({"code": "model_not_found"}, "not_found"),
        ({"type": "timeout_error"}, "timeout"),
        ({"type": "billing_error"}, "quota"),
        ({"code": "insufficient_quota"}, "quota"),
        ({"type": "exceed_context_size_error"}, "context_overflow"),
        ({"type": "invalid_request_error"}, "bad_request"),
        ({"type": "unavailable_error", "code": 503}, "overloaded"),
        ({"code": 429}, "rate_limit"),
        ({"type": "api_error"}, "server"),
        ({"type": "server_error", "code": 500}, "server"),
    ],
)
def test_the_class_is_told_by_the_errors_own_name(error: dict[str, object], name: str) -> None:
    assert problem_from({"error": {"message": "no luck", **error}}).detail["class"] == name  # type: ignore[dict-item]


def test_a_number_alone_is_shown() -> None:
    assert problem_from({"error": 503}).message.endswith("503")


def test_ollamas_compatible_stream_that_is_cut_off_points_to_its_own_api() -> None:
    for fingerprint, told in (("fp_ollama", True), ("fp_other", False)):
        problem = decoded("openai-chat", sse(chat({"content": "Hi"}, system_fingerprint=fingerprint))).problem
        assert problem is not None
        assert ("Ollama chat" in problem.message) is told
