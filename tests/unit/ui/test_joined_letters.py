"""Where letters are joined, so that a format may not begin there."""

import pytest

from thinkpane.ui.models.joined_letters import Joins


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("abc", []),
        ("مرحبا", [1, 2, 3, 4]),
        ("ab مر", [4]),
        ("مر ab", [1]),
        ("مر، 12 ٣٤", [1]),
        ("שלום", []),
        ("漢字かな", []),
        ("हिन्दी", [1, 2, 3, 4, 5]),
        ("م\u200dم", [1, 2]),
        ("😀مر😀", [3]),
        ("\U0001e900\U0001e901", [2]),
        ("สวัสดี", []),
        ("", []),
    ],
)
def test_letters_of_scripts_that_join_are_joined(text: str, joined: list[int]) -> None:
    found = Joins(text)
    units = len(text.encode("utf-16-le")) // 2
    assert [unit for unit in range(units + 1) if found.at(unit)] == joined
