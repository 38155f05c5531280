"""Tokens in the text view: shaded, numbered, and exactly where their characters stand."""

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from support.text_views import exposed_view, small
from support.token_feeds import layer
from thinkpane.ui import theme
from thinkpane.ui.widgets.text_shades import TokenBox, boxes
from thinkpane.ui.widgets.text_view import TextView

MARK = "\u0301"
TEXTS = st.text(st.sampled_from("the an<|im_start|>é😀👩\u200d💻漢\u0301\n\r 12שלع"), max_size=50)
SHARED_VIEW = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None, max_examples=60
)


@pytest.fixture
def view(qtbot: QtBot) -> TextView:
    return exposed_view(qtbot)


def show(view: TextView, text: str) -> None:
    view.set_text(text)
    view.set_tokens(layer(text, small()))


def boxes_of(view: TextView) -> list[list[TokenBox]]:
    """Row by row."""
    assert view.tokens is not None
    return [boxes(laid, row, view.tokens) for laid, row in view.rows.rows_from(view.rows.first())]


@SHARED_VIEW
@given(TEXTS, st.booleans())
@example("ל\u200d\u0301", False)
@example("aל\u200d\u0301<", False)
def test_every_token_has_its_room_and_shares_it_with_none(view: TextView, text: str, ids: bool) -> None:
    view.set_ids(ids)
    show(view, text)
    rows = boxes_of(view)
    seen: set[int] = set()
    for found in rows:
        assert all(box.left < box.right for box in found)
        # A combining mark stands on what is before it.
        spans = sorted((box.left, box.right) for box in found if text[box.token.start : box.token.end] != MARK)
        assert all(one[1] <= other[0] + 0.51 for one, other in pairwise(spans))
        seen |= {box.token.index for box in found}
    assert seen == set(range(len(layer(text, small()))))


@SHARED_VIEW
@given(TEXTS)
def test_ids_move_nothing_out_of_its_order(view: TextView, text: str) -> None:
    view.set_ids(True)
    show(view, text)
    for position in range(len(text) + 1):
        laid = view.rows.laid(view.rows.lines.piece_at(position))
        row = laid.row_of(position)
        if laid.is_caret_place(position) and not laid.mixed:
            assert laid.position_at(laid.x_of(position, row), row) == position


def test_shading_alternates_and_can_be_taken_away(view: TextView) -> None:
    show(view, "the\x20the")
    plain = view.grab().toImage()
    view.set_shaded(True)
    shaded = view.grab().toImage()
    ground = QColor(theme.current().pane).name()
    # Between the letters, above the x height, where only the ground shows.
    places = [QPoint(view.rect_of(at).left() + 2, view.rect_of(at).top() + 2) for at in (1, 4)]
    colours = [QColor(shaded.pixel(each)).name() for each in places]
    assert len({ground, *colours}) == 3
    view.set_shaded(False)
    assert view.grab().toImage() == plain


def test_tokens_that_split_a_character_part_its_width(view: TextView) -> None:
    show(view, "a漢b")
    parts = [box for box in boxes_of(view)[0] if box.token.start == 1]
    assert len(parts) > 1
    widths = {round(box.right - box.left, 3) for box in parts}
    assert len(widths) == 1
    left, right = view.rect_of(1).left(), view.rect_of(2).left()
    assert abs(sum(box.right - box.left for box in parts) - (right - left)) <= 1


def test_ids_fit_below_their_tokens(view: TextView) -> None:
    show(view, "a b c 1 2 3\nthe\n")
    narrow = view.rect_of(2).left()
    height = view.rect_of(12).top() - view.rect_of(0).top()
    view.set_ids(True)
    assert view.rect_of(2).left() > narrow
    assert view.rect_of(12).top() - view.rect_of(0).top() > height
    font = view.rows.style.face.ids_font
    assert font is not None
    for found in boxes_of(view):
        for box in found:
            assert box.right - box.left >= len(str(box.token.id)) * font.pixelSize() * 0.5


def test_ids_follow_an_edit_and_the_row_on_top_stays(view: TextView) -> None:
    text = "the then\n" * 400
    show(view, text)
    view.set_ids(True)
    view.reveal(1800)
    top = view.position_at_top()
    edited = "a" + text
    view.set_text(edited)
    assert view.position_at_top() == top + 1
    assert [box.token.index for box in boxes_of(view)[1]] == [4, 5, 6, 7]
    view.set_tokens(layer(edited, small()))
    assert view.position_at_top() == top + 1


def test_a_view_without_tokens_shades_none(view: TextView) -> None:
    view.set_text("the")
    view.set_ids(True)
    before = view.grab().toImage()
    view.set_shaded(True)
    assert view.grab().toImage() == before
