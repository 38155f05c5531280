"""What stays selected when the text changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.ui.widgets.text_change import Change
from thinkpane.ui.widgets.text_selection import Selection

OLD = "abcdefghij"
PLACES = st.integers(0, len(OLD))


def new(change: Change) -> str:
    return OLD[: change.start] + change.text + OLD[change.end :]


@pytest.mark.parametrize(
    "change", [Change(0, 10, "XYZ"), Change(10, 10, "more"), Change(0, 0, "X"), Change(3, 5, ""), Change(0, 10, "")]
)
@pytest.mark.parametrize("backwards", [False, True])
def test_all_of_a_text_stays_all_of_it(change: Change, backwards: bool) -> None:
    found = (Selection(10, 0) if backwards else Selection(0, 10)).after(change, 10)
    assert (found.start, found.end) == (0, len(new(change)))
    assert found.anchor == (len(new(change)) if backwards else 0)


@pytest.mark.parametrize(
    ("change", "left"),
    [
        (Change(0, 2, "XYZ"), "defg"),
        (Change(3, 3, "X"), "defg"),
        (Change(7, 7, "X"), "defg"),
        (Change(5, 5, "X"), "deXfg"),
        (Change(4, 6, ""), "dg"),
        (Change(2, 5, "XX"), "fg"),
        (Change(5, 9, "XX"), "de"),
        (Change(3, 5, "X"), "fg"),
        (Change(5, 7, "X"), "de"),
        (Change(3, 7, "X"), ""),
        (Change(0, 10, "other words"), ""),
    ],
)
def test_what_is_left_of_the_selected_text_stays_selected(change: Change, left: str) -> None:
    assert OLD[3:7] == "defg"
    for selection in (Selection(3, 7), Selection(7, 3)):
        found = selection.after(change, 10)
        assert new(change)[found.start : found.end] == left
        assert not left or (found.anchor < found.caret) is (selection.anchor < selection.caret)


@given(PLACES, PLACES, PLACES, PLACES, st.text("XY", max_size=4))
def test_only_what_was_selected_or_stands_in_its_middle_is(one: int, two: int, start: int, end: int, text: str) -> None:
    change = Change(min(start, end), max(start, end), text)
    before = Selection(one, two)
    found = before.after(change, 10)
    after = new(change)
    assert 0 <= found.start <= found.end <= len(after)
    selected = after[found.start : found.end]
    kept = "".join(
        each for at, each in enumerate(OLD) if before.start <= at < before.end and not change.start <= at < change.end
    )
    assert selected.replace("X", "").replace("Y", "") == kept
    is_all = before.end - before.start == 10
    assert selected == (after if is_all else selected.strip("XY"))


def test_a_caret_moves_with_the_text_around_it() -> None:
    assert Selection(5, 5).after(Change(1, 2, "XYZ"), 10) == Selection(7, 7)
