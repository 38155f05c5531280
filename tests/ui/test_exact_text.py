"""The exact editor, driven by keys, mouse and clipboard as a person would."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QTextCursor, QTextOption
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from thinkpane.ui.models.shown_text import shown, units
from thinkpane.ui.widgets.exact_text import ExactLineEdit, ExactTextEdit

ODD = "a\u00a0b\u2028c\rd\r\ne\x00f\u2029g😀h\ud800i\ufdd0j\tk\n"


@pytest.fixture
def editor(qtbot: QtBot) -> ExactTextEdit:
    found = ExactTextEdit()
    found.resize(300, 60)
    qtbot.addWidget(found)
    found.show()
    return found


def caret(editor: ExactTextEdit, unit: int, to: int | None = None) -> None:
    cursor = editor.textCursor()
    cursor.setPosition(unit)
    if to is not None:
        cursor.setPosition(to, QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)


def test_typing_leaves_odd_characters_alone(editor: ExactTextEdit, qtbot: QtBot) -> None:
    editor.set_text(ODD)
    for unit, place in ((0, 0), (3, 2), (9, 7)):
        caret(editor, unit)
        before = editor.text
        QTest.keyClicks(editor, "x")
        assert editor.text == before[: place + (unit - place)] + "x" + before[place + (unit - place) :]
    editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, "z")
    assert editor.text.endswith("k\n\nz")
    assert [each for each in editor.text if each not in "xz"][: len(ODD)] == list(ODD)


def test_shift_enter_is_a_line_end(editor: ExactTextEdit, qtbot: QtBot) -> None:
    QTest.keyClicks(editor, "a")
    QTest.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(editor, "b")
    assert editor.text == "a\nb"


def test_caret_behind_an_emoji_counts_it_once(editor: ExactTextEdit, qtbot: QtBot) -> None:
    editor.set_text("😀😀b")
    caret(editor, 4)
    QTest.keyClicks(editor, "x")
    assert editor.text == "😀😀xb"
    QTest.keyClick(editor, Qt.Key.Key_Backspace)
    QTest.keyClick(editor, Qt.Key.Key_Backspace)
    assert editor.text == "😀b"


def test_each_edit_is_told_once_and_setting_is_not(editor: ExactTextEdit, qtbot: QtBot) -> None:
    heard: list[str] = []
    editor.edited.connect(heard.append)
    editor.set_text("abc")
    assert heard == []
    editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(editor, "de")
    assert heard == ["abcd", "abcde"]


def test_setting_keeps_the_caret(editor: ExactTextEdit) -> None:
    editor.set_text("one two three")
    caret(editor, 13)
    editor.set_text("zero one two three")
    assert editor.textCursor().position() == 18
    caret(editor, 4)
    editor.set_text("zero one two")
    assert editor.textCursor().position() == 4


def test_copy_and_paste_are_exact(editor: ExactTextEdit) -> None:
    editor.set_text(ODD)
    editor.selectAll()
    data = editor.createMimeDataFromSelection()
    editor.set_text("")
    editor.insertFromMimeData(data)
    assert editor.text == ODD
    assert data.text() == ODD.replace("\ud800", "")
    other = QMimeData()
    other.setText("1\r\n2\u00a03\u20284\x005")
    editor.selectAll()
    editor.insertFromMimeData(other)
    assert editor.text == "1\r\n2\u00a03\u20284\x005"
    other.setHtml("<b>x</b>")
    other.setText("y")
    editor.selectAll()
    editor.insertFromMimeData(other)
    assert editor.text == "y"


def test_insertion_can_place_the_caret_inside(editor: ExactTextEdit, qtbot: QtBot) -> None:
    editor.set_text("say ")
    editor.moveCursor(QTextCursor.MoveOperation.End)
    editor.insert_exactly("{REASON:}", 8)
    QTest.keyClicks(editor, "low")
    assert editor.text == "say {REASON:low}"


def test_undo_keys_ask_the_owner(editor: ExactTextEdit, qtbot: QtBot) -> None:
    QTest.keyClicks(editor, "x")
    with qtbot.waitSignal(editor.undo_requested):
        QTest.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    with qtbot.waitSignal(editor.redo_requested):
        QTest.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert editor.text == "x"
    line = ExactLineEdit()
    qtbot.addWidget(line)
    line.show()
    QTest.keyClicks(line, "x")
    with qtbot.waitSignal(line.undo_requested):
        QTest.keyClick(line, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert line.text() == "x"


def test_it_grows_with_its_text_up_to_its_bound(editor: ExactTextEdit) -> None:
    line = editor.fontMetrics().lineSpacing()
    editor.set_text("1")
    low = editor.height()
    editor.set_text("1\n2\n3")
    assert editor.height() == pytest.approx(low + 2 * line, abs=2)
    editor.set_text("\n" * 500)
    assert editor.height() < line * 33
    assert editor.verticalScrollBar().maximum() > 0
    editor.set_text("1")
    assert editor.height() == low


def test_marks_follow_the_text(editor: ExactTextEdit) -> None:
    editor.set_text("😀 [L3] go")
    editor.set_marks([(2, 6)])
    selections = editor.extraSelections()
    assert [each.cursor.selectedText() for each in selections] == ["[L3]"]
    editor.set_marks([])
    assert editor.extraSelections() == []


def marked(editor: ExactTextEdit) -> list[str]:
    """What is painted as marked."""
    return [each.cursor.selectedText() for each in editor.extraSelections()]


def test_what_is_typed_beside_a_mark_is_not_marked(editor: ExactTextEdit) -> None:
    editor.set_text("[L9]")
    editor.set_marks([(0, 4)])
    caret(editor, 4)
    QTest.keyClicks(editor, " a tag")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, "then text")
    assert marked(editor) == ["[L9]"]
    caret(editor, 0)
    QTest.keyClicks(editor, "so ")
    assert marked(editor) == ["[L9]"]


def test_what_is_typed_behind_a_lit_stretch_is_not_lit(editor: ExactTextEdit) -> None:
    editor.set_text("one")
    editor.set_lit((0, 3))
    caret(editor, 3)
    QTest.keyClicks(editor, " two")
    assert marked(editor) == ["one"]


def test_a_mark_written_over_is_marked_where_it_stands_again(editor: ExactTextEdit) -> None:
    editor.set_text("[L9]")
    editor.set_marks([(0, 4)])
    # As a card does: the marks of the new text, which are where the old ones were.
    editor.edited.connect(lambda _: editor.set_marks([(0, 4)]))
    editor.selectAll()
    editor.insert_exactly("[L3] and more")
    assert marked(editor) == ["[L3]"]


TYPED = st.text(st.sampled_from("ab 😀\n"), max_size=3)
PLACES = st.tuples(st.integers(0, 40), st.integers(0, 4), TYPED)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    st.text(st.characters(exclude_categories=()) | st.sampled_from("\r\n\u2028\u2029\u00a0\x00😀\ud800")),
    st.lists(PLACES, max_size=4),
)
def test_any_text_survives_any_edits(qapp: QApplication, text: str, edits: list[tuple[int, int, str]]) -> None:
    editor = ExactTextEdit()
    editor.set_text(text)
    for place, size, typed in edits:
        now = shown(editor.text)
        cursor = editor.textCursor()
        cursor.setPosition(units(now[:place]))
        cursor.setPosition(units(now[: place + size]), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(typed)
    held = editor.document().toRawText().replace("\u2029", "\n")
    assert held == shown(editor.text)
    if not edits:
        assert editor.text == text


def test_a_word_without_end_is_broken_anywhere_so_that_it_is_laid_out_in_time(qtbot: QtBot) -> None:
    editor = ExactTextEdit()
    qtbot.addWidget(editor)
    editor.resize(300, 100)
    editor.show()
    modes = QTextOption.WrapMode
    editor.set_text("word " * 5000)
    assert editor.wordWrapMode() == modes.WrapAtWordBoundaryOrAnywhere
    editor.set_text("x" * 300_000)
    assert editor.wordWrapMode() == modes.WrapAnywhere
    editor.resize(310, 100)
    editor.set_text("short again")
    assert editor.wordWrapMode() == modes.WrapAtWordBoundaryOrAnywhere
    editor.insert_exactly("y" * 3000)
    assert editor.wordWrapMode() == modes.WrapAnywhere
    editor.selectAll()
    QTest.keyClick(editor, Qt.Key.Key_Z)
    assert (editor.text, editor.wordWrapMode()) == ("z", modes.WrapAtWordBoundaryOrAnywhere)


def widths(editor: ExactTextEdit) -> set[float]:
    """The widths that lines are broken at, in pixels."""
    found: set[float] = set()
    block = editor.document().firstBlock()
    while block.isValid():
        editor.blockBoundingRect(block)
        found |= {block.layout().lineAt(n).width() for n in range(block.layout().lineCount())}
        block = block.next()
    return found


def test_lines_of_a_long_text_shown_late_end_before_the_scroll_bar(qtbot: QtBot) -> None:
    around = QWidget()
    qtbot.addWidget(around)
    column = QVBoxLayout(around)
    column.addStretch()
    around.resize(500, 900)
    around.show()
    late = ExactTextEdit(around)
    late.set_text("lorem ipsum " * 600)
    column.addWidget(late)
    late.show()
    qtbot.waitUntil(late.verticalScrollBar().isVisible)
    assert widths(late) == {late.viewport().width() - 2 * late.document().documentMargin()}
    late.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(late, " more")
    assert late.horizontalScrollBar().value() == 0
    around.resize(420, 900)
    qtbot.waitUntil(lambda: widths(late) == {late.viewport().width() - 2 * late.document().documentMargin()})


def test_a_wrapped_text_never_scrolls_sideways(editor: ExactTextEdit) -> None:
    editor.set_text("x" * 500 + " " * 500)
    editor.horizontalScrollBar().setRange(0, 8)
    editor.horizontalScrollBar().setValue(8)
    assert (editor.horizontalScrollBar().maximum(), editor.horizontalScrollBar().value()) == (0, 0)
