"""The ids row: it parts no letters that are drawn joined, and every token has its id once."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QFontMetricsF, QTextLayout
from pytestqt.qtbot import QtBot

from support.text_views import exposed_view, small
from support.token_feeds import layer
from thinkpane.ui.widgets.text_ids import placed_ids
from thinkpane.ui.widgets.text_layout import LaidPiece
from thinkpane.ui.widgets.text_shades import boxes
from thinkpane.ui.widgets.text_view import TextView

FLAG = QTextLayout.GlyphRunRetrievalFlag
LETTERS = st.text(st.sampled_from("مرحباسلا\u064b،٣ שלab 1.\u200d\u0301"), max_size=24)
TEXTS = st.text(st.sampled_from("the an<|im_start|>é👩漢\u0301\n 12שלعمر"), max_size=40)
SHARED_VIEW = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None, max_examples=60
)


@pytest.fixture
def view(qtbot: QtBot) -> TextView:
    return exposed_view(qtbot)


def show(view: TextView, text: str, *, ids: bool, width: int) -> LaidPiece:
    """The first line, laid out."""
    view.resize(width, 240)
    view.set_ids(ids)
    view.set_text(text)
    view.set_tokens(layer(text, small()))
    return view.rows.laid(view.rows.lines.piece_at(0))


def forms(laid: LaidPiece) -> Counter[int]:
    """How often it is drawn with which glyph; Qt does not always tell rightly which unit one stands for."""
    return Counter(
        glyph for run in laid.layout.glyphRuns(-1, -1, FLAG.RetrieveGlyphIndexes) for glyph in run.glyphIndexes()
    )


@pytest.mark.parametrize("text", ["مرحبا بالعالم", "abc مرحبا def محمد", "السَّلَامُ عَلَيْكُمْ لا إله", "مرحبامرحبا"])
def test_letters_keep_their_joined_forms_over_ids(view: TextView, text: str) -> None:
    plain = forms(show(view, text, ids=False, width=6_000))
    assert forms(show(view, text, ids=True, width=6_000)) == plain


@SHARED_VIEW
@given(LETTERS)
@example("\u200dم")
def test_any_letters_look_the_same_over_ids(view: TextView, text: str) -> None:
    plain = forms(show(view, text, ids=False, width=12_000))
    assert forms(show(view, text, ids=True, width=12_000)) == plain


def test_a_joined_word_gets_room_from_the_space_beside_it(view: TextView) -> None:
    text = "ab مرحبا cd"
    narrow = show(view, text, ids=False, width=2_000)
    before = narrow.x_of(9, 0) - narrow.x_of(2, 0)
    word = narrow.spans(0, 3, 8)
    numbered = show(view, text, ids=True, width=2_000)
    (left, right), (former_left, former_right) = numbered.spans(0, 3, 8)[0], word[0]
    assert right - left == pytest.approx(former_right - former_left, abs=0.5)
    assert numbered.x_of(9, 0) - numbered.x_of(2, 0) > before + 40


@SHARED_VIEW
@given(TEXTS, st.sampled_from([140, 320]))
@example("👩\u0301", 140)
def test_every_token_has_its_id_once(view: TextView, text: str, width: int) -> None:
    show(view, text, ids=True, width=width)
    font, tokens = view.rows.style.face.ids_font, view.tokens
    assert font is not None
    assert tokens is not None
    digit = QFontMetricsF(font).horizontalAdvance("0")
    rows = (boxes(laid, row, tokens) for laid, row in view.rows.rows_from(view.rows.first()))
    found = [each.box.token.index for row in rows for each in placed_ids(row, digit, width)]
    assert sorted(found) == [*range(len(layer(text, small())))]
