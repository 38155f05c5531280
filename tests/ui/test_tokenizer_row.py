"""The tokenizer is found with the template or chosen by hand, and the choice is remembered by template."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from support.small_vocabularies import byte_pairs
from thinkpane.errors import Problem
from thinkpane.prompt.prompt import Prompt
from thinkpane.templates.template import Template
from thinkpane.ui.panes._tokenizer_row import TokenizerRow
from thinkpane.ui.token_feed import TokenFeed
from thinkpane.workspace.tokenizer_choices import TokenizerChoices


class Prompts(QObject):
    """Stands in for the feed of prompts."""

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.prompt = Prompt()
        self.template = Template("chatml", "", built_in=True)


class Desk:
    """A row over a feed, with a template that has no tokenizer by itself."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "choices" / "tokenizers.json"
        self.folder = folder
        self.prompts = Prompts()
        self.feed = TokenFeed(cast("Any", self.prompts), None, TokenizerChoices(self.file))
        self.faults: list[Problem] = []
        self.row = TokenizerRow(self.feed, self.faults.append)
        self.feed.told.connect(self.row.tell)
        self.prompts.prompt = Prompt("the other", serial=1)

    def model(self, name: str) -> Path:
        found = self.folder / name
        found.mkdir()
        byte_pairs()._tokenizer.save(str(found / "tokenizer.json"))
        return found / "tokenizer.json"

    def entries(self) -> dict[str, bool]:
        self.row.fill()
        return {each.text(): each.isChecked() for each in self.row.menu.actions() if each.isCheckable()}

    def press(self, words: str) -> None:
        self.row.fill()
        (found,) = [each for each in self.row.menu.actions() if each.text().startswith(words)]
        found.trigger()


@pytest.fixture
def desk(qapp: object, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.feed.close()


def test_a_file_chosen_by_hand_counts_and_is_remembered_by_template(desk: Desk, qtbot: QtBot) -> None:
    qtbot.addWidget(desk.row)
    file = desk.model("mine")
    with qtbot.waitSignal(desk.feed.encoded):
        desk.row.choose(str(file))
        assert desk.row.label.text() == "Counting tokens …" or desk.row.isHidden()
    assert desk.row.label.text() == "5 tokens, exact (tokenizer.json)"
    assert desk.entries()["mine/tokenizer.json"]
    assert desk.feed.file == file
    assert TokenizerChoices(desk.file).of("chatml") == str(file)
    desk.prompts.template = Template("llama3", "", built_in=True)
    assert desk.entries()["Found with the template: none"]
    assert not desk.entries()["mine/tokenizer.json"]


def test_a_choice_can_be_taken_back(desk: Desk, qtbot: QtBot) -> None:
    qtbot.addWidget(desk.row)
    with qtbot.waitSignal(desk.feed.encoded):
        desk.row.choose(str(desk.model("mine")))
    with qtbot.waitSignal(desk.feed.encoded):
        desk.press("Found with the template")
    assert desk.row.label.text() == "≈ 3 tokens, an estimate"
    assert TokenizerChoices(desk.file).of("chatml") == ""


def test_none_is_an_estimate_although_the_template_has_one(desk: Desk, qtbot: QtBot) -> None:
    qtbot.addWidget(desk.row)
    desk.prompts.template = Template(str(desk.model("model").parent), "")
    assert "Found with the template: model/tokenizer.json" in desk.entries()
    with qtbot.waitSignal(desk.feed.encoded):
        desk.press("None")
    assert desk.row.label.text() == "≈ 3 tokens, an estimate"
    assert desk.entries()["None, an estimate by length"]


def test_a_tokenizer_that_cannot_be_used_is_told(desk: Desk, qtbot: QtBot) -> None:
    qtbot.addWidget(desk.row)
    with qtbot.waitSignal(desk.feed.encoded):
        desk.row.choose(str(desk.folder / "nowhere"))
    assert desk.row.label.text() == "≈ 3 tokens, an estimate; the tokenizer cannot be used"
    assert "There is no file or folder" in desk.row.label.toolTip()
    assert desk.row.fault.text().startswith("No exact count: There is no file or folder “")


def test_why_a_tokenizer_gives_none_stands_below_the_count_and_the_keyboard_reaches_it(
    desk: Desk, qtbot: QtBot
) -> None:
    qtbot.addWidget(desk.row)
    broken = desk.model("broken")
    broken.write_text('{"model": {"type": "<b>?"}}', encoding="utf-8")
    with qtbot.waitSignal(desk.feed.encoded):
        desk.row.choose(str(broken))
    row = desk.row
    assert not row.fault.isHidden()
    assert row.fault.text().startswith("No exact count: “broken/tokenizer.json” is a tokenizer that the library")
    assert row.fault.textFormat() == Qt.TextFormat.PlainText
    whole = row.fault.accessibleName()
    assert whole.startswith(row.fault.text().removesuffix("…"))
    assert row.button.accessibleDescription() == whole
    row.show()
    row.button.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(row.button, Qt.Key.Key_Tab)
    assert row.fault.hasFocus()
    with qtbot.waitSignal(desk.feed.encoded):
        row.choose(str(desk.model("mine")))
    assert row.fault.isHidden()
    assert row.button.accessibleDescription() == ""


def test_a_template_without_a_tokenizer_is_no_fault(desk: Desk, qtbot: QtBot) -> None:
    qtbot.addWidget(desk.row)
    with qtbot.waitSignal(desk.feed.encoded):
        desk.feed._on_prompts_changed(desk.prompts.prompt)
    assert desk.row.fault.isHidden()


def test_an_address_is_asked_for(desk: Desk, qtbot: QtBot) -> None:
    qtbot.addWidget(desk.row)
    desk.press("Hub, server")
    assert desk.row.dialog is not None
    desk.row.dialog.setTextValue(f" {desk.model('mine')} ")
    with qtbot.waitSignal(desk.feed.encoded):
        desk.row.dialog.accept()
    assert desk.row.label.text().startswith("5 tokens, exact")


def test_a_choice_that_cannot_be_kept_holds_and_is_told(desk: Desk, qtbot: QtBot) -> None:
    qtbot.addWidget(desk.row)
    desk.file.parent.write_text("", encoding="utf-8")
    with qtbot.waitSignal(desk.feed.encoded):
        desk.row.choose(str(desk.model("mine")))
    assert len(desk.faults) == 1
    assert desk.row.label.text().startswith("5 tokens, exact")
