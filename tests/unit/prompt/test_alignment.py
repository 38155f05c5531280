"""Alignment of two sequences: exact, with few edits, and bounded."""

from array import array

from hypothesis import given
from hypothesis import strategies as st

from thinkpane.prompt.alignment import Effort, Gap, gaps_of

ITEMS = st.lists(st.integers(0, 4), max_size=60) | st.lists(st.integers(0, 60), max_size=80)
PLENTY = 1_000_000


def found(one: list[int], other: list[int], effort: int = PLENTY, most: int = 1000) -> list[Gap]:
    return gaps_of(array("I", one), array("I", other), Effort(effort), most)


def is_exact(one: list[int], other: list[int], gaps: list[Gap]) -> bool:
    """True where all that is not in a gap is equal, and no gap is empty."""
    at = other_at = 0
    for gap in [*gaps, Gap(len(one), len(one), len(other), len(other))]:
        if one[at : gap.start] != other[other_at : gap.other_start]:
            return False
        at, other_at = gap.end, gap.other_end
    return all(gap.start < gap.end or gap.other_start < gap.other_end for gap in gaps)


@given(ITEMS, ITEMS, st.integers(0, 200))
def test_what_is_in_no_gap_is_equal_whatever_the_effort(one: list[int], other: list[int], effort: int) -> None:
    assert is_exact(one, other, found(one, other))
    assert is_exact(one, other, found(one, other, effort))
    assert is_exact(one, other, found(one, other, most=2))
    assert len(found(one, other, most=2)) <= 2


@given(ITEMS)
def test_an_edit_is_found(items: list[int]) -> None:
    middle = len(items) // 2
    assert found(items, items) == []
    assert found(items, [*items[:middle], 99, *items[middle:]]) == [Gap(middle, middle, middle, middle + 1)]
    assert found([*items[:middle], 99, *items[middle:]], items) == [Gap(middle, middle + 1, middle, middle)]


@given(st.lists(st.integers(0, 2), max_size=20), st.lists(st.integers(0, 2), max_size=19))
def test_short_ones_have_the_fewest_edits(one: list[int], other: list[int]) -> None:
    gaps = found(one, other)
    edits = sum(gap.end - gap.start + gap.other_end - gap.other_start for gap in gaps)
    assert edits == len(one) + len(other) - 2 * longest_common(one, other)
    assert not any(gap.coarse for gap in gaps)


def longest_common(one: list[int], other: list[int]) -> int:
    """The length of the longest common subsequence, by the textbook table."""
    row = [0] * (len(other) + 1)
    for item in one:
        before = row
        row = [0]
        for at, each in enumerate(other):
            row.append(before[at] + 1 if each == item else max(before[at + 1], row[at]))
    return row[-1]


def test_rare_items_are_anchors() -> None:
    one = [0, 0, 0, 7, *[1, 2] * 30, 8, 0, 0]
    other = [0, 7, *[1, 2] * 29, 3, 2, 8, 0]
    gaps = found(one, other)
    assert is_exact(one, other, gaps)
    assert len(gaps) <= 4
    assert sum(gap.other_end - gap.other_start for gap in gaps) == 1


def test_runs_are_anchors_where_no_item_is_rare() -> None:
    blocks = [[0, 1, 2, 3], [3, 0, 2, 1], [2, 2, 1, 0], [1, 3, 3, 2], [0, 0, 3, 1]]
    one = [item for block in blocks for item in [*block, *[0, 1] * 300]]
    other = [item for block in blocks for item in [*block, *[1, 0] * 310]]
    gaps = found(one, other)
    assert is_exact(one, other, gaps)
    assert len(gaps) > 1


def test_what_costs_too_much_is_one_coarse_gap() -> None:
    one, other = [0, 1] * 4_000, [0, 0, 1] * 3_000
    gaps = found(one, other, effort=20_000)
    assert is_exact(one, other, gaps)
    assert any(gap.coarse for gap in gaps)
    assert len(gaps) <= 2


def test_the_rest_is_one_gap_where_there_are_too_many() -> None:
    one = list(range(3_000))
    other = [item if item % 3 else 10_000 + item for item in one]
    gaps = found(one, other, most=10)
    assert is_exact(one, other, gaps)
    assert len(gaps) == 10
    assert [gap.coarse for gap in gaps] == [False] * 9 + [True]
