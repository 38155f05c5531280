"""Lines, pieces and pages of a text stay what they would be if it were read anew, whatever is edited."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thinkpane.ui.models.text_cuts import cut_before
from thinkpane.ui.models.text_pages import PAGE
from thinkpane.ui.widgets.text_change import change_between
from thinkpane.ui.widgets.text_lines import LONGEST, Piece, TextLines

TEXTS = {
    "none": "",
    "lines": "a line\n" * 9_000,
    "a line": "x" * 70_000,
    "newlines": "\n" * 50_000,
    "words": "words in one line " * 4_000 + "\nand one more\n",
    "short": "short",
}
NEW = {"lines": "lines\n" * 5_000, "a line": "y" * 9_000}
UNHURRIED = settings(deadline=None, max_examples=40)
START = st.sampled_from([*TEXTS])
EDITS = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.sampled_from([0, 1, 7, 3_000, 40_000]),
        st.sampled_from(["", "\n", "x", "🇦🇹", "e\u0301", *NEW]),
    ),
    max_size=5,
)


def pieces(lines: TextLines) -> list[Piece]:
    found = [lines.piece_at(0)]
    while (after := lines.next_piece(found[-1])) is not None:
        found.append(after)
    return found


@UNHURRIED
@given(START, EDITS)
def test_an_edited_text_is_as_if_read_anew(name: str, edits: list[tuple[float, int, str]]) -> None:
    text = TEXTS[name]
    lines = TextLines(text)
    for share, removed, named in edits:
        new = NEW.get(named, named)
        start = round(share * len(text))
        end = min(start + removed, len(text))
        lines.learn(lines.piece_at(start), 3)
        text = text[:start] + new + text[end:]
        lines.replace(start, end, new, text)
    fresh = TextLines(text)
    assert lines.text == text
    assert lines.line_count() == fresh.line_count() == text.count("\n") + 1
    assert pieces(lines) == pieces(fresh)
    for position in {0, len(text) // 3, len(text) // 2, len(text)}:
        assert lines.line_number(position) == text.count("\n", 0, position) + 1
        assert lines.piece_at(position) == fresh.piece_at(position)
        assert 0 <= lines.rows_before(lines.piece_at(position)) <= lines.row_count()
    positions, rows = lines.knots()
    assert (positions[0], positions[-1]) == (0, len(text))
    assert all(one <= other for one, other in [*pairwise(positions), *pairwise(rows)])


@UNHURRIED
@given(START, EDITS)
def test_every_row_leads_to_a_piece_that_lies_there(name: str, edits: list[tuple[float, int, str]]) -> None:
    text = TEXTS[name]
    lines = TextLines(text)
    for share, removed, named in edits:
        new = NEW.get(named, named)
        start = round(share * len(lines))
        lines.replace(start, min(start + removed, len(lines)), new)
    for row in range(0, lines.row_count(), max(lines.row_count() // 7, 1)):
        piece, within = lines.piece_at_row(row)
        assert lines.rows_before(piece) + within <= row
        assert piece == lines.piece_at(piece.start)


def test_what_was_learned_far_from_an_edit_is_kept() -> None:
    lines = TextLines("one line\n" * 20_000)
    far = lines.piece_at(9 * 15_000)
    before = lines.row_count()
    lines.learn(far, 11)
    learned = lines.row_count()
    assert learned > before
    lines.replace(4, 4, "x")
    assert lines.row_count() == learned
    assert lines.rows_before(lines.piece_at(9 * 15_000 + 10)) - lines.rows_before(far.moved(1)) == 11


def test_pages_stay_of_one_size_under_many_small_edits() -> None:
    lines = TextLines("words\n" * 30_000)
    for number in range(400):
        lines.replace(number * 300 % len(lines), number * 300 % len(lines) + 200, "")
    lengths = [page.length for page in lines._pages.pages]
    assert sum(lengths) == len(lines)
    assert max(lengths) <= 2 * PAGE
    assert len(lengths) <= 2 * len(lines) // PAGE + 2


CLUSTERS = ["e\u0301", "👩\u200d💻", "🇦🇹", "👍🏽", "❤\ufe0f", "각", "g\u0308\u0301", "x"]


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_a_long_line_is_never_cut_inside_what_is_drawn_as_one(cluster: str) -> None:
    text = cluster * (3 * LONGEST // len(cluster) + 5)
    starts = [piece.start for piece in pieces(TextLines(text))]
    assert len(starts) > 2
    assert all(start % len(cluster) == 0 for start in starts)


def test_a_long_line_is_cut_behind_a_blank_where_there_is_one() -> None:
    text = "some words in a line " * 1_000
    assert all(text[piece.start - 1] == " " for piece in pieces(TextLines(text))[1:])
    assert cut_before("x" * 200, 100) == 100


@given(st.text(st.sampled_from("a\u0301\u200d🇦🏽한ᆨ \n"), min_size=2, max_size=300), st.integers(1, 299))
def test_a_cut_lies_near_and_inside(text: str, position: int) -> None:
    position = min(position, len(text) - 1)
    assert position - 96 <= cut_before(text, position) <= position
    assert cut_before(text, position) > 0


def test_the_change_between_two_texts_is_the_one_that_was_made() -> None:
    old = "line of text\n" * 30_000
    new = old[:200_000] + "inserted" + old[200_003:]
    change = change_between(old, new)
    assert old[: change.start] + change.text + old[change.end :] == new
    assert len(change.text) <= 9


KEYS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 3), st.sampled_from(["", "x", "\n", "ab c", "y" * 5_000])))


def rows(lines: TextLines) -> list[tuple[int, int]]:
    """Where each piece begins and how many rows lie above it, once every page was looked into."""
    all_pieces = pieces(lines)
    for each in all_pieces:
        lines.rows_before(each)
    return [(each.start, lines.rows_before(each)) for each in all_pieces]


@UNHURRIED
@given(st.integers(0, 120), KEYS)
def test_keys_in_an_opened_page_leave_what_reading_anew_gives(width: int, keys: list[tuple[float, int, str]]) -> None:
    text = "\n".join("words " * (number % 40) + "w" * (number % 7 * width) for number in range(600))
    lines = TextLines(text)
    for share, removed, new in keys:
        start = round(share * len(text))
        end = min(start + removed, len(text))
        lines.rows_before(lines.piece_at(start))
        text = text[:start] + new + text[end:]
        lines.replace(start, end, new, text)
        assert lines.line_number(len(text)) == text.count("\n") + 1
    fresh = TextLines(text)
    assert rows(lines) == rows(fresh)
    assert lines.row_count() == fresh.row_count()
