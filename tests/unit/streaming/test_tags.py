"""Sets of marks and what must wait for more text."""

from hypothesis import given
from hypothesis import strategies as st

from thinkpane.streaming.tags import Marks

MARKS = Marks(("<a>", "<ab>", "[x"))


def test_the_longest_mark_is_found() -> None:
    assert MARKS.at_start("<ab>c") == "<ab>"
    assert MARKS.at_start("c<ab>") == ""


def test_what_may_become_a_mark() -> None:
    assert [MARKS.may_become(text) for text in ("<", "<a", "[", "<a>", "b", "")] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]


def test_a_set_of_none_finds_nothing() -> None:
    none = Marks(())
    assert none.pattern.search("<a>") is None
    assert none.held_from("<") == 1


@given(st.text("<ab>[x", max_size=12))
def test_held_text_is_exactly_what_may_become_a_mark(text: str) -> None:
    at = MARKS.held_from(text)
    assert at == len(text) or MARKS.may_become(text[at:])
    assert not any(MARKS.may_become(text[earlier:]) for earlier in range(at))
