"""Where values stand in a JSON text: against Python's own reader, with escapes, spaces and keys of any kind."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.patient import PATIENT
from thinkpane.formats.json_places import MOST, Step, json_places, range_of, steps_at
from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import dump

TEXT = '{ "name": "look",\n  "sizes": [1, {"a b": true}], "said": "é\\n\\ud83d\\ude00\\"x" }'

LEAVES = st.none() | st.booleans() | st.integers(-99, 10**9) | st.text(max_size=6)
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


def shown(steps: tuple[Step, ...], at: tuple[int, int] | None = None) -> str | None:
    found = range_of(TEXT, steps, at)
    return TEXT[found[0] : found[1]] if found is not None else None


def test_each_value_is_found_by_its_way() -> None:
    assert shown(()) == TEXT
    assert shown(("name",)) == '"look"'
    assert shown(("name",), (1, 3)) == "oo"
    assert shown(("sizes", 0)) == "1"
    assert shown(("sizes", 1, "a b")) == "true"
    assert shown(("sizes", 1)) == '{"a b": true}'
    assert shown(("sizes", 2)) is None


def test_characters_of_a_string_are_found_behind_its_escapes() -> None:
    assert [shown(("said",), (at, at + 1)) for at in range(5)] == ["é", "\\n", "\\ud83d\\ude00", '\\"', "x"]
    assert shown(("said",), (3, 99)) == '\\"x', "what is beyond its end is left out"


@pytest.mark.parametrize("text", ["", "{", "[1,]", '{"a": 1} 2', "x" * (MOST + 1), "[NaN]"])
def test_what_is_no_json_has_no_places(text: str) -> None:
    assert json_places(text) == ()
    assert range_of(text, ()) is None
    assert steps_at(text, 0, 0) is None


def test_of_keys_that_stand_there_twice_the_last_one_counts() -> None:
    assert range_of('{"a": 1, "a": 22}', ("a",)) == (14, 16)


def test_the_value_at_the_caret() -> None:
    at = TEXT.index("look")
    assert steps_at(TEXT, at, at) == (("name",), None)
    assert steps_at(TEXT, at + 1, at + 3) == (("name",), (1, 3))
    assert steps_at(TEXT, TEXT.index("name"), TEXT.index("name")) == (("name",), None), "a key leads to its value"
    assert steps_at(TEXT, TEXT.index("true"), TEXT.index("true")) == (("sizes", 1, "a b"), None)
    assert steps_at(TEXT, 1, 1) == ((), None)
    face = TEXT.index("\\ud83d")
    assert steps_at(TEXT, face, face + 12) == (("said",), (2, 3))
    assert steps_at(TEXT, face + 2, face + 5) == (("said",), (2, 3)), "half an escape is its whole character"


@PATIENT
@given(VALUES, st.sampled_from([None, 0, 2]), st.booleans())
def test_places_hold_the_values(value: JsonValue, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    places = json_places(text)
    assert len({each.steps for each in places}) == len(places)
    for each in places:
        inner = value
        for step in each.steps:
            inner = inner[step]  # type: ignore[index]
        assert json.loads(text[each.start : each.end]) == inner
        assert each.is_text == isinstance(inner, str)


@PATIENT
@given(st.text(max_size=12), st.integers(0, 12), st.integers(0, 12), st.booleans())
def test_every_stretch_of_a_string_goes_there_and_back(text: str, one: int, other: int, ascii_only: bool) -> None:
    first, last = sorted((min(one, len(text)), min(other, len(text))))
    shown_text = json.dumps([text], ensure_ascii=ascii_only)
    found = range_of(shown_text, (0,), (first, last))
    assert found is not None
    assert json.loads(f'"{shown_text[found[0] : found[1]]}"') == text[first:last]
    if first < last:
        assert steps_at(shown_text, *found) == ((0,), (first, last))


def test_the_texts_that_the_editors_show_are_read() -> None:
    text = dump({"deep": [{"er": "x"}]})
    assert range_of(text, ("deep", 0, "er"), (0, 1)) == (text.index('"x"') + 1, text.index('"x"') + 2)
