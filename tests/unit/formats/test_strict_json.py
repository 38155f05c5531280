"""Strict JSON: faults have a place, and what is written is read back the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import dump, parse, parse_bytes, same

VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_written_and_read_back_is_the_same(value: JsonValue) -> None:
    assert same(parse(dump(value)), value)


def test_lone_surrogate_survives_a_utf8_file() -> None:
    text = dump({"a": "x\ud800y"})
    assert parse_bytes(text.encode("utf-8")) == {"a": "x\ud800y"}


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ('{\n  "a": ,\n}', 2, 8, "Not JSON: expecting value"),
        ('{"a": 1', 1, 8, "ends too early"),
        ("", 1, 1, "There is no JSON here"),
    ],
)
def test_fault_has_a_place(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(ThinkpaneError) as caught:
        parse(text)
    problem = caught.value.problem
    assert (problem.kind, problem.line, problem.column) == ("json", line, column)
    assert words in problem.message
    assert f"line {line}, column {column}" in problem.message


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", "[" * 100_000, "1" * 5000, "[" * 300 + "]" * 300, "[-1e999]"])
def test_what_python_would_take_or_trip_over_is_one_sentence(text: str) -> None:
    with pytest.raises(ThinkpaneError, match=r"JSON.*\.$"):
        parse(text)


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999", "-1e999"])
def test_numbers_that_nothing_can_hold_are_null_where_one_is_lenient(number: str) -> None:
    assert parse(f'{{"a": {number}, "b": 1.5}}', lenient=True) == {"a": None, "b": 1.5}
    with pytest.raises(ThinkpaneError):
        parse("{", lenient=True)


def test_bytes_that_are_no_utf8_name_the_line() -> None:
    with pytest.raises(ThinkpaneError, match="line 2"):
        parse_bytes(b'{\n"\xff": 1}')
    assert parse_bytes(b"\xef\xbb\xbf[1]") == [1]


def test_kinds_of_numbers_and_key_order_count() -> None:
    assert not same(1, True)
    assert not same(1, 1.0)
    assert not same({"a": 1, "b": 2}, {"b": 2, "a": 1})


def test_wide_is_not_deep() -> None:
    assert parse("[" + ",".join(["[]"] * 500) + "]") == [[]] * 500
    assert parse("[" * 150 + "]" * 150) is not None
