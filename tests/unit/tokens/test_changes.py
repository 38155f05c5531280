"""What two texts have in common at their ends."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.tokens import changes
from thinkpane.tokens.changes import Blocks, Change, change_between, change_of_chunks

LETTERS = st.text(alphabet="ab", max_size=12)


@given(LETTERS, LETTERS, LETTERS, LETTERS)
def test_the_stretch_between_makes_the_one_of_the_other(start: str, old: str, new: str, end: str) -> None:
    first, second = start + old + end, start + new + end
    change = change_between(first, second)
    put = second[change.before : len(second) - change.after]
    assert first[: change.before] + put + first[len(first) - change.after :] == second
    assert change.before >= len(start)
    assert change.before + change.after <= min(len(first), len(second))


PARTS = st.lists(st.text(alphabet="ab\U0001f642", max_size=4), max_size=8)


@given(PARTS, PARTS, PARTS, PARTS)
def test_parts_differ_as_the_texts_that_they_make(
    start: list[str], old: list[str], new: list[str], end: list[str]
) -> None:
    first, second = [*start, *old, *end], [*start, *new, *end]
    assert change_of_chunks(first, second, len("".join(second))) == change_between("".join(first), "".join(second))


def test_large_texts_are_compared_in_blocks() -> None:
    text = "ab" * 200_000 + "\U0001f642" + "c" * 150_001
    assert change_between(text, text) == Change(len(text), 0)
    assert change_between(text, text.replace("\U0001f642", "xyz")) == Change(400_000, 150_001)


def test_blocks_follow_a_text_through_its_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "BLOCK", 16)
    chance = random.Random(6)
    text = "".join(chance.choice("ab\U0001f642") for _ in range(200))
    blocks = Blocks(text)
    for _ in range(500):
        at, gone = chance.randrange(len(text) + 1), chance.choice([0, 0, 1, 5, 40])
        new = (
            text[:at] + "".join(chance.choice("ab") for _ in range(chance.choice([0, 1, 1, 7, 60]))) + text[at + gone :]
        )
        change = blocks.change_to(new)
        assert change == change_between(text, new)
        assert text[: change.before] == new[: change.before]
        assert text[len(text) - change.after :] == new[len(new) - change.after :]
        blocks = blocks.changed(change, new)
        text = new
    assert blocks.change_to(text) == Change(len(text), 0)
    assert len(blocks._parts) <= 2 * (len(text) // 16) + 8
