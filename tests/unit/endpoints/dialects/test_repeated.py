"""What llama.cpp's server repeats of a message that it continued is no part of its reply, as in its streams."""

import json
from typing import Any

import pytest

from support.wire_cases import decoded
from thinkpane.endpoints.dialects._api import Continued, DecodeOptions
from thinkpane.endpoints.dialects._repeated import continued_in
from thinkpane.streaming.transcript import Transcript

TALE = Continued(answer="Once upon a ")
THOUGHT = Continued(thinking="I think that")
BOTH = Continued("I think", "So it")
TIMINGS = {"prompt_n": 4, "predicted_n": 8}
BUILD = {"system_fingerprint": "b9140-3f2a1c0"}


def chat(message: dict[str, Any], **more: Any) -> Any:
    return {"object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message": message}], **more}


def read(api: str, body: Any, continued: Continued, *, stream: bool = False) -> Transcript:
    found = decoded(api, json.dumps(body).encode(), DecodeOptions(continued=continued), stream=stream)
    assert found.is_clean
    return found


@pytest.mark.parametrize("tell", [{"timings": TIMINGS}, BUILD])
@pytest.mark.parametrize("stream", [False, True], ids=["buffered", "a body in place of a stream"])
def test_an_answer_holds_only_what_is_new(tell: dict[str, Any], stream: bool) -> None:
    body = chat({"content": "Once upon a 100-year era"}, **tell)
    assert read("openai-chat", body, TALE, stream=stream).answer == "100-year era"


@pytest.mark.parametrize(
    ("continued", "message", "thinking", "answer"),
    [
        (BOTH, {"reasoning_content": "I think\n", "content": "So it was"}, "", " was"),
        (THOUGHT, {"reasoning_content": "I think that the world", "content": "Yes."}, " the world", "Yes."),
        (THOUGHT, {"content": "As the light"}, "", "As the light"),
        (TALE, {"content": "Once upon a100"}, "", "100"),
        (TALE, {"content": "Quite another text"}, "", "Quite another text"),
        (Continued(answer="One\ntwo"), {"content": "One\n\ntwo three"}, "", " three"),
        (Continued(), {"content": "Once upon a time"}, "", "Once upon a time"),
    ],
)
def test_what_is_repeated_is_left_out(continued: Continued, message: Any, thinking: str, answer: str) -> None:
    found = read("openai-chat", chat(message, timings=TIMINGS), continued)
    assert (found.thinking, found.answer) == (thinking, answer)


def test_another_server_s_model_may_begin_with_the_same_words() -> None:
    assert read("openai-chat", chat({"content": "Once upon a time"}), TALE).answer == "Once upon a time"


def test_tool_calls_of_such_a_reply_stay() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    found = read("openai-chat", chat({"content": "Once upon a ", "tool_calls": [call]}, timings=TIMINGS), TALE)
    assert found.answer == ""
    assert [each.name for each in found.tool_calls] == ["f"]


def test_messages_in_anthropic_s_form_repeat_too() -> None:
    blocks = [{"type": "thinking", "thinking": "I think\n", "signature": ""}, {"type": "text", "text": "So it was"}]
    body = {"id": "chatcmpl-9Fdq", "type": "message", "content": blocks, "stop_reason": "end_turn"}
    found = read("anthropic", body, BOTH)
    assert (found.thinking, found.answer) == ("", " was")
    assert read("anthropic", {**body, "id": "msg_01"}, BOTH).answer == "So it was"


def test_responses_repeat_too() -> None:
    content = [{"type": "output_text", "text": "Once upon a 100-year age"}]
    item = {"type": "message", "role": "assistant", "status": "completed", "id": "msg_1", "content": content}
    body = {"id": "resp_1", "object": "response", "status": "completed", "output": [item]}
    assert read("openai-responses", body, TALE).answer == "100-year age"
    assert read("openai-responses", {**body, "tool_choice": "auto"}, TALE).answer == "Once upon a 100-year age"


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        ({"role": "assistant", "content": "So it", "reasoning_content": "I think"}, BOTH),
        ({"role": "assistant", "content": None, "reasoning": "I think that"}, THOUGHT),
        (
            {"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
            ("", "a\nb"),
        ),
        ({"role": "assistant", "content": [{"type": "thinking", "thinking": "t"}]}, ("t", "")),
        ({"role": "user", "content": "Once"}, ("", "")),
        ("odd", ("", "")),
    ],
)
@pytest.mark.parametrize("field", ["messages", "input"])
def test_the_last_message_of_a_request_tells_what_may_be_repeated(field: str, last: Any, expected: Any) -> None:
    found = continued_in({field: [{"role": "user", "content": "x"}, last]})
    assert (found.thinking, found.answer) == (
        (expected.thinking, expected.answer) if isinstance(expected, Continued) else expected
    )
