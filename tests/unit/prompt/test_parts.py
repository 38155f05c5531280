"""A prompt's parts: which characters are whose, also inside one owner's span, without gap or overlap."""

import re

from hypothesis import given
from hypothesis import strategies as st

from support.owned import TEXTS_OWNERS, owned
from support.patient import PATIENT
from support.traced import PLAIN, TRACED
from thinkpane.prompt.parts import Part, Parts, parts_from, parts_of

PIECES: list[tuple[str, str | None]] = [
    ("<|system|>", None),
    ("Think hard.", None),
    ("hard", "reasoning_effort"),
    ("Be brief.", "messages[0].content"),
    ("why", "messages[1].reasoning_content"),
    ("so", "messages[1].content[0].thinking"),
    ("as it is", "messages[1].tool_calls[0].function.arguments.thinking"),
    ("look", "tools[1].function.name"),
    ("all tools", "tools"),
    ("A fact.", "documents[0].text"),
    ("<s>", "bos_token"),
]


def test_every_kind_of_input_is_a_part_of_its_own() -> None:
    found = parts_from(owned(PIECES))
    assert found.characters() == {
        Part("scaffolding"): 21,
        Part("variables"): 7,
        Part("message", 0): 9,
        Part("thinking", 1): 5,
        Part("message", 1): 8,
        Part("tool", 1): 4,
        Part("tool"): 9,
        Part("document", 0): 7,
    }


def test_what_comes_and_goes_with_a_tier_is_tier_text_with_the_variable_printed_in_it() -> None:
    found = parts_from(owned(PIECES), tier=[(12, 25)])
    assert found.spans_of([Part("tier")]) == [(10, 25)], "a span is tier text where half of it is"
    assert found.characters()[Part("scaffolding")] == 10
    assert parts_from(owned(PIECES), tier=[(10, 15)]).characters().get(Part("tier")) is None, "less than half"
    assert Part("tier") not in parts_from(owned(PIECES), tier=[(25, 34)]).names, "a message never is"


def test_thinking_between_marks_is_told_from_the_rest_of_its_message() -> None:
    owners = owned([("<a>", None), ("<think>why</think>so", "messages[0].content"), ("</a>", None)])
    found = parts_from(owners, thinking=[(10, 13)])
    assert found.spans_of([Part("thinking", 0)]) == [(10, 13)]
    assert found.spans_of([Part("message", 0)]) == [(3, 10), (13, 23)]
    assert found.spans_of([Part("message", 0), Part("thinking", 0)]) == [(3, 23)]
    assert found.spans_of([Part("tier")]) == []


def test_characters_without_an_owner_are_told_as_such() -> None:
    assert parts_from(owned([("ab", "-"), ("c", None)])).characters() == {Part("unknown"): 2, Part("scaffolding"): 1}


def test_an_untraced_prompt_has_no_parts() -> None:
    assert parts_of(PLAIN).characters() == {}
    assert parts_of(TRACED).characters() == {Part("scaffolding"): 10, Part("message", 0): 9, Part("variables"): 3}


@PATIENT
@given(TEXTS_OWNERS, st.lists(st.integers(0, 60), max_size=8), st.lists(st.integers(0, 60), max_size=8))
def test_parts_cover_the_text_once(pieces: list[tuple[str, str | None]], one: list[int], other: list[int]) -> None:
    found = parts_from(owned(pieces), _stretches(one), _stretches(other))
    text = "".join(each for each, _ in pieces)
    assert sum(found.characters().values()) == len(text)
    assert all(first != second for first, second in zip(found.numbers, found.numbers[1:], strict=False))
    assert _covered(found) == list(range(len(text)))


def _stretches(edges: list[int]) -> list[tuple[int, int]]:
    places = sorted(set(edges))
    return list(zip(places[::2], places[1::2], strict=False))


def _covered(found: Parts) -> list[int]:
    return sorted(at for each in found.names for start, end in found.spans_of([each]) for at in range(start, end))


def test_paths_that_only_look_like_thinking_are_not() -> None:
    for path in ("messages[0].thinking_budget", "messages[0].content.thinking", "thinking"):
        (name,) = parts_from(owned([("x", path)])).names
        assert name.kind != "thinking", path
        assert re.match(r"message|variables", name.kind)
