"""llama.cpp's native completion: what is sent, and replies."""

import json
from typing import Any

import pytest

from support.wire_cases import decoded, sse
from thinkpane.endpoints.dialects._api import Call, DecodeOptions, HttpRequest
from thinkpane.endpoints.dialects._registry import dialect_for, dialect_named
from thinkpane.endpoints.dialects.openai_completions import DEFAULT_MAX_TOKENS
from thinkpane.errors import ThinkpaneError
from thinkpane.streaming.transcript import Transcript


def raw(**more: Any) -> HttpRequest:
    return dialect_named("llamacpp").request("http://127.0.0.1:8080", Call(**{"path": "raw", "prompt": "p", **more}))


def part(content: str, **more: object) -> dict[str, Any]:
    return {"index": 0, "content": content, "tokens": [1], "stop": False, **more}


END = part(
    "",
    stop=True,
    stop_type="eos",
    model="m",
    tokens_evaluated=10,
    tokens_predicted=4,
    truncated=False,
    timings={"a": 1},
)


def read(*values: object, options: DecodeOptions | None = None) -> Transcript:
    return decoded("llamacpp", sse(*values), options)


@pytest.mark.parametrize("base", ["http://h:1", "http://h:1/v1/", "http://h:1/completion", "http://h:1/v1/completions"])
def test_urls(base: str) -> None:
    assert dialect_named("llamacpp").url(base) == "http://h:1/completion"


def test_a_request_sends_the_prompt_exactly() -> None:
    request = raw(
        model="m",
        prompt=" \r\n\u2028",
        params={"max_tokens": 5, "stop": "x", "repetition_penalty": 1.1, "top_logprobs": 3, "min_p": 0, "user": "u"},
        variables={"a": 1},
        messages=[{}],
    )
    assert request.body == {
        "model": "m",
        "prompt": " \r\n\u2028",
        "n_predict": 5,
        "repeat_penalty": 1.1,
        "n_probs": 3,
        "min_p": 0,
        "stop": ["x"],
        "stream": True,
    }
    assert [each.kind for each in request.warnings] == ["param-not-sent"]


def test_a_limit_is_always_sent() -> None:
    assert raw(stream=False).body == {"prompt": "p", "n_predict": DEFAULT_MAX_TOKENS, "stream": False}
    with pytest.raises(ThinkpaneError):
        raw(prompt=None)


def test_a_schema_and_probabilities() -> None:
    format = {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "object"}}}
    body = raw(params={"response_format": format, "logprobs": True}).body
    assert (body["json_schema"], body["n_probs"]) == ({"type": "object"}, 1)
    assert raw(params={"response_format": {"type": "json_object"}}).body["json_schema"] == {}
    assert "json_schema" not in raw(params={"response_format": {"type": "text"}}).body


def test_the_chat_path_of_the_same_server() -> None:
    assert dialect_for("llamacpp", "chat").name == "openai-chat"


def test_a_reply() -> None:
    transcript = read(part("<think>p"), part("lan</think>4"), END)
    assert (transcript.thinking, transcript.answer, transcript.finish, transcript.model) == ("plan", "4", "eos", "m")
    assert transcript.usage == {"tokens_evaluated": 10, "tokens_predicted": 4}
    assert transcript.timings == {"a": 1}
    assert transcript.is_clean


def test_thinking_that_the_prompt_opened() -> None:
    transcript = read(part("plan</think>4"), END, options=DecodeOptions(prompt_opens_thinking=True))
    assert (transcript.thinking, transcript.answer) == ("plan", "4")


@pytest.mark.parametrize(
    ("more", "finish"),
    [
        ({"stop_type": "limit"}, "limit"),
        ({"stopped_eos": False, "stopped_limit": True}, "limit"),
        ({"stopped_word": True}, "word"),
    ],
)
def test_why_it_stopped(more: dict[str, object], finish: str) -> None:
    assert read(part("4"), part("", stop=True, **more)).finish == finish


def test_an_end_without_a_reason_is_told() -> None:
    transcript = read(part("4"), part("", stop=True))
    assert transcript.is_clean
    assert [each.id for each in transcript.warnings] == ["no-finish-reason"]


def test_without_an_end_it_is_cut_off() -> None:
    transcript = read(part("4"))
    assert transcript.problem is not None
    assert transcript.problem.kind == "incomplete"


def test_progress_other_choices_and_a_cut_prompt() -> None:
    transcript = read(
        part("", prompt_progress={"total": 5}), part("4"), part("x", index=1), END | {"truncated": True}, part("5")
    )
    assert transcript.answer == "4"
    assert [each.name for each in transcript.unknown] == ["prompt_progress"]
    assert [each.id for each in transcript.warnings] == ["several-choices", "prompt-truncated"]


def test_an_error_in_the_stream_keeps_what_came() -> None:
    transcript = read(part("par"), {"error": {"code": 500, "message": "broke", "type": "server_error"}})
    assert transcript.answer == "par"
    assert transcript.problem is not None
    assert transcript.problem.kind == "server"
    assert "broke" in transcript.problem.message


def test_one_body() -> None:
    transcript = decoded("llamacpp", json.dumps(END | {"content": "4"}).encode(), stream=False)
    assert (transcript.answer, transcript.finish, transcript.warnings) == ("4", "eos", [])
