"""The parts of the text view that need no window: lines, shown characters, changes, marks, finding, caret moves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from thinkpane.ui.models.text_pages import PAGE
from thinkpane.ui.widgets import text_selection as moves
from thinkpane.ui.widgets.text_change import Change, change_between
from thinkpane.ui.widgets.text_lines import LONGEST, Piece, TextLines
from thinkpane.ui.widgets.text_marks import Mark, Marks
from thinkpane.ui.widgets.text_shown import MOST_MARKS, shown
from thinkpane.ui.widgets.text_view import TextView

ANY = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)
LONG_LINES = (
    "",
    "\n",
    "a\n",
    "x" * LONGEST,
    "x" * LONGEST + "\n",
    "x" * (2 * LONGEST + 1) + "\n\ny",
    "\n" * (2 * PAGE),
    "ab\n" * PAGE,
    "é" * (3 * PAGE) + "\nz",
)


def pieces(lines: TextLines) -> list[Piece]:
    found = [lines.piece_at(0)]
    while (after := lines.next_piece(found[-1])) is not None:
        found.append(after)
    return found


@pytest.mark.parametrize("text", LONG_LINES)
def test_pieces_make_up_the_text_and_none_is_longer_than_allowed(text: str) -> None:
    lines = TextLines(text)
    found = pieces(lines)
    assert "".join(text[each.start : each.end] + "\n" * each.newline for each in found) == text
    assert max(each.end - each.start for each in found) <= LONGEST


@pytest.mark.parametrize("text", LONG_LINES)
def test_walking_back_meets_the_same_pieces(text: str) -> None:
    lines = TextLines(text)
    forward = pieces(lines)
    back = [forward[-1]]
    while (before := lines.previous_piece(back[-1])) is not None:
        back.append(before)
    assert back[::-1] == forward
    assert all(lines.piece_at(each.start) == each for each in forward)


@given(ANY, ANY, st.integers(0, 60), st.integers(0, 60))
def test_a_replaced_text_has_the_lines_of_the_new_text(text: str, new: str, start: int, length: int) -> None:
    start = min(start, len(text))
    end = min(start + length, len(text))
    lines = TextLines(text)
    lines.replace(start, end, new)
    assert lines.text == text[:start] + new + text[end:]
    assert lines.line_count() == lines.text.count("\n") + 1


def test_line_numbers_count_newlines_across_pages() -> None:
    text = "word\n" * PAGE
    lines = TextLines()
    for start in range(0, len(text), 1000):
        lines.replace(start, start, text[start : start + 1000])
    assert lines.text == text
    assert [lines.line_number(at) for at in (0, 4, 5, 5 * 7777, len(text))] == [1, 1, 2, 7778, PAGE + 1]


def test_estimated_rows_become_exact_and_map_back_to_their_piece() -> None:
    lines = TextLines("short\n" + "x" * 200 + "\nlast")
    lines.set_columns(80)
    first, middle, last = pieces(lines)
    lines.learn(middle, 7)
    assert lines.row_count() == 9
    assert [lines.rows_before(each) for each in (first, middle, last)] == [0, 1, 8]
    assert lines.piece_at_row(7) == (middle, 6)
    assert lines.piece_at_row(8) == (last, 0)
    assert lines.piece_at_row(99) == (last, 0)


@given(ANY)
def test_every_code_point_is_shown_in_order_and_maps_both_ways(text: str) -> None:
    piece = text.replace("\n", "")
    found = shown(piece, invisible=True)
    units = [found.unit(offset) for offset in range(len(piece) + 1)]
    assert units == sorted(units)
    assert units[-1] == len(found.text.encode("utf-16-le")) // 2
    assert all(found.unit(found.offset(unit)) <= unit for unit in range(units[-1]))


@pytest.mark.parametrize(
    ("character", "drawn"),
    [
        ("\x00", "\\0"),
        ("\x1b", "\\x1B"),
        ("\r", "\\r"),
        ("\u202e", "\\u202E"),
        ("\u200b", "\\u200B"),
        ("\u2028", "\\u2028"),
        ("\ufeff", "\\uFEFF"),
        ("\ud800", "\\uD800"),
        ("\U000e0041", "\\U000E0041"),
        ("\u200d", "\\u200D"),
    ],
)
def test_what_hides_or_misleads_is_always_shown(character: str, drawn: str) -> None:
    found = shown(f"a{character}b")
    assert found.text == f"a{drawn}b"
    assert found.escapes == ((1, 1 + len(drawn)),)
    assert [found.nearest(unit) for unit in (0, 1, 1 + len(drawn))] == [0, 1, 2]


def test_joiners_of_emoji_and_no_break_spaces_are_shown_on_demand_only() -> None:
    assert shown("👩\u200d👧\u00a0").text == "👩\u200d👧\u00a0"
    assert shown("👩\u200d👧\u00a0", invisible=True).text == "👩\\u200D👧⍽"


def test_a_bomb_of_combining_marks_is_told_as_a_count() -> None:
    found = shown("a" + "\u0301" * 1000 + "z")
    assert found.text == "a" + "\u0301" * MOST_MARKS + f"+{1000 - MOST_MARKS} marksz"
    assert found.offset(found.unit(1001)) == 1001
    assert found.nearest(found.unit(500)) == 1 + MOST_MARKS


def test_marks_without_a_letter_are_escaped_each_and_once() -> None:
    lonely = "\u0301" * (MOST_MARKS + 2)
    assert shown("\u200b" + lonely + "z").text == "\\u200B" + "\\u0301" * len(lonely) + "z"


@given(ANY, ANY)
def test_a_change_turns_the_old_text_into_the_new(old: str, new: str) -> None:
    change = change_between(old, new)
    assert old[: change.start] + change.text + old[change.end :] == new


@given(ANY, ANY, ANY, st.integers(0, 200))
def test_positions_outside_a_change_keep_their_character(head: str, tail: str, new: str, at: int) -> None:
    old = head + "middle" + tail
    change = change_between(old, head + new + tail)
    position = min(at, len(old) - 1)
    if not change.start <= position < change.end:
        assert (head + new + tail)[change.moved(position)] == old[position]


def test_marks_are_found_by_position_and_by_stretch() -> None:
    marks = Marks([Mark(2, 4, "token", "user"), Mark(4, 9, "text", "user"), Mark(12, 13, "token")])
    assert [marks.at(at) and marks.at(at).start for at in (0, 2, 3, 4, 9, 12)] == [None, 2, 2, 4, None, 12]  # type: ignore[union-attr]
    assert [mark.start for mark in marks.between(3, 12)] == [2, 4]
    assert [mark.start for mark in marks.between(9, 12)] == []


@given(ANY)
def test_the_caret_walks_through_any_text_and_back(text: str) -> None:
    view = TextView("walked")
    view.set_text(text)
    forward = [moves.Selection()]
    while forward[-1].caret < len(text):
        forward.append(moves.next_character(view.rows, forward[-1]))
        assert forward[-1].caret > forward[-2].caret
    back = [forward[-1]]
    while back[-1].caret > 0:
        back.append(moves.previous_character(view.rows, back[-1]))
        assert back[-1].caret < back[-2].caret
    view.deleteLater()


@pytest.mark.usefixtures("qapp")
def test_words_are_walked_both_ways() -> None:
    view = TextView("walked")
    view.set_text("one, two_3  x\nvier")
    at = moves.Selection()
    forward = []
    while at.caret < len(view.text):
        at = moves.next_word(view.rows, at)
        forward.append(at.caret)
    back = []
    while at.caret:
        at = moves.previous_word(view.rows, at)
        back.append(at.caret)
    assert forward == [3, 5, 12, 14, 18]
    assert back == [14, 12, 5, 3, 0]


def test_a_word_a_token_and_a_line_are_taken_whole(qtbot: QtBot) -> None:
    view = TextView("picked")
    qtbot.addWidget(view)
    view.set_text("<|user|>Hi there\nyou", [Mark(0, 8, "token", "user")])
    assert (moves.word_at(view.rows, 3).start, moves.word_at(view.rows, 3).end) == (0, 8)
    assert (moves.word_at(view.rows, 12).start, moves.word_at(view.rows, 12).end) == (11, 16)
    assert (moves.line_at(view.rows, 12).start, moves.line_at(view.rows, 12).end) == (0, 17)


def test_adding_to_a_long_line_keeps_what_is_laid_out_before(qtbot: QtBot) -> None:
    view = TextView("Text")
    qtbot.addWidget(view)
    view.resize(400, 300)
    view.set_text("x" * 4 * LONGEST + "y" * 500)
    for at in range(0, 4 * LONGEST + 1, LONGEST):
        view.rows.place_of(at)
    before = view.rows.laid_pieces
    view.rows.replace(Change(len(view.text), len(view.text), "z"))
    assert view.rows.laid_pieces == before - 1, "all but the last piece"
    assert view.text.endswith("yz")
