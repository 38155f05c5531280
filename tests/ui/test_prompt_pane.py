"""The prompt pane, fed with prompts as the service makes them."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from support.prompt_feeds import prompt_context
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import Problem
from thinkpane.prompt.prompt import Prompt
from thinkpane.templates.template import Template
from thinkpane.tokens.segments import Segment
from thinkpane.ui.panes._prompt_words import characters, note, problem_line
from thinkpane.ui.panes.prompt import PANE, PromptPane

TEXT = "<|user|>a\u00a0b\r\nwhere\ud800?<|assistant|><think>"
SEGMENTS = (
    Segment(0, 8, True, "user"),
    Segment(8, 20, False, "user"),
    Segment(20, 33, True, "assistant"),
    Segment(33, 40, True, "assistant"),
)
TEMPLATE = Template("own", "{{ '<think>' }}</think>")
REQUEST = RenderRequest(source=TEMPLATE.source, messages=[])


class Prompts(QObject):
    """Stands in for the feed of prompts."""

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.prompt = Prompt()
        self.template = TEMPLATE

    def give(self, prompt: Prompt) -> None:
        self.prompt = prompt
        self.changed.emit(prompt)


@pytest.fixture
def prompts(qapp: object) -> Prompts:
    return Prompts()


@pytest.fixture
def pane(prompts: Prompts, qtbot: QtBot, tmp_path: Path) -> PromptPane:
    built = PANE.build(prompt_context(prompts, tmp_path))
    assert isinstance(built, PromptPane)
    qtbot.addWidget(built)
    built.resize(500, 400)
    built.show()
    return built


def test_an_empty_pane_says_what_will_appear(pane: PromptPane) -> None:
    assert not pane.view.isVisible()
    assert "prompt appears here" in pane.empty.text()


def test_shows_copies_and_counts_the_prompt_s_own_string(pane: PromptPane, prompts: Prompts) -> None:
    prompts.give(Prompt(TEXT, SEGMENTS, request=REQUEST, milliseconds=3.25))
    assert pane.view.text == TEXT
    pane.copy()
    assert QGuiApplication.clipboard().text() == TEXT.replace("\ud800", "\ufffd")
    assert pane.counts.whole == "40 characters · 3 special tokens · 2 lines · rendered in 3.2 ms"


def test_special_tokens_are_chips_in_their_role_s_colour(pane: PromptPane, prompts: Prompts) -> None:
    prompts.give(Prompt(TEXT, SEGMENTS, request=REQUEST))
    rows = pane.view.rows
    chips = [chip for start in (0, 13) for chip in rows.laid(rows.lines.piece_at(start)).chips]
    assert (0, 8, "user") in chips
    assert (20, 33, "assistant") in chips
    assert (33, 40, "assistant") in chips


def test_a_failed_render_greys_the_last_prompt_and_says_where(pane: PromptPane, prompts: Prompts) -> None:
    prompts.give(Prompt(TEXT, SEGMENTS, request=REQUEST))
    fault = Problem("template", "‘x’ is undefined <b>now</b>", line=12, column=3, message_index=1)
    prompts.give(Prompt(TEXT, SEGMENTS, problem=fault, stale=True, request=REQUEST))
    assert pane.problem.isVisible()
    assert pane.problem.textFormat() == Qt.TextFormat.PlainText
    assert pane.problem.text() == "template · line 12, column 3 · message 2 — ‘x’ is undefined <b>now</b>"
    assert pane.view.text == TEXT
    assert pane.view.is_stale()
    prompts.give(Prompt(TEXT, SEGMENTS, request=REQUEST))
    assert not pane.problem.isVisible()
    assert not pane.view.is_stale()


def test_a_first_render_that_fails_shows_its_fault_and_no_promise(pane: PromptPane, prompts: Prompts) -> None:
    prompts.give(Prompt(problem=Problem("template", "Unexpected end of template.")))
    assert pane.problem.text() == "template — Unexpected end of template."
    assert not pane.empty.isVisible()


def test_a_document_without_a_message_is_no_fault_yet(pane: PromptPane, prompts: Prompts) -> None:
    refused = Problem("request", "Cannot apply chat template to an empty conversation: add at least one message.")
    prompts.give(Prompt(problem=refused, request=REQUEST, serial=1))
    assert (pane.problem.isVisible(), pane.empty.isVisible()) == (False, True)
    assert "write a message" in pane.empty.text()
    prompts.give(Prompt(problem=refused, request=replace(REQUEST, messages=[{"role": "user"}]), serial=2))
    assert (pane.problem.isVisible(), pane.empty.isVisible()) == (True, False)


@pytest.mark.parametrize(
    ("text", "request_", "words"),
    [
        ("<|assistant|><think>", REQUEST, "← generation starts here, inside thinking"),
        ("<|assistant|><think></think>", REQUEST, "← generation starts here, after an empty thinking block"),
        ("<|assistant|>", REQUEST, "← generation starts here"),
        ("<|user|>", RenderRequest("", [], add_generation_prompt=False), ""),
        (
            "<|assistant|>So",
            RenderRequest("", [], add_generation_prompt=False, continue_final_message=True),
            "← generation starts here",
        ),
        ("", REQUEST, ""),
        ("x", None, ""),
    ],
)
def test_the_note_says_where_generation_starts(text: str, request_: RenderRequest | None, words: str) -> None:
    assert note(Prompt(text, request=request_), TEMPLATE) == words


def test_invisible_characters_are_shown_on_demand(pane: PromptPane, prompts: Prompts) -> None:
    prompts.give(Prompt(TEXT, SEGMENTS, request=REQUEST))
    pane.stream.invisible.click()
    rows = pane.view.rows
    assert rows.laid(rows.lines.piece_at(0)).layout.text() == "<|user|>a⍽b\\r↵"
    pane.stream.invisible.click()
    assert rows.laid(rows.lines.piece_at(0)).layout.text() == "<|user|>a\u00a0b\\r"


def test_what_is_selected_is_told_by_line_count_and_name(pane: PromptPane, prompts: Prompts) -> None:
    prompts.give(Prompt(TEXT, SEGMENTS, request=REQUEST))
    pane.view.select(9, 10)
    assert pane.chosen.text() == "Line 1 · U+00A0 NO-BREAK SPACE selected"
    pane.view.select(13, 18)
    assert pane.chosen.text() == "Line 2 · 5 characters selected"
    assert characters("\ud800") == "U+D800"


def test_finding_by_keys(pane: PromptPane, prompts: Prompts, qtbot: QtBot) -> None:
    prompts.give(Prompt("one two one", request=REQUEST))
    pane.activateWindow()
    pane.view.setFocus()
    qtbot.waitUntil(pane.view.hasFocus)
    QTest.keyClick(pane.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    field = pane.find_bar.field
    qtbot.waitUntil(field.hasFocus)
    QTest.keyClicks(field, "one")
    assert pane.find_bar.count() == "1 of 2"
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert pane.view.selection.start == 8
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert pane.view.selection.start == 0
    QTest.keyClicks(field, "x")
    assert pane.find_bar.count() == "not found"
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert not pane.find_bar.isVisible()
    assert len(pane.view.hits) == 0


def test_problem_lines_name_what_is_known() -> None:
    assert problem_line(Problem("timeout", "It took too long.")) == "timeout — It took too long."
