"""Ollama's own API: what is sent on both paths, conversations there and back, and replies beyond the public cases."""

import json
from typing import Any

import pytest

from support.wire_cases import decoded
from thinkpane.endpoints.dialects._api import Call, HttpRequest
from thinkpane.endpoints.dialects._ollama_messages import from_ollama, to_ollama
from thinkpane.endpoints.dialects._registry import dialect_for, dialect_named
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.streaming.transcript import Transcript

BASE = "http://127.0.0.1:11434"
PNG = "iVBORw0KGgoAAA"


def chat(**more: Any) -> HttpRequest:
    return dialect_named("ollama").request(BASE, Call(**{"path": "chat", "messages": [], **more}))


def raw(**more: Any) -> HttpRequest:
    return dialect_named("ollama-generate").request(BASE, Call(**{"path": "raw", "prompt": "p", **more}))


def lines(*values: object) -> bytes:
    return "".join(json.dumps(value) + "\n" for value in values).encode()


def message(done: bool = False, **fields: object) -> dict[str, Any]:
    return {"model": "m", "message": {"role": "assistant", **fields}, "done": done}


END = message(done=True, content="") | {
    "done_reason": "stop",
    "prompt_eval_count": 5,
    "eval_count": 7,
    "total_duration": 9,
}


@pytest.mark.parametrize(
    "base",
    ["http://h:11434", "http://h:11434/", "http://h:11434/v1", "http://h:11434/api", "http://h:11434/api/chat"],
)
def test_urls(base: str) -> None:
    assert dialect_named("ollama").url(base) == "http://h:11434/api/chat"
    assert dialect_named("ollama-generate").url(base) == "http://h:11434/api/generate"


def test_a_prefix_stays() -> None:
    assert dialect_named("ollama").url("https://gw.example.test/o/v1/chat/completions") == (
        "https://gw.example.test/o/api/chat"
    )


def test_a_chat_request() -> None:
    request = chat(
        model="m",
        messages=[{"role": "user", "content": "q"}],
        tools=[{"type": "function"}],
        params={"temperature": 0, "max_tokens": 5, "stop": "x", "seed": 1, "top_logprobs": 2, "n": 2, "num_ctx": 9},
    )
    assert request.body == {
        "model": "m",
        "messages": [{"role": "user", "content": "q"}],
        "tools": [{"type": "function"}],
        "stream": True,
        "top_logprobs": 2,
        "options": {"temperature": 0, "num_predict": 5, "stop": ["x"], "seed": 1, "num_ctx": 9},
    }
    assert dict(request.headers)["Accept"] == "application/x-ndjson"
    assert [each.kind for each in request.warnings] == ["param-not-sent"]


def test_whether_to_stream_is_always_said() -> None:
    assert chat(stream=False).body == {"messages": [], "stream": False}
    assert raw(stream=False).body == {"prompt": "p", "raw": True, "stream": False}


@pytest.mark.parametrize(
    ("given", "think", "warned"),
    [
        ({"thinking": True}, True, []),
        ({"thinking": False}, False, []),
        ({"thinking": False, "effort": "high"}, False, []),
        ({"effort": "high"}, "high", []),
        ({"effort": "none"}, False, []),
        ({"effort": "xhigh"}, "max", ["effort-changed"]),
        ({"effort": "odd"}, "odd", ["effort-unknown"]),
        ({"variables": {"enable_thinking": False}, "thinking": True}, False, []),
        ({"variables": {"reasoning_effort": "low"}}, "low", []),
        ({"params": {"thinking": {"type": "disabled"}}}, False, []),
        ({"params": {"think": "low"}}, "low", []),
        ({"params": {"thinking_budget": 100}}, None, ["param-not-sent"]),
        ({"variables": {"tier": 3}}, None, ["template-variables-not-sent"]),
        ({"documents": [{"text": "d"}]}, None, ["documents-not-sent"]),
    ],
)
def test_thinking(given: dict[str, Any], think: object, warned: list[str]) -> None:
    request = chat(**given)
    assert request.body.get("think") == think
    assert [each.kind for each in request.warnings] == warned


@pytest.mark.parametrize(
    ("format", "sent"),
    [
        ({"type": "json_object"}, "json"),
        ({"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "object"}}}, {"type": "object"}),
        ("json", "json"),
        ({"type": "object", "properties": {}}, {"type": "object", "properties": {}}),
    ],
)
def test_response_format(format: object, sent: object) -> None:
    assert chat(params={"response_format": format}).body["format"] == sent


def test_the_raw_path_sends_the_prompt_and_nothing_to_render() -> None:
    request = raw(model="m", prompt=" \r\n\u2028", params={"max_tokens": 5}, variables={"a": 1}, thinking=False)
    assert request.body == {
        "model": "m",
        "prompt": " \r\n\u2028",
        "raw": True,
        "stream": True,
        "options": {"num_predict": 5},
    }
    with pytest.raises(ThinkpaneError):
        raw(prompt=None)
    with pytest.raises(ThinkpaneError):
        chat(path="raw")


def test_either_path_of_one_endpoint() -> None:
    assert dialect_for("ollama", "raw").name == "ollama-generate"
    assert dialect_for("ollama-generate", "chat").name == "ollama"


OURS = [
    {"role": "system", "content": "s"},
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "what"},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
        ],
    },
    {
        "role": "assistant",
        "content": "look",
        "reasoning_content": "plan",
        "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": {"x": 1}}}],
    },
    {"role": "tool", "content": "1", "tool_call_id": "a", "name": "f"},
]
THEIRS = [
    {"role": "system", "content": "s"},
    {"role": "user", "content": "what", "images": [PNG]},
    {
        "role": "assistant",
        "content": "look",
        "thinking": "plan",
        "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": {"x": 1}}}],
    },
    {"role": "tool", "content": "1", "tool_name": "f", "tool_call_id": "a"},
]


