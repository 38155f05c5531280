"""What two texts have in common at their ends."""

from hypothesis import given
from hypothesis import strategies as st

from thinkpane.tokens.changes import Change, change_between

LETTERS = st.text(alphabet="ab", max_size=12)


@given(LETTERS, LETTERS, LETTERS, LETTERS)
def test_the_stretch_between_makes_the_one_of_the_other(start: str, old: str, new: str, end: str) -> None:
    first, second = start + old + end, start + new + end
    change = change_between(first, second)
    put = second[change.before : len(second) - change.after]
    assert first[: change.before] + put + first[len(first) - change.after :] == second
    assert change.before >= len(start)
    assert change.before + change.after <= min(len(first), len(second))


def test_large_texts_are_compared_in_blocks() -> None:
    text = "ab" * 200_000 + "\U0001f642" + "c" * 150_001
    assert change_between(text, text) == Change(len(text), 0)
    assert change_between(text, text.replace("\U0001f642", "xyz")) == Change(400_000, 150_001)
