"""Typed texts and the JSON values they stand for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import same
from thinkpane.ui.models.typed_value import UNSET, shown_value, typed_value

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
LEVELS: tuple[JsonValue, ...] = ("0", "1", "high")


@given(VALUES)
def test_what_is_shown_is_read_as_the_same_value(value: JsonValue) -> None:
    read = typed_value(shown_value(value))
    assert read is not UNSET
    assert same(read, value)  # type: ignore[arg-type]  # it is no UNSET


@given(st.text())
def test_so_are_texts_among_texts(value: str) -> None:
    assert typed_value(shown_value(value, LEVELS), LEVELS) == value


@pytest.mark.parametrize(
    ("text", "known", "value"),
    [
        ("3", (), 3),
        ("3", LEVELS, "3"),
        ("1", LEVELS, "1"),
        ("low", LEVELS, "low"),
        ('"3"', (), "3"),
        ('""', LEVELS, ""),
        ("true", (), True),
        ("{oops", (), "{oops"),
        ("1", (1, 2), 1),
    ],
)
def test_texts_as_people_type_them(text: str, known: tuple[JsonValue, ...], value: JsonValue) -> None:
    assert typed_value(text, known) == value


@pytest.mark.parametrize("text", ["", " ", "\t"])
def test_nothing_is_not_passed(text: str) -> None:
    assert typed_value(text) is UNSET
    assert shown_value(UNSET) == ""
