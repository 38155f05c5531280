"""What each known server is sent for the same wish."""

from typing import Any

import pytest

from thinkpane.endpoints.dialects._api import Call, HttpRequest
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.variant_table import VARIANTS, variant_named

QUESTION = {"role": "user", "content": "q"}
CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
ON, OFF = {"thinking": {"type": "enabled"}}, {"thinking": {"type": "disabled"}}
KWARGS_OFF = {"chat_template_kwargs": {"enable_thinking": False, "thinking": False}}


def ask(server: str, **more: Any) -> HttpRequest:
    call = Call(**{"path": "chat", "messages": [QUESTION], "variant": variant_named(server), **more})
    return dialect_named("openai-chat").request("http://h/v1", call)


def sent(request: HttpRequest) -> dict[str, Any]:
    plain = ("messages", "model", "stream", "stream_options", "tools")
    return {key: value for key, value in request.body.items() if key not in plain}


def warned(request: HttpRequest) -> list[str]:
    return [
        each.kind if each.message_index is None else f"{each.kind}:{each.message_index}" for each in request.warnings
    ]


@pytest.mark.parametrize(
    ("server", "on", "off"),
    [
        ("openai", {}, {"reasoning_effort": "none"}),
        ("deepseek", ON, OFF),
        ("zai", ON, OFF),
        ("qwen", {"enable_thinking": True}, {"enable_thinking": False}),
        ("kimi", ON, OFF),
        ("minimax", {"thinking": {"type": "adaptive"}, "reasoning_split": True}, {**OFF, "reasoning_split": True}),
        ("openrouter", {"reasoning": {"enabled": True}}, {"reasoning": {"effort": "none"}}),
        ("groq", {"reasoning_format": "parsed"}, {"reasoning_effort": "none"}),
        ("mistral", {"reasoning_effort": "high"}, {"reasoning_effort": "none"}),
        ("vllm", {"chat_template_kwargs": {"enable_thinking": True, "thinking": True}}, KWARGS_OFF),
        ("sglang", {"chat_template_kwargs": {"enable_thinking": True, "thinking": True}}, KWARGS_OFF),
        (
            "llamacpp",
            {"chat_template_kwargs": {"enable_thinking": True}},
            {"chat_template_kwargs": {"enable_thinking": False}},
        ),
        ("ollama", {"reasoning_effort": "medium"}, {"reasoning_effort": "none"}),
    ],
)
def test_thinking_on_and_off(server: str, on: dict[str, Any], off: dict[str, Any]) -> None:
    for wish, wanted in ((True, on), (False, off)):
        request = ask(server, thinking=wish)
        assert sent(request) == wanted
        assert request.warnings == ()
        # The same wish in a template's words.
        if "chat_template_kwargs" not in wanted:
            assert sent(ask(server, variables={"enable_thinking": wish})) == wanted
    assert sent(ask(server)) == dict(variant_named(server).always)


def test_a_server_without_a_known_switch_is_told() -> None:
    request = ask("lmstudio", thinking=False)
    assert (sent(request), warned(request)) == ({}, ["thinking-not-sent"])


@pytest.mark.parametrize(
    ("server", "effort", "wanted", "said"),
    [
        ("deepseek", "medium", {"reasoning_effort": "medium"}, []),
        ("deepseek", "odd", {"reasoning_effort": "odd"}, ["effort-unknown"]),
        ("openrouter", "high", {"reasoning": {"effort": "high"}}, []),
        ("vllm", "low", {"reasoning_effort": "low"}, []),
        ("qwen", "low", {}, ["effort-not-sent"]),
        ("openai", "none", {"reasoning_effort": "none"}, []),
    ],
)
def test_effort(server: str, effort: str, wanted: dict[str, Any], said: list[str]) -> None:
    request = ask(server, effort=effort)
    assert (sent(request), warned(request)) == (wanted, said)


@pytest.mark.parametrize(
    ("server", "model"),
    [
        ("zai", "glm-5.3"),
        ("kimi", "kimi-k3"),
        ("qwen", "qwen3-235b-thinking"),
        ("qwen", "qwq-plus"),
        ("minimax", "MiniMax-M2"),
    ],
)
def test_models_that_always_think(server: str, model: str) -> None:
    request = ask(server, model=model, thinking=False)
    assert warned(request) == ["thinking-always-on"]
    assert sent(request) == dict(variant_named(server).always)


@pytest.mark.parametrize(
    ("server", "wanted"),
    [
        ("qwen", {"thinking_budget": 9}),
        ("openrouter", {"reasoning": {"max_tokens": 9}}),
        ("vllm", {"thinking_token_budget": 9}),
        ("llamacpp", {"reasoning_budget_tokens": 9}),
    ],
)
def test_budget(server: str, wanted: dict[str, Any]) -> None:
    assert sent(ask(server, params={"thinking_budget": 9})) == wanted
    assert warned(ask("deepseek", params={"thinking_budget": 9})) == ["param-not-sent"]


