"""The scanner: Jinja's own idea of tokens, line by line as well as at once, and no fault for any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.formats.jinja_scan import START, State, Token, inner, line_starts, scan, state_of

PIECES = st.sampled_from(
    [
        *("{%", "{%-", "%}", "-%}", "+%}", "{{", "{{-", "}}", "-}}", "{#", "#}", " raw ", "endraw", "'", '"', "\\"),
        *("{", "}", "[", "]", "(", ")", " if x ", "a.b|c", "12.5e3", " ", "\r", "\n", "\u2028", "\u00a0", "é", "="),
        *("==", "$", "-", "\n"),
    ]
)
TEXTS = st.lists(PIECES, max_size=25).map("".join) | st.text(max_size=60)


def cut(text: str) -> list[tuple[str, str]]:
    """Kind and text of each token."""
    return [(each.kind, text[each.start : each.end]) for each in scan(text)[0]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a{{ x }}b", [("data", "a"), ("begin", "{{"), ("word", "x"), ("end", "}}"), ("data", "b")]),
        ("{{- {'a': {}} }}", "begin open string operator open close close end"),
        ("{{ {'a': {'b': 1}}['a'] -}}", "begin open string operator open string operator number close close open string"
         " close end"),
        ("{% set x = '%}' %}", "begin word word operator string end"),
        ("{{ '}}' ~ \"{%\" }}", "begin string operator string end"),
        ("{# {{ x }} -#}y", [("comment", "{# {{ x }} -#}"), ("data", "y")]),
        ("{#}#}", [("comment", "{#}#}")]),
        ("{% raw %}{{ x }}{%- endraw %}z", "begin word end raw begin word end data"),
        ("{% rawish %}{{ x }}", "begin word end begin word end"),
        ("{% if a //b**2 >= 1_0.5e-3 %}", "begin word word operator word operator number operator number end"),
        ("{{ 'it\\'s' }}", "begin string end"),
        ("{{ a $ b }}", "begin word odd word end"),
        # A tag that nothing closes ends at the next one, so that a text that is being typed keeps its colours.
        ("{% if x {% endif %}", "begin word word begin word end"),
        ("{{ (x }}y", "begin open word end data"),
    ],
)  # fmt: skip
def test_tokens(text: str, expected: list[tuple[str, str]] | str) -> None:
    found = cut(text)
    assert found == expected if isinstance(expected, list) else " ".join(kind for kind, _ in found) == expected


def test_what_is_open_at_the_end() -> None:
    assert scan("{{ {'a")[1] == State("output", "'", 1, "other")
    assert scan("{% raw")[1] == State("statement", "", 0, "raw")
    assert scan("{# x")[1].mode == "comment"
    assert scan("{% raw %} {{ x")[1].mode == "raw"
    assert scan("x {% if y %}")[1] == START


@given(TEXTS)
def test_any_text_is_cut_without_overlap(text: str) -> None:
    tokens, _ = scan(text)
    at = 0
    for token in tokens:
        assert at <= token.start < token.end
        between = text[at : token.start]
        assert not between.strip(), "only whitespace is no token"
        at = token.end
    assert not text[at:].strip() or not tokens[-1:] or at == len(text)


@given(TEXTS)
def test_line_by_line_is_the_same(text: str) -> None:
    state, place, found = START, 0, list[tuple[str, int]]()
    for line in text.split("\n"):
        tokens, state = scan(line, state)
        found += [(each.kind, at + place) for each in tokens for at in range(each.start, each.end)]
        place += len(line) + 1
        state = state_of(state.number())
    whole, end = scan(text)
    expected = [(each.kind, at) for each in whole for at in range(each.start, each.end) if text[at] != "\n"]
    assert found == expected
    assert state == end


@given(TEXTS)
def test_tags_hold_every_token_of_theirs(text: str) -> None:
    tokens, _ = scan(text)
    kept = [each for group in inner(tokens) for each in group]
    assert kept == [each for each in tokens if each.kind not in ("data", "raw", "comment")]


def test_a_state_before_the_first_line_is_the_start() -> None:
    assert state_of(-1) == START
    assert inner_kinds("a{{ b") == [["begin", "word"]]


def inner_kinds(text: str) -> list[list[str]]:
    """The kinds of each tag's tokens."""
    return [[each.kind for each in group] for group in inner(scan(text)[0])]


def test_lines_as_jinja_counts_them() -> None:
    assert line_starts("a\nb\r\nc\rd\u2028e\n") == [0, 2, 5, 7, 11]
    assert line_starts("") == [0]


def test_token_names_its_place() -> None:
    assert scan("ab{{c}}")[0][2] == Token("word", 4, 5)
