"""Numbers that an edit moves."""

from array import array

from hypothesis import given
from hypothesis import strategies as st

from thinkpane.tokens.ids import moved


@given(st.lists(st.integers(0, 2**32 - 1), max_size=40), st.integers(-(2**32) + 1, 2**32 - 1))
def test_all_numbers_are_moved_alike(numbers: list[int], by: int) -> None:
    by = max(by, -min(numbers, default=0))
    by = min(by, 2**32 - 1 - max(numbers, default=0))
    assert moved(array("I", numbers), by).tolist() == [each + by for each in numbers]
