"""Conversations of thousands of messages have the cards that are seen."""

from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from support.message_cards import build, card, texts
from support.panes import context_for, document_with
from thinkpane.ui.panes.messages import PANE, MessagesPane
from thinkpane.ui.widgets.card_list import MOST_CARDS
from thinkpane.ui.widgets.message_card import MessageCard


def test_a_long_conversation_fills_up_without_freezing(qtbot: QtBot) -> None:
    document = document_with(*(("user", f"line {n}") for n in range(70)))
    pane = PANE.build(context_for(document))
    qtbot.addWidget(pane)
    pane.show()
    assert len(pane.list.cards()) < 60
    qtbot.waitUntil(lambda: pane.list.is_complete)
    assert [each.editor.text for each in pane.list.cards() if isinstance(each, MessageCard)] == texts(document)


def shown_texts(pane: MessagesPane) -> list[str]:
    """The texts of the cards that can be seen, from the top."""
    seen = [each for each in pane.list.cards() if not each.visibleRegion().isEmpty()]
    return [each.editor.text for each in seen if isinstance(each, MessageCard)]


def test_an_endless_conversation_has_the_cards_that_are_seen(qtbot: QtBot) -> None:
    said = [f"line {n}" + "\nand more" * (n % 7) for n in range(500)]
    document = document_with(*(("user", text) for text in said))
    pane = build(qtbot, document)
    bar = pane.list.verticalScrollBar()
    assert shown_texts(pane)[0] == said[0]
    highest = bar.maximum()
    for share in (0.3, 0.9, 0.5, 1.0, 0.0):
        bar.setValue(round(bar.maximum() * share))
        qtbot.waitUntil(lambda: pane.list.is_complete)
        seen = shown_texts(pane)
        first = said.index(seen[0])
        assert seen == said[first : first + len(seen)], "nothing is missing between two cards"
        assert abs(first / 500 - share) < 0.1
        assert len(pane.list.cards()) <= MOST_CARDS + len(seen)
    assert abs(bar.maximum() - highest) < highest / 5, "cards are about as high as thought"


def test_a_message_far_away_is_shown_and_typed_into(qtbot: QtBot) -> None:
    document = document_with(*(("user", f"line {n}") for n in range(500)))
    pane = build(qtbot, document)
    pane.focus_message(400)
    qtbot.waitUntil(lambda: pane.list.is_complete)
    assert "line 400" in shown_texts(pane)
    editor = card(pane, 400).editor
    editor.setFocus()
    QTest.keyClicks(editor, "x")
    pane.list.verticalScrollBar().setValue(0)
    qtbot.waitUntil(lambda: "line 0" in shown_texts(pane) and pane.list.is_complete)
    assert editor.hasFocus(), "the card that has the keyboard stays"
    QTest.keyClicks(editor, "y")
    assert texts(document)[400] == "line 400xy"
    document.undo()
    assert editor.text == "line 400"


def test_what_is_seen_stays_while_cards_above_it_find_their_heights(qtbot: QtBot) -> None:
    document = document_with(*(("user", "one\n" * (1 if n % 2 else 25)) for n in range(300)))
    pane = build(qtbot, document)
    bar = pane.list.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    qtbot.waitUntil(lambda: pane.list.is_complete)
    top = next(each for each in pane.list.cards() if each.y() + each.height() > bar.value())
    place = top.y() - bar.value()
    qtbot.wait(0)
    bar.setValue(bar.value() - 5)
    qtbot.waitUntil(lambda: pane.list.is_complete)
    assert top.y() - bar.value() == place + 5
