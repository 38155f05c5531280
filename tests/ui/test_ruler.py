"""The ruler beside the prompt: what it shows, tells, and where it goes."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from support.prompt_feeds import GivenProblems, GivenPrompts, prompt_context
from support.traced import TRACED
from thinkpane.analysis.lint.findings import Finding
from thinkpane.formats.finding import Query
from thinkpane.prompt.prompt import Prompt
from thinkpane.templates.template import Template
from thinkpane.tokens.segments import Segment
from thinkpane.ui import theme
from thinkpane.ui.models.ruler_marks import Boundary, MarkList, RulerMark, Runs
from thinkpane.ui.panes.prompt import PANE, PromptPane
from thinkpane.ui.problems import Problems
from thinkpane.ui.widgets.ruler import Ruler
from thinkpane.ui.widgets.text_view import TextView

LINES = 1000
TEXT = "hay hay\n" * LINES


@pytest.fixture
def ruler(qtbot: QtBot) -> Ruler:
    view = TextView("Text")
    qtbot.addWidget(view)
    view.resize(400, 300)
    view.set_text(TEXT)
    found = Ruler(view)
    found.setParent(view)
    found.setGeometry(380, 0, 16, 300)
    view.show()
    found.refresh()
    return found


def view_of(ruler: Ruler) -> TextView:
    found = ruler.parentWidget()
    assert isinstance(found, TextView)
    return found


def colour_at(ruler: Ruler, x: int, y: int) -> str:
    picture = ruler.grab().toImage()
    ratio = picture.devicePixelRatio()
    return picture.pixelColor(round(x * ratio), round(y * ratio)).name()


def test_hits_are_shown_told_and_gone_to(ruler: Ruler) -> None:
    view = view_of(ruler)
    view.splice(len(TEXT) // 2, len(TEXT) // 2, "needle ")
    view.look_for(Query("needle"))
    view.select(0, 0)
    view.scroll_rows(-LINES)
    ruler.refresh()
    assert colour_at(ruler, 6, 150) == QColor(theme.current().warning).name()
    assert colour_at(ruler, 6, 100) != QColor(theme.current().warning).name()
    assert ruler.words_at(150) == "1 hit"
    assert ruler.words_at(100) == ""
    QTest.mouseClick(ruler, Qt.MouseButton.LeftButton, pos=QPoint(8, 151))
    assert view.selected_text == "needle"
    assert not view.rect_of(view.selection.start).isEmpty()


def test_a_click_beside_all_marks_scrolls_there_and_a_drag_on(ruler: Ruler) -> None:
    view = view_of(ruler)
    QTest.mouseClick(ruler, Qt.MouseButton.LeftButton, pos=QPoint(8, 150))
    middle = view.rows.lines.line_number(view.position_at_top()) + view.page_rows / 2
    assert abs(middle - LINES / 2) < 10
    ruler.scroll_to(300)
    assert view.is_at_end()


def test_marks_have_words_in_reading_order(ruler: Ruler) -> None:
    at = len(TEXT) // 4
    ruler.set_boundaries([Boundary(0, "Message 1 · user")])
    ruler.set_marks(MarkList(RulerMark(at + n, at + n + 1, "warning", f"Warning: <b>{n}</b>") for n in range(6)))
    ruler.refresh()
    assert ruler.words_at(75).split("\n") == [
        "Message 1 · user",
        *(f"Warning: <b>{n}</b>" for n in range(4)),
        "and 2 more",
    ]
    assert ruler.summary() == "1 message, 6 marked places"


def test_messages_have_their_colours_in_both_themes(ruler: Ruler) -> None:
    ruler.set_runs(Runs([(0, "user"), (len(TEXT) // 2, "assistant")]))
    before = theme.state().theme
    try:
        for each in (theme.DARK, theme.LIGHT):
            theme.state().theme = each
            ruler.refresh()
            blue, green = (QColor(colour_at(ruler, 2, y)) for y in (40, 260))
            assert blue.hue() == pytest.approx(QColor(each.user).hue(), abs=12)
            assert green.hue() == pytest.approx(QColor(each.assistant).hue(), abs=12)
    finally:
        theme.state().theme = before


def test_a_short_text_is_not_stretched(ruler: Ruler) -> None:
    view = view_of(ruler)
    view.set_text("one\ntwo")
    ruler.set_boundaries([Boundary(0, "Message 1"), Boundary(4, "Message 2")])
    ruler.refresh()
    height = view.rows.style.face.row_height
    assert ruler.words_at(height + 5) == "Message 2"
    assert ruler.words_at(height - 8) == "Message 1"


def test_ten_thousand_marks_on_a_million_tokens_take_no_pass_over_the_text(ruler: Ruler) -> None:
    text = "lorem ipsum dolor sit amet\n" * 150_000
    view_of(ruler).set_text(text)
    ruler.set_marks(MarkList(RulerMark(n * 400, n * 400 + 1, "error", "x") for n in range(10_000)))
    ruler.refresh()
    pieces = view_of(ruler).rows.laid_pieces
    assert ruler.words_at(150).endswith("more")
    assert colour_at(ruler, 12, 150) == QColor(theme.current().bad).name()
    assert view_of(ruler).rows.laid_pieces == pieces


def test_the_prompt_s_messages_and_problems_come_to_it(qtbot: QtBot, tmp_path: Path) -> None:
    prompts = GivenPrompts(Template("", ""))
    context = prompt_context(prompts, tmp_path)
    pane = PANE.build(context)
    assert isinstance(pane, PromptPane)
    qtbot.addWidget(pane)
    prompt = Prompt(
        TRACED.text,
        (Segment(0, 3, True), Segment(3, len(TRACED.text), False, "user")),
        request=TRACED.request,
        origins=TRACED.origins,
        owners=TRACED.owners,
    )
    prompts.give(prompt)
    ruler = pane.overview.ruler
    qtbot.waitUntil(lambda: [(each.start, each.words) for each in ruler.boundaries] == [(4, "Message 1 · user")])
    problems = context.problems
    assert isinstance(problems, GivenProblems)
    findings = (
        Finding("a", "error", "Said twice.", "", span=(4, 6)),
        Finding("b", "note", "Never read.", "", message_index=0),
        Finding("c", "warning", "Nowhere.", "", line=3),
    )
    problems.give(Problems(findings, prompt))
    qtbot.waitUntil(lambda: len(ruler.marks) == 2)
    assert [each.words for each in ruler.marks.between(0, 99, 9)] == ["Error: Said twice.", "Note: Never read."]
    pane.overview.show_injected((RulerMark(10, 12, "injection", "A special token from input"),))
    qtbot.waitUntil(lambda: len(ruler.marks) == 3)
    prompts.give(Prompt("other"))
    qtbot.waitUntil(lambda: len(ruler.marks) == 0)
