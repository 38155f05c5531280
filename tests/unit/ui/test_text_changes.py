"""Where two versions of a template differ."""

from hypothesis import given
from hypothesis import strategies as st

from thinkpane.ui.models.text_changes import LONGEST, Stretch, changes

TEXTS = st.text(alphabet=st.sampled_from(list("ab {}%#\n")), max_size=60)


def test_only_what_changed_is_marked() -> None:
    gone, added = changes("{% if a %} {{ b }} GLM", "{% if a %}\n{{ b }}")
    assert [("{% if a %} {{ b }} GLM")[each.start : each.end] for each in gone] == [" ", " GLM"]
    assert added == [Stretch(10, 11)]


def test_equal_and_very_long_texts_have_no_marks() -> None:
    assert changes("same", "same") == ([], [])
    assert changes("a" * (LONGEST + 1), "b") == ([], [])


@given(TEXTS, TEXTS)
def test_what_is_not_marked_is_the_same_on_both_sides(before: str, after: str) -> None:
    gone, added = changes(before, after)
    assert _without(before, gone) == _without(after, added)


def _without(text: str, stretches: list[Stretch]) -> str:
    for start, end in reversed(stretches):
        text = text[:start] + text[end:]
    return text
