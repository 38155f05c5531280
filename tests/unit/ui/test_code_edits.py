"""What keys do to Jinja source."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.ui.models.code_edits import aligned_end, comment_toggled, indented, new_line, outdented

TEXT = "{% if a %}\n  {{ b }}\n\u00a0c\r\n{% endif %}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{% if a %}|", "{% if a %}\n  |"),
        ("  {% for a in b %}|x", "  {% for a in b %}\n    |x"),
        ("  {% if a %}b{% endif %}|", "  {% if a %}b{% endif %}\n  |"),
        ("  {% else %}|", "  {% else %}\n    |"),
        ("  {% endif %}|", "  {% endif %}\n  |"),
        (" |  x", " \n |  x"),
        ("a|", "a\n|"),
        ("{# {% if a %}\n{% if a %}|", "{# {% if a %}\n{% if a %}\n|"),
        ("{% set a %}|", "{% set a %}\n  |"),
        ("{% set a = 1 %}|", "{% set a = 1 %}\n|"),
    ],
)
def test_enter_indents_by_the_blocks(before: str, after: str) -> None:
    place = before.index("|")
    text = before.replace("|", "")
    edit = new_line(text, place, place, "  ")
    made = edit.apply(text)
    assert made[: edit.caret] + "|" + made[edit.caret :] == after


def test_tab_at_a_caret_goes_to_the_next_step() -> None:
    assert indented("a", 1, 1, "    ").apply("a") == "a   "
    assert indented("\n", 1, 1, "  ").caret == 3
    assert indented("ab", 1, 1, "\t").apply("ab") == "a\tb"


def test_selected_lines_are_indented_and_back() -> None:
    edit = indented("a\n\nb\nc", 0, 4, "  ")
    made = edit.apply("a\n\nb\nc")
    assert made == "  a\n\n  b\nc"
    assert made[edit.anchor : edit.caret] == "  a\n\n  b"
    back = outdented(made, edit.anchor, edit.caret, "  ")
    assert back is not None
    assert back.apply(made) == "a\n\nb\nc"


def test_a_line_that_is_only_reached_stays() -> None:
    assert indented("a\nb", 0, 2, "  ").apply("a\nb") == "  a\nb"


def test_outdenting_takes_at_most_one_step() -> None:
    for text, after in (("     a", "   a"), (" a", "a"), ("\t\ta", "\ta")):
        edit = outdented(text, len(text), len(text), "  ")
        assert edit is not None
        assert edit.apply(text) == after
        assert edit.caret == len(after)
    assert outdented("a", 0, 1, "  ") is None


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("  {% if a %}", "  {# {% if a %} #}"),
        ("  {# {% if a %} #}", "  {% if a %}"),
        ("{#x#}", "x"),
        ("\u00a0x\r", "{# \u00a0x #}\r"),
    ],
)
def test_comments_come_and_go(text: str, after: str) -> None:
    edit = comment_toggled(text, len(text), len(text))
    assert edit is not None
    assert edit.apply(text) == after
    assert 0 <= edit.caret <= len(after)


@pytest.mark.parametrize("text", ["", "   ", "a {# b #}", "{# a #} {# b #}", "a #}", "{# a"])
def test_no_comment_around_a_comment(text: str) -> None:
    assert comment_toggled(text, 0, len(text)) is None


def test_selected_lines_become_one_comment() -> None:
    text = "x\n  a\n  b\ny"
    edit = comment_toggled(text, 3, 8)
    assert edit is not None
    made = edit.apply(text)
    assert made == "x\n  {# a\n  b #}\ny"
    back = comment_toggled(made, edit.anchor, edit.caret)
    assert back is not None
    assert back.apply(made) == text


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("  {% if a %}\n    {% else %}", "  {% if a %}\n  {% else %}"),
        ("{% if a %}\n  {%- endif %}", "{% if a %}\n{%- endif %}"),
        ("\t{% for a in b %}{% if c %}\n    {% endif %}", "\t{% for a in b %}{% if c %}\n\t{% endif %}"),
    ],
)
def test_an_end_goes_where_its_block_began(text: str, after: str) -> None:
    edit = aligned_end(text, len(text))
    assert edit is not None
    assert edit.apply(text) == after
    assert edit.caret == len(after)


@pytest.mark.parametrize(
    "text",
    ["{% if a %}\n  {% if b %}", "  {% endif %}", "{% if a %}\n{% endif %}", "{% if a %}\n x{% endif %}", "a %}"],
)
def test_others_stay_where_they_are(text: str) -> None:
    assert aligned_end(text, len(text)) is None


@given(st.text(alphabet="{%# }\n\tab\r\u2028", max_size=30), st.integers(0, 30), st.integers(0, 30))
def test_only_the_ends_of_lines_ever_change(text: str, one: int, other: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    for edit in (
        indented(text, start, end, "  "),
        outdented(text, start, end, "  "),
        comment_toggled(text, start, end),
    ):
        if edit is not None:
            made = edit.apply(text)
            assert 0 <= edit.anchor <= len(made)
            assert 0 <= edit.caret <= len(made)
            assert made.count("\n") == text.count("\n")
            assert [each for each in made if each not in " \t{#}"] == [each for each in text if each not in " \t{#}"]
