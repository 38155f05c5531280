"""The text view's layer of light, what it tells of the pointer, and template lines in its gutter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from thinkpane.ui import theme
from thinkpane.ui.widgets.plain_tip import plain_tip
from thinkpane.ui.widgets.text_change import Change
from thinkpane.ui.widgets.text_gutter import Labels, gutter_width
from thinkpane.ui.widgets.text_lit import Lit, lit
from thinkpane.ui.widgets.text_view import TextView

TEXT = "first line\nsecond 漢字 line\n\nlast"


@pytest.fixture
def view(qtbot: QtBot) -> TextView:
    found = TextView("Text")
    qtbot.addWidget(found)
    found.set_gutter(True)
    found.resize(400, 200)
    found.set_text(TEXT)
    found.set_pointing(lambda position: f"<character> {position}")
    with qtbot.waitExposed(found):
        found.show()
    return found


def middle(view: TextView, position: int) -> QPoint:
    """A point in the middle of a character."""
    left, right = view.rect_of(position), view.rect_of(position + 1)
    return QPoint((left.left() + max(right.left(), left.left() + 4)) // 2, left.center().y())


def point_at(view: TextView, at: QPoint) -> None:
    """Moves the pointer there, no button pressed; straight to the view, whatever window another test left above it."""
    none = Qt.MouseButton.NoButton
    ground = view.viewport()
    places = QPointF(at), QPointF(ground.mapToGlobal(at))
    move = QMouseEvent(QEvent.Type.MouseMove, *places, none, none, Qt.KeyboardModifier.NoModifier)
    QGuiApplication.sendEvent(ground, move)


@pytest.mark.parametrize("position", [0, 5, 11, 18, 19, 27, 30])
def test_the_character_under_the_pointer_is_told(view: TextView, qtbot: QtBot, position: int) -> None:
    point_at(view, QPoint(view.text_left + 300, 150))
    with qtbot.waitSignal(view.pointed) as told:
        point_at(view, middle(view, position))
    assert told.args == [position]


@pytest.mark.parametrize("at", [(300, 8), (2, 8), (60, 150), (200, 80)])
def test_beside_the_text_there_is_no_character(view: TextView, at: tuple[int, int]) -> None:
    assert view.character_under(QPoint(*at)) == -1


def test_the_newline_is_under_the_pointer_behind_its_line(view: TextView) -> None:
    end = view.rect_of(10)
    assert view.character_under(QPoint(end.left() + 3, end.center().y())) == 10
    assert view.character_under(QPoint(end.left() + 40, end.center().y())) == -1


def test_leaving_is_told_once(view: TextView, qtbot: QtBot) -> None:
    point_at(view, middle(view, 3))
    told: list[int] = []
    view.pointed.connect(told.append)
    for _ in range(2):
        QGuiApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert told == [-1]


def test_a_click_is_told_and_a_drag_is_not(view: TextView, qtbot: QtBot) -> None:
    told: list[int] = []
    view.clicked.connect(told.append)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=middle(view, 14))
    assert told == [14]
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=middle(view, 2))
    QTest.mouseMove(view.viewport(), middle(view, 7))
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=middle(view, 7))
    assert told == [14]


def test_the_tooltip_is_plain_words(view: TextView, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    # The offscreen platform warns of real tooltips.
    monkeypatch.setattr(QToolTip, "showText", lambda _at, text, _widget: shown.append(text))
    at = middle(view, 3)
    QGuiApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, at, view.viewport().mapToGlobal(at)))
    assert shown == [plain_tip("<character> 3")]
    assert "&lt;character&gt;" in shown[0]


def test_light_is_painted_without_moving_anything(view: TextView) -> None:
    dark = view.viewport().grab().toImage()
    top = view.position_at_top()
    view.set_lit("chosen", [(2, 5), (25, 27)])
    image = view.viewport().grab().toImage()
    for position, is_lit in ((3, True), (7, False), (25, True)):
        at = middle(view, position)
        at.setY(view.rect_of(position).top() + 1)
        assert (image.pixel(at) != dark.pixel(at)) == is_lit
    assert view.position_at_top() == top
    view.set_lit("chosen", [])
    assert view.viewport().grab().toImage() == dark


def test_light_moves_with_the_text(view: TextView) -> None:
    view.set_lit("chosen", [(2, 5), (12, 14)])
    view.set_text("XX" + TEXT)
    assert view.lit("chosen") == lit([(4, 7), (14, 16)])
    view.set_text("")
    assert view.lit("chosen") == Lit()


def test_template_lines_stand_in_the_gutter_and_nothing_touches_its_edge(view: TextView, qtbot: QtBot) -> None:
    before = view.text_left
    view.set_labels(Labels(lambda position: 203 if position < 11 else 7, 290))
    assert view.text_left > before
    assert view.text_left == gutter_width(view.rows, Labels(lambda _: 0, 290))
    image = view.viewport().grab().toImage()
    ground = image.pixel(1, 1)
    assert all(image.pixel(x, y) == ground for x in range(6) for y in range(image.height()))
    assert any(image.pixel(x, 12) != ground for x in range(30, view.text_left - 12))
    with qtbot.waitSignal(view.gutter_clicked) as told:
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(20, view.rect_of(14).center().y()))
    assert told.args == [11]
    QTest.mouseMove(view.viewport(), QPoint(20, 40))
    assert view.viewport().cursor().shape() == Qt.CursorShape.PointingHandCursor


def test_gutters_keep_their_edge_in_the_other_theme_and_zoomed(view: TextView) -> None:
    view.set_labels(Labels(lambda _: 1234, 1234))
    view.set_zoom(23)
    theme.state().changed.emit()
    image = view.viewport().grab().toImage()
    assert all(image.pixel(x, y) == image.pixel(1, 1) for x in range(6) for y in range(image.height()))


def test_only_rows_in_sight_are_asked_for_at_a_million_characters(view: TextView) -> None:
    asked: list[int] = []
    view.set_text("word " * 200_000 + "\n" + "line\n" * 50_000)

    def line(position: int) -> int:
        asked.append(position)
        return position % 97 + 1

    view.set_labels(Labels(line, 97, lambda start, end: "user" if end > start else ""))
    view.set_lit("chosen", ((start, start + 4) for start in range(0, 1_000_000, 5)))
    view.reveal(900_000)
    asked.clear()
    view.viewport().grab()
    assert 0 < len(asked) <= 3 * (view.page_rows + 2)
    assert min(asked) > 800_000


@given(
    st.lists(st.integers(1, 5), min_size=2, max_size=12),
    st.integers(0, 40),
    st.integers(0, 40),
    st.integers(0, 6),
)
def test_lit_stretches_stay_in_order_through_any_change(gaps: list[int], at: int, length: int, added: int) -> None:
    edges = [sum(gaps[: number + 1]) for number in range(len(gaps) // 2 * 2)]
    found = lit(zip(edges[::2], edges[1::2], strict=True)).moved(Change(at, at + length, "x" * added))
    flat = [each for pair in zip(found.starts, found.ends, strict=True) for each in pair]
    assert flat == sorted(flat)
    assert all(start < end for start, end in zip(found.starts, found.ends, strict=True))
    touched = [*found.between(4, 9)]
    assert touched == [
        (start, end) for start, end in zip(found.starts, found.ends, strict=True) if start < 9 and end > 4
    ]


CHANGES = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 12), st.integers(0, 6)), max_size=6)


@given(st.lists(st.integers(1, 5), min_size=2, max_size=24), CHANGES)
def test_lit_stretches_move_as_each_of_them_would(gaps: list[int], changes: list[tuple[int, int, int]]) -> None:
    edges = [sum(gaps[: number + 1]) for number in range(len(gaps) // 2 * 2)]
    pairs = [*zip(edges[::2], edges[1::2], strict=True)]
    found = lit(pairs)
    for at, length, added in changes:
        change = Change(at, at + length, "x" * added)
        pairs = [(change.moved(start), change.moved(end)) for start, end in pairs]
        pairs = [each for each in pairs if each[0] < each[1]]
        found = found.moved(change)
        assert [*zip(found.starts, found.ends, strict=True)] == pairs
        assert found == lit(pairs)
        assert [*found.between(3, 20)] == [each for each in pairs if each[0] < 20 and each[1] > 3]


def test_a_key_looks_at_no_stretch_that_is_far_from_it() -> None:
    asked: list[int] = []

    class Counted(Change):
        def moved(self, position: int) -> int:
            asked.append(position)
            return super().moved(position)

    found = lit((start, start + 4) for start in range(0, 1_000_000, 10))
    for key in range(20):
        found = found.moved(Counted(5_000 + key, 5_000 + key, "x"))
    assert len(asked) <= 40
    assert [*found.between(999_995, 1_000_030)] == [(1_000_000, 1_000_004), (1_000_010, 1_000_014)]
