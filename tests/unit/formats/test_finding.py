"""Finding in a text: words in slices, expressions, bounds."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.errors import ThinkpaneError
from thinkpane.formats import finding
from thinkpane.formats.finding import MOST_HITS, Hits, Query, expression_hits, find_words, unescaped


def places(hits: Hits) -> list[tuple[int, int]]:
    return list(zip(hits.starts, hits.ends, strict=True))


def test_words_are_found_whatever_their_case_unless_asked() -> None:
    text = "Straße 😀 strasse STRAßE .*"
    assert places(find_words(text, Query("straße"))) == [(0, 6), (17, 23)]
    assert places(find_words(text, Query("straße", case=True))) == []
    assert places(find_words(text, Query(".*"))) == [(24, 26)]


def test_whole_words_only() -> None:
    assert places(find_words("cat concat cat_ (cat)", Query("cat", whole=True))) == [(0, 3), (17, 20)]
    assert places(expression_hits("cat concat cat_ (cat)", Query("c.t", regex=True, whole=True))) == [(0, 3), (17, 20)]
    commented = Query("(?ix) CAT # the animal", regex=True, whole=True, case=True)
    assert places(expression_hits("cat concat", commented)) == [(0, 3)]


def test_escapes_find_the_character_and_what_spells_it() -> None:
    text = "zero\u200bwidth \\u200B 😀"
    assert places(find_words(text, Query("\\u200b"))) == [(4, 5), (11, 17)]
    assert places(find_words(text, Query("\\U0001F600"))) == [(18, 19)]
    assert places(find_words("a\r\nb", Query("\\r\\n"))) == [(1, 3)]
    assert places(expression_hits(text, Query(r"\u200b", regex=True))) == [(4, 5)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [("plain", None), ("\\x41", "A"), ("\\U00110000", None), ("\\q", None), ("\\0", "\0"), ("a\\tb", "a\tb")],
)
def test_which_escapes_there_are(words: str, expected: str | None) -> None:
    assert unescaped(words) == expected


@given(st.text(alphabet="ab_ \u200b", max_size=60), st.text(alphabet="ab_ ", min_size=1, max_size=4), st.booleans())
def test_slices_lose_and_double_nothing(text: str, words: str, whole: bool) -> None:
    pattern = rf"(?<!\w){re.escape(words)}(?!\w)" if whole else re.escape(words)
    expected = [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]
    slice_before: Any = finding.SLICE
    try:
        finding.SLICE = 3  # type: ignore[misc]
        found = find_words(text, Query(words, whole=whole))
    finally:
        finding.SLICE = slice_before  # type: ignore[misc]
    assert places(found) == expected


def test_a_search_that_is_overtaken_ends() -> None:
    asked: list[int] = []

    def overtaken() -> bool:
        asked.append(1)
        return len(asked) > 2

    found = find_words("a" * finding.SLICE * 4, Query("a"), overtaken)
    assert len(found) == 2 * finding.SLICE


def test_expressions_count_code_points_and_see_no_surrogate_halves() -> None:
    text = "😀a\ud800b😀ab"
    assert [text[start:end] for start, end in places(expression_hits(text, Query("a.b|ab", regex=True)))] == [
        "a\ud800b",
        "ab",
    ]


def test_empty_matches_are_no_hits_and_lines_have_ends() -> None:
    assert places(expression_hits("ab\ncb", Query("b*$", regex=True))) == [(1, 2), (4, 5)]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("a(b", "This is no regular expression: missing ), unterminated subpattern (at 2)."),
        (r"\p{L}", r"This is no regular expression: bad escape \p (at 1)."),
        ("a{99999999999}", "This regular expression nests too deeply or counts too far."),
    ],
)
def test_what_is_no_expression_is_told_in_one_sentence(words: str, sentence: str) -> None:
    with pytest.raises(ThinkpaneError) as raised:
        expression_hits("abc", Query(words, regex=True))
    assert raised.value.problem.message == sentence


def test_hits_are_bounded_and_walk_round(monkeypatch: pytest.MonkeyPatch) -> None:
    few = find_words("a-a-a", Query("a"))
    assert [few.after(0), few.after(1), few.after(5), few.before(0), few.before(3)] == [0, 1, 0, 2, 1]
    assert list(few.between(1, 4)) == [1]
    assert find_words("abc", Query("x")).after(0) == -1
    assert MOST_HITS >= 1_000_000
    monkeypatch.setattr(finding, "MOST_HITS", 3)
    for found in (find_words("eeeee", Query("e")), expression_hits("eeeee", Query("e", regex=True))):
        assert (len(found), found.capped) == (3, True)
