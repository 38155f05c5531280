"""What the Responses API is sent, and conversations there and back."""

from typing import Any

import pytest

from thinkpane.endpoints.dialects._api import Call, HttpRequest
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.dialects._responses_import import from_items, tools_from_responses
from thinkpane.endpoints.dialects._responses_items import to_items
from thinkpane.errors import Problem, ThinkpaneError

QUESTION = {"role": "user", "content": "q"}
PNG = "data:image/png;base64,iVBORw0KGgo="


def ask(**more: Any) -> HttpRequest:
    dialect = dialect_named("openai-responses")
    return dialect.request("http://h:1", Call(**{"path": "chat", "messages": [QUESTION], **more}))


def warned(request: HttpRequest) -> list[str]:
    return [each.kind for each in request.warnings]


def test_a_request_is_complete_but_for_the_key() -> None:
    request = ask(
        model="m",
        tools=[{"type": "function", "function": {"name": "f", "parameters": {}}}, {"type": "web_search"}],
        params={"max_tokens": 9, "top_p": 1, "stop": ["x"], "top_logprobs": 2, "logprobs": True},
    )
    assert request.url == "http://h:1/v1/responses"
    assert request.body == {
        "model": "m",
        "input": [QUESTION],
        "tools": [{"type": "function", "name": "f", "parameters": {}}, {"type": "web_search"}],
        "max_output_tokens": 9,
        "top_p": 1,
        "top_logprobs": 2,
        "include": ["message.output_text.logprobs"],
        "stream": True,
    }
    assert warned(request) == ["param-not-sent"]
    with pytest.raises(ThinkpaneError):
        ask(path="raw", prompt="p")


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({}, None),
        ({"thinking": True}, {"summary": "auto"}),
        ({"thinking": False, "effort": "high"}, {"effort": "none"}),
        ({"effort": "high"}, {"effort": "high", "summary": "auto"}),
        ({"variables": {"enable_thinking": False}}, {"effort": "none"}),
        ({"params": {"reasoning_effort": "low"}}, {"effort": "low", "summary": "auto"}),
        (
            {"effort": "high", "params": {"reasoning": {"summary": "detailed"}}},
            {"effort": "high", "summary": "detailed"},
        ),
    ],
)
def test_thinking(given: dict[str, Any], sent: object) -> None:
    request = ask(**given)
    assert request.body.get("reasoning") == sent
    assert request.warnings == ()


def test_what_only_local_servers_know() -> None:
    request = ask(variables={"tier": 3}, params={"thinking_budget": 100}, documents=[{"text": "d"}])
    assert request.body["chat_template_kwargs"] == {"tier": 3}
    assert request.body["thinking_budget_tokens"] == 100
    assert warned(request) == ["documents-not-sent"]


def test_choice_format_and_verbosity_take_their_own_form() -> None:
    format = {"type": "json_schema", "json_schema": {"name": "n", "schema": {}, "strict": True}}
    choice = {"type": "function", "function": {"name": "f"}}
    body = ask(params={"response_format": format, "verbosity": "low", "tool_choice": choice}).body
    assert body["text"] == {
        "format": {"type": "json_schema", "name": "n", "schema": {}, "strict": True},
        "verbosity": "low",
    }
    assert body["tool_choice"] == {"type": "function", "name": "f"}
    assert ask(params={"tool_choice": "auto"}).body["tool_choice"] == "auto"
    assert ask(params={"response_format": {"type": "json_object"}}).body["text"] == {"format": {"type": "json_object"}}


FORMAT = "openai-responses-v1"


def said(text: str) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


