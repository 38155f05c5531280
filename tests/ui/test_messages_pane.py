"""The messages pane, used by keys and mouse as a person would."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from support.panes import context_for, document_with
from thinkpane.conversation import edits
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import Message, message
from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import parse
from thinkpane.templates.template import TagCandidate, Template, TierCandidate
from thinkpane.ui.panes.messages import PANE, MessagesPane
from thinkpane.ui.widgets.card_icons import IconButton
from thinkpane.ui.widgets.card_list import MOST_CARDS
from thinkpane.ui.widgets.card_list_card import FactLabel
from thinkpane.ui.widgets.exact_text import ExactLineEdit, ExactTextEdit
from thinkpane.ui.widgets.message_card import MessageCard
from thinkpane.ui.widgets.tag_palette import TagPalette
from thinkpane.workspace.document import Document
from thinkpane.workspace.state import DocumentState

CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
TAGGED = Template(
    "t",
    "{{ messages }}",
    tiers=(TierCandidate("L3", "L3", {}, tag="[L3]"),),
    tags=(TagCandidate("{REASON:…}", "{REASON:…}"), TagCandidate("[L3]", "[L3] ")),
    messages_as_text={"extract": True},
)


def build(qtbot: QtBot, document: Document, template: Template | None = None) -> MessagesPane:
    pane = PANE.build(context_for(document, template))
    qtbot.addWidget(pane)
    pane.resize(460, 700)
    pane.show()
    pane.activateWindow()
    qtbot.waitUntil(pane.isActiveWindow)
    qtbot.waitUntil(lambda: pane.list.is_complete)
    return pane


def card(pane: MessagesPane, index: int) -> MessageCard:
    found = pane.list.card(index)
    assert isinstance(found, MessageCard)
    return found


def texts(document: Document) -> list[str]:
    return [each.text for each in document.state.conversation.messages]


def with_message(data: dict[str, JsonValue]) -> Document:
    return Document(DocumentState(conversation=Conversation(messages=(Message(data),))))


def choose(menu: QMenu, title: str) -> None:
    menu.aboutToShow.emit()
    action = next(each for each in menu.actions() if each.text().split("\t")[0] == title)
    assert action.isEnabled()
    action.trigger()


def facts(pane: MessagesPane, index: int, kind: str) -> list[str]:
    labels = card(pane, index).findChildren(FactLabel)
    return [each.fact for each in labels if each.property("kind") == kind and not each.isHidden()]


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


def test_reasoning_is_added_typed_folded_and_removed(qtbot: QtBot) -> None:
    document = with_message({"role": "assistant", "content": "x", "weight": 1})
    pane = build(qtbot, document)
    choose(card(pane, 0).menu, "Add reasoning")
    editor = QApplication.focusWidget()
    assert isinstance(editor, ExactTextEdit)
    QTest.keyClicks(editor, "hm")
    data = {"role": "assistant", "content": "x", "weight": 1, "reasoning_content": "hm"}
    assert dict(document.state.conversation.messages[0].data) == data
    QTest.keyClick(editor, Qt.Key.Key_Backspace)
    QTest.keyClick(editor, Qt.Key.Key_Backspace)
    assert "reasoning_content" not in document.state.conversation.messages[0].data
    assert editor.isVisible(), "an emptied field does not run away from under the caret"
    QTest.keyClicks(editor, "so")
    assert document.state.conversation.messages[0].reasoning == "so"


def test_reasoning_keeps_the_name_it_has(qtbot: QtBot) -> None:
    document = with_message({"role": "assistant", "reasoning": "old", "content": "x"})
    pane = build(qtbot, document)
    editor = next(each for each in card(pane, 0).findChildren(ExactTextEdit) if each.text == "old")
    QTest.keyClicks(editor, "!")
    assert document.state.conversation.messages[0].data["reasoning"] == "old!"


def test_tool_calls_are_edited_as_object_or_text(qtbot: QtBot) -> None:
    call: JsonValue = {"id": "a", "type": "function", "function": {"name": "f", "arguments": {"x": 1}}}
    broken: JsonValue = {"id": "b", "type": "function", "function": {"name": "g", "arguments": '{"y": '}}
    document = with_message({"role": "assistant", "content": "", "tool_calls": [call, broken]})
    pane = build(qtbot, document)
    shown = [each for each in card(pane, 0).findChildren(ExactTextEdit) if each.isVisible()]
    as_object = next(each for each in shown if each.accessibleName() == "Arguments")
    as_text = next(each for each in shown if each.accessibleName() == "Arguments, as text")
    as_object.selectAll()
    QTest.keyClicks(as_object, '{"x": ')
    assert document.state.conversation.messages[0].tool_calls[0] == call, "a draft does not reach the document"
    QTest.keyClicks(as_object, "2}")
    assert document.state.conversation.messages[0].tool_calls[0]["function"] == {"name": "f", "arguments": {"x": 2}}
    assert as_object.text == '{"x": 2}', "the person's spelling stays"
    as_text.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(as_text, "3}")
    assert document.state.conversation.messages[0].tool_calls[1]["function"] == {"name": "g", "arguments": '{"y": 3}'}


def test_a_draft_never_overwrites_another_call(qtbot: QtBot) -> None:
    first: JsonValue = {"id": "a", "function": {"name": "f", "arguments": {"x": 1}}}
    second: JsonValue = {"id": "b", "function": {"name": "g", "arguments": {"y": 2}}}
    document = with_message({"role": "assistant", "content": "", "tool_calls": [first, second]})
    pane = build(qtbot, document)
    editor = next(each for each in card(pane, 0).findChildren(ExactTextEdit) if '"x"' in each.text)
    editor.selectAll()
    QTest.keyClicks(editor, "{draft")
    next(each for each in card(pane, 0).findChildren(IconButton) if "this tool call" in each.toolTip()).click()
    assert document.state.conversation.messages[0].tool_calls == [second]
    assert parse(editor.text) == {"y": 2}


def test_a_call_gets_a_result_that_answers_it(qtbot: QtBot) -> None:
    document = document_with(("assistant", ""))
    pane = build(qtbot, document)
    choose(card(pane, 0).menu, "Add tool call")
    name = QApplication.focusWidget()
    assert isinstance(name, ExactLineEdit)
    QTest.keyClicks(name, "get_weather")
    choose(card(pane, 0).menu, "Add a result for get_weather")
    pane.list.complete()
    assert dict(document.state.conversation.messages[1].data) == {
        "role": "tool",
        "tool_call_id": "call_1",
        "name": "get_weather",
        "content": "",
    }
    field = next(each for each in card(pane, 1).findChildren(ExactLineEdit) if each.text() == "call_1")
    field.selectAll()
    QTest.keyClicks(field, "z")
    assert document.state.conversation.messages[1].tool_call_id == "z"


def test_parts_are_added_typed_moved_and_made_text_again(qtbot: QtBot) -> None:
    document = document_with(("user", "look"))
    pane = build(qtbot, document)
    choose(card(pane, 0).menu, "Content as parts (text, image, file)")
    parts = card(pane, 0).parts
    assert parts is not None
    choose(parts.add_menu, "Image by path or URL")
    field = QApplication.focusWidget()
    assert isinstance(field, ExactLineEdit)
    QTest.keyClicks(field, "a.png")
    image: JsonValue = {"type": "image_url", "image_url": {"url": "a.png"}}
    text: JsonValue = {"type": "text", "text": "look"}
    assert document.state.conversation.messages[0].parts == [text, image]
    assert field.hasFocus()
    parts.rows[1].up.click()
    assert document.state.conversation.messages[0].parts == [image, text]
    parts.rows[0].remove.click()
    assert document.state.conversation.messages[0].parts == [text]
    choose(card(pane, 0).menu, "Content as one text")
    assert texts(document) == ["look"]


def test_content_of_another_kind_is_edited_as_json(qtbot: QtBot) -> None:
    document = with_message({"role": "user", "content": {"odd": 1}})
    pane = build(qtbot, document)
    editor = next(each for each in card(pane, 0).findChildren(ExactTextEdit) if each.isVisible())
    editor.selectAll()
    QTest.keyClicks(editor, "[7]")
    assert document.state.conversation.messages[0].content == [7]


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
    pane.set_badges(1, [("17 tok", ""), ("tag stays visible", "warning")])
    assert facts(pane, 1, "badge") == ["17 tok", "tag stays visible"]
    pane.set_badges(9, [("nowhere", "")])
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


def test_a_long_conversation_fills_up_without_freezing(qtbot: QtBot) -> None:
    document = document_with(*(("user", f"line {n}") for n in range(70)))
    pane = PANE.build(context_for(document))
    qtbot.addWidget(pane)
    pane.show()
    assert len(pane.list.cards()) < 60
    qtbot.waitUntil(lambda: pane.list.is_complete, timeout=20_000)
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
