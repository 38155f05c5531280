"""Going to places of the prompt by keys alone."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from support.encoded import MARKS, encoded
from support.prompt_feeds import GivenPrompts, prompt_context
from support.token_feeds import Tokens
from thinkpane.engine.request import RenderRequest
from thinkpane.prompt.prompt import Prompt
from thinkpane.templates.template import Template
from thinkpane.tokens.segments import cut
from thinkpane.ui.panes.prompt import PANE, PromptPane

TEXT = "<|im_start|>user\n" + "hay\n" * 400 + "needle<|im_end|>\n<|im_start|>assistant\n"


@pytest.fixture
def tokens(qapp: object) -> Tokens:
    return Tokens()


@pytest.fixture
def pane(tokens: Tokens, qtbot: QtBot, tmp_path: Path) -> PromptPane:
    prompts = GivenPrompts(Template("", ""))
    built = PANE.build(prompt_context(prompts, tmp_path, tokens=tokens))
    assert isinstance(built, PromptPane)
    qtbot.addWidget(built)
    built.resize(500, 400)
    built.show()
    prompts.give(Prompt(TEXT, cut(TEXT, MARKS, {}), request=RenderRequest("", [])))
    return built


def type_in(pane: PromptPane, words: str) -> None:
    bar = pane.going.bar
    bar.start()
    bar.field.clear()
    QTest.keyClicks(bar.field, words)


def test_says_while_typing_what_is_there_and_goes_by_enter(pane: PromptPane, tokens: Tokens) -> None:
    type_in(pane, "2")
    bar = pane.going.bar
    assert bar.problem.text() == "The tokens are still being counted; try again in a moment."
    tokens.give(encoded(TEXT))
    assert bar.there.whole == "token 2 of 1,625 · id 117 · “u” · character 13"
    assert not bar.problem.isVisible()
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    assert pane.view.selected_text == "u"
    assert bar.isVisible()


def test_a_far_line_comes_into_sight(pane: PromptPane) -> None:
    type_in(pane, "line 402")
    QTest.keyClick(pane.going.bar.field, Qt.Key.Key_Return)
    assert pane.view.text[pane.view.selection.caret :].startswith("needle")
    assert not pane.view.rect_of(pane.view.selection.caret).isEmpty()


def test_enter_on_next_goes_on_and_round(pane: PromptPane) -> None:
    type_in(pane, "next")
    seen = []
    for _ in range(3):
        QTest.keyClick(pane.going.bar.field, Qt.Key.Key_Return)
        seen.append(pane.view.selection.start)
    assert seen == [TEXT.index("<|im_end|>"), TEXT.rindex("<|im_start|>"), 0]


def test_a_mistake_is_told_and_moves_nothing(pane: PromptPane) -> None:
    type_in(pane, "line 9999")
    QTest.keyClick(pane.going.bar.field, Qt.Key.Key_Return)
    assert pane.going.bar.problem.text() == "There are 404 lines, so there is no line 9,999."
    assert pane.view.selection.caret == 0


def test_the_menu_lists_the_kinds_with_their_counts(pane: PromptPane) -> None:
    bar = pane.going.bar
    bar.start()
    menu = bar.kinds.menu()
    menu.aboutToShow.emit()
    assert [each.text() for each in menu.actions()] == ["<|im_start|>\t×2", "<|im_end|>\t×1"]
    menu.actions()[1].trigger()
    assert pane.view.selected_text == "<|im_end|>"
    assert bar.field.text() == "<|im_end|>"


def test_the_key_opens_and_escape_gives_the_keyboard_back(pane: PromptPane, qtbot: QtBot) -> None:
    pane.activateWindow()
    pane.view.setFocus()
    qtbot.waitUntil(pane.view.hasFocus)
    QTest.keyClick(pane.view, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(pane.going.bar.field.hasFocus)
    assert pane.going.bar.there.whole.startswith("token 120 · message 2")
    QTest.keyClick(pane.going.bar.field, Qt.Key.Key_Escape)
    assert not pane.going.bar.isVisible()
    qtbot.waitUntil(pane.view.hasFocus)


def test_one_row_gives_way_to_the_other_and_hits_stay(pane: PromptPane) -> None:
    pane.find_bar.start()
    pane.find_bar.field.setText("needle")
    pane.going.bar.start()
    assert pane.find_bar.isHidden()
    assert len(pane.view.hits) == 1
    pane.find_bar.start()
    assert pane.going.bar.isHidden()
    assert pane.find_bar.count() == "1 of 1"
