"""What a message holds beside its text: reasoning, tool calls and results, parts, other values."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from support.message_cards import build, card, choose, texts, with_message
from support.panes import document_with
from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import parse
from thinkpane.ui.widgets.card_icons import IconButton
from thinkpane.ui.widgets.exact_text import ExactLineEdit, ExactTextEdit


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
