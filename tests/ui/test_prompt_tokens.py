"""Tokens in the prompt pane: toggles that are kept, what is told by pointer and caret, and screen readers."""

from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from support.token_feeds import Tokens, encoded
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.token_service import Encoded
from thinkpane.tokens.segments import Segment
from thinkpane.ui.context import Context
from thinkpane.ui.links import Links
from thinkpane.ui.panes._token_words import token_words
from thinkpane.ui.panes.prompt import PANE, PromptPane
from thinkpane.ui.widgets.text_spoken import Spot, spot
from thinkpane.workspace.settings import Settings

TEXT = "<|im_start|>the 漢\n"
PROMPT = Prompt(TEXT, (Segment(0, 12, True, "user"), Segment(12, len(TEXT), False, "user")), serial=1)


class Feed(QObject):
    """Stands in for the feeds of prompts, effects and problems.

    Signals:
        changed(object): something new.
    """

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.prompt = Prompt()
        self.template = None
        self.problems = None

    def give(self, prompt: Prompt) -> None:
        self.prompt = prompt
        self.changed.emit(prompt)


class Pane:
    """A pane with what it is fed from."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.prompts, self.tokens = Feed(), Tokens()
        self.settings = Settings(folder / "settings.json")
        feeds = {
            "prompts": self.prompts,
            "tokens": self.tokens,
            "effects": Feed(),
            "problems": Feed(),
            "settings": self.settings,
            "links": Links(),
        }
        built = PANE.build(cast("Context", type("Feeds", (), feeds)))
        assert isinstance(built, PromptPane)
        self.widget = built
        qtbot.addWidget(built)
        built.resize(520, 560)
        with qtbot.waitExposed(built):
            built.show()

    def give(self) -> None:
        self.prompts.give(PROMPT)
        self.tokens.give(encoded(TEXT))


@pytest.fixture
def pane(qtbot: QtBot, tmp_path: Path) -> Pane:
    return Pane(qtbot, tmp_path)


def test_the_toggles_are_kept_and_follow_the_settings(pane: Pane, qtbot: QtBot, tmp_path: Path) -> None:
    pane.widget.stream.shade.click()
    pane.widget.stream.number.click()
    assert (pane.widget.view.shaded, pane.widget.view.ids) == (True, True)
    pane.settings.set("prompt.ids", False)
    assert not pane.widget.stream.number.isChecked()
    assert not pane.widget.view.ids
    again = Pane(qtbot, tmp_path)
    assert (again.widget.view.shaded, again.widget.view.ids) == (True, False)


def test_the_caret_tells_its_token(pane: Pane) -> None:
    pane.give()
    told = pane.widget.token
    assert told.whole.startswith("Token 1 of ")
    assert "added token, not special" in told.whole
    pane.widget.view.setFocus()
    for _ in range(12):
        QTest.keyClick(pane.widget.view, Qt.Key.Key_Right)
    assert "“the”" in told.whole
    assert "bytes 74 68 65" in told.whole
    assert "characters 13–15" in told.whole
    pane.widget.view.select(0, len(TEXT))
    assert f"{len(encoded(TEXT).encoding.ids)} tokens selected, 1 to" in told.whole  # type: ignore[union-attr]


def test_the_pointer_tells_every_part_of_a_split_character(pane: Pane) -> None:
    pane.give()
    at = pane.widget.view.rect_of(TEXT.index("漢"))
    QTest.mouseMove(pane.widget.view.viewport(), QPoint(at.left() + 3, at.center().y()))
    words = pane.widget.token.whole
    assert "tokens share this character" in words
    assert "\\xe6" in words
    QTest.mouseMove(pane.widget.view.viewport(), QPoint(400, 200))
    assert pane.widget.token.whole.startswith("Token 1 of ")


def test_the_tooltip_tells_tokens_and_owner(pane: Pane) -> None:
    pane.give()
    assert pane.widget.view._tip is not None
    assert pane.widget.view._tip(12).splitlines()[0].startswith("Token 2 of ")


def test_until_its_tokens_come_nothing_is_told_of_a_new_text(pane: Pane) -> None:
    pane.give()
    layer = pane.widget.stream.layer
    pane.prompts.give(Prompt(TEXT + "more", PROMPT.segments, serial=2))
    assert pane.widget.stream.layer is None
    assert pane.widget.token.whole == ""
    assert pane.widget.view.tokens is not None, "the tokens before, moved"
    pane.tokens.give(encoded(TEXT + "more"))
    assert pane.widget.stream.layer not in (None, layer)


def test_without_a_tokenizer_there_are_none(pane: Pane) -> None:
    pane.give()
    pane.prompts.give(Prompt("other", serial=2))
    pane.tokens.give(Encoded(2))
    assert pane.widget.view.tokens is None
    assert pane.widget.token.whole == ""


def test_toggles_that_have_nothing_to_show_say_what_is_missing(pane: Pane) -> None:
    pane.prompts.give(PROMPT)
    pane.tokens.give(Encoded(PROMPT.serial, estimated=3))
    pane.widget.stream.number.click()
    missing = pane.widget.missing
    assert "choose a tokenizer" in missing.text()
    assert missing.wordWrap()
    assert not missing.isHidden()
    seen = [pane.widget.view.ids]
    pane.tokens.give(encoded(TEXT))
    seen.append(pane.widget.view.ids)
    assert seen == [False, True], "no empty row below each line"
    assert missing.isHidden()
    assert pane.widget.token.whole.startswith("Token 1 of ")


def test_a_character_of_many_tokens_is_told_in_few_lines(pane: Pane) -> None:
    pane.give()
    layer = pane.widget.stream.layer
    assert layer is not None
    parts = layer.at(TEXT.index("漢")) * 5
    found = token_words(layer, parts, None)
    assert found[0] == f"{len(parts)} tokens share this character"
    assert found[-1] == f"and {len(parts) - 6} more"


def test_screen_readers_hear_role_and_special_tokens(pane: Pane, monkeypatch: pytest.MonkeyPatch) -> None:
    pane.give()
    view = pane.widget.view
    interface = QAccessible.queryAccessibleInterface(view)
    assert interface.text(QAccessible.Text.Description) == "Line 1 of 2, user, special token <|im_start|>"
    heard: list[str] = []
    monkeypatch.setattr("thinkpane.ui.widgets.text_spoken.announce", lambda _view, words: heard.append(words))
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_End)
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert heard == ["user, special token <|im_start|>", "special token <|im_start|>"]
    assert spot(view.rows, len(TEXT)) == Spot(2, "user", "")
    assert Spot(3, "", "").words_after(Spot(2, "user", "")) == "no role"
    assert Spot(1_234, "tool", "").words(5_000) == "Line 1,234 of 5,000, tool"
