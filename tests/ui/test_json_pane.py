"""The JSON pane: the conversation as a body, both ways, and text that is no body yet."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTabWidget, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from support.panes import context_for, document_with
from thinkpane.conversation import edits
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.message_edits import set_content
from thinkpane.conversation.messages import message
from thinkpane.conversation.tools import Tool
from thinkpane.formats.strict_json import dump, parse
from thinkpane.ui.panes.json_body import PANE, JsonPane
from thinkpane.workspace.document import Document
from thinkpane.workspace.state import DocumentState

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def document() -> Document:
    return document_with(("system", "s"), ("user", "u"), tools=(Tool({"name": "f"}, enabled=False),))


@pytest.fixture
def pane(qtbot: QtBot, document: Document) -> JsonPane:
    found = PANE.build(context_for(document))
    qtbot.addWidget(found)
    found.show()
    return found


def put(pane: JsonPane, text: str) -> None:
    pane.editor.editor.selectAll()
    pane.editor.editor.insert_exactly(text)


def set_user(document: Document, text: str) -> None:
    talk = edits.edit(document.state.conversation, 1, set_content, text)
    document.change(replace(document.state, conversation=talk), ["messages"], "messages", "edit")


def test_it_shows_the_body_and_follows_the_document(pane: JsonPane, document: Document) -> None:
    assert parse(pane.editor.editor.text) == document.state.conversation.body()
    set_user(document, "changed")
    assert '"changed"' in pane.editor.editor.text


def test_an_edit_reaches_the_document_with_unknown_keys(pane: JsonPane, document: Document) -> None:
    before = document.state.conversation
    put(pane, '{"messages": [{"role": "system", "content": "s"}, {"x": 1.0, "role": "user", "content": null}], "n": 1}')
    talk = document.state.conversation
    assert dump(dict(talk.messages[1].data), indent=None) == '{"x": 1.0, "role": "user", "content": null}'
    assert talk.extra == {"n": 1}
    assert talk.tools == before.tools, "a tool that is switched off is not in the body, and is kept"
    assert [each.key for each in talk.messages] == [each.key for each in before.messages]
    assert pane.editor.editor.text.startswith('{"messages": [{"role"'), "the person's spelling stays"


def test_bad_json_keeps_the_text_and_the_document(pane: JsonPane, document: Document) -> None:
    before = document.state
    put(pane, '{"messages": [\n  {"role": }\n]}')
    assert document.state is before
    assert pane.editor.has_draft
    assert pane.editor.line == "Not JSON: expecting value (line 2, column 12)."
    set_user(document, "changed elsewhere")
    assert pane.editor.editor.text == '{"messages": [\n  {"role": }\n]}'


def test_a_body_of_the_wrong_shape_is_a_draft_too(pane: JsonPane, document: Document) -> None:
    before = document.state
    put(pane, '{"messages": [3]}')
    assert pane.editor.line == "Message 1 is not an object."
    assert document.state is before
    put(pane, '{"messages": []}')
    assert not pane.editor.has_draft
    assert document.state.conversation.messages == ()


def test_switching_tabs_keeps_a_draft(qtbot: QtBot, document: Document) -> None:
    tabs = QTabWidget()
    qtbot.addWidget(tabs)
    pane = PANE.build(context_for(document))
    tabs.addTab(pane, "JSON")
    tabs.addTab(QWidget(), "Other")
    tabs.show()
    put(pane, "{oops")
    tabs.setCurrentIndex(1)
    set_user(document, "changed meanwhile")
    tabs.setCurrentIndex(0)
    assert pane.editor.editor.text == "{oops"
    discard = next(each for each in pane.findChildren(QToolButton) if each.text() == "Discard draft")
    assert discard.isVisible()
    discard.click()
    assert "changed meanwhile" in pane.editor.editor.text
    assert not pane.editor.has_draft


def test_undo_goes_back_in_the_draft_and_then_in_the_document(pane: JsonPane, document: Document) -> None:
    editor = pane.editor.editor
    set_user(document, "one")
    start = editor.text
    editor.moveCursor(editor.textCursor().MoveOperation.Start)
    QTest.keyClicks(editor, "xy")
    assert pane.editor.has_draft
    QTest.keyClick(editor, Qt.Key.Key_Z, CONTROL)
    assert editor.text == "x" + start
    QTest.keyClick(editor, Qt.Key.Key_Z, CONTROL)
    assert editor.text == start
    assert pane.editor.line == ""
    QTest.keyClick(editor, Qt.Key.Key_Z, CONTROL)
    assert document.state.conversation.messages[1].text == "u"


def test_texts_that_a_widget_cannot_hold_survive(qtbot: QtBot) -> None:
    odd = "a\u00a0b\u2028c\u2029d"
    document = Document(DocumentState(conversation=Conversation(messages=(message("user", odd),))))
    pane = PANE.build(context_for(document))
    qtbot.addWidget(pane)
    pane.show()
    editor = pane.editor.editor
    editor.moveCursor(editor.textCursor().MoveOperation.End)
    QTest.keyClicks(editor, " ")
    assert document.state.conversation.messages[0].content == odd


def test_colours_stay_on_their_words_after_characters_of_two_units(pane: JsonPane) -> None:
    put(pane, '{"messages": [{"content": "👨‍👩‍👧", "role": "user"}], "n": 17}')
    block = pane.editor.editor.document().firstBlock()
    units = block.text().encode("utf-16-le", "surrogatepass")
    coloured = [
        units[2 * each.start : 2 * (each.start + each.length)].decode("utf-16-le") for each in block.layout().formats()
    ]
    assert coloured == ['"messages"', '"content"', '"👨‍👩‍👧"', '"role"', '"user"', '"n"', "17"]


def test_while_it_is_hidden_it_does_nothing_and_catches_up(pane: JsonPane, document: Document) -> None:
    pane.hide()
    before = pane.editor.editor.text
    set_user(document, "later")
    assert pane.editor.editor.text == before
    pane.show()
    assert "later" in pane.editor.editor.text


def test_what_a_body_cannot_say_is_told(pane: JsonPane, document: Document) -> None:
    assert pane.left_out == "Not shown here, but kept: 1 tool switched off."
    talk = edits.set_excluded(document.state.conversation, 0, True)
    document.change(replace(document.state, conversation=talk), ["messages"], "messages", "exclude")
    assert pane.left_out == "Not shown here, but kept: 1 message left out, 1 tool switched off."


def test_a_big_body_follows_when_typing_elsewhere_rests(qtbot: QtBot) -> None:
    document = document_with(("system", "s"), ("user", "u" * 250_000))
    pane = PANE.build(context_for(document))
    qtbot.addWidget(pane)
    pane.show()
    assert len(pane.editor.editor.text) > 250_000
    set_user(document, "v" * 250_000)
    assert "v" * 250_000 not in pane.editor.editor.text
    qtbot.waitUntil(lambda: "v" * 250_000 in pane.editor.editor.text)
    set_user(document, "short")
    # Typed into now, the old body would come back whole.
    pane.editor.focused.emit()
    assert parse(pane.editor.editor.text) == document.state.conversation.body()


def test_another_document_is_shown_when_the_pane_is(qtbot: QtBot, document: Document) -> None:
    pane = PANE.build(context_for(document))
    qtbot.addWidget(pane)
    document.new(DocumentState(conversation=Conversation(messages=(message("user", "other"),))))
    assert pane.editor.editor.text == ""
    pane.show()
    assert parse(pane.editor.editor.text) == document.state.conversation.body()
