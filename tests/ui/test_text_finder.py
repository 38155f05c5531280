"""Finding beside the window, and what the row says of it."""

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from thinkpane.formats.finding import Hits, Query
from thinkpane.ui.widgets.code_editor import CodeEditor
from thinkpane.ui.widgets.find_bar import FindBar
from thinkpane.ui.widgets.text_finder import AT_ONCE, TextFinder
from thinkpane.ui.widgets.text_view import TextView

LONG = "needle and hay\n" * (AT_ONCE // 10)


@pytest.fixture
def bar(qtbot: QtBot) -> FindBar:
    view = TextView("Text")
    qtbot.addWidget(view)
    found = FindBar(view, view)
    found.start()
    return found


def view_of(bar: FindBar) -> TextView:
    found = bar.parentWidget()
    assert isinstance(found, TextView)
    return found


def test_short_texts_are_searched_at_once_and_long_ones_beside(qtbot: QtBot) -> None:
    owner = QObject()
    finder = TextFinder(owner)
    told: list[Hits] = []
    finder.found.connect(told.append)
    finder.look("a-a", Query("a"))
    assert [len(each) for each in told] == [2]
    with qtbot.waitSignal(finder.found):
        finder.look(LONG, Query("needle"))
        assert len(told) == 1
    assert len(told[1]) == AT_ONCE // 10


def test_only_the_newest_question_is_answered(qtbot: QtBot) -> None:
    owner = QObject()
    finder = TextFinder(owner)
    told: list[Hits] = []
    finder.found.connect(told.append)
    finder.look("a" * 50 + "!", Query("(a+)+$", regex=True))
    finder.look("abc", Query("b|c", regex=True))
    qtbot.waitUntil(lambda: bool(told))
    assert [list(each.starts) for each in told] == [[1, 2]]


def test_the_row_counts_with_separators(bar: FindBar, qtbot: QtBot) -> None:
    view_of(bar).set_text("x " * 1204)
    bar.field.setText("x")
    assert bar.count() == "1 of 1,204"
    view_of(bar).find_next()
    view_of(bar).find_next()
    assert bar.count() == "3 of 1,204"


def test_the_row_says_what_goes_on_and_what_is_wrong(bar: FindBar, qtbot: QtBot) -> None:
    view_of(bar).set_text("one two")
    bar.regex.setChecked(True)
    bar.field.setText("o(")
    assert bar.count() == "searching…"
    qtbot.waitUntil(lambda: bool(bar.problem.text()))
    assert bar.problem.text() == "This is no regular expression: missing ), unterminated subpattern (at 2)."
    assert bar.count() == ""
    bar.field.setText("o(n|$)")
    qtbot.waitUntil(lambda: bar.count() == "1 of 2")
    assert not bar.problem.text()


def test_whole_words_by_the_row_s_switch(bar: FindBar, qtbot: QtBot) -> None:
    view_of(bar).set_text("one none")
    bar.field.setText("one")
    assert bar.count() == "1 of 2"
    bar.whole.click()
    assert bar.count() == "1 of 1"


def test_hits_follow_a_text_that_goes_on_growing(bar: FindBar, qtbot: QtBot) -> None:
    view = view_of(bar)
    view.set_text("needle\n")
    bar.field.setText("needle")

    def grown() -> bool:
        view.append("needle\n")
        return bar.count() != "1 of 1"

    qtbot.waitUntil(grown)


def test_the_editor_finds_by_expressions_too(qtbot: QtBot) -> None:
    editor = CodeEditor("Template")
    qtbot.addWidget(editor)
    editor.show_text("{{ a }} {{ b }}")
    found = FindBar(editor, editor)
    found.regex.setChecked(True)
    found.start()
    found.field.setText(r"\{\{ \w")
    qtbot.waitUntil(lambda: found.count() == "1 of 2")
    assert editor.selected_text == "{{ a"
