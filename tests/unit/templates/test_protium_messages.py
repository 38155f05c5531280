"""How Protium writes messages, tools and tool results, its oddities among them."""

from collections.abc import Callable, Mapping

import pytest

from thinkpane.engine.request import Rendered
from thinkpane.formats.json_values import JsonObject, JsonValue

Render = Callable[..., Rendered]

FIND: JsonValue = {"type": "function", "function": {"name": "find", "strict": True, "parameters": {"ü": [1, None]}}}
LATER: JsonValue = {"name": "later", "defer_loading": True, "parameters": {}}
USER: JsonValue = {"role": "user", "content": "q"}


def call(id: str | None, name: str = "find", arguments: JsonValue = None) -> JsonObject:
    """One tool call, with an id or without."""
    found: JsonObject = {"type": "function", "function": {"name": name, "arguments": arguments or {}}}
    return found if id is None else {"id": id, **found}


def part(kind: str) -> JsonValue:
    """A part of that type, with nothing in it."""
    return {"type": kind}


def body(render: Render, messages: list[JsonValue], tools: list[JsonValue] | None = None, **more: JsonValue) -> str:
    """What stands after the tools block, in the tier without text."""
    rendered = render("protium-1.0", messages, tools=tools, reasoning_effort="0", **more)
    assert rendered.problem is None
    assert rendered.text is not None
    return rendered.text.removeprefix("[gMASK]<sop>").rpartition("...</tool_call>")[2]


def results(
    render: Render, calls: list[JsonValue], *found: Mapping[str, JsonValue], tools: list[JsonValue] | None = None
) -> str:
    """What the observation turn holds after an assistant message with `calls`."""
    said: list[JsonValue] = [USER, {"role": "assistant", "content": "", "tool_calls": calls}]
    said += [{"role": "tool", **each} for each in found]
    return body(render, said, tools).partition("<|observation|>")[2].removesuffix("<|assistant|><think></think>")


def test_tools_block_unwraps_hides_and_drops(render: Render) -> None:
    text = render("protium-1.0", [USER], tools=[FIND, LATER], reasoning_effort="0").text
    assert text is not None
    assert '<tools>\n{"name": "find", "parameters": {"ü": [1, null]}}\n</tools>\n' in text
    assert "later" not in text


def test_unknown_roles_vanish_and_system_may_stand_anywhere(render: Render) -> None:
    said: list[JsonValue] = [{"role": "developer", "content": "d"}, USER, {"role": "system", "content": "s"}]
    assert body(render, said) == "<|user|>q<|system|>s<|assistant|><think></think>"


def test_media_parts(render: Render) -> None:
    kinds = ("image", "image_url", "video", "video_url", "audio", "audio_url", "input_audio", "file")
    parts: list[JsonValue] = ["a", {"type": "text", "text": "b"}, *(part(kind) for kind in kinds)]
    image = "<|begin_of_image|><|image|><|end_of_image|>"
    video = "<|begin_of_video|><|video|><|end_of_video|>"
    audio = "<|begin_of_audio|><|end_of_audio|>"
    expected = f"<|user|>ab{image * 2}{video * 2}{audio * 3}"
    assert body(render, [{"role": "user", "content": parts}]).startswith(expected + "<|assistant|>")


def test_thinking_in_the_content_is_split_at_the_first_and_last_tag(render: Render) -> None:
    said: list[JsonValue] = [USER, {"role": "assistant", "content": "a<think>r</think>mid</think> end "}]
    assert body(render, said, add_generation_prompt=False) == "<|user|>q<|assistant|><think>r</think>end"


def test_clear_thinking_clears_only_before_the_last_user_message(render: Render) -> None:
    answer: JsonValue = {"role": "assistant", "content": "a", "reasoning_content": "r"}
    said = [USER, answer, USER, answer]
    kept, shown = "<|user|>q<|assistant|><think>r</think>a", "<|user|>q<|assistant|><think></think>a"
    assert body(render, said, add_generation_prompt=False) == kept + kept
    assert body(render, said, add_generation_prompt=False, clear_thinking=True) == shown + kept


