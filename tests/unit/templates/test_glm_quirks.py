"""GLM 5.2 with its oddities; all kept, because a playground shows what the model gets."""

from collections.abc import Callable

import pytest

from thinkpane.engine.request import Rendered
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.templates import library

Render = Callable[..., Rendered]
USER: JsonValue = {"role": "user", "content": "q"}
CALLS: JsonValue = [{"id": "a", "function": {"name": "f", "arguments": {}}}, {"id": "b", "name": "g", "arguments": {}}]
LATER: JsonValue = {"type": "function", "function": {"name": "later", "defer_loading": True}}


def text(render: Render, *messages: JsonValue, **more: JsonValue) -> str:
    """The prompt, thinking off (so without an effort line) unless `more` says otherwise."""
    rendered = render("glm-5.2", list(messages), **({"enable_thinking": False} | more))
    assert rendered.problem is None
    assert rendered.text is not None
    return rendered.text


def fault(render: Render, *messages: JsonValue, **more: JsonValue) -> str:
    """The problem's sentence."""
    rendered = render("glm-5.2", list(messages), **more)
    assert rendered.problem is not None
    return rendered.problem.message


@pytest.mark.parametrize("effort", ["low", "medium", "High", None, "max", 1])
def test_every_effort_but_exactly_high_is_max(render: Render, effort: JsonValue) -> None:
    prompt = text(render, USER, enable_thinking=True, reasoning_effort=effort)
    assert prompt == "[gMASK]<sop><|system|>Reasoning Effort: Max<|user|>q<|assistant|><think>"


def test_candidate_tiers_have_three_effects(render: Render) -> None:
    rendered = [render("glm-5.2", [USER], **tier.variables).text for tier in library.load("glm-5.2").tiers]
    assert rendered == [
        "[gMASK]<sop><|system|>Reasoning Effort: High<|user|>q<|assistant|><think>",
        "[gMASK]<sop><|system|>Reasoning Effort: Max<|user|>q<|assistant|><think>",
        "[gMASK]<sop><|user|>q<|assistant|><think></think>",
    ]


def test_none_for_enable_thinking_is_off(render: Render) -> None:
    assert text(render, USER, enable_thinking=None) == "[gMASK]<sop><|user|>q<|assistant|><think></think>"


def test_old_thinking_is_cleared_unless_told_not_to(render: Render) -> None:
    answer: JsonValue = {"role": "assistant", "content": "a", "reasoning_content": "r"}
    assert "<think></think>a<|user|>" in text(render, USER, answer, USER)
    assert "<think></think>a<|user|>" in text(render, USER, answer, USER, clear_thinking=True)
    assert "<think>r</think>a<|user|>" in text(render, USER, answer, USER, clear_thinking=False)
    assert "<think>r</think>a<|assistant|>" in text(render, USER, answer)


def test_of_two_thinking_blocks_the_middle_is_lost(render: Render) -> None:
    said: JsonValue = {"role": "assistant", "content": "<think>one</think> shown <think>two</think> end"}
    assert text(render, USER, said, add_generation_prompt=False).endswith("<|assistant|><think>one</think>end")


@pytest.mark.parametrize(
    ("kind", "word"),
    [("image", "image"), ("image_url", "image"), ("video_url", "video"), ("audio", "audio"), ("input_audio", "audio")],
)
def test_media_become_a_reminder(render: Render, kind: str, word: str) -> None:
    prompt = text(render, {"role": "user", "content": ["a", {"type": kind}, {"type": "file"}]})
    assert prompt.startswith(
        f"[gMASK]<sop><|user|>a<reminder>You are unable to process this {word} because you don't have multi-modal "
        "input ability. Try different methods.</reminder><|assistant|>"
    )


def test_results_are_never_matched_to_calls(render: Render) -> None:
    said: list[JsonValue] = [USER, {"role": "assistant", "content": "", "tool_calls": CALLS}]
    said += [{"role": "tool", "tool_call_id": id, "content": id} for id in ("b", "a", "b")]
    assert text(render, *said, add_generation_prompt=False).endswith(
        "<|observation|><tool_response>b</tool_response><tool_response>a</tool_response>"
        "<tool_response>b</tool_response>"
    )


def test_forms_of_results(render: Render) -> None:
    outputs: JsonValue = {"role": "tool", "content": [{"output": "1"}, {"output": "2"}]}
    parts: JsonValue = {"role": "tool", "content": [{"type": "text", "text": "a"}, "b"]}
    mapping: JsonValue = {"role": "tool", "content": {"k": 1}}
    assert text(render, USER, outputs, parts, mapping, add_generation_prompt=False).endswith(
        "<|observation|><tool_response>1</tool_response><tool_response>2</tool_response>"
        "<tool_response>ab</tool_response><tool_response>{'k': 1}</tool_response>"
    )


def test_a_tool_reference_prints_a_hidden_tools_schema(render: Render) -> None:
    reference: JsonValue = {"role": "tool", "content": [{"type": "tool_reference", "name": "later"}]}
    opens, closes = "<tool_response><tools>\n", "</tools></tool_response><|assistant|>"
    with_tools = text(render, USER, reference, tools=[LATER])
    assert f'{opens}{{"name": "later"}}\n{closes}' in with_tools
    assert "<tools>\n</tools>\n\nFor each" in with_tools
    assert opens + closes in text(render, USER, reference, tools=[])
    assert "'NoneType' object is not iterable" in fault(render, USER, reference)


def test_unknown_roles_vanish(render: Render) -> None:
    developer: JsonValue = {"role": "developer", "content": "d"}
    assert text(render, developer, USER) == "[gMASK]<sop><|user|>q<|assistant|><think></think>"


def test_a_null_content_prints_none_where_nobody_drops_it(render: Render) -> None:
    said: list[JsonValue] = [{"role": role, "content": None} for role in ("user", "assistant", "tool")]
    assert text(render, *said, normalise=False, add_generation_prompt=False) == (
        "[gMASK]<sop><|user|>None<|assistant|><think></think>None<|observation|><tool_response>None</tool_response>"
    )


@pytest.mark.parametrize(
    ("function", "words"),
    [({"arguments": "{}"}, "'str object' has no attribute 'items'"), ({}, "has no attribute 'arguments'")],
)
def test_arguments_as_text_or_missing_are_an_error(render: Render, function: JsonObject, words: str) -> None:
    call: JsonValue = {"function": {"name": "f", **function}}
    assert words in fault(render, USER, {"role": "assistant", "content": "", "tool_calls": [call]})


def test_an_output_that_is_no_text_is_an_error(render: Render) -> None:
    assert "can only concatenate str" in fault(render, USER, {"role": "tool", "content": [{"output": 1}]})
