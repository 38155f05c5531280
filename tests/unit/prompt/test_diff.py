"""What changed between two prompts."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.prompt.diff import LINES_COMPARED, Piece, changed_characters, common_end, common_start, diff

TEXTS = st.text(alphabet="ab \n", max_size=60) | st.text(max_size=30)


def told(before: str, after: str) -> list[tuple[str, str]]:
    return [(piece.kind, piece.text) for piece in diff(before, after)]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", []),
        ("same", "same", [("same", "same")]),
        ("", "new", [("added", "new")]),
        ("old", "", [("removed", "old")]),
        ("a\nb\nc\n", "a\nc\n", [("same", "a\n"), ("removed", "b\n"), ("same", "c\n")]),
        ("a\nthe old word\nc", "a\nthe new word\nc", [
            ("same", "a\nthe "), ("removed", "old"), ("added", "new"), ("same", " word\nc")]),
        ("<think>", "<think>\n\n</think>", [("same", "<think>"), ("added", "\n\n</think>")]),
        ("aXbYc", "aZbWc", [("removed", "aXbYc"), ("added", "aZbWc")]),
        ("<|user|>x", "<|system|>y<|user|>x", [("added", "<|system|>y"), ("same", "<|user|>x")]),
    ],
)  # fmt: skip
def test_pieces(before: str, after: str, expected: list[tuple[str, str]]) -> None:
    assert told(before, after) == expected


@given(TEXTS, TEXTS)
def test_pieces_make_up_both_texts(before: str, after: str) -> None:
    pieces = diff(before, after)
    assert "".join(piece.text for piece in pieces if piece.kind != "added") == before
    assert "".join(piece.text for piece in pieces if piece.kind != "removed") == after
    assert all(piece.text for piece in pieces)
    assert all(one.kind != two.kind for one, two in pairwise(pieces))


@given(TEXTS, TEXTS)
def test_common_ends(one: str, other: str) -> None:
    start, end = common_start(one, other), common_end(one, other)
    assert one[:start] == other[:start]
    assert one[start : start + 1] != other[start : start + 1] or start in (len(one), len(other))
    assert one[len(one) - end :] == other[len(other) - end :]


def test_characters_that_differ_are_counted_once_a_stretch() -> None:
    pieces = (
        Piece("same", "x"),
        Piece("removed", "abc"),
        Piece("added", "de"),
        Piece("same", "y"),
        Piece("added", "z"),
    )
    assert changed_characters(pieces) == 4
    assert changed_characters(()) == 0


def test_big_texts_are_quick() -> None:
    line = "The tide turns at noon, or so they say.\n"
    before = line * 100_000
    after = before[:2_000_000] + "ebb " + before[2_000_000:]
    started = time.perf_counter()
    assert [each for each in told(before, after) if each[0] != "same"] == [("added", "ebb ")]
    every = "".join(f"{number} {line}" for number in range(LINES_COMPARED))
    other = "".join(f"{number}; {line}" for number in range(LINES_COMPARED))
    assert {kind for kind, _ in told(every, other)} <= {"same", "removed", "added"}
    # What stands everywhere, as blank lines and spaces do, made each comparison the dearest one.
    for between in ("\n\n", " "):
        one, two = (between.join(f"{word}{number}" for number in range(499)) for word in ("ebb", "flow"))
        assert "".join(text for kind, text in told(one, two) if kind != "added") == one
    assert time.perf_counter() - started < 20
