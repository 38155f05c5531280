"""How much two texts differ: right by construction, and never slow."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.analysis.text_change import TextChange, text_change


@pytest.mark.parametrize(
    ("before", "after", "added", "removed", "words"),
    [
        ("same", "same", 0, 0, "no change"),
        ("ab", "aXXb", 2, 0, "+2 characters"),
        ("aXb", "ab", 0, 1, "−1 character"),
        ("one two three", "one four three", 4, 3, "+4 −3 characters"),
        ("head middle tail", "HEAD middle TAIL", 8, 8, "+8 −8 characters"),
        ("aa", "aaa", 1, 0, "+1 character"),
    ],
)
def test_changes(before: str, after: str, added: int, removed: int, words: str) -> None:
    found = text_change(before, after)
    assert found == TextChange(added, removed)
    assert found.words == words


@given(st.text(), st.text())
def test_the_balance_is_the_difference_in_length(before: str, after: str) -> None:
    found = text_change(before, after)
    assert found.added - found.removed == len(after) - len(before)
    assert found.removed <= len(before)
    assert (found == TextChange()) == (before == after)


def test_long_texts_are_counted_by_lines_and_longer_ones_as_a_whole() -> None:
    lines = [f"line {n} of many words\n" for n in range(2000)]
    changed = ["first\n", *lines[1:-1], "last\n"]
    assert text_change("".join(lines), "".join(changed)).added == len("first\n" + "last")
    many = "".join(f"{n}\n" for n in range(9000))
    whole = text_change(f"a{many}a", f"b{many}b")
    assert whole.added == whole.removed == len(many) + 2
