"""Tool calls under every way servers number their pieces."""

from typing import Any

import pytest

from support.wire_cases import chat, decoded, sse
from thinkpane.streaming.transcript import Transcript


def piece(index: Any = ..., id: Any = ..., name: Any = ..., arguments: Any = ...) -> dict[str, Any]:
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not ...}
    found = {key: value for key, value in (("index", index), ("id", id)) if value is not ...}
    return found | {"function": function}


def calls_of(*deltas: list[dict[str, Any]], finish: str = "tool_calls") -> Transcript:
    chunks = [chat({"tool_calls": pieces}) for pieces in deltas]
    return decoded("openai-chat", sse(*chunks, chat(finish=finish), "[DONE]"))


def told(transcript: Transcript) -> list[tuple[str, str, str]]:
    return [(call.id, call.name, call.arguments) for call in transcript.tool_calls]


def warned(transcript: Transcript) -> set[str]:
    return {each.id for each in transcript.warnings}


TWO = [("a", "f", '{"x":1}'), ("b", "g", '{"y":2}')]
HABITS: dict[str, list[list[dict[str, Any]]]] = {
    "by the book": [
        [piece(0, "a", "f", "")],
        [piece(0, arguments='{"x"')],
        [piece(0, arguments=":1}")],
        [piece(1, "b", "g", '{"y":2}')],
    ],
    "indexes from one": [[piece(1, "a", "f", '{"x":1}')], [piece(2, "b", "g", '{"y"')], [piece(2, arguments=":2}")]],
    "index always 0": [[piece(0, "a", "f", '{"x":1}')], [piece(0, "b", "g", '{"y":2}')]],
    "index always 0, in pieces": [
        [piece(0, "a", "f", "")],
        [piece(0, "", "", '{"x":1}')],
        [piece(0, "b", "g", "")],
        [piece(0, None, None, '{"y":2}')],
    ],
    "no index, one a delta": [[piece(..., "a", "f", '{"x":1}')], [piece(..., "b", "g", '{"y":2}')]],
    "no index, both in one": [[piece(..., "a", "f", '{"x":1}'), piece(..., "b", "g", '{"y":2}')]],
    "no index, in pieces": [
        [piece(..., "a", "f", "")],
        [piece(arguments='{"x":1}')],
        [piece(..., "b", "g", "")],
        [piece(arguments='{"y":2}')],
    ],
    "index as text": [[piece("0", "a", "f", '{"x":1}'), piece("1", "b", "g", '{"y":2}')]],
    "name repeated": [
        [piece(0, "a", "f", "")],
        [piece(0, "a", "f", '{"x"')],
        [piece(0, "a", "f", ":1}")],
        [piece(0, "a", "f", "")],
        [piece(1, "b", "g", '{"y":2}')],
    ],
    "arguments so far": [
        [piece(0, "a", "f", '{"x"')],
        [piece(0, "a", "f", '{"x":1}')],
        [piece(0, "a", "f", '{"x":1}')],
        [piece(1, "b", "g", '{"y":2}')],
    ],
    "name in pieces": [
        [piece(0, "a", "", "")],
        [piece(0, name="f")],
        [piece(0, arguments='{"x":1}')],
        [piece(1, "b", "g", '{"y":2}')],
    ],
    "objects for arguments": [[piece(0, "a", "f", {"x": 1}), piece(1, "b", "g", {"y": 2})]],
    "id changes on each piece": [
        [piece(0, "a", "f", '{"x"')],
        [piece(0, "a2", None, ":1}")],
        [piece(1, "b", "g", '{"y":2}')],
    ],
    "id changes on each piece, the name stays": [
        [piece(0, "a", "f", '{"x"')],
        [piece(0, "a2", "f", ":1")],
        [piece(0, "a3", "f", "}")],
        [piece(1, "b", "g", '{"y":2}')],
    ],
    "flat": [
        [
            {"index": 0, "id": "a", "name": "f", "arguments": '{"x":1}'},
            {"index": 1, "id": "b", "name": "g", "arguments": '{"y":2}'},
        ]
    ],
}


@pytest.mark.parametrize("habit", HABITS)
def test_two_calls(habit: str) -> None:
    transcript = calls_of(*HABITS[habit])
    found = [(id, name, arguments.replace(" ", "")) for id, name, arguments in told(transcript)]
    assert found == TWO
    assert transcript.is_clean


def test_names_may_come_in_pieces_and_as_snapshots() -> None:
    assert told(calls_of([piece(0, "a", "get_")], [piece(0, name="weather")], [piece(0, arguments="{}")])) == [
        ("a", "get_weather", "{}")
    ]
    assert told(calls_of([piece(0, "a", "get_")], [piece(0, "a", "get_weather", "{}")])) == [("a", "get_weather", "{}")]


