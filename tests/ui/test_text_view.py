"""The text view, driven by keys, mouse and clipboard as a person would."""

import gc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QWheelEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from thinkpane.formats.finding import Query
from thinkpane.ui import theme
from thinkpane.ui.widgets.exact_text import EXACT_FORM
from thinkpane.ui.widgets.text_input import menu
from thinkpane.ui.widgets.text_marks import Mark
from thinkpane.ui.widgets.text_selection import Selection
from thinkpane.ui.widgets.text_view import TextView

ODD = "a\u00a0b\u2028c\rd\r\ne\x00f\u2029g😀h\ud800i\ufdd0j\tk\n"
LEFT_TO_RIGHT = st.text(
    st.one_of(
        st.characters(max_codepoint=0x58F),
        st.characters(min_codepoint=0x4E00, max_codepoint=0x4EFF),
        st.characters(min_codepoint=0x1F600, max_codepoint=0x1F640),
        st.sampled_from("\u200b\u202e\ud800\U000e0041\u0301\t\n "),
    ),
    max_size=120,
)
SHARED_VIEW = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None, max_examples=60
)


@pytest.fixture
def view(qtbot: QtBot) -> TextView:
    found = TextView("Text")
    found.resize(300, 200)
    qtbot.addWidget(found)
    found.show()
    return found


def point_of(view: TextView, position: int) -> QPoint:
    return view.rect_of(position).center()


@SHARED_VIEW
@given(LEFT_TO_RIGHT)
def test_pixels_lead_back_to_the_position_they_came_from(view: TextView, text: str) -> None:
    view.set_text(text)
    for position in range(len(text) + 1):
        laid = view.rows.laid(view.rows.lines.piece_at(position))
        view.reveal(position)
        if laid.is_caret_place(position):
            found = view.caret_at(point_of(view, position)).caret
            there, back = view.rect_of(position), view.rect_of(found)
            no_width = there.y() == back.y() and abs(there.x() - back.x()) <= 1
            assert found == position or no_width


@SHARED_VIEW
@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=80), st.integers(0, 80), st.integers(0, 80))
def test_what_is_selected_is_the_model_s_slice(view: TextView, text: str, one: int, other: int) -> None:
    view.set_text(text)
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    view.select(start, end)
    view.grab()
    assert view.text == text
    assert view.selected_text == text[start:end]


def test_odd_characters_survive_the_clipboard(view: TextView, qtbot: QtBot) -> None:
    view.set_text(ODD)
    QTest.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    data = QGuiApplication.clipboard().mimeData()
    assert data.text() == ODD.replace("\ud800", "\ufffd")
    assert bytes(data.data(EXACT_FORM).data()).decode("utf-8", "surrogatepass") == ODD


def test_right_to_left_text_is_hit_where_it_stands(view: TextView) -> None:
    view.set_text("ab אבג cd")
    middle = view.rect_of(4)
    assert view.character_at(middle.center() - QPoint(3, 0)) == 4
    view.select(3, 6)
    assert view.selected_text == "אבג"
    assert view.rows.laid(view.rows.first().piece).spans(0, 3, 6)[0][0] > 0


def test_dragging_selects_and_shift_click_extends(view: TextView, qtbot: QtBot) -> None:
    view.set_text("first line\nsecond line\nthird")
    ground = view.viewport()
    QTest.mousePress(ground, Qt.MouseButton.LeftButton, pos=point_of(view, 2))
    QTest.mouseMove(ground, point_of(view, 17))
    QTest.mouseRelease(ground, Qt.MouseButton.LeftButton, pos=point_of(view, 17))
    shift = Qt.KeyboardModifier.ShiftModifier
    QTest.mouseClick(ground, Qt.MouseButton.LeftButton, shift, point_of(view, 25))
    assert view.selected_text == view.text[2:25]


def test_double_click_takes_a_word_and_a_third_click_the_line(view: TextView, qtbot: QtBot) -> None:
    view.set_text("first line\nsecond line\nthird")
    ground = view.viewport()
    at = point_of(view, 13)
    QTest.mouseDClick(ground, Qt.MouseButton.LeftButton, pos=at)
    assert view.selected_text == "second"
    QTest.mouseClick(ground, Qt.MouseButton.LeftButton, pos=at)
    assert view.selected_text == "second line\n"


def test_double_click_takes_a_whole_special_token(view: TextView, qtbot: QtBot) -> None:
    view.set_text("<|im_start|>user", [Mark(0, 12, "token", "user")])
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point_of(view, 5))
    assert view.selected_text == "<|im_start|>"