@pytest.mark.parametrize(
    ("server", "params", "wanted", "said"),
    [
        ("openai", {"max_tokens": 5}, {"max_completion_tokens": 5}, []),
        ("zai", {"max_completion_tokens": 5, "n": 2}, {"max_tokens": 5}, ["param-not-sent"]),
        ("mistral", {"seed": 1, "top_p": 1}, {"random_seed": 1, "top_p": 1}, []),
        ("minimax", {"seed": 1}, {"reasoning_split": True}, ["param-not-sent"]),
        ("vllm", {"max_tokens": 5, "min_p": 0.1}, {"max_tokens": 5, "min_p": 0.1}, []),
        ("deepseek", {"thinking": {"type": "adaptive"}}, {"thinking": {"type": "adaptive"}}, []),
        (
            "vllm",
            {"enable_thinking": False},
            {"chat_template_kwargs": {"enable_thinking": False}},
            ["template-variable-moved"],
        ),
    ],
)
def test_parameters(server: str, params: dict[str, Any], wanted: dict[str, Any], said: list[str]) -> None:
    request = ask(server, params=params)
    assert (sent(request), warned(request)) == (wanted, said)


def test_template_variables_go_only_where_there_is_a_template() -> None:
    assert sent(ask("vllm", variables={"tier": 3, "thinking": True}, thinking=False)) == {
        "chat_template_kwargs": {"tier": 3, "thinking": True}
    }
    request = ask("deepseek", variables={"tier": 3}, documents=[{"text": "d"}])
    assert (sent(request), warned(request)) == ({}, ["documents-not-sent", "template-variables-not-sent"])
    assert sent(ask("vllm", documents=[{"text": "d"}])) == {"documents": [{"text": "d"}]}


def test_servers_that_take_no_stream_options_get_none() -> None:
    for variant in VARIANTS:
        assert ("stream_options" in ask(variant.name).body) is variant.stream_usage


THOUGHT = {"role": "assistant", "content": "4", "reasoning": "plan"}


@pytest.mark.parametrize(
    ("server", "wanted", "said"),
    [
        ("deepseek", {"content": "4", "reasoning_content": "plan"}, []),
        ("groq", {"content": "4", "reasoning": "plan"}, []),
        ("openai", {"content": "4"}, ["thinking-not-sent:1"]),
        ("openrouter", {"content": "4", "reasoning_details": [{"type": "reasoning.text", "text": "plan"}]}, []),
        (
            "mistral",
            {
                "content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "plan"}]},
                    {"type": "text", "text": "4"},
                ]
            },
            [],
        ),
    ],
)
def test_where_earlier_thinking_goes(server: str, wanted: dict[str, Any], said: list[str]) -> None:
    request = ask(server, messages=[QUESTION, THOUGHT])
    assert request.body["messages"][1] == {"role": "assistant", **wanted}  # type: ignore[index]
    assert warned(request) == said
    without = ask(server, messages=[QUESTION, THOUGHT], reasoning_in_history=False)
    assert without.body["messages"][1] == {"role": "assistant", "content": "4"}  # type: ignore[index]


def test_details_go_back_as_they_came() -> None:
    details = [{"type": "reasoning.encrypted", "data": "X"}]
    message = {"role": "assistant", "content": "4", "reasoning": "plan", "reasoning_details": details}
    assert ask("openrouter", messages=[message]).body["messages"] == [
        {"role": "assistant", "content": "4", "reasoning_details": details}
    ]


def test_a_signature_that_is_lost_is_told() -> None:
    blocks = [{"type": "thinking", "thinking": "p", "signature": "S"}]
    request = ask("deepseek", messages=[QUESTION, {"role": "assistant", "content": "4", "thinking_blocks": blocks}])
    assert request.body["messages"][1]["reasoning_content"] == "p"  # type: ignore[index, call-overload]
    assert warned(request) == ["signature-not-sent:1"]


def test_deepseek_wants_thinking_with_every_call_even_an_empty_one() -> None:
    messages = [QUESTION, {"role": "assistant", "content": "", "tool_calls": [CALL]}]
    assert ask("deepseek", messages=messages).body["messages"][1]["reasoning_content"] == ""  # type: ignore[index, call-overload]
    assert warned(ask("deepseek", messages=messages, reasoning_in_history=False)) == ["thinking-required:1"]
    assert warned(ask("deepseek", messages=messages, reasoning_in_history=False, thinking=False)) == []


def test_glm_keeps_earlier_thinking_where_it_is_sent() -> None:
    messages = [QUESTION, THOUGHT]
    kept = {"thinking": {"type": "enabled", "clear_thinking": False}}
    assert sent(ask("zai", messages=messages, thinking=True)) == kept
    assert sent(ask("zai", messages=messages, thinking=True, reasoning_in_history=False)) == ON
    assert sent(ask("zai", messages=[QUESTION], thinking=True)) == ON


START = {"role": "assistant", "content": "The"}


