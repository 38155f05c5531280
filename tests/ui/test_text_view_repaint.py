"""What the view paints anew after a change: the rows that look otherwise, and never fewer."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from support.small_vocabularies import byte_pairs
from support.token_feeds import layer
from thinkpane.ui.widgets.text_gutter import Labels
from thinkpane.ui.widgets.text_marks import Mark
from thinkpane.ui.widgets.text_view import TextView

VOCABULARY = byte_pairs()
LINES = "".join(f"line {number} the 漢\n" for number in range(200))
EDITS = st.lists(
    st.tuples(
        st.integers(0, 400), st.integers(0, 30), st.sampled_from(["", "x", "the", "\n", "\n\n", "a the b " * 20])
    ),
    min_size=1,
    max_size=4,
)


class Watched(TextView):
    """Counts the pixels' height that it is asked to paint."""

    def __init__(self) -> None:
        super().__init__("Text")
        self.painted = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        """As the view does."""
        self.painted += event.rect().height()
        super().paintEvent(event)


@pytest.fixture
def view(qtbot: QtBot) -> Watched:
    found = Watched()
    found.set_gutter(True)
    found.set_shaded(True)
    found.resize(300, 260)
    qtbot.addWidget(found)
    with qtbot.waitExposed(found):
        found.show()
    return found


def on_screen(view: TextView) -> QImage:
    """What the window shows, as it was painted bit by bit."""
    QApplication.processEvents()
    image = QImage(view.viewport().size(), QImage.Format.Format_RGB32)
    screen = view.screen().grabWindow(view.winId())
    painter = QPainter(image)
    painter.drawPixmap(0, 0, screen)
    painter.end()
    return image


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None, max_examples=40
)
@given(EDITS)
def test_painting_bit_by_bit_shows_the_same_as_painting_all(view: Watched, edits: list[tuple[int, int, str]]) -> None:
    text = LINES
    view.set_text(text)
    view.set_tokens(layer(text, VOCABULARY))
    view.reveal(0)
    for at, removed, new in edits:
        text = text[:at] + new + text[at + removed :]
        view.set_text(text, [Mark(0, min(at, len(text)), "text", "user")] if at else ())
        view.set_labels(Labels(lambda position, at=at: 1 + (position >= at), 2))  # type: ignore[misc]
        QApplication.processEvents()
        view.set_tokens(layer(text, VOCABULARY))
        shown = on_screen(view)
        view.viewport().update()
        assert shown == on_screen(view)


def test_an_edit_out_of_sight_paints_nothing(view: Watched) -> None:
    view.set_text(LINES)
    view.set_tokens(layer(LINES, VOCABULARY))
    QApplication.processEvents()
    view.painted = 0
    edited = LINES + "one more"
    view.set_text(edited)
    view.set_tokens(layer(edited, VOCABULARY))
    QApplication.processEvents()
    assert view.painted == 0


def test_an_edit_in_sight_paints_its_row(view: Watched) -> None:
    view.set_text(LINES)
    view.set_tokens(layer(LINES, VOCABULARY))
    QApplication.processEvents()
    view.painted = 0
    edited = LINES[:24] + "x" + LINES[24:]
    view.set_text(edited)
    view.set_tokens(layer(edited, VOCABULARY))
    QApplication.processEvents()
    assert view.painted == view.rows.style.face.row_height
