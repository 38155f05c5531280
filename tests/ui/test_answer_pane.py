"""The answer: plain while it comes, rendered where a block is complete, raw on demand, in parts in order of arrival."""

from collections.abc import Iterator
from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from support.fake_runs import Runs, context_of
from thinkpane.streaming.events import AnswerDelta, AnswerWasThinking, Ended
from thinkpane.ui.panes.answer import PANE, AnswerPane
from thinkpane.ui.widgets import answer_text
from thinkpane.ui.widgets.find_bar import FindBar
from thinkpane.ui.widgets.output_column import OutputColumn


@pytest.fixture
def pane(runs: Runs, qtbot: QtBot) -> Iterator[AnswerPane]:
    found = cast("AnswerPane", PANE.build(context_of(runs)))
    column = OutputColumn([found])
    qtbot.addWidget(column)
    column.resize(480, 600)
    column.show()
    runs.begin()
    yield found
    column.hide()


def test_a_block_is_rendered_when_it_is_complete(pane: AnswerPane, runs: Runs) -> None:
    runs.give(AnswerDelta("**one** is"))
    assert (pane.text.rich.isVisible(), pane.view.text) == (False, "**one** is")
    runs.give(AnswerDelta(" here\n\n**tw"))
    assert (pane.text.rich.toPlainText(), pane.view.text) == ("one is here", "**tw")
    runs.give(AnswerDelta("o**"))
    runs.finish(Ended(clean=True))
    assert (pane.text.rich.toPlainText(), pane.view.text) == ("one is here\ntwo", "")
    assert not pane.view.isVisible()


def test_the_copy_is_the_model_s_own_string(pane: AnswerPane, runs: Runs) -> None:
    text = "**a**\u00a0\r\n\n\u2028```\nx\n```\n\ud83d"
    runs.give(AnswerDelta(text))
    runs.finish(Ended(clean=True))
    pane.copy()
    assert QGuiApplication.clipboard().text() == text[:-1] + "\ufffd"
    assert pane.text.text == text


def test_raw_shows_every_character_and_the_way_back_renders_again(pane: AnswerPane, runs: Runs, qtbot: QtBot) -> None:
    runs.give(AnswerDelta("# a\n\n**b**\n\nc"))
    pane.set_raw(True)
    assert (pane.view.text, pane.text.rich.isVisible()) == ("# a\n\n**b**\n\nc", False)
    runs.give(AnswerDelta(" *d*\n\ne"))
    qtbot.waitUntil(lambda: pane.view.text.endswith("c *d*\n\ne"))
    pane.set_raw(False)
    assert (pane.text.rich.toPlainText(), pane.view.text) == ("a\nb\nc d", "e")


def test_a_very_long_answer_is_rendered_up_to_a_bound_and_says_so(
    pane: AnswerPane, runs: Runs, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_text, "LONGEST_RICH", 1_000)
    for number in range(40):
        runs.give(AnswerDelta(f"paragraph {number} " + "x" * 80 + "\n\n"))
    runs.finish(Ended(clean=True))
    qtbot.waitUntil(pane.text.note.isVisible)
    assert len(pane.text.rich.markdown) <= 1_000
    assert pane.text.rich.markdown + pane.view.text == pane.text.text
    assert "too long to be rendered whole" in pane.text.note.text()
    pane.set_raw(True)
    assert not pane.text.note.isVisible()
    assert pane.view.text == pane.text.text


def test_much_that_comes_at_once_is_rendered_in_slices(pane: AnswerPane, runs: Runs, qtbot: QtBot) -> None:
    runs.give(AnswerDelta("word *word* `word`\n\n" * 2_000))
    runs.finish(Ended(clean=True))
    qtbot.waitUntil(lambda: pane.text.rich.markdown == pane.text.text)
    assert pane.view.text == ""


def test_a_long_plain_text_is_shown_at_the_window_s_pace_and_whole_at_the_end(pane: AnswerPane, runs: Runs) -> None:
    pane.set_raw(True)
    runs.give(AnswerDelta("word " * 6_000))
    for number in range(40):
        runs.give(AnswerDelta(f"{number} "))
    assert len(pane.view.text) <= pane.text.length
    runs.finish(Ended(clean=True))
    assert pane.view.text == pane.text.text
    assert pane.view.text.endswith("38 39 ")


def test_one_endless_paragraph_is_not_rendered(pane: AnswerPane, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_text, "LONGEST_RICH", 1_000)
    for _ in range(30):
        runs.give(AnswerDelta("word " * 10))
    assert pane.text.note.isVisible()
    runs.finish(Ended(clean=True))
    assert (pane.text.rich.markdown, pane.view.text) == ("", pane.text.text)


def test_an_answer_that_was_thinking_is_forgotten(pane: AnswerPane, runs: Runs) -> None:
    runs.give(AnswerDelta("hm\n\nhm, so"))
    runs.give(AnswerWasThinking("closed by </think>"), AnswerDelta("It is so.\n\nYes", "2"))
    assert (pane.text.rich.toPlainText(), pane.view.text) == ("It is so.", "Yes")


def test_finding_shows_the_raw_text(pane: AnswerPane, runs: Runs) -> None:
    runs.give(AnswerDelta("**a**\n\nb"))
    runs.finish(Ended(clean=True))
    bar = pane.findChild(FindBar)
    assert bar is not None
    bar.start()
    QTest.keyClicks(bar.field, "**a")
    assert pane.view.text == "**a**\n\nb"


def test_in_parts_every_run_of_answer_has_its_card(pane: AnswerPane, runs: Runs) -> None:
    runs.give(AnswerDelta("one\n\ntwo", "1"))
    pane.set_in_parts(True)
    assert not pane.text.isVisible()
    runs.give(AnswerDelta("three", "2"))
    assert [part.text.text for part in pane.parts] == ["one\n\ntwo", "three"]
    assert pane.parts[0].text.rich.toPlainText() == "one\ntwo", "what came before another run of text is complete"
    runs.give(AnswerDelta(" four", "2"))
    runs.finish(Ended(clean=True))
    assert pane.parts[1].text.rich.toPlainText() == "three four"
    pane.set_in_parts(False)
    assert pane.parts == []
    assert pane.text.rich.toPlainText() == "one\ntwothree four"
    assert pane.raw.focusPolicy() != Qt.FocusPolicy.NoFocus
