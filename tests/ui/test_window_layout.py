"""What stands where in the window, and stays within reach of a person who works in a long conversation."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from thinkpane.analysis.in_force import InForce
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.templates.library import load
from thinkpane.ui.document_files import first_document
from thinkpane.ui.main_window import SMALLEST_SIZE, MainWindow
from thinkpane.ui.message_badges import ABSENT
from thinkpane.ui.panes.controls import ControlsPane
from thinkpane.ui.panes.messages import MessagesPane
from thinkpane.ui.widgets.card_list_card import FactLabel
from thinkpane.ui.widgets.message_card import MessageCard
from thinkpane.ui.widgets.output_card import OutputCard
from thinkpane.ui.widgets.tier_row import TierRow
from thinkpane.workspace.state import DocumentState


def long_document() -> DocumentState:
    talk = Conversation(messages=tuple(message("user", f"line {n}\n" * 6) for n in range(14)))
    return replace(first_document(), conversation=talk)


def messages_of(window: MainWindow) -> MessagesPane:
    pane = window.layout_.panes["messages"]
    assert isinstance(pane, MessagesPane)
    return pane


def is_whole(card: QWidget, pane: MessagesPane) -> bool:
    port = pane.list.viewport()
    top = card.mapTo(port, QPoint(0, 0)).y()
    return top >= 0 and (top + card.height() <= port.height() or (card.height() > port.height() and top < 20))


def test_what_is_added_or_moved_is_brought_into_view_as_a_whole(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot
) -> None:
    window = make_window(long_document())
    pane = messages_of(window)
    pane.list.complete()
    pane.add_message("assistant")
    new = pane.list.card(14)
    assert isinstance(new, MessageCard)
    qtbot.waitUntil(lambda: is_whole(new, pane))
    pane.list.move_requested.emit(14, 0)
    qtbot.waitUntil(lambda: is_whole(new, pane))
    assert pane.list.index_of(new) == 0
    pane.list.duplicate_requested.emit(0)
    twin = pane.list.card(1)
    assert twin is not None
    qtbot.waitUntil(lambda: is_whole(twin, pane))


def test_a_card_that_grew_after_it_was_brought_into_view_is_still_whole(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot
) -> None:
    window = make_window(long_document())
    pane = messages_of(window)
    pane.list.complete()
    qtbot.waitUntil(lambda: pane.list.verticalScrollBar().maximum() > 0)
    pane.set_current(13)
    last = pane.list.card(13)
    assert last is not None
    last.setMinimumHeight(last.height() + 60)
    qtbot.waitUntil(lambda: is_whole(last, pane))


def test_one_button_adds_to_the_list_in_front(window: MainWindow) -> None:
    layout, document = window.layout_, window.document
    count = len(document.state.conversation.messages)
    QTest.mouseClick(layout.add, Qt.MouseButton.LeftButton)
    assert len(document.state.conversation.messages) == count + 1
    layout.compose.show_pane("documents")
    QTest.mouseClick(layout.add, Qt.MouseButton.LeftButton)
    assert len(document.state.conversation.documents) == 1
    layout.compose.show_pane("tools")
    assert layout.add.accessibleName() == "Add tool"
    layout.compose.show_pane("json")
    assert not layout.add.isVisible()


def test_a_reply_offers_to_be_appended_once(window: MainWindow, qtbot: QtBot) -> None:
    append = window.layout_.append
    assert not append.isVisible()
    with qtbot.waitSignal(window.runs.finished):
        window.session.run(demo_speed=0)
    assert append.isVisible()
    append.click()
    assert window.document.state.conversation.messages[-1].role == "assistant"
    assert not append.isVisible()


def test_the_menu_of_a_message_moves_it(window: MainWindow) -> None:
    card = messages_of(window).list.card(1)
    assert isinstance(card, MessageCard)
    menu = card.menu
    menu.aboutToShow.emit()
    moves = {action.text().partition("\t")[0]: action for action in menu.actions()}
    assert not moves["Move down"].isEnabled()
    moves["Move up"].trigger()
    assert [each.role for each in window.document.state.conversation.messages] == ["user", "system"]


def test_a_badge_is_whole_where_there_is_room_and_ends_in_dots_where_not(qtbot: QtBot) -> None:
    card = OutputCard("get_weather", "tool")
    qtbot.addWidget(card)
    card.set_badge("id", "call_9bb9535f")
    label = next(each for each in card.findChildren(QLabel) if each.property("kind") == "badge")
    card.resize(400, 60)
    card.show()
    assert label.text() == "call_9bb9535f"
    card.resize(card.minimumSizeHint().width(), 60)
    qtbot.waitUntil(lambda: label.text().endswith("…"))
    assert (card.badge("id"), label.toolTip()) == ("call_9bb9535f", "call_9bb9535f")


def test_the_tier_row_keeps_its_height(make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot) -> None:
    window = make_window(first_document())
    window.resize(2200, 800)
    row = window.layout_.tiers
    qtbot.waitUntil(lambda: bool(row.reason.whole) and row.height() < 50)
    height = row.height()
    window.choices.use_template("plain-instruct")
    qtbot.waitUntil(lambda: row.buttons == [])
    assert row.isVisible()
    assert row.height() == height


def test_the_tier_row_forgets_what_nobody_confirms(qtbot: QtBot) -> None:
    row = TierRow()
    qtbot.addWidget(row)
    row.set_tiers(load("protium-1.0").tiers)
    row.show_in_force(InForce(3, "L3 Artemis", ()), "+277 characters")
    assert [button.isChecked() for button in row.buttons].index(True) == 3
    row.set_outdated()
    assert row.effect.whole
    qtbot.waitUntil(lambda: row.effect.whole == "")
    assert not any(button.isChecked() for button in row.buttons)


def test_a_message_that_the_template_drops_says_so_on_its_card(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot
) -> None:
    talk = Conversation(messages=(message("critic", "unheard"), message("user", "heard")))
    window = make_window(replace(first_document(), template="memreader", conversation=talk))
    pane = messages_of(window)

    def said() -> list[tuple[str, str]]:
        return [(each.fact, each.tone) for each in pane.list.cards()[0].findChildren(FactLabel)]

    qtbot.waitUntil(lambda: ABSENT in said())
    assert ABSENT not in [(each.fact, each.tone) for each in pane.list.cards()[1].findChildren(FactLabel)]


def test_a_tag_for_no_message_makes_one(make_window: Callable[[DocumentState], MainWindow]) -> None:
    window = make_window(replace(first_document(), conversation=Conversation()))
    messages_of(window).insert_tag("[L3]")
    assert [(each.role, each.text) for each in window.document.state.conversation.messages] == [("user", "[L3]")]


def test_run_keeps_its_whole_text_at_every_zoom(window: MainWindow, qtbot: QtBot) -> None:
    run = window.layout_.top.run
    for _ in range(4):
        window.view.zoom_in()
    qtbot.waitUntil(lambda: run.width() >= run.sizeHint().width())
    window.view.zoom_reset()


def test_switches_of_the_controls_are_in_reach_in_the_smallest_window(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(*SMALLEST_SIZE)
    pane = window.layout_.panes["controls"]
    assert isinstance(pane, ControlsPane)
    row = pane.rows["enable_thinking"]
    qtbot.waitUntil(lambda: window.width() == SMALLEST_SIZE[0])
    pane.ensureWidgetVisible(row.editor)
    bar = pane.horizontalScrollBar()

    def in_reach() -> bool:
        hidden = max(0, row.width() - pane.viewport().width())
        return bar.maximum() >= hidden and (bar.isVisible() or not hidden)

    qtbot.waitUntil(in_reach)
