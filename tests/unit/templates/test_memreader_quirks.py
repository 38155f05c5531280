"""MemReader's three branches with their oddities; all kept."""

from collections.abc import Callable

import pytest

from thinkpane.engine.request import Rendered
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates import library

Render = Callable[..., Rendered]
USER: JsonValue = {"role": "user", "content": "q"}
OPEN, CLOSED = "<|im_start|>assistant\n", "<|im_start|>assistant\n<think>\n\n</think>\n\n"


def text(render: Render, messages: JsonValue, **more: JsonValue) -> str:
    """The prompt."""
    rendered = render("memreader", messages, **more)
    assert rendered.problem is None
    assert rendered.text is not None
    return rendered.text


def fault(render: Render, messages: JsonValue, **more: JsonValue) -> str:
    """The problem's sentence."""
    problem = render("memreader", messages, **more).problem
    assert problem is not None
    return problem.message


@pytest.mark.parametrize(("value", "end"), [(True, OPEN), (None, OPEN), (0, OPEN), ("false", OPEN), (False, CLOSED)])
@pytest.mark.parametrize("branch", [{}, {"extract_chat_memory": True}, {"extract_doc_memory": True}])
def test_only_exactly_false_closes_the_thinking(
    render: Render, value: JsonValue, end: str, branch: dict[str, JsonValue]
) -> None:
    prompt = text(render, [USER], enable_thinking=value, **branch)
    assert prompt.endswith(end)
    assert prompt.count("<think>") == end.count("<think>")


def test_chat_memory_writes_user_and_assistant_only_and_closes_no_turn(render: Render) -> None:
    said: list[JsonValue] = [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "a", "chat_time": "10:00"},
        {"role": "assistant", "content": "b"},
        {"role": "tool", "content": "t"},
        {"role": "assistant", "content": "c", "chat_time": "10:01"},
    ]
    prompt = text(render, said, extract_chat_memory=True, extract_doc_memory=True)
    assert prompt.startswith("<|im_start|>user\nYou are a memory extraction expert.")
    assert prompt.endswith(
        "Conversation:\nuser: [10:00]: a\nassistant: b\nassistant: [10:01]: c\n\n\nYour Output:" + OPEN
    )
    assert "<|im_end|>" not in prompt


@pytest.mark.parametrize("content", [[{"type": "text", "text": "x"}], None])
def test_chat_memory_takes_text_only(render: Render, content: JsonValue) -> None:
    message: JsonValue = {"role": "user", "content": content}
    assert "can only concatenate str" in fault(render, [message], extract_chat_memory=True, normalise=False)


def test_document_memory_prints_whatever_the_messages_are(render: Render) -> None:
    variables = library.load("memreader").messages_as_text
    assert variables is not None
    printed = text(render, "A text.\n", **variables)
    assert printed.startswith("<|im_start|>\nYou are an expert text analyst")
    assert "`[DOCUMENT_CHUNK]`\nA text.\n\n\nProduce ONLY the JSON object as your response.\n<|im_start|>" in printed
    assert "`[DOCUMENT_CHUNK]`\n[{'role': 'user', 'content': 'q'" in text(render, [USER], **variables)


def test_list_contents_become_nothing(render: Render) -> None:
    parts: JsonValue = {"role": "user", "content": [{"type": "text", "text": "lost"}]}
    assert text(render, [parts]) == "<|im_start|>user\n<|im_end|>\n" + OPEN


def test_the_last_query_is_the_last_user_message_that_wraps_no_result(render: Render) -> None:
    answer: JsonValue = {"role": "assistant", "content": "a", "reasoning_content": "\nr\n"}
    wrapped: JsonValue = {"role": "user", "content": "<tool_response>x</tool_response>"}
    shown = "<|im_start|>assistant\n<think>\nr\n</think>\n\na<|im_end|>\n"
    assert shown in text(render, [USER, answer, wrapped])
    assert shown not in text(render, [USER, answer, USER])


def test_an_answer_at_the_end_gets_an_empty_thinking_block(render: Render) -> None:
    prompt = text(render, [USER, {"role": "assistant", "content": "\na"}], add_generation_prompt=False)
    assert prompt.endswith("<|im_start|>assistant\n<think>\n\n</think>\n\na<|im_end|>\n")


def test_thinking_in_the_content_is_read(render: Render) -> None:
    said: JsonValue = {"role": "assistant", "content": "<think>\nr\n</think>\n\na"}
    assert "<think>\nr\n</think>\n\na<|im_end|>" in text(render, [USER, said], add_generation_prompt=False)


def test_calls_print_text_arguments_as_they_are(render: Render) -> None:
    calls: JsonValue = [
        {"function": {"name": "f", "arguments": '{"a":1}'}},
        {"name": "g", "arguments": {"b": "ü"}},
    ]
    said: list[JsonValue] = [USER, {"role": "assistant", "content": "", "tool_calls": calls}]
    assert text(render, said, add_generation_prompt=False).endswith(
        '</think>\n\n<tool_call>\n{"name": "f", "arguments": {"a":1}}\n</tool_call>\n'
        '<tool_call>\n{"name": "g", "arguments": {"b": "ü"}}\n</tool_call><|im_end|>\n'
    )


def test_a_run_of_results_is_one_user_turn(render: Render) -> None:
    result: JsonValue = {"role": "tool", "content": "r"}
    response = "\n<tool_response>\nr\n</tool_response>"
    assert text(render, [USER, result, result]).endswith(f"<|im_start|>user{response}{response}<|im_end|>\n{OPEN}")


def test_tools_keep_their_whole_json_and_the_system_text_before_them(render: Render) -> None:
    tool: JsonValue = {"type": "function", "function": {"name": "f", "strict": True}}
    prompt = text(render, [{"role": "system", "content": "s"}, USER], tools=[tool])
    assert prompt.startswith("<|im_start|>system\ns\n\n# Tools\n\n")
    assert '<tools>\n{"type": "function", "function": {"name": "f", "strict": true}}\n</tools>' in prompt


def test_tools_with_a_system_list_are_an_error(render: Render) -> None:
    system: JsonValue = {"role": "system", "content": [{"type": "text", "text": "s"}]}
    assert "can only concatenate list" in fault(render, [system, USER], tools=[{"name": "f"}])
