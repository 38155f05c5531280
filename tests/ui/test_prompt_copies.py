"""Copying from the prompt: text, ids, JSON; of what is selected, else of all; long ones beside the window."""

import json
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from support.encoded import encoded
from support.prompt_feeds import GivenPrompts, prompt_context
from support.token_feeds import Tokens
from support.told import wait_told
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import Problem
from thinkpane.prompt import token_copy
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.token_service import Encoded
from thinkpane.templates.template import Template
from thinkpane.ui.panes.prompt import PANE, PromptPane
from thinkpane.ui.prompt_copies import AT_ONCE

TEXT = "<|im_start|>aé\u2028\ud800<b>"


@pytest.fixture
def tokens(qapp: object) -> Tokens:
    return Tokens()


@pytest.fixture
def prompts(qapp: object) -> GivenPrompts:
    return GivenPrompts(Template("", ""))


@pytest.fixture
def pane(prompts: GivenPrompts, tokens: Tokens, qtbot: QtBot, tmp_path: Path) -> PromptPane:
    built = PANE.build(prompt_context(prompts, tmp_path, tokens=tokens))
    assert isinstance(built, PromptPane)
    qtbot.addWidget(built)
    prompts.give(Prompt(TEXT, request=RenderRequest("", [])))
    tokens.give(encoded(TEXT))
    return built


def pasted() -> str:
    return QGuiApplication.clipboard().text()


def test_what_is_selected_else_all_of_it(pane: PromptPane) -> None:
    pane.copies.copy_ids()
    assert json.loads(pasted())[:3] == [256, 97, 0xC3]
    pane.view.select(12, 13)
    pane.copies.copy_ids()
    assert pasted() == "[97]"
    assert pane.chosen.text() == "Copied 1 id"
    pane.copies.copy_json()
    assert json.loads(pasted())["tokens"] == [{"id": 97, "piece": "a", "offsets": [12, 13], "special": False}]
    pane.copies.copy_text()
    assert pasted() == "a"
    pane.view.select(0, 0)
    pane.copies.copy_text()
    assert pasted() == TEXT.replace("\ud800", "\ufffd")


def test_many_tokens_are_written_beside_the_window(
    pane: PromptPane, prompts: GivenPrompts, tokens: Tokens, qtbot: QtBot
) -> None:
    text = "ab" * AT_ONCE
    prompts.give(Prompt(text, request=RenderRequest("", [])))
    tokens.give(encoded(text))
    with qtbot.waitSignal(pane.copies.told, check_params_cb=lambda words: words.startswith("Copied")):
        pane.copies.copy_json()
        assert pane.chosen.text() == "Copying 10,000 tokens…"
    assert len(json.loads(pasted())["tokens"]) == 2 * AT_ONCE


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (None, "Nothing was copied, because the tokens are still being counted; try again in a moment."),
        (Encoded(1), "Nothing was copied, because the tokens are not known: no tokenizer lies beside the template."),
        (
            Encoded(1, problem=Problem("tokenizer", "The file is broken.")),
            "Nothing was copied, because the tokens are not known: The file is broken.",
        ),
    ],
)
def test_without_tokens_it_says_why(pane: PromptPane, tokens: Tokens, found: Encoded | None, sentence: str) -> None:
    said: list[Problem] = []
    pane.warned.connect(said.append)
    tokens.current = found
    before = pasted()
    pane.copies.copy_ids()
    pane.copies.copy_json()
    assert [each.message for each in said] == [sentence, sentence]
    assert pasted() == before


def test_too_much_is_told_and_copies_nothing(pane: PromptPane, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[Problem] = []
    pane.warned.connect(said.append)
    monkeypatch.setattr(token_copy, "MOST_BYTES", 10)
    pane.copies.copy_json()
    assert [each.kind for each in said] == ["size"]


def test_the_view_s_own_menu_has_the_forms(pane: PromptPane) -> None:
    menu = QMenu()
    pane.view.menu_opening.emit(menu, 0)
    assert [each.text() for each in menu.actions() if "Copy" in each.text()] == [
        "Copy token ids\tCtrl+Alt+I",
        "Copy tokens as JSON\tCtrl+Alt+J",
    ]


def test_a_copy_that_was_asked_for_before_takes_no_later_one_s_place(
    pane: PromptPane, prompts: GivenPrompts, tokens: Tokens, qtbot: QtBot
) -> None:
    text = "ab" * AT_ONCE
    prompts.give(Prompt(text, request=RenderRequest("", [])))
    tokens.give(encoded(text))
    for short in (pane.copies.copy_ids, pane.copies.copy_text):
        pane.view.select(0, 0)
        pane.copies.copy_json()
        assert pane.copies._work is not None
        wait_told(pane.copies._work)
        pane.view.select(0, 1)
        short()
        before = pasted()
        QApplication.processEvents()
        assert pasted() == before
        assert pane.chosen.text().startswith("Copied 1 ")
