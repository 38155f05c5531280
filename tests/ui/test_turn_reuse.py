"""The strip of turns below the prompt: what it tells, how it is chosen from, and when it follows the document."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from support.told import wait_told
from thinkpane.analysis.prefix import Reuse
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import Message, message
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.turn_reuse import TurnReuse
from thinkpane.workspace.state import DocumentState


def talk(turns: int) -> tuple[Message, ...]:
    found = []
    for turn in range(turns):
        found += [message("user", f"question {turn}"), message("assistant", "yes", reasoning_content=f"hm {turn}")]
    return (*found, message("user", "last"))


@pytest.fixture
def window(make_window: Callable[[DocumentState], MainWindow]) -> MainWindow:
    return make_window(DocumentState(template="chatml", conversation=Conversation(talk(2))))


@pytest.fixture
def turns(window: MainWindow, qtbot: QtBot) -> TurnReuse:
    qtbot.waitUntil(lambda: len(window.comparing.turns.strip.turns) == 2)
    return window.comparing.turns


def shown(turns: TurnReuse, qtbot: QtBot, act: Callable[[], object]) -> Reuse:
    with qtbot.waitSignal(turns.found) as caught:
        act()
    (found,) = caught.args or [Reuse()]
    assert isinstance(found, Reuse)
    return found


def test_the_newest_turn_is_told(turns: TurnReuse) -> None:
    assert not turns.panel.isHidden()
    last = turns.strip.turns[-1]
    assert turns.words.whole == (
        f"Turn 2 → 3 reuses {last.reused} of {last.total} characters (answer rebuilt) · answer written otherwise: "
        "thinking of message 4 left out, line 4"
    )
    assert turns.strip.accessibleDescription() == turns.words.whole


def test_a_click_shows_where_the_two_prompts_part(window: MainWindow, turns: TurnReuse, qtbot: QtBot) -> None:
    pane = window.comparing.pane
    with qtbot.waitSignal(pane.compared):
        QTest.mouseClick(turns.strip, Qt.MouseButton.LeftButton, pos=QPoint(4, 8))
    assert window.layout_.inspect.currentWidget() is pane
    assert pane.shown is not None
    assert (pane.shown.one.title, pane.shown.other.title) == ("Turn 1 with its answer", "Turn 2’s prompt")
    assert pane.where.text() == "1 of 2"
    assert any(each.role == "user" for each in pane.view.one.rows.marks.between(0, 100))


def test_keys_go_from_turn_to_turn(turns: TurnReuse, qtbot: QtBot) -> None:
    turns.strip.setFocus()
    QTest.keyClick(turns.strip, Qt.Key.Key_Left)
    QTest.keyClick(turns.strip, Qt.Key.Key_Left)
    assert turns.words.whole.startswith("Turn 1 → 2 reuses ")
    QTest.keyClick(turns.strip, Qt.Key.Key_Right)
    assert turns.words.whole.startswith("Turn 2 → 3 reuses ")
    with qtbot.waitSignal(turns.chosen):
        QTest.keyClick(turns.strip, Qt.Key.Key_Return)


def test_it_follows_the_document(window: MainWindow, turns: TurnReuse, qtbot: QtBot) -> None:
    state = window.document.state

    def write(messages: tuple[Message, ...]) -> None:
        window.document.change(replace(state, conversation=Conversation(messages)), ["messages"], "test", "Write")

    assert len(shown(turns, qtbot, lambda: write(talk(3))).turns) == 3
    assert shown(turns, qtbot, lambda: write((message("user", "only"),))) == Reuse()
    assert turns.panel.isHidden()


def test_a_reply_of_this_window_is_taken_as_it_came(window: MainWindow, turns: TurnReuse, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.runs.finished):
        window.session.run(demo_speed=0)
    found = shown(turns, qtbot, window.session.append_reply)
    assert [each.basis for each in found.turns] == ["template", "template", "reply"]
    assert "(answer as it came)" in turns.words.whole


def test_another_document_begins_with_none(window: MainWindow, turns: TurnReuse) -> None:
    window.document.new(DocumentState(template="chatml"))
    assert turns.strip.turns == ()
    assert turns.panel.isHidden()


def test_another_document_never_has_the_turns_of_the_one_before(
    window: MainWindow, turns: TurnReuse, qtbot: QtBot
) -> None:
    turns._request = None
    turns._on_prompts_changed(window.prompts.prompt)
    wait_told(turns._newest)
    window.document.new(DocumentState(template="chatml"))
    assert turns.strip.turns == ()
    QApplication.sendPostedEvents(turns)
    assert turns.strip.turns == ()
