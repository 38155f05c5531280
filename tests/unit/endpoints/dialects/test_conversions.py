"""Any conversation in Ollama's and Anthropic's form and back: nothing is lost without a warning."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from thinkpane.endpoints.dialects._anthropic_import import from_anthropic
from thinkpane.endpoints.dialects._anthropic_messages import to_anthropic
from thinkpane.endpoints.dialects._ollama_messages import from_ollama, to_ollama
from thinkpane.errors import Problem

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
TEXTS = st.sampled_from(["", "hi", " a\n", "é <think>", "0"])
SOME = st.sampled_from(["hi", "plan it", "\n"])
PARTS = st.sampled_from(
    [
        {"type": "text", "text": "one"},
        {"type": "text", "text": "two", "cache_control": {"type": "ephemeral"}},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
        {"type": "image_url", "image_url": {"url": "https://a.example/b.png", "detail": "low"}},
        {"type": "file", "file": {"filename": "a.txt", "file_data": "data:text/plain;base64,aGk="}},
        {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
    ]
)
CONTENT = TEXTS | st.none() | st.lists(PARTS, min_size=1, max_size=3)
ARGUMENTS = st.sampled_from(['{"x": 1}', {"x": [1, None]}, "{}", "", "{oops", '"text"'])
SIGNED = [{"type": "thinking", "thinking": "plan", "signature": "S"}, {"type": "redacted_thinking", "data": "X"}]
EXTRAS = st.dictionaries(st.sampled_from(["name", "weight", "cache_control"]), SOME, max_size=1)


@st.composite
def conversations(draw: st.DrawFn) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    open_calls: list[tuple[str, str]] = []
    for number in range(draw(st.integers(0, 6))):
        role = draw(st.sampled_from(["system", "developer", "user", "assistant", "tool"]))
        message: dict[str, Any] = {"role": role, "content": draw(CONTENT), **draw(EXTRAS)}
        if role == "assistant":
            if draw(st.booleans()):
                message["reasoning_content"] = draw(SOME)
            if draw(st.booleans()):
                message["thinking_blocks"] = draw(st.sampled_from([SIGNED, SIGNED[:1], SIGNED[1:]]))
            for place in range(draw(st.integers(0, 2))):
                id = f"c{number}{place}" if draw(st.booleans()) else ""
                function: dict[str, Any] = {"name": draw(st.sampled_from(["f", "g"])), "arguments": draw(ARGUMENTS)}
                message.setdefault("tool_calls", []).append({"id": id, "type": "function", "function": function})
                open_calls.append((id, function["name"]))
        if role == "tool" and open_calls:
            message["tool_call_id"], message["name"] = open_calls.pop(draw(st.integers(0, len(open_calls) - 1)))
        found.append(message)
    return found


def said(messages: list[Any]) -> list[dict[str, Any]]:
    """What the messages say, whatever its form: no empty fields, arguments as values, one text part as text."""
    return [meant for message in messages if (meant := _meant(message))]


def _meant(message: dict[str, Any]) -> dict[str, Any]:
    found = {key: value for key, value in message.items() if value not in (None, "", [])}
    content = found.get("content")
    if isinstance(content, list) and len(content) == 1 and set(content[0]) == {"type", "text"}:
        found["content"] = content[0]["text"]
    if "tool_calls" in found:
        found["tool_calls"] = [
            (call.get("id", ""), call["function"]["name"], _value(call["function"]["arguments"]))
            for call in found["tool_calls"]
        ]
    return found


def _value(arguments: Any) -> Any:
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments) if arguments.strip() else {}
    except ValueError:
        return arguments


@settings(max_examples=400, deadline=None)
@given(conversations())
def test_ollama(messages: list[dict[str, Any]]) -> None:
    warnings: list[Problem] = []
    sent = to_ollama(list(messages), warnings)
    assert json.dumps(sent)
    back = from_ollama(sent)
    if not warnings:
        assert texts(back) == texts(messages)


@settings(max_examples=400, deadline=None)
@given(conversations())
def test_anthropic(messages: list[dict[str, Any]]) -> None:
    warnings: list[Problem] = []
    system, sent = to_anthropic(list(messages), warnings)
    assert json.dumps([system, sent])
    back = from_anthropic(system, sent, warnings)
    if not warnings:
        assert texts(back) == texts(messages)


def texts(messages: list[Any]) -> list[Any]:
    """What a person would miss: who says what, thinking, calls with their arguments, results, pictures and files."""
    found: list[Any] = []
    for message in said(messages):
        content = message.get("content", "")
        parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
        words = "".join(part.get("text", "") for part in parts)
        if message["role"] == "system":
            # Anthropic has one system text; several are joined with a blank line (the cases' README).
            words = words.replace("\n\n", "")
            if found and found[-1][0] == "system":
                words = found.pop()[1] + words
        others = [json.dumps(part.get("image_url", part.get("file", part))) for part in parts if part["type"] != "text"]
        calls = [(name, arguments) for _, name, arguments in message.get("tool_calls", ())]
        blocks = message.get("thinking_blocks", [])
        signed = "\n\n".join(block["thinking"] for block in blocks if "thinking" in block)
        thinking = message.get("reasoning_content", signed)
        entry = (message["role"], words, thinking, calls, others, message.get("weight"))
        if any(entry[1:]):
            found.append(entry)
    return found
