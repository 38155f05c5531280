"""The messages pane, used by keys and mouse as a person would."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from support.message_cards import build, card, choose, facts, texts
from support.panes import document_with
from thinkpane.conversation import edits
from thinkpane.conversation.messages import message
from thinkpane.templates.template import TagCandidate, Template, TierCandidate
from thinkpane.ui.panes.messages import MessagesPane
from thinkpane.ui.widgets.exact_text import ExactLineEdit
from thinkpane.ui.widgets.tag_palette import TagPalette
from thinkpane.workspace.document import Document

CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
TAGGED = Template(
    "t",
    "{{ messages }}",
    tiers=(TierCandidate("L3", "L3", {}, tag="[L3]"),),
    tags=(TagCandidate("{REASON:…}", "{REASON:…}"), TagCandidate("[L3]", "[L3] ")),
    messages_as_text={"extract": True},
)


@pytest.fixture
def document() -> Document:
    return document_with(("system", "be brief"), ("user", "hi"), ("assistant", "ho"))


def test_typing_goes_to_the_document_and_keeps_the_card_and_the_caret(qtbot: QtBot, document: Document) -> None:
    pane = build(qtbot, document)
    before = card(pane, 1)
    before.editor.setFocus()
    before.editor.moveCursor(QTextCursor.MoveOperation.Start)
    QTest.keyClicks(before.editor, "oh, ")
    assert texts(document) == ["be brief", "oh, hi", "ho"]
    assert card(pane, 1) is before
    assert before.editor.hasFocus()
    assert before.editor.textCursor().position() == 4


def test_undo_in_an_editor_is_the_documents(qtbot: QtBot, document: Document) -> None:
    pane = build(qtbot, document)
    editor = card(pane, 1).editor
    QTest.keyClicks(editor, "xyz")
    document.change(replace(document.state, template="other"), ["template"], "test", "choose")
    QTest.keyClick(editor, Qt.Key.Key_Z, CONTROL)
    assert document.state.template == "chatml"
    QTest.keyClick(editor, Qt.Key.Key_Z, CONTROL)
    assert texts(document)[1] == "hi"
    assert editor.text == "hi"
    QTest.keyClick(editor, Qt.Key.Key_Y, CONTROL)
    assert editor.text == "hixyz"


def test_text_that_a_widget_cannot_hold_survives_typing_beside_it(qtbot: QtBot) -> None:
    odd = "a\u00a0b\u2028c\r\nd\x00e"
    document = document_with(("user", odd))
    pane = build(qtbot, document)
    editor = card(pane, 0).editor
    editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(editor, "!")
    editor.moveCursor(QTextCursor.MoveOperation.Start)
    QTest.keyClicks(editor, "?")
    assert texts(document) == ["?" + odd + "!"]


def test_a_role_is_chosen_or_typed(qtbot: QtBot, document: Document) -> None:
    pane = build(qtbot, document)
    box = card(pane, 1).role
    box.setFocus()
    field = box.lineEdit()
    assert isinstance(field, ExactLineEdit)
    field.selectAll()
    QTest.keyClicks(field, "critic")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert document.state.conversation.messages[1].role == "critic"
    QTest.keyClick(field, Qt.Key.Key_Z, CONTROL)
    assert document.state.conversation.messages[1].role == "user"
    assert box.currentText() == "user"
    index = box.findText("tool")
    box.setCurrentIndex(index)
    box.activated.emit(index)
    assert document.state.conversation.messages[1].role == "tool"


def test_keys_move_double_and_delete_the_card_with_the_keyboard(qtbot: QtBot, document: Document) -> None:
    pane = build(qtbot, document)
    editor = card(pane, 1).editor
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_Up, ALT)
    assert texts(document) == ["hi", "be brief", "ho"]
    assert editor.hasFocus()
    QTest.keyClick(editor, Qt.Key.Key_Up, ALT)
    QTest.keyClick(editor, Qt.Key.Key_Down, ALT)
    QTest.keyClick(editor, Qt.Key.Key_D, CONTROL)
    assert texts(document) == ["be brief", "hi", "hi", "ho"]
    QTest.keyClick(editor, Qt.Key.Key_Delete, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    assert texts(document) == ["be brief", "hi", "ho"]
    assert pane.list.focused_card() is not None, "the keyboard stays in the list"
    last = card(pane, 2)
    last.setFocus()
    QTest.keyClick(last, Qt.Key.Key_Delete)
    assert texts(document) == ["be brief", "hi"]
    document.undo()
    assert texts(document) == ["be brief", "hi", "ho"]


def test_delete_inside_a_text_deletes_a_letter(qtbot: QtBot, document: Document) -> None:
    pane = build(qtbot, document)
    editor = card(pane, 1).editor
    editor.moveCursor(QTextCursor.MoveOperation.Start)
    QTest.keyClick(editor, Qt.Key.Key_Delete)
    assert texts(document) == ["be brief", "i", "ho"]


def drag(pane: MessagesPane, index: int, to: QPoint) -> None:
    handle = card(pane, index).handle
    QTest.mousePress(handle, Qt.MouseButton.LeftButton)
    QTest.mouseMove(handle, handle.mapFromGlobal(to))
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=handle.mapFromGlobal(to))


def test_a_card_is_dragged_to_another_place(qtbot: QtBot, document: Document) -> None:
    pane = build(qtbot, document)
    below = card(pane, 2)
    drag(pane, 0, below.mapToGlobal(QPoint(5, below.height() - 2)))
    assert texts(document) == ["hi", "ho", "be brief"]
    above = card(pane, 0)
    drag(pane, 2, above.mapToGlobal(QPoint(5, 1)))
    assert texts(document) == ["be brief", "hi", "ho"]


def test_escape_gives_a_drag_up(qtbot: QtBot, document: Document) -> None:
    pane = build(qtbot, document)
    handle, below = card(pane, 0).handle, card(pane, 2)
    to = handle.mapFromGlobal(below.mapToGlobal(QPoint(5, below.height() - 2)))
    QTest.mousePress(handle, Qt.MouseButton.LeftButton)
    QTest.mouseMove(handle, to)
    QTest.keyClick(handle, Qt.Key.Key_Escape)
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=to)
    assert texts(document) == ["be brief", "hi", "ho"]


def test_a_message_is_left_out_and_taken_in_again(qtbot: QtBot, document: Document) -> None:
    pane = build(qtbot, document)
    choose(card(pane, 1).menu, "Leave this message out")
    assert [each.excluded for each in document.state.conversation.messages] == [False, True, False]
    assert facts(pane, 1, "badge") == ["left out"]
    choose(card(pane, 1).menu, "Take this message in again")
    assert facts(pane, 1, "badge") == []


def test_add_puts_the_keyboard_into_a_new_message(qtbot: QtBot, document: Document) -> None:
    pane = build(qtbot, document)
    pane.add_button.click()
    assert document.state.conversation.messages[-1].role == "user"
    focused = QApplication.focusWidget()
    assert focused is card(pane, 3).editor
    QTest.keyClicks(focused, "more")
    choose(pane.add_menu, "tool")
    assert [each.role for each in document.state.conversation.messages[3:]] == ["user", "tool"]
    choose(card(pane, 0).menu, "Insert user below")
    assert [each.role for each in document.state.conversation.messages][:2] == ["system", "user"]


def test_an_empty_pane_says_what_will_appear(qtbot: QtBot) -> None:
    pane = build(qtbot, document_with())
    assert pane.empty.isVisible()
    pane.add_button.click()
    assert not pane.empty.isVisible()


def test_tags_in_the_text_become_chips(qtbot: QtBot) -> None:
    document = document_with(("user", "[l3] go {REASON:low} {REASON:"))
    pane = build(qtbot, document, TAGGED)
    assert facts(pane, 0, "chip") == ["[l3]", "{REASON:low}"]
    editor = card(pane, 0).editor
    editor.moveCursor(QTextCursor.MoveOperation.Start)
    QTest.keyClick(editor, Qt.Key.Key_Delete)
    assert facts(pane, 0, "chip") == ["{REASON:low}"]


def test_the_palette_inserts_where_the_caret_was(qtbot: QtBot) -> None:
    document = document_with(("user", "one"), ("user", "two"))
    pane = build(qtbot, document, TAGGED)
    palette = TagPalette()
    qtbot.addWidget(palette)
    palette.set_tags(TAGGED.tags)
    palette.insert_requested.connect(pane.insert_tag)
    palette.show()
    chips = {each.text(): each for each in palette.chips()}
    card(pane, 0).editor.setFocus()
    card(pane, 0).editor.moveCursor(QTextCursor.MoveOperation.End)
    chips["{REASON:…}"].click()
    QTest.keyClicks(card(pane, 0).editor, "low")
    assert texts(document) == ["one{REASON:low}", "two"]


def test_a_tag_without_a_caret_goes_to_the_last_user_message(qtbot: QtBot, document: Document) -> None:
    pane = build(qtbot, document, TAGGED)
    pane.insert_tag("[L3] ")
    assert texts(document) == ["be brief", "[L3] hi", "ho"]


def test_badges_and_the_current_card_are_set_from_outside(qtbot: QtBot, document: Document) -> None:
    pane = build(qtbot, document)
    pane.show_badges({1: [("17 tok", ""), ("tag stays visible", "warning")], 9: [("nowhere", "")]})
    assert facts(pane, 1, "badge") == ["17 tok", "tag stays visible"]
    pane.set_current(2)
    assert [bool(each.property("current")) for each in pane.list.cards()] == [False, False, True]
    with qtbot.waitSignal(pane.current_changed) as caught:
        card(pane, 1).editor.setFocus()
    assert caught.args == [1]
    document.change(
        replace(document.state, conversation=edits.move(document.state.conversation, 1, 0)), ["messages"], "t", "t"
    )
    assert facts(pane, 0, "badge") == ["17 tok", "tag stays visible"], "facts go with their message"


def test_raw_text_replaces_the_cards_and_loses_nothing(qtbot: QtBot, document: Document) -> None:
    pane = build(qtbot, document, TAGGED)
    choose(pane.add_menu, "One raw text instead of messages")
    assert pane.raw.isVisible()
    assert not pane.list.isVisible()
    assert document.state.variables == {"extract": True}
    assert "prints “messages” as it is when extract is true" in pane.raw.why
    pane.raw.editor.selectAll()
    QTest.keyClicks(pane.raw.editor, "a document")
    assert document.state.conversation.raw_text == "a document"
    pane.raw.leave.click()
    assert pane.list.isVisible()
    assert texts(document) == ["be brief", "hi", "ho"]
    assert document.state.variables == {}
    pane.use_raw_text()
    assert pane.raw.editor.text == "a document"
    pane.show_template(Template("other", ""))
    assert "not known to take it" in pane.raw.why


def test_the_keyboard_goes_to_none_of_many_cards_that_go_at_once(qtbot: QtBot, document: Document) -> None:
    pane = build(qtbot, document)
    entered: list[object] = []
    pane.list.current_changed.connect(entered.append)
    card(pane, 0).editor.setFocus()
    talk = replace(document.state.conversation, messages=document.state.conversation.messages[2:])
    document.change(replace(document.state, conversation=talk), ["messages"], "test", "remove")
    assert texts(document) == ["ho"]
    assert set(entered) == {0}


def test_tab_goes_through_the_cards_as_they_stand(qtbot: QtBot, document: Document) -> None:
    pane = build(qtbot, document)
    talk = edits.insert(document.state.conversation, 1, message("user", "between"))
    document.change(replace(document.state, conversation=talk), ["messages"], "test", "insert")
    card(pane, 0).setFocus()
    seen: list[int] = []
    for _ in range(60):
        focused = pane.list.focused_card()
        if focused is None:
            break
        index = pane.list.index_of(focused)
        if not seen or seen[-1] != index:
            seen.append(index)
        QTest.keyClick(QApplication.focusWidget() or pane, Qt.Key.Key_Tab)
    assert seen == [0, 1, 2, 3]
    assert QApplication.focusWidget() is pane.add_button
