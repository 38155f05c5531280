"""The code editor by keys and mouse: exact text, colours, matches, faults in place, and no trap for the keyboard."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QFocusEvent, QGuiApplication, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from thinkpane.analysis.coverage_over import Ran, coverage_over
from thinkpane.formats.jinja_scan import scan
from thinkpane.templates.library import load
from thinkpane.ui.widgets.code_editor import CodeEditor
from thinkpane.ui.widgets.find_bar import FindBar
from thinkpane.ui.widgets.jinja_colours import kinds
from thinkpane.ui.widgets.line_bar import LineBar

SOURCE = "{% for m in messages %}\n  {% if m.role == 'user' %}\n    {{ m.content }}\n  {% endif %}\n{% endfor %}\n"
ODD = "{{ a }}\r\n\u00a0b\u2028c\rd😀\n{# e #}"


@pytest.fixture
def editor(qtbot: QtBot) -> CodeEditor:
    found = CodeEditor("Template")
    qtbot.addWidget(found)
    found.resize(500, 300)
    found.show()
    return found


def put(editor: CodeEditor, text: str) -> None:
    """Shows a text with the caret where `¦` stands in it."""
    editor.show_text(text.replace("¦", ""))
    place = text.find("¦")
    if place >= 0:
        editor.select(place, place)


def with_caret(editor: CodeEditor) -> str:
    return editor.text[: editor.caret] + "¦" + editor.text[editor.caret :]


def test_odd_characters_survive_an_edit_elsewhere(editor: CodeEditor) -> None:
    put(editor, ODD)
    told: list[tuple[str, str]] = []
    editor.rewritten.connect(lambda text, label: told.append((text, label)))
    editor.select(3, 3)
    QTest.keyClicks(editor, "x")
    assert told == [("{{ xa }}" + ODD[7:], "")]
    assert editor.text == told[0][0]


def test_lines_are_jinja_s(editor: CodeEditor) -> None:
    put(editor, ODD)
    assert editor.line_count == 4
    assert [line for line, _, _ in editor.lines_in_sight()] == [1, 2, 4]
    editor.go_to(3, 2)
    assert with_caret(editor) == ODD[: ODD.index("d") + 1] + "¦" + ODD[ODD.index("d") + 1 :]
    assert editor.caret_line == (3, 2)
    editor.go_to(99, 99)
    assert editor.caret == len(ODD)


@pytest.mark.parametrize(
    ("before", "press", "after"),
    [
        ("{% if a %}¦", lambda e: QTest.keyClick(e, Qt.Key.Key_Return), "{% if a %}\n    ¦"),
        ("  a¦", lambda e: QTest.keyClick(e, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier), "  a\n  ¦"),
        ("{% if a %}\n  {% endif %¦", lambda e: QTest.keyClicks(e, "}"), "{% if a %}\n{% endif %}¦"),
        ("a¦", lambda e: QTest.keyClick(e, Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier), "{# a¦ #}"),
        ("a¦", lambda e: QTest.keyClick(e, Qt.Key.Key_BracketRight, Qt.KeyboardModifier.ControlModifier), "a   ¦"),
        ("    a¦", lambda e: QTest.keyClick(e, Qt.Key.Key_BracketLeft, Qt.KeyboardModifier.ControlModifier), "a¦"),
    ],
)
def test_keys(editor: CodeEditor, before: str, press: Callable[[CodeEditor], None], after: str) -> None:
    put(editor, before)
    press(editor)
    assert with_caret(editor) == after


def test_a_comment_that_cannot_be_says_why(editor: CodeEditor, qtbot: QtBot) -> None:
    put(editor, "a {# b #}¦")
    with qtbot.waitSignal(editor.refused) as refused:
        QTest.keyClick(editor, Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier)
    assert "do not nest" in refused.args[0]
    assert editor.text == "a {# b #}"


def test_tab_traps_no_one(qtbot: QtBot) -> None:
    box = QWidget()
    qtbot.addWidget(box)
    column = QVBoxLayout(box)
    before, editor, after = QWidget(), CodeEditor("Template"), QWidget()
    for each in (before, editor, after):
        column.addWidget(each)
        each.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    box.show()
    with qtbot.waitActive(box):
        box.activateWindow()
    before.setFocus()
    QTest.keyClick(before, Qt.Key.Key_Tab)
    assert editor.hasFocus()
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert after.hasFocus(), "who only comes by goes on"
    assert editor.text == ""
    editor.setFocus()
    QTest.keyClicks(editor, "a")
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.hasFocus()
    assert editor.text == "a   "
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert after.hasFocus()
    assert editor.text == "a   "
    QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton)
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.hasFocus()
    assert "Esc" in editor.accessibleDescription()


def test_a_block_s_tags_and_a_bracket_s_partner_are_found(editor: CodeEditor) -> None:
    put(editor, SOURCE)
    editor.select(SOURCE.index("endif"), SOURCE.index("endif"))
    texts = [SOURCE[start:end] for start, end in editor.matches()]
    assert texts == ["{% if m.role == 'user' %}", "{% endif %}"]
    QTest.keyClick(editor, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert editor.caret == SOURCE.index("{% if")
    QTest.keyClick(editor, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert editor.caret == SOURCE.index("{% endif")
    put(editor, "{{ f(¦a[0]) }}")
    assert editor.matches() == [(4, 5), (9, 10)]


def test_nothing_to_match_says_so(editor: CodeEditor, qtbot: QtBot) -> None:
    put(editor, "a¦")
    with qtbot.waitSignal(editor.refused):
        QTest.keyClick(editor, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)


@pytest.mark.qt_log_ignore("This plugin does not support raise")
def test_a_fault_is_marked_and_told_in_place(editor: CodeEditor, qtbot: QtBot) -> None:
    put(editor, SOURCE)
    editor.show_fault(2, 6, "<b>it is wrong</b>")
    assert editor.gutter.words_for(2) == "<b>it is wrong</b>"
    assert "Line 2" in editor.accessibleDescription()
    marks = editor.extraSelections()
    assert marks[-1].cursor.selectedText() == "if m.role == 'user' %}"
    y = next(top for line, top, _ in editor.lines_in_sight() if line == 2) + 4
    point = QPoint(60, y)
    QApplication.sendEvent(
        editor.viewport(), QHelpEvent(QEvent.Type.ToolTip, point, editor.viewport().mapToGlobal(point))
    )
    assert "&lt;b&gt;it is wrong" in QToolTip.text()
    editor.show_fault(None, None, "")
    assert editor.gutter.words_for(2) == ""
    QToolTip.hideText()


def test_the_gutter_tells_which_lines_ran_and_is_clicked(editor: CodeEditor, qtbot: QtBot) -> None:
    put(editor, SOURCE)
    editor.show_coverage(coverage_over([1, 2, 3], [Ran("talk", (1, 2))]))
    assert "ran" in editor.gutter.words_for(1)
    assert "did not run" in editor.gutter.words_for(3)
    assert editor.gutter.words_for(5) == ""
    top = next(top for line, top, _ in editor.lines_in_sight() if line == 3)
    with qtbot.waitSignal(editor.line_chosen) as chosen:
        QTest.mouseClick(editor.gutter, Qt.MouseButton.LeftButton, pos=QPoint(5, top + 5))
    assert chosen.args == [3]


def test_lit_lines_are_shown_without_moving_the_caret(editor: CodeEditor, qtbot: QtBot) -> None:
    put(editor, "x\n" * 400)
    editor.select(0, 0)
    editor.light_lines([300], reveal=True)
    assert 300 in [line for line, _, _ in editor.lines_in_sight()]
    assert editor.caret == 0
    assert editor.lit_lines == {300}


def test_finding(editor: CodeEditor, qtbot: QtBot) -> None:
    put(editor, ODD + "\nb B")
    bar = FindBar(editor, editor)
    bar.start()
    bar.field.setText("b")
    assert bar.count() == "1 of 3"
    assert editor.selected_text == "b"
    editor.find_previous()
    assert editor.selected == (len(ODD) + 3, len(ODD) + 4)
    editor.find_next()
    assert editor.selected[0] == ODD.index("b")
    bar.stop()
    assert len(editor.hits) == 0


def test_lines_are_asked_for(qtbot: QtBot) -> None:
    box = QWidget()
    qtbot.addWidget(box)
    bar = LineBar(box)
    chosen: list[tuple[int, int]] = []
    bar.chosen.connect(lambda line, column: chosen.append((line, column)))
    for typed in ("12", " 3:4 ", "x", "5,6"):
        bar.start(20)
        bar.field.setText(typed)
        QTest.keyClick(bar.field, Qt.Key.Key_Return)
    assert chosen == [(12, 1), (3, 4), (5, 6)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{% if not a.b is none %}", "tag statement statement name operator name statement constant tag"),
        ("{{ x | upper ~ f(1) }}", "tag name operator call operator call operator constant operator tag"),
        ("a {# b #}", "data comment"),
        ("{{ m.if }}", "tag name operator name tag"),
        ("{% endfoo %}", "tag statement tag"),
    ],
)
def test_colours(line: str, expected: str) -> None:
    assert " ".join(kinds(line, scan(line)[0])) == expected


def test_colours_go_on_in_the_next_line_and_follow_the_edit(editor: CodeEditor) -> None:
    put(editor, "{# a\nb\n#}\nc 😀 {{ d }}")

    def ground(line: int) -> list[tuple[int, int]]:
        formats = editor.document().findBlockByNumber(line).layout().formats()
        return [(each.start, each.length) for each in formats]

    assert ground(1) == [(0, 1)]
    # Qt counts the emoji as two; the delimiter and the space after it look alike.
    assert (5, 3) in ground(3)
    put(editor, "a\nb\n#}\nc")
    assert ground(1) == []


def test_a_large_template_is_quick_at_each_key(editor: CodeEditor, qtbot: QtBot) -> None:
    source = load("protium-1.0").source * 3
    assert len(source) > 60_000
    put(editor, source)
    editor.go_to(400)
    before = editor.document().blockCount()
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert editor.document().blockCount() == before + 1
    assert len(editor.text) > len(source)


def test_copying_is_exact(editor: CodeEditor) -> None:
    put(editor, ODD)
    editor.selectAll()
    editor.copy()
    assert QGuiApplication.clipboard().text() == ODD


def test_showing_another_text_goes_to_what_changed(editor: CodeEditor) -> None:
    put(editor, "¦" + SOURCE)
    editor.show_text(SOURCE.replace("content", "text"), follow=True)
    assert editor.text[: editor.caret].endswith("m.tex")
    editor.select(0, 0)
    editor.show_text(SOURCE)
    assert editor.caret == 0


def test_focus_by_the_mouse_means_to_edit(editor: CodeEditor) -> None:
    QApplication.sendEvent(editor, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.TabFocusReason))
    assert editor.tabChangesFocus()
    QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton)
    assert not editor.tabChangesFocus()