def test_a_repeated_name_with_empty_arguments_goes_on() -> None:
    transcript = calls_of([piece(0, None, "f", '{"x":1}')], [piece(0, None, "f", "")])
    assert told(transcript) == [("", "f", '{"x":1}')]


def test_whole_calls_of_one_name_under_one_index_are_kept_apart() -> None:
    transcript = calls_of([piece(0, None, "f", '{"x":1}')], [piece(0, None, "f", '{"x":2}')])
    assert told(transcript) == [("", "f", '{"x":1}'), ("", "f", '{"x":2}')]
    assert "tool-index-reused" in warned(transcript)


def test_whole_calls_under_one_id_are_kept_apart() -> None:
    transcript = calls_of(
        [piece(0, "a", "f", '{"x":1}')],
        [piece(0, "a", "f", '{"x":2}')],
        [piece(0, "a", "f", '{"x":2}')],
        [piece(0, "a", "g", "{}")],
    )
    assert told(transcript) == [("a", "f", '{"x":1}'), ("a", "f", '{"x":2}'), ("a", "g", "{}")]


def test_other_names_without_ids_are_other_calls() -> None:
    transcript = calls_of([piece(0, None, "f", "{}")], [piece(0, None, "g", "{}")])
    assert told(transcript) == [("", "f", "{}"), ("", "g", "{}")]


def test_a_piece_for_no_known_call_goes_to_the_last() -> None:
    transcript = calls_of([piece(0, "a", "f", '{"x"')], [piece(5, arguments=":1}")])
    assert told(transcript) == [("a", "f", '{"x":1}')]
    assert "tool-index-unknown" in warned(transcript)


def test_an_index_that_is_no_number_of_this_world_is_none() -> None:
    assert told(calls_of([piece("9" * 5_000, "a", "f", '{"x":1}'), piece("1", "b", "g", '{"y":2}')])) == TWO


def test_a_number_for_an_id_is_its_text() -> None:
    assert told(calls_of([piece(0, 7, "f", "{}")])) == [("7", "f", "{}")]


def test_empty_arguments_mean_none() -> None:
    transcript = calls_of([piece(0, "a", "f", "")])
    assert told(transcript) == [("a", "f", "{}")]
    assert "tool-arguments-empty" in warned(transcript)


def test_a_call_cut_off_before_its_arguments_is_left_as_it_is() -> None:
    transcript = decoded("openai-chat", sse(chat({"tool_calls": [piece(0, "a", "f", "")]})))
    assert told(transcript) == [("a", "f", "")]
    assert transcript.problem is not None


@pytest.mark.parametrize(
    ("arguments", "warning"),
    [
        ('{"a": ', "tool-arguments-not-json"),
        ("{'a': 1}", "tool-arguments-not-json"),
        ('"{\\"a\\": 1}"', "tool-arguments-double-encoded"),
        ("[1]", "tool-arguments-not-object"),
        ("null", "tool-arguments-not-object"),
    ],
)
def test_odd_arguments_stay_as_they_came(arguments: str, warning: str) -> None:
    transcript = calls_of([piece(0, "a", "f", arguments)])
    assert told(transcript) == [("a", "f", arguments)]
    assert warning in warned(transcript)


def test_a_call_without_a_name_is_told() -> None:
    assert "tool-name-missing" in warned(calls_of([piece(0, "a", ..., "{}")]))


def test_the_older_function_call() -> None:
    chunks = [
        chat({"function_call": {"name": "f", "arguments": ""}}),
        chat({"function_call": {"arguments": '{"x":1}'}}),
    ]
    transcript = decoded("openai-chat", sse(*chunks, chat(finish="function_call")))
    assert told(transcript) == [("", "f", '{"x":1}')]
    assert transcript.finish == "function_call"


def test_a_tool_call_after_thinking_ends_the_thinking() -> None:
    body = sse(
        chat({"reasoning": "a</think>"}), chat({"tool_calls": [piece(0, "a", "f", "{}")]}), chat(finish="tool_calls")
    )
    transcript = decoded("openai-chat", body)
    assert transcript.thinking == "a"
    assert [type(block).__name__ for block in transcript.blocks] == ["ThinkingBlock", "ToolCall"]


@pytest.mark.parametrize("pieces", [[], None, "x", [None], [[]]])
def test_lists_without_calls_are_none(pieces: Any) -> None:
    transcript = decoded("openai-chat", sse(chat({"content": "4", "tool_calls": pieces}), chat(finish="stop")))
    assert transcript.tool_calls == []
    assert transcript.is_clean
