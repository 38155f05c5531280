"""What chat and text completions send."""

from typing import Any

import pytest

from support.wire_cases import WireCase, counted, wire_cases
from thinkpane.endpoints.dialects._api import Call, HttpRequest
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.dialects.openai_completions import DEFAULT_MAX_TOKENS
from thinkpane.errors import ThinkpaneError

BASE = "http://127.0.0.1:8080"
CASES = [
    case
    for case in wire_cases("endpoint")
    if case.expect.keys() & {"request_body_contains", "request_body_lacks", "request_message"}
]


def chat(**more: Any) -> HttpRequest:
    return dialect_named("openai-chat").request(BASE, Call(**{"path": "chat", "messages": [], **more}))


def raw(**more: Any) -> HttpRequest:
    return dialect_named("openai-completions").request(BASE, Call(**{"path": "raw", "prompt": "p", **more}))


@pytest.mark.parametrize("case", counted(CASES))
def test_request_case(case: WireCase) -> None:
    history = (case.input.get("options") or {}).get("send_reasoning_in_history", True)
    body = chat(
        messages=case.input.get("messages", []),
        variables=case.input.get("toggle", {}),
        reasoning_in_history=history,
    ).body
    for name, value in case.expect.get("request_body_contains", {}).items():
        assert body[name] == value
    assert not set(case.expect.get("request_body_lacks", ())) & body.keys()
    wanted = case.expect.get("request_message")
    if wanted:
        sent = body["messages"][wanted["index"]]  # type: ignore[index]
        assert wanted["contains"].items() <= sent.items()  # type: ignore[union-attr]


def test_a_chat_request_holds_what_was_given_and_nothing_else() -> None:
    messages = [{"role": "user", "content": "q", "odd": None}]
    request = chat(
        model="m", messages=messages, tools=[{"type": "function"}], documents=[{"text": "d"}], params={"seed": 1}
    )
    assert request.body == {
        "model": "m",
        "messages": messages,
        "tools": [{"type": "function"}],
        "documents": [{"text": "d"}],
        "seed": 1,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    assert (request.method, request.url) == ("POST", BASE + "/v1/chat/completions")
    assert dict(request.headers) == {
        "Content-Type": "application/json",
        "Accept": "text/event-stream",
        "Accept-Encoding": "identity",
    }
    assert (request.secret.name, request.secret.prefix) == ("Authorization", "Bearer ")
    assert request.warnings == ()


def test_nothing_is_sent_that_was_not_set() -> None:
    assert chat(stream=False).body == {"messages": [], "stream": False}
    assert dict(chat(stream=False).headers)["Accept"] == "application/json"


def test_template_variables_go_into_their_own_field_only() -> None:
    body = chat(variables={"enable_thinking": False, "tier": "L3"}).body
    assert body["chat_template_kwargs"] == {"enable_thinking": False, "tier": "L3"}
    assert not {"enable_thinking", "tier"} & body.keys()


def test_a_decision_about_thinking_goes_to_the_template_with_a_warning() -> None:
    request = chat(thinking=False, effort="high")
    assert request.body["chat_template_kwargs"] == {"enable_thinking": False, "reasoning_effort": "high"}
    assert [each.kind for each in request.warnings] == ["thinking-by-convention"] * 2


@pytest.mark.parametrize("name", ["enable_thinking", "thinking"])
def test_a_variable_that_is_set_wins_over_the_decision(name: str) -> None:
    request = chat(thinking=True, variables={name: False})
    assert request.body["chat_template_kwargs"] == {name: False}
    assert request.warnings == ()


def test_a_switch_among_the_parameters_is_moved_and_told() -> None:
    request = chat(params={"enable_thinking": False, "top_p": 1})
    assert request.body["chat_template_kwargs"] == {"enable_thinking": False}
    assert "enable_thinking" not in request.body
    assert request.body["top_p"] == 1
    assert [each.kind for each in request.warnings] == ["template-variable-moved"]


def test_extra_body_is_laid_over_everything() -> None:
    body = chat(variables={"a": 1}, extra_body={"chat_template_kwargs": {"b": 2}, "stream": False, "x": [1]}).body
    assert body["chat_template_kwargs"] == {"a": 1, "b": 2}
    assert (body["stream"], body["x"]) == (False, [1])


def test_reasoning_can_be_left_out_of_the_history() -> None:
    messages = [{"role": "assistant", "content": "4", "reasoning_content": "plan"}]
    assert chat(messages=messages).body["messages"] == messages
    without = chat(messages=messages, reasoning_in_history=False).body["messages"]
    assert without == [{"role": "assistant", "content": "4"}]
    assert messages[0]["reasoning_content"] == "plan"


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [
        ({"q": "é", "n": [1, None]}, '{"q": "é", "n": [1, null]}'),
        ([1], "[1]"),
        ('{"q":1}', '{"q":1}'),
        ("not json", "not json"),
        (None, None),
    ],
)
def test_arguments_are_text_on_the_wire(arguments: object, sent: object) -> None:
    function = {"name": "f", "arguments": arguments}
    messages = [
        {
            "role": "assistant",
            "tool_calls": [{"id": "a", "function": function}, {"name": "g", "arguments": arguments}, 3],
        },
        {"role": "assistant", "function_call": function},
        "odd",
    ]
    assert chat(messages=messages).body["messages"] == [
        {
            "role": "assistant",
            "tool_calls": [
                {"id": "a", "function": {"name": "f", "arguments": sent}},
                {"name": "g", "arguments": sent},
                3,
            ],
        },
        {"role": "assistant", "function_call": {"name": "f", "arguments": sent}},
        "odd",
    ]
    assert function["arguments"] == arguments


def test_one_raw_text_is_no_chat() -> None:
    with pytest.raises(ThinkpaneError) as caught:
        chat(messages="a document")
    assert "raw path" in caught.value.problem.message


def test_a_raw_call_is_no_chat() -> None:
    with pytest.raises(ThinkpaneError):
        chat(path="raw", prompt="p")


PROMPT = "<|im_start|>user\r\n\u2028é\ud83d\n<|im_end|>\n "


def test_the_prompt_is_sent_exactly_and_nothing_a_template_would_read() -> None:
    request = raw(
        model="m", prompt=PROMPT, tools=[{}], documents=[{}], variables={"a": 1}, thinking=False, messages=[{}]
    )
    assert request.body == {
        "model": "m",
        "prompt": PROMPT,
        "max_tokens": DEFAULT_MAX_TOKENS,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    assert request.url == BASE + "/v1/completions"


def test_max_tokens_is_always_sent_on_the_raw_path() -> None:
    assert raw().body["max_tokens"] == DEFAULT_MAX_TOKENS
    assert raw(params={"max_tokens": 5, "stop": ["x"]}).body["max_tokens"] == 5
    assert raw(extra_body={"max_tokens": 6}).body["max_tokens"] == 6


def test_without_a_prompt_there_is_nothing_to_send() -> None:
    with pytest.raises(ThinkpaneError) as caught:
        raw(prompt=None)
    assert "no rendered prompt" in caught.value.problem.message


def test_an_empty_prompt_is_a_prompt() -> None:
    assert raw(prompt="").body["prompt"] == ""
