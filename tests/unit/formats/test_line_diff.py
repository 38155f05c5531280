"""The difference by lines tells both texts, exactly."""

from hypothesis import given
from hypothesis import strategies as st

from thinkpane.formats.line_diff import DiffLine, counts, line_diff

LINES = st.lists(st.sampled_from(["a", "b", "ab", "\u2028", "\r", "é c", ""]), max_size=12).map("\n".join)


def test_equal_texts_have_none() -> None:
    assert line_diff("a\nb", "a\nb") == []


def test_changed_stretch_and_gaps() -> None:
    old = "\n".join(map(str, range(1, 21)))
    found = line_diff(old, old.replace("\n10\n", "\n1x0\n"), context=1)
    assert found == [
        DiffLine("gap", skipped=8),
        DiffLine("same", "9", 9, 9),
        DiffLine("old", "10", 10, None, (1, 1)),
        DiffLine("new", "1x0", None, 10, (1, 2)),
        DiffLine("same", "11", 11, 11),
        DiffLine("gap", skipped=9),
    ]
    assert counts(found) == (1, 1)


@given(LINES, LINES)
def test_both_texts_are_in_it(old: str, new: str) -> None:
    found = line_diff(old, new, context=99)
    if old == new:
        return
    for text, number in ((old, "old"), (new, "new")):
        lines = [each for each in found if getattr(each, number) is not None]
        assert "\n".join(each.text for each in lines) == text
        assert [getattr(each, number) for each in lines] == list(range(1, len(lines) + 1))
    for each in found:
        if each.changed is not None:
            assert 0 <= each.changed[0] <= each.changed[1] <= len(each.text)


@given(LINES, LINES)
def test_folding_loses_no_change(old: str, new: str) -> None:
    whole, folded = line_diff(old, new, context=99), line_diff(old, new, context=0)
    assert counts(whole) == counts(folded)
    assert sum(each.skipped for each in folded) == sum(each.kind == "same" for each in whole)


def test_very_many_changes_are_one_piece() -> None:
    found = line_diff("\n".join("a" * 5000), "\n".join("b" * 5001))
    assert counts(found) == (5001, 5000)


def test_lines_that_stand_everywhere_are_no_burden() -> None:
    # With each blank line compared with every other one, this took more than a minute.
    old, new = ("\n\n".join(f"{word} {number}" for number in range(1000)) for word in ("ebb", "flow"))
    found = line_diff(old, new, context=2000)
    assert "\n".join(each.text for each in found if each.old is not None) == old
    assert "\n".join(each.text for each in found if each.new is not None) == new