@pytest.mark.parametrize(
    ("server", "mark", "fields", "said"),
    [
        ("deepseek", {"prefix": True}, {}, ["prefill-not-here"]),
        ("mistral", {"prefix": True}, {}, []),
        ("kimi", {"partial": True}, {}, []),
        ("llamacpp", {}, {}, []),
        ("vllm", {}, {"add_generation_prompt": False, "continue_final_message": True}, []),
        ("openai", {}, {}, ["prefill-not-sent"]),
        ("", {}, {"add_generation_prompt": False, "continue_final_message": True}, ["prefill-by-convention"]),
    ],
)
def test_continuing_a_message(server: str, mark: dict[str, Any], fields: dict[str, Any], said: list[str]) -> None:
    request = ask(server, messages=[QUESTION, START], continue_final=True)
    assert request.body["messages"] == [QUESTION, {**START, **mark}]
    assert (sent(request), warned(request)) == (fields, said)
    assert sent(ask(server, messages=[QUESTION], continue_final=True)) == {}


@pytest.mark.parametrize(
    ("server", "given", "said"),
    [
        ("deepseek", {"params": {"temperature": 0.5, "top_p": 0.9}}, ["param-ignored"]),
        ("deepseek", {"params": {"presence_penalty": 1}, "thinking": True}, ["param-ignored"]),
        ("deepseek", {"params": {"temperature": 0.5}, "thinking": False}, []),
        ("minimax", {"params": {"temperature": 0}}, ["param-refused"]),
        ("minimax", {"params": {"temperature": 0.0}}, ["param-refused"]),
        ("minimax", {"params": {"temperature": 0.1, "top_p": 0}}, []),
        ("zai", {"params": {"temperature": 0, "top_p": 0}}, ["param-refused", "param-refused"]),
        ("vllm", {"params": {"temperature": 0}}, []),
    ],
)
def test_parameters_that_do_nothing_or_are_refused_are_told_and_sent(
    server: str, given: dict[str, Any], said: list[str]
) -> None:
    request = ask(server, **given)
    assert warned(request) == said
    assert sent(request).items() >= given["params"].items()


DETAILS = [{"type": "reasoning.text", "text": "plan", "signature": "S"}]


@pytest.mark.parametrize("field", [{"reasoning_details": DETAILS}, {"reasoning_content": "plan"}])
@pytest.mark.parametrize("variant", [each.name for each in VARIANTS])
def test_no_server_gets_thinking_that_is_not_to_be_sent(variant: str, field: dict[str, Any]) -> None:
    turn = {"role": "assistant", "content": "", "tool_calls": [CALL], **field}
    message = ask(variant, messages=[QUESTION, turn], reasoning_in_history=False).body["messages"][1]  # type: ignore[index]
    assert message == {"role": "assistant", "content": "", "tool_calls": [CALL]}


def test_signatures_of_details_are_missed_where_only_text_goes_back() -> None:
    turn = {"role": "assistant", "content": "", "tool_calls": [CALL], "reasoning_details": DETAILS}
    assert warned(ask("vllm", messages=[QUESTION, turn])) == ["signature-not-sent:1"]
    assert warned(ask("openrouter", messages=[QUESTION, turn])) == []


def test_openrouter_takes_an_effort_or_a_budget() -> None:
    request = ask("openrouter", thinking=True, effort="high", params={"thinking_budget": 2000})
    assert sent(request) == {"reasoning": {"enabled": True, "max_tokens": 2000}}
    assert warned(request) == ["effort-not-sent"]
    both = ask("vllm", thinking=True, effort="high", params={"thinking_budget": 2000})
    assert (both.body["reasoning_effort"], both.body["thinking_token_budget"]) == ("high", 2000)


@pytest.mark.parametrize(("value", "said"), [("false", ["template-variable-text"]), (False, []), (None, [])])
def test_a_switch_that_is_text_is_sent_and_told(value: Any, said: list[str]) -> None:
    request = ask("llamacpp", variables={"enable_thinking": value})
    assert request.body["chat_template_kwargs"] == {"enable_thinking": value}
    assert warned(request) == said


def test_a_message_with_calls_is_not_continued() -> None:
    turn = {"role": "assistant", "content": "", "tool_calls": [CALL]}
    assert warned(ask("llamacpp", messages=[QUESTION, turn], continue_final=True)) == ["prefill-refused:1"]
    turn = {"role": "assistant", "content": "So"}
    assert warned(ask("llamacpp", messages=[QUESTION, turn], continue_final=True)) == []


@pytest.mark.parametrize(
    ("base", "said"),
    [("https://api.deepseek.com", ["prefill-not-here"]), ("https://api.deepseek.com/beta/", [])],
)
def test_deepseek_continues_at_its_beta_address(base: str, said: list[str]) -> None:
    messages: list[Any] = [QUESTION, {"role": "assistant", "content": "So"}]
    call = Call("chat", messages=messages, variant=variant_named("deepseek"), continue_final=True)
    request = dialect_named("openai-chat").request(base, call)
    assert warned(request) == said
    assert request.body["messages"] == [QUESTION, {"role": "assistant", "content": "So", "prefix": True}]