def test_arguments_are_text_as_it_is_and_all_else_json(render: Render) -> None:
    calls: list[JsonValue] = [call("1", arguments={"a": "x y", "b": ["ü", 1], "c": None})]
    text = body(render, [USER, {"role": "assistant", "content": "", "tool_calls": calls}], add_generation_prompt=False)
    assert text.endswith(
        "<think></think><tool_call>find<arg_key>a</arg_key><arg_value>x y</arg_value><arg_key>b</arg_key>"
        '<arg_value>["ü", 1]</arg_value><arg_key>c</arg_key><arg_value>null</arg_value></tool_call>'
    )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"arguments": '{"a": 1}'}, "'str object' has no attribute 'items'"),
        ({}, "has no attribute 'arguments'"),
    ],
)
def test_arguments_as_text_or_missing_are_an_error(render: Render, given: JsonObject, words: str) -> None:
    function: JsonObject = {"name": "find", **given}
    said: list[JsonValue] = [USER, {"role": "assistant", "content": "", "tool_calls": [{"function": function}]}]
    rendered = render("protium-1.0", said)
    assert rendered.problem is not None
    assert words in rendered.problem.message


def test_results_follow_the_order_of_the_calls(render: Render) -> None:
    calls: list[JsonValue] = [call("a"), call("b")]
    two, one = {"tool_call_id": "b", "content": "two"}, {"tool_call_id": "a", "content": "one"}
    expected = "<tool_response>one</tool_response><tool_response>two</tool_response>"
    assert results(render, calls, two, one) == expected
    assert results(render, calls, {"id": "b", "content": "two"}, one) == expected


@pytest.mark.parametrize(
    ("ids", "found"),
    [
        (("a", "b"), ("b", None)),  # a result without an id
        (("a", "b"), ("b", "b")),  # a result id twice
        (("a", "b"), ("b", "x")),  # a result nobody asked for
        (("a", "a"), ("a", "a")),  # a call id twice
        (("a", None), ("a", "a")),  # a call without an id
    ],
)
def test_results_stay_as_received_where_ids_do_not_match(
    render: Render, ids: tuple[str | None, ...], found: tuple[str | None, ...]
) -> None:
    given: list[Mapping[str, JsonValue]] = [
        {"content": text} | ({} if id is None else {"tool_call_id": id}) for text, id in zip("12", found, strict=True)
    ]
    expected = "<tool_response>1</tool_response><tool_response>2</tool_response>"
    assert results(render, [call(id) for id in ids], *given) == expected


def test_lists_of_outputs_are_sorted_too(render: Render) -> None:
    outputs: list[JsonValue] = [{"id": "b", "output": "two"}, {"id": "a", "output": [{"type": "text", "text": "one"}]}]
    expected = "<tool_response>one</tool_response><tool_response>two</tool_response>"
    assert results(render, [call("a"), call("b")], {"content": outputs}) == expected


def test_tool_references_write_the_tools_schema(render: Render) -> None:
    reference: JsonValue = [{"type": "tool_reference", "name": "later"}]
    expected = '<tool_response><tools>\n{"name": "later", "parameters": {}}\n</tools></tool_response>'
    calls: list[JsonValue] = [call("a")]
    tools = [FIND, LATER]
    assert results(render, calls, {"tool_call_id": "a", "content": reference}, tools=tools) == expected
    output: JsonValue = [{"id": "a", "output": reference}]
    assert results(render, calls, {"content": output}, tools=tools) == expected
    assert results(render, calls, {"content": [{"output": reference}]}, tools=tools) == expected


def test_a_tool_reference_without_tools_is_an_error(render: Render) -> None:
    said: list[JsonValue] = [USER, {"role": "tool", "content": [{"type": "tool_reference", "name": "later"}]}]
    problem = render("protium-1.0", said).problem
    assert problem is not None
    assert "'tool_references_to_response' is undefined" in problem.message


def test_a_null_content_prints_none_where_nobody_drops_it_and_a_missing_one_nothing(render: Render) -> None:
    null: JsonValue = {"role": "user", "content": None}
    assert body(render, [null], normalise=False).startswith("<|user|>None<|")
    assert body(render, [null]).startswith("<|user|><|")
    assert body(render, [{"role": "user", "content": [{"type": "text", "text": None}]}]).startswith("<|user|>None<|")
    assert body(render, [{"role": "user"}]).startswith("<|user|><|")


def test_texts_of_tool_results_keep_the_regular_tags(render: Render) -> None:
    said: list[JsonValue] = [USER, {"role": "tool", "content": "[regular] x"}]
    assert body(render, said) == "<|user|>q<|observation|><tool_response>[regular] x</tool_response><|assistant|>"