def test_keys_move_and_select(view: TextView, qtbot: QtBot) -> None:
    view.set_text("one two\nthree")
    ctrl, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.selection.caret == 7
    QTest.keyClick(view, Qt.Key.Key_Left, ctrl | shift)
    assert view.selected_text == "two"
    QTest.keyClick(view, Qt.Key.Key_Down, shift)
    assert view.selection == Selection(7, 12, goal=view.selection.goal)
    QTest.keyClick(view, Qt.Key.Key_Home, ctrl)
    assert view.selection == Selection()
    QTest.keyClick(view, Qt.Key.Key_End, ctrl | shift)
    assert view.selected_text == view.text
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert view.selection.start == view.selection.end == len(view.text)


def test_end_stays_on_a_wrapped_row(view: TextView, qtbot: QtBot) -> None:
    view.set_text("x" * 200)
    QTest.keyClick(view, Qt.Key.Key_End)
    first = view.selection
    assert 0 < first.caret < 200
    assert first.upstream
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.selection == first
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.selection.caret == 0


def test_moving_by_rows_keeps_its_goal_through_a_short_line(view: TextView, qtbot: QtBot) -> None:
    view.set_text("a long line\nb\nanother one")
    view.set_selection(Selection(8, 8))
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.selection.caret == 13
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.selection.caret == 22


