"""A difference as texts with marks."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from thinkpane.prompt.diff import compare
from thinkpane.tokens.segments import cut
from thinkpane.ui.models.diff_texts import ShownDiff, ShownSide, shown_diff

TOKENS = ("<a>", "<b>")
TEXTS = st.text(alphabet="AB12\n", max_size=14).map(
    lambda text: text.replace("A", "<a>").replace("B", "<b>").replace("1", "one ").replace("2", "two ")
)


def shown(before: str, after: str) -> ShownDiff:
    return shown_diff(compare(before, after), *(cut(text, TOKENS, {"<a>": "user"}) for text in (before, after)))


def marked(side: ShownSide) -> list[tuple[str, str]]:
    return [(side.text[each.start : each.end], each.role) for each in side.marks]


def test_each_side_has_its_marks_and_both_in_one_have_all() -> None:
    found = shown("<a>the old word<b>", "<a>the new word!<b>")
    assert marked(found.one) == [("<a>", "user"), ("old", "removed"), ("<b>", "user")]
    assert marked(found.other) == [("<a>", "user"), ("new", "added"), ("!", "added"), ("<b>", "user")]
    assert found.both.text == "<a>the oldnew word!<b>"
    assert marked(found.both) == [
        ("<a>", "user"),
        ("old", "removed"),
        ("new", "added"),
        ("!", "added"),
        ("<b>", "user"),
    ]
    assert found.one.changes == ((7, 10), (15, 15))
    assert found.both.changes == ((7, 13), (18, 19))


def test_characters_inside_a_change() -> None:
    found = shown("effort=low", "effort=slow")
    assert [found.other.text[slice(*each)] for each in found.other.inside] == ["s"]
    assert found.one.inside == ()
    assert [found.both.text[slice(*each)] for each in found.both.inside] == ["s"]


@given(TEXTS, TEXTS)
def test_marks_are_in_order_and_places_go_across(before: str, after: str) -> None:
    found = shown(before, after)
    for side in (found.one, found.other, found.both):
        assert all(one.end <= two.start for one, two in pairwise(side.marks))
        assert all(0 <= each.start < each.end <= len(side.text) for each in side.marks)
    assert len(found.one.changes) == len(found.other.changes) == len(found.both.changes)
    for position in range(len(before) + 1):
        there = found.across(position)
        assert 0 <= there <= len(after)
        if not any(start <= position < end for start, end in found.one.changes):
            assert (
                before[position : position + 1] == after[there : there + 1]
                or found.across(there, back=True) != position
            )
