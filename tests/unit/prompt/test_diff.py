"""What changed between two prompts."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.prompt.diff import Piece, changed_characters, common_end, common_start, compare, diff
from thinkpane.prompt.diff_units import PlacedTokens

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
    started = time.thread_time()  # what the machine does besides does not count
    assert [each for each in told(before, after) if each[0] != "same"] == [("added", "ebb ")]
    # What stands everywhere, as blank lines and spaces do, made each comparison the dearest one.
    for between in ("\n\n", " "):
        one, two = (between.join(f"{word}{number}" for number in range(9_999)) for word in ("ebb", "flow"))
        assert "".join(text for kind, text in told(one, two) if kind != "added") == one
    assert time.thread_time() - started < 20


def test_changes_say_where_they_are_and_how_many_tokens_they_have() -> None:
    found = compare("say the old word\nend", "say the brand new word\nend")
    assert [(each.before, each.after, each.removed, each.added) for each in found.changes] == [((8, 11), (8, 17), 3, 9)]
    assert (found.removed, found.added, found.exact, found.is_coarse) == (3, 9, False, False)


def test_tokens_are_compared_where_both_are_known() -> None:
    one, other = "ab ac", "ab ad"
    units = (PlacedTokens(text, ids, [0, 3]) for text, ids in ((one, [1, 2]), (other, [1, 3])))
    found = compare(one, other, *units)
    assert found.exact
    assert [(each.before, each.after, each.removed, each.added) for each in found.changes] == [((3, 5), (3, 5), 1, 1)]
    assert found.inside(found.changes[0]) == ([(4, 5)], [(4, 5)])


def test_characters_inside_a_change() -> None:
    found = compare("x effort=low y", "x effort=slower y")
    (change,) = found.changes
    before, after = found.inside(change)
    assert before == []
    assert [found.after[start:end] for start, end in after] == ["s", "er"]
    long = compare("a" * 3_000, "b" * 10)
    assert long.inside(long.changes[0]) == ([(0, 3_000)], [(0, 10)])


@given(TEXTS, TEXTS)
def test_characters_inside_are_in_the_change(before: str, after: str) -> None:
    found = compare(before, after)
    for change in found.changes:
        for part, whole in zip(found.inside(change), (change.before, change.after), strict=True):
            assert all(whole[0] <= start < end <= whole[1] for start, end in part)


def test_what_is_too_much_is_coarse_and_exact_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thinkpane.prompt.diff.CHARACTERS_CUT", 100)
    before, after = "same\n" + "old words here\n" * 20, "same\n" + "new words here\n" * 20
    found = compare(before, after)
    assert found.is_coarse
    assert "".join(piece.text for piece in found.pieces() if piece.kind != "added") == before
    assert "".join(piece.text for piece in found.pieces() if piece.kind != "removed") == after
    assert found.removed == len(before) - len("same\n")


@pytest.mark.parametrize(
    ("before", "after", "added"),
    [
        ("<|u|>a<|a|>b", "<|u|>a<|a|>b<|a|>b", "<|a|>b"),
        ("<think>", "<think></think>", "</think>"),
        ("x\nend\nx\nend\n", "x\nend\nx\nend\nx\nend\n", "x\nend\n"),
        ("<|u|>hi\n<|e|>\n<|a|>\n", "<|u|>hi\n<|e|>\n<|u|>ho\n<|e|>\n<|a|>\n", "<|u|>ho\n<|e|>\n"),
    ],
)
def test_what_came_is_told_where_it_reads_best(before: str, after: str, added: str) -> None:
    assert [each for each in told(before, after) if each[0] != "same"] == [("added", added)]


def bytes_of(text: str) -> PlacedTokens:
    """A text in single bytes, as a tokenizer without merges has it; parts of one character share its place."""
    pairs = [(byte, at) for at, character in enumerate(text) for byte in character.encode("utf-8", "surrogatepass")]
    return PlacedTokens(text, [byte for byte, _ in pairs], [at for _, at in pairs])


@given(TEXTS, TEXTS)
def test_tokens_make_up_both_texts_and_are_counted_once(before: str, after: str) -> None:
    units = bytes_of(before), bytes_of(after)
    found = compare(before, after, *units)
    pieces = list(found.pieces())
    assert "".join(piece.text for piece in pieces if piece.kind != "added") == before
    assert "".join(piece.text for piece in pieces if piece.kind != "removed") == after
    sizes = [each.count(0, len(text)) for each, text in zip(units, (before, after), strict=True)]
    assert sizes[0] - found.removed == sizes[1] - found.added
