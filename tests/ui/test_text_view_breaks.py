"""Rows end between characters, also where what is drawn as one needs several fonts."""

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from thinkpane.ui.widgets.text_layout import LaidPiece, Style, face
from thinkpane.ui.widgets.text_lines import Piece
from thinkpane.ui.widgets.text_marks import Marks

PARTS = [
    "👩",
    "🏽",
    "\u200d",
    "🔬",
    "\ufe0f",
    "\u0301",
    "\u064b",
    "\u20e3",
    "🇩",
    "🇪",
    "한",
    "\u1161",
    "a",
    "1",
    " ",
    "ש",
    "م",
    "漢",
]
TEXTS = st.lists(st.sampled_from(PARTS), max_size=20).map("".join)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None, max_examples=100
)
@given(TEXTS, st.sampled_from([15, 20, 30, 60, 100]))
@example("한🏽漢", 15)
@example("🔬م🏽 a", 60)
def test_a_row_begins_where_a_caret_can_stand(qapp: QApplication, text: str, width: int) -> None:
    style = Style(face(qapp.font()), width)
    laid = LaidPiece(Piece(0, len(text), 0, False), text, style, Marks(), last=False)
    starts = [laid.row_start(row) for row in range(laid.rows)]
    assert starts[0] == 0
    assert laid.row_end(laid.rows - 1) == len(text)
    for line in (laid.layout.lineAt(row) for row in range(1, laid.rows)):
        assert laid.layout.isValidCursorPosition(line.textStart())