def test_pages_reach_both_ends(view: TextView, qtbot: QtBot) -> None:
    view.set_text("line\n" * 500)
    for _ in range(500 // view.page_rows + 2):
        QTest.keyClick(view, Qt.Key.Key_PageDown)
    assert view.selection.caret == len(view.text)
    assert view.is_at_end()
    for _ in range(500 // view.page_rows + 2):
        QTest.keyClick(view, Qt.Key.Key_PageUp)
    assert view.selection.caret == 0
    assert view.verticalScrollBar().value() == 0


def test_the_scroll_bar_reaches_every_row(view: TextView) -> None:
    view.set_text("".join(f"{number} {'word ' * (number % 40)}\n" for number in range(400)))
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert view.is_at_end()
    assert not view.rect_of(len(view.text)).isEmpty()
    bar.setValue(bar.maximum() // 2)
    assert not view.is_at_end()
    bar.setValue(0)
    assert not view.rect_of(0).isEmpty()


def test_a_changed_text_keeps_what_is_in_sight_and_selected(view: TextView) -> None:
    lines = [f"line {number}\n" for number in range(300)]
    view.set_text("".join(lines))
    at = view.text.index("line 200")
    view.select(at, at + 8)
    before = view.rect_of(at)
    view.set_text("a new first line\n" + view.text)
    assert view.selected_text == "line 200"
    assert view.rect_of(at + 17) == before


def test_following_stays_at_the_end_until_one_scrolls_away(view: TextView) -> None:
    view.set_follow(True)
    view.append("start\n")
    for number in range(100):
        view.append(f"line {number}\n")
    assert view.is_at_end()
    view.scroll_rows(-20)
    top = view.position_at_top()
    view.append("more\n" * 50)
    assert not view.is_at_end()
    assert view.position_at_top() == top
    assert view.latest_button.isVisible()
    view.latest_button.click()
    assert view.is_at_end()
    assert not view.latest_button.isVisible()


def test_find_counts_walks_and_brings_into_sight(view: TextView, qtbot: QtBot) -> None:
    view.set_text("needle\n" + "hay\n" * 500 + "Needle\n" + "hay\n" * 500)
    with qtbot.waitSignal(view.hits_changed) as found:
        view.look_for(Query("needle"))
    assert found.args == [2, 0]
    view.find_next()
    assert view.selected_text == "Needle"
    assert not view.rect_of(view.selection.start).isEmpty()
    view.find_next()
    assert view.selection.start == 0
    view.find_previous()
    assert view.selected_text == "Needle"


def test_hits_are_found_anew_when_text_arrives(view: TextView, qtbot: QtBot) -> None:
    view.set_text("one")
    view.look_for(Query("one"))
    with qtbot.waitSignal(view.hits_changed, check_params_cb=lambda count, _number: count == 2):
        view.append(" and one")


def test_zoom_by_keys_and_wheel(view: TextView, qtbot: QtBot) -> None:
    view.set_text("text")
    ctrl = Qt.KeyboardModifier.ControlModifier
    small = view.rect_of(0).height()
    QTest.keyClick(view, Qt.Key.Key_Plus, ctrl)
    QTest.keyClick(view, Qt.Key.Key_Plus, ctrl)
    QTest.keyClick(view, Qt.Key.Key_Minus, ctrl)
    spot = QPointF(20, 20)
    view.wheelEvent(
        QWheelEvent(
            spot,
            spot,
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            ctrl,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
    )
    assert view.zoom == 14
    assert view.rect_of(0).height() > small
    QTest.keyClick(view, Qt.Key.Key_0, ctrl)
    assert (view.zoom, view.rect_of(0).height()) == (12, small)


def test_a_note_is_no_part_of_the_text(view: TextView) -> None:
    view.set_text("prompt")
    view.set_note("← generation starts here")
    view.select_all()
    assert view.selected_text == "prompt"
    assert view.caret_at(QPoint(290, 10)).caret == 6


def test_tall_fallback_fonts_fit_into_a_row(view: TextView) -> None:
    view.set_text("漢字")
    laid = view.rows.laid(view.rows.lines.piece_at(0))
    line = laid.layout.lineAt(0)
    assert line.position().y() >= 0
    assert line.position().y() + line.height() <= view.rows.style.face.row_height


def test_chips_bars_and_selection_are_painted_in_both_themes(view: TextView) -> None:
    view.set_text("<|user|>Hi\nthere", [Mark(0, 8, "token", "user"), Mark(8, 16, "text", "user")])
    view.set_gutter(True)
    view.select(8, 13)
    old = theme.state().theme
    for each in (theme.DARK, theme.LIGHT):
        theme.state().theme = each
        theme.state().changed.emit()
        picture = view.viewport().grab().toImage()
        colours = {
            picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(0, picture.height(), 3)
        }
        assert each.user in colours
        assert each.pane in colours
    theme.state().theme = old
    theme.state().changed.emit()


def test_a_natural_height_grows_up_to_its_most(view: TextView) -> None:
    view.set_most_rows(5)
    row = view.rows.style.face.row_height
    view.set_text("one")
    one = view.sizeHint().height()
    view.set_text("one\ntwo\nthree")
    assert view.sizeHint().height() == one + 2 * row
    view.set_text("x\n" * 100_000)
    assert view.sizeHint().height() == one + 4 * row


def test_the_menu_copies_only_what_is_selected(view: TextView) -> None:
    view.set_text("some text")
    assert [each.isEnabled() for each in menu(view).actions()] == [False, True]
    menu(view).actions()[1].trigger()
    menu(view).actions()[0].trigger()
    assert QGuiApplication.clipboard().text() == "some text"


@pytest.mark.parametrize(
    "text",
    ["x" * 1_000_000, "\n" * 1_000_000, "a" + "\u0301" * 1_000_000, "\x00" * 200_000, "<|im_end|>" * 200_000],
    ids=["one line", "newlines", "marks", "controls", "tokens"],
)
def test_hostile_texts_lay_out_no_more_than_is_in_sight(view: TextView, text: str) -> None:
    view.set_text(text)
    view.grab()
    view.scroll_to_end()
    view.grab()
    view.select_all()
    view.grab()
    assert view.rows.laid_pieces <= 6 * view.page_rows
    assert view.selected_text == text


def test_screen_readers_read_the_text(view: TextView, qtbot: QtBot) -> None:
    view.set_text("read me\ud800")
    found = QAccessible.queryAccessibleInterface(view)
    assert found.text(QAccessible.Text.Name) == "Text"
    assert found.role() == QAccessible.Role.EditableText
    text = found.textInterface()
    assert (text.characterCount(), text.text(0, 8)) == (8, "read me\ufffd")
    text.setCursorPosition(3)
    assert (view.selection.caret, text.cursorPosition()) == (3, 3)
    where = text.characterRect(2)
    assert text.offsetAtPoint(where.center() + QPoint(2, 0)) == 2
    text.addSelection(0, 4)
    assert view.selected_text == "read"


def test_views_and_what_screen_readers_hold_go_together(qtbot: QtBot) -> None:
    gone: list[bool] = []
    for _ in range(20):
        view = TextView("short-lived")
        view.set_text("text")
        text = QAccessible.queryAccessibleInterface(view).textInterface()
        assert text.characterCount() == 4
        view.destroyed.connect(lambda: gone.append(True))
        view.deleteLater()
        del view, text
    qtbot.waitUntil(lambda: len(gone) == 20)
    gc.collect()


def test_copy_gives_what_is_shown_as_selected_after_a_change(view: TextView) -> None:
    view.set_text("one two three")
    view.select_all()
    view.set_text("one 2 three, four")
    view.append(" five")
    view.copy()
    assert QGuiApplication.clipboard().text() == view.text == view.selected_text == "one 2 three, four five"
    view.select(4, 5)
    view.set_text("one two three")
    assert view.selected_text == ""
