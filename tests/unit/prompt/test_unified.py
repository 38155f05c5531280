"""Differences by whole lines."""

from hypothesis import given
from hypothesis import strategies as st

from thinkpane.prompt.diff import compare
from thinkpane.prompt.unified import blocks, line_numbers, lines_around

TEXTS = st.text(alphabet="ab \n", max_size=50)


def told(before: str, after: str) -> list[tuple[str, str]]:
    found = compare(before, after)
    return [(before[slice(*each.before)], after[slice(*each.after)]) for each in blocks(found)]


def test_changes_are_widened_to_lines() -> None:
    assert told("a\nb old c\nd\n", "a\nb new c\nd\n") == [("b old c\n", "b new c\n")]
    assert told("a\nb\n", "a\nx\nb\n") == [("", "x\n")]
    assert told("ab", "ab cd") == [("ab", "ab cd")]
    assert told("one x two y\nz", "one p two q\nz") == [("one x two y\n", "one p two q\n")]
    assert told("same", "same") == []


@given(TEXTS, TEXTS)
def test_blocks_are_whole_lines_and_the_rest_is_the_same(before: str, after: str) -> None:
    found = compare(before, after)
    at = other_at = 0
    for block in blocks(found):
        assert before[at : block.before[0]] == after[other_at : block.after[0]]
        for text, (start, end) in ((before, block.before), (after, block.after)):
            assert start == 0 or text[start - 1] == "\n"
            assert end in (start, len(text)) or text[end - 1] == "\n"
        at, other_at = block.before[1], block.after[1]
    assert before[at:] == after[other_at:]
    assert [change for block in blocks(found) for change in block.changes] == list(found.changes)


def test_lines_around_and_their_numbers() -> None:
    text = "1\n2\n3\n4\n5"
    assert lines_around(text, 4, 6, 1) == (2, 8)
    assert lines_around(text, 4, 6, 9) == (0, 9)
    assert line_numbers(text, [0, 4, 8]) == [1, 3, 5]
