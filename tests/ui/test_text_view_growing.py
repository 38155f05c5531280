"""A text that grows at its end: its last rows alone are laid out anew, and nobody can tell."""

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from support.text_views import exposed_view
from thinkpane.formats.finding import Query
from thinkpane.ui.widgets.text_lines import LONGEST
from thinkpane.ui.widgets.text_selection import Selection, word_at
from thinkpane.ui.widgets.text_view import TextView

WORDS = "the reply goes on word by word and ends rows where they are full so that one sees them all "
PARTS = st.lists(
    st.sampled_from(
        (
            "word ",
            "a longer stretch of words, with commas. ",
            "漢字かな交じり文。「はい」、",
            "😀 👩\u200d💻 🇦🇹🇯🇵 ",
            "e\u0301\u0302x",
            "\u200b",
            "x" * 90,
            " " * 60,
            "\t",
            "\n",
            "نص عربي ",
            "नमस्ते ",
        )
    ),
    max_size=60,
)
SHARED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)


@pytest.fixture
def view(qtbot: QtBot) -> TextView:
    found = exposed_view(qtbot)
    found.set_follow(True)
    return found


@pytest.fixture
def whole(qtbot: QtBot) -> TextView:
    """Another one, which gets the same text at once."""
    return exposed_view(qtbot)


def grown(view: TextView, characters: int = 3_000) -> list[int]:
    """Lets one line grow word by word; gives where rows begin."""
    view.set_text("")
    for at in range(0, characters, 20):
        view.append((WORDS * (characters // len(WORDS) + 1))[at : at + 20])
    return row_starts(view)


def row_starts(view: TextView) -> list[int]:
    return [laid.row_start(row) for laid, row in view.rows.rows_from(view.rows.first())]


def cuts(view: TextView) -> list[int]:
    return [at for at in range(len(view.text)) if view.rows.lines.is_cut(at)]


def on_screen(view: TextView) -> QImage:
    QApplication.processEvents()
    return view.screen().grabWindow(view.winId()).toImage()


@SHARED
@given(PARTS, st.integers(1, 30))
@example(["x" * 90] * 30, 7)
@example(["漢字かな交じり文。「はい」、"] * 40, 5)
@example(["नमस्ते "] * 60, 3)
def test_rows_are_those_of_the_text_shown_at_once(view: TextView, whole: TextView, parts: list[str], size: int) -> None:
    text = "".join(parts)[: LONGEST - 1]
    view.set_text("")
    for at in range(0, len(text), size):
        view.append(text[at : at + size])
    whole.set_text(text)
    assert view.text == text
    assert row_starts(view) == row_starts(whole)


def test_only_the_last_rows_are_laid_out_anew(view: TextView) -> None:
    grown(view)
    assert len(cuts(view)) > 5
    kept = {id(laid) for laid, _row in view.rows.rows_from(view.rows.first())}
    view.append("more ")
    anew = [row for laid, row in view.rows.rows_from(view.rows.first()) if id(laid) not in kept]
    assert len(anew) <= 8


@pytest.mark.parametrize("words", [WORDS, WORDS.replace("rows", "\n"), "漢字かな交じり文。😀 "])
@pytest.mark.parametrize("gutter", [False, True])
def test_what_is_painted_bit_by_bit_is_what_is_painted_at_once(view: TextView, words: str, *, gutter: bool) -> None:
    view.set_gutter(gutter)
    view.setFocus()
    text = words * (1_400 // len(words))
    for at in range(0, len(text), 17):
        view.append(text[at : at + 17])
        if at == 17 * 20:
            view.select(10, at)
        shown = on_screen(view)
        view.viewport().update()
        assert shown == on_screen(view)


def test_scrolling_moves_what_is_in_sight_and_paints_the_rest(view: TextView) -> None:
    grown(view)
    view.select_all()
    for rows in (-3, 1, -40, 7, 39, -1):
        view.scroll_rows(rows)
        shown = on_screen(view)
        view.viewport().update()
        assert shown == on_screen(view)


def test_the_end_of_a_row_before_a_cut_is_on_that_row(view: TextView) -> None:
    starts = grown(view)
    for cut in cuts(view)[-3:]:
        row = starts[starts.index(cut) - 1]
        view.set_selection(Selection(row + 3, row + 3))
        QTest.keyClick(view, Qt.Key.Key_End)
        assert (view.selection.caret, view.selection.upstream) == (cut, True)
        QTest.keyClick(view, Qt.Key.Key_Home)
        assert view.selection.caret == row
        QTest.keyClick(view, Qt.Key.Key_Down)
        assert view.selection.caret == cut


def test_a_word_a_cut_goes_through_is_taken_whole(view: TextView) -> None:
    view.set_text("")
    for _ in range(150):
        view.append("abcdefghij")
    assert word_at(view.rows, cuts(view)[-1]) == Selection(0, 1_500)


def test_hits_and_selections_go_over_cuts(view: TextView) -> None:
    grown(view)
    cut = cuts(view)[-1]
    words = view.text[cut - 12 : cut + 12]
    view.look_for(Query(words))
    assert cut - 12 in view.hits.starts
    view.select(cut - 12, cut + 12)
    assert view.selected_text == words


def test_another_width_lays_out_the_whole_line(view: TextView, whole: TextView, qtbot: QtBot) -> None:
    grown(view)
    assert cuts(view)
    for each in (view, whole):
        each.resize(240, 240)
    whole.set_text(view.text)
    qtbot.waitUntil(lambda: view.viewport().width() == whole.viewport().width())
    assert not cuts(view)
    assert row_starts(view) == row_starts(whole)


def test_an_edit_drops_the_cuts_of_its_line_alone(view: TextView, whole: TextView) -> None:
    first = grown(view)
    view.append("\n")
    for _ in range(40):
        view.append(WORDS)
    both = cuts(view)
    end = view.text.index("\n")
    view.splice(end + 5, end + 9, "other words")
    assert cuts(view) == [at for at in both if at < end]
    view.splice(3, 4, "")
    assert not cuts(view)
    assert first[1] in row_starts(view) or first[1] - 1 in row_starts(view)
    view.append("!")
    whole.set_text(view.text)
    assert row_starts(view)[-3:] == row_starts(whole)[-3:]


def test_cuts_below_an_edit_move_with_their_line(view: TextView, whole: TextView) -> None:
    view.set_text("head\n")
    for _ in range(40):
        view.append(WORDS)
    before = cuts(view)
    view.splice(0, 4, "a longer head")
    assert cuts(view) == [at + 9 for at in before]
    whole.set_text(view.text)
    assert row_starts(view) == row_starts(whole)


def test_a_line_that_runs_left_is_laid_out_as_one(view: TextView) -> None:
    view.set_text("نص ")
    for _ in range(60):
        view.append("word by word on and on ")
    assert not cuts(view)
