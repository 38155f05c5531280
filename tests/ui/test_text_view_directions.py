"""Right-to-left text in the view: order, places of the caret, and what is under the pointer."""

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from thinkpane.ui.widgets.text_shown import runs_left
from thinkpane.ui.widgets.text_view import TextView

MIXED = st.text(st.sampled_from("שלוםabc 12(.,)مرحبا\u064b😀漢\t\u200f\n"), max_size=60)
SHARED_VIEW = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None, max_examples=80
)


@pytest.fixture
def view(qtbot: QtBot) -> TextView:
    found = TextView("Text")
    found.resize(300, 200)
    qtbot.addWidget(found)
    with qtbot.waitExposed(found):
        found.show()
    return found


@SHARED_VIEW
@given(MIXED)
def test_the_middle_of_each_character_leads_back_to_it(view: TextView, text: str) -> None:
    view.set_text(text)
    for laid, row in view.rows.rows_from(view.rows.first()):
        at = laid.row_start(row)
        while at < laid.row_end(row):
            after = laid.next_position(at)
            for left, right in laid.spans(row, at, after):
                if right - left > 1:
                    assert laid.character_at((left + right) / 2, row) == at
                    assert laid.position_at((3 * left + right) / 4, row) in (at, min(after, laid.row_end(row)))
            at = after


@SHARED_VIEW
@given(MIXED)
@example(".ו\u200f..\u064b")
@example("וa\t\u064b1")
@example("aו😀.1")
@example("aו.\tו")
@example("11111111111111.ו1\u200f\u064b\u064b11\t")
def test_carets_lead_back_to_a_place_that_looks_the_same(view: TextView, text: str) -> None:
    view.set_text(text)
    for laid, row in view.rows.rows_from(view.rows.first()):
        for position in range(laid.row_start(row), laid.row_end(row) + 1):
            x = laid.x_of(position, row)
            assert abs(laid.x_of(laid.position_at(x, row), row) - x) <= 1 or not laid.is_caret_place(position)


@SHARED_VIEW
@given(MIXED)
def test_a_row_is_covered_without_gaps(view: TextView, text: str) -> None:
    view.set_text(text)
    for laid, row in view.rows.rows_from(view.rows.first()):
        start, end = laid.row_start(row), laid.row_end(row)
        if end > start:
            assert len(laid.spans(row, start, end)) == 1


def test_every_letter_of_a_word_has_its_width(view: TextView) -> None:
    view.set_text("ab שלום cd")
    laid = view.rows.laid(view.rows.lines.piece_at(0))
    spans = [laid.spans(0, at, at + 1)[0] for at in range(10)]
    assert all(right - left > 2 for left, right in spans)
    hebrew = spans[3:7]
    assert hebrew == sorted(hebrew, reverse=True)
    assert spans[2][1] == pytest.approx(hebrew[-1][0])
    assert hebrew[0][1] == pytest.approx(spans[7][0])


@pytest.mark.parametrize(
    ("text", "right_to_left"),
    [("שלום abc", True), ("abc שלום", False), ("(1) مرحبا", True), ("<|user|>שלום", False), ("123 😀", False)],
)
def test_the_first_letter_gives_the_direction_of_a_line(view: TextView, text: str, right_to_left: bool) -> None:
    assert runs_left(text) is right_to_left
    view.set_text(text)
    first = view.rect_of(0).x()
    assert (first > view.viewport().width() / 2) is right_to_left
    assert (view.rect_of(len(text)).x() < first) is right_to_left


def test_later_parts_of_a_long_line_keep_its_direction(view: TextView) -> None:
    view.set_text("שלום " * 1_500 + "abc (1) " * 400)
    last = len(view.text)
    view.reveal(last)
    assert view.rect_of(last - 3).x() < view.viewport().width()
    laid = view.rows.laid(view.rows.lines.piece_at(last))
    assert not laid.mixed
    middle = view.rows.laid(view.rows.lines.piece_at(7_000))
    assert middle.x_of(middle.piece.start, 0) > view.viewport().width() / 2


def test_a_click_beside_the_text_goes_to_its_end(view: TextView) -> None:
    view.set_text("שלום")
    row = view.rect_of(0).center().y()
    assert view.caret_at(QPoint(10, row)).caret == 4
    assert view.caret_at(QPoint(299, row)).caret == 0


def test_arrow_keys_go_where_they_point(view: TextView) -> None:
    view.set_text("שלום עולם\nabc def")
    view.setFocus()
    keys = Qt.Key
    for key, modifier, expected in (
        (keys.Key_Left, Qt.KeyboardModifier.NoModifier, 1),
        (keys.Key_Left, Qt.KeyboardModifier.ControlModifier, 5),
        (keys.Key_Right, Qt.KeyboardModifier.NoModifier, 4),
        (keys.Key_Down, Qt.KeyboardModifier.NoModifier, 17),
        (keys.Key_Left, Qt.KeyboardModifier.ControlModifier, 14),
        (keys.Key_Right, Qt.KeyboardModifier.NoModifier, 15),
    ):
        before = view.rect_of(view.selection.caret).x()
        QTest.keyClick(view, key, modifier)
        assert view.selection.caret == expected
        if key != keys.Key_Down:
            assert (view.rect_of(expected).x() > before) is (key == keys.Key_Right)