def converted(*messages: Any) -> tuple[Any, list[str]]:
    warnings: list[Problem] = []
    found = to_ollama(list(messages), warnings)
    return found, [f"{each.kind}:{each.message_index}" for each in warnings]


def test_there_and_back_without_loss() -> None:
    assert converted(*OURS) == (THEIRS, [])
    assert from_ollama(THEIRS) == OURS  # type: ignore[arg-type]


def test_results_without_an_id_find_their_call() -> None:
    calls: list[Any] = [{"function": {"name": name, "arguments": {}}} for name in ("f", "g", "f")]
    found: Any = from_ollama(
        [
            {"role": "assistant", "content": "", "tool_calls": calls},
            {"role": "tool", "content": "1", "tool_name": "g"},
            {"role": "tool", "content": "2", "tool_name": "f"},
            {"role": "tool", "content": "3"},
        ]
    )
    ids = [call["id"] for call in found[0]["tool_calls"]]
    assert len(set(ids)) == 3
    assert [each["tool_call_id"] for each in found[1:]] == [ids[1], ids[0], ids[2]]


def test_arguments_become_objects_and_the_tool_is_named_from_its_call() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": '{"x": 1}'}}
    found, warned = converted(
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": "1"},
    )
    assert found[0] == {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": {"x": 1}}}],
    }
    assert found[1]["tool_name"] == "f"
    assert warned == []


@pytest.mark.parametrize(
    ("lost", "warned"),
    [
        ({"role": "developer", "content": "s"}, "role-changed"),
        ({"role": "user", "content": "q", "name": "ann"}, "field-not-sent"),
        ({"role": "user", "content": "q", "odd": 1}, "field-not-sent"),
        (
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://h/a.png"}}]},
            "part-not-sent",
        ),
        ({"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "x"}}]}, "part-not-sent"),
        (
            {
                "role": "user",
                "content": [{"type": "image", "url": f"data:image/png;base64,{PNG}"}, {"type": "text", "text": "q"}],
            },
            "part-order-lost",
        ),
        (
            {
                "role": "assistant",
                "content": "a",
                "thinking_blocks": [{"type": "thinking", "thinking": "p", "signature": "S"}],
            },
            "signature-not-sent",
        ),
        (
            {"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "{oops"}}]},
            "tool-arguments-not-object",
        ),
    ],
)
def test_what_is_lost_is_told(lost: dict[str, Any], warned: str) -> None:
    assert converted({"role": "user", "content": "q"}, lost)[1] == [f"{warned}:1"]


def read(*values: object, api: str = "ollama", stream: bool = True) -> Transcript:
    return decoded(api, lines(*values), stream=stream)


def test_a_reply_brings_counts_and_times() -> None:
    transcript = read(message(thinking="p", content=""), message(content="4"), END)
    assert (transcript.thinking, transcript.answer, transcript.model) == ("p", "4", "m")
    assert transcript.usage == {"prompt_eval_count": 5, "eval_count": 7}
    assert transcript.timings == {"total_duration": 9}
    assert transcript.thinking_blocks[0].source == "field: thinking"
    assert transcript.is_clean


def test_think_tags_in_the_text_are_read_too() -> None:
    transcript = read(message(content="<think>p</th"), message(content="ink>4"), END)
    assert (transcript.thinking, transcript.answer) == ("p", "4")


@pytest.mark.parametrize("api", ["ollama", "ollama-generate"])
def test_generate_lines(api: str) -> None:
    end = {"response": "", "done": True, "done_reason": "length"}
    transcript = read({"thinking": "p", "response": "", "done": False}, {"response": "4", "done": False}, end, api=api)
    assert (transcript.thinking, transcript.answer, transcript.finish) == ("p", "4", "length")


def test_calls_under_one_number_are_several() -> None:
    call = {"function": {"index": 0, "name": "f", "arguments": {"x": 1}}}
    transcript = read(message(content="", tool_calls=[call]), message(content="", tool_calls=[call, call]), END)
    assert [(each.name, each.arguments) for each in transcript.tool_calls] == [("f", '{"x": 1}')] * 3


def test_done_without_a_reason_is_an_end_and_told() -> None:
    transcript = read(message(content="4"), message(done=True, content=""))
    assert transcript.is_clean
    assert [each.id for each in transcript.warnings] == ["no-finish-reason"]


def test_without_the_last_line_it_is_cut_off() -> None:
    transcript = read(message(content="4"))
    assert transcript.problem is not None
    assert transcript.problem.kind == "incomplete"


def test_nothing_after_done_counts() -> None:
    assert read(message(content="4"), END, message(content="5")).answer == "4"


def test_one_body_and_a_stream_that_nobody_asked_for() -> None:
    whole = message(done=True, content="4", thinking="p") | {"done_reason": "stop"}
    assert read(whole, stream=False).as_json()["warn"] == []
    assert read(whole, stream=False).answer == "4"
    streamed = read(message(content="4"), END, stream=False)
    assert (streamed.answer, streamed.is_clean) == ("4", True)
    assert streamed.as_json()["warn"] == ["streamed-unasked"]


def test_debug_information_and_strange_lines_are_kept() -> None:
    info = {"_debug_info": {"rendered_template": "x"}, "done": False}
    transcript = read(info, {"odd": 1}, message(content="4"), END)
    assert [each.name for each in transcript.unknown] == ["_debug_info", "line"]


def test_an_http_error() -> None:
    problem = dialect_named("ollama").error(400, {}, b'{"error":"\\"m\\" does not support thinking"}')
    assert "does not support thinking" in problem.message