OURS: list[Any] = [
    {"role": "system", "content": "s"},
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "what"},
            {"type": "image_url", "image_url": {"url": PNG, "detail": "low"}},
            {"type": "file", "file": {"filename": "f", "file_data": "data:application/pdf;base64,JVBERi0="}},
            {"type": "file", "file": {"file_data": "https://h/a.pdf"}},
        ],
    },
    {
        "role": "assistant",
        "content": "look",
        "reasoning_content": "plan\n\nraw",
        "reasoning_details": [
            {"type": "reasoning.summary", "summary": "plan", "format": FORMAT, "id": "rs1"},
            {"type": "reasoning.text", "text": "raw", "format": FORMAT, "id": "rs1"},
            {"type": "reasoning.encrypted", "data": "X", "format": FORMAT, "id": "rs1"},
        ],
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"x": 1}'}}],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "1"},
    {"role": "assistant", "content": "4"},
    {"role": "assistant", "content": "5"},
]
THEIRS: list[Any] = [
    {"role": "system", "content": "s"},
    {
        "role": "user",
        "content": [
            {"type": "input_text", "text": "what"},
            {"type": "input_image", "image_url": PNG, "detail": "low"},
            {"type": "input_file", "filename": "f", "file_data": "data:application/pdf;base64,JVBERi0="},
            {"type": "input_file", "file_url": "https://h/a.pdf"},
        ],
    },
    {
        "type": "reasoning",
        "id": "rs1",
        "summary": [{"type": "summary_text", "text": "plan"}],
        "content": [{"type": "reasoning_text", "text": "raw"}],
        "encrypted_content": "X",
    },
    said("look"),
    {"type": "function_call", "call_id": "c1", "name": "f", "arguments": '{"x": 1}'},
    {"type": "function_call_output", "call_id": "c1", "output": "1"},
    said("4"),
    said("5"),
]


def converted(*messages: Any) -> tuple[Any, list[str]]:
    warnings: list[Problem] = []
    found = to_items(list(messages), warnings)
    return found, [f"{each.kind}:{each.message_index}" for each in warnings]


def back(instructions: Any, items: Any) -> tuple[Any, list[str]]:
    warnings: list[Problem] = []
    return from_items(instructions, items, warnings), [each.kind for each in warnings]


def test_there_and_back_without_loss() -> None:
    assert converted(*OURS) == (THEIRS, [])
    assert back(None, THEIRS) == (OURS, [])


def test_arguments_are_text() -> None:
    call = {"id": "a", "function": {"name": "f", "arguments": {"x": 1}}}
    found, said = converted({"role": "assistant", "content": None, "tool_calls": [call]})
    assert found == [{"type": "function_call", "call_id": "a", "name": "f", "arguments": '{"x": 1}'}]
    assert said == []


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        ({"role": "assistant", "content": "a", "reasoning_content": "p"}, ["thinking-not-sent:1"]),
        (
            {"role": "assistant", "content": "a", "thinking_blocks": [{"type": "redacted_thinking", "data": "X"}]},
            ["signature-not-sent:1"],
        ),
        ({"role": "user", "content": "q", "name": "ann"}, ["field-not-sent:1"]),
        ({"role": "user", "content": "q", "odd": 1}, ["field-not-sent:1"]),
        ({"role": "user", "content": [{"type": "input_audio", "input_audio": {}}]}, ["part-not-sent:1"]),
        (
            {"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]},
            ["tool-call-id-made:1"],
        ),
        ({"role": "tool", "tool_call_id": "zz", "content": "1"}, ["tool-result-without-call:1"]),
    ],
)
def test_what_is_lost_is_told(lost: dict[str, Any], said: list[str]) -> None:
    assert converted(QUESTION, lost)[1] == said


def test_a_result_without_an_id_answers_the_first_open_call() -> None:
    asked = {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}]}
    found, said = converted(asked, {"role": "tool", "content": "1"})
    assert found[1] == {"type": "function_call_output", "call_id": "a", "output": "1"}
    assert said == ["tool-call-id-made:1"]


def test_instructions_text_and_items_of_other_kinds() -> None:
    assert back("Be brief", "go") == (
        [{"role": "system", "content": "Be brief"}, {"role": "user", "content": "go"}],
        [],
    )
    assert back("", [{"type": "web_search_call", "id": "w"}]) == ([], ["item-left-out"])
    assert back("", [{"role": "user", "content": [{"type": "input_text", "text": "go"}]}])[0] == [
        {"role": "user", "content": "go"}
    ]


def test_thinking_and_calls_become_one_message() -> None:
    items = [
        {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "plan"}]},
        {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
        {"type": "function_call", "call_id": "c2", "name": "g", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "1"}]},
    ]
    (message, result), _ = back("", items)
    assert (message["content"], message["reasoning_content"]) == (None, "plan")
    assert [call["id"] for call in message["tool_calls"]] == ["c1", "c2"]
    assert result == {"role": "tool", "tool_call_id": "c1", "content": "1"}


def test_tools_come_back_nested() -> None:
    assert tools_from_responses([{"type": "function", "name": "f"}, {"type": "web_search"}]) == [
        {"type": "function", "function": {"name": "f"}},
        {"type": "web_search"},
    ]
