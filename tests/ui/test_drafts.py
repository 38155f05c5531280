"""Text that is not applied yet, in every field that takes JSON: it is the document's unsaved work, and comes back."""

from dataclasses import replace

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from support.panes import context_for
from thinkpane.conversation import edits
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import Message, message
from thinkpane.conversation.tools import ContextDocument, Tool
from thinkpane.formats.json_values import JsonObject
from thinkpane.ui.panes._api import Pane
from thinkpane.ui.panes.documents import PANE as DOCUMENTS
from thinkpane.ui.panes.json_body import PANE as JSON
from thinkpane.ui.panes.json_body import JsonPane
from thinkpane.ui.panes.messages import PANE as MESSAGES
from thinkpane.ui.panes.tools import PANE as TOOLS
from thinkpane.ui.widgets.json_editor import JsonEditor
from thinkpane.workspace.document import Document
from thinkpane.workspace.state import DocumentState

CALL: JsonObject = {"id": "c", "type": "function", "function": {"name": "f", "arguments": {"a": 1}}}
TALK = Conversation(
    messages=(
        message("user", "text"),
        Message({"role": "user", "content": [{"type": "odd"}]}),
        Message({"role": "user", "content": {"odd": 1}}),
        Message({"role": "assistant", "content": "", "tool_calls": [CALL]}),
    ),
    tools=(Tool({"name": "a"}), Tool({"name": "b"})),
    documents=(ContextDocument({"title": "t", "text": "d"}), ContextDocument("bare")),
)


@pytest.fixture
def document() -> Document:
    return Document(DocumentState(conversation=TALK))


def pane_of(kind: str, document: Document, qtbot: QtBot) -> QWidget:
    panes: dict[str, Pane] = {"json": JSON, "tools": TOOLS, "documents": DOCUMENTS, "messages": MESSAGES}
    pane = panes[kind].build(context_for(document))
    qtbot.addWidget(pane)
    pane.resize(500, 900)
    pane.show()
    return pane


def editors(pane: QWidget) -> list[JsonEditor]:
    return [each for each in pane.findChildren(JsonEditor) if not each.isHidden()]


def put(editor: JsonEditor, text: str) -> None:
    editor.editor.selectAll()
    editor.editor.insert_exactly(text)


@pytest.mark.parametrize(
    ("kind", "which", "name"),
    [
        ("json", 0, "json"),
        ("tools", 1, "tools[1]"),
        ("documents", 0, "documents[1]"),
        ("messages", 0, "messages[1].content[0]"),
        ("messages", 1, "messages[2].content"),
        ("messages", 2, "messages[3].tool_calls[0].arguments"),
    ],
)
def test_it_is_kept_with_the_document_and_shown_where_it_was(
    kind: str, which: int, name: str, document: Document, qtbot: QtBot
) -> None:
    found = editors(pane_of(kind, document, qtbot))
    put(found[which], "{oops")
    assert document.is_modified
    assert document.state.conversation is TALK
    assert document.draft_texts == {name: "{oops"}
    other = Document()
    other.restore(document.whole, None)
    again = editors(pane_of(kind, other, qtbot))
    drafts = [each for each in again if each.has_draft]
    assert [(each.editor.text, "Not JSON" in each.line) for each in drafts] == [("{oops", True)]
    drafts[0].discard_draft()
    assert other.draft_texts == {}


def test_text_that_becomes_json_is_no_draft_any_more(document: Document, qtbot: QtBot) -> None:
    editor = editors(pane_of("tools", document, qtbot))[0]
    put(editor, '{"name": "a2"')
    assert document.draft_texts
    editor.editor.insert_exactly("}")
    assert document.draft_texts == {}
    assert document.state.conversation.tools[0].name == "a2"


def test_a_card_that_is_deleted_and_comes_back_has_its_draft(document: Document, qtbot: QtBot) -> None:
    pane = pane_of("tools", document, qtbot)
    put(editors(pane)[0], "{oops")
    state = document.state
    document.change(replace(state, conversation=edits.set_tools(TALK, TALK.tools[1:])), ["tools"], "test", "Delete")
    assert document.draft_texts == {}
    document.undo()
    assert document.draft_texts == {"tools[0]": "{oops"}
    assert "{oops" in [each.editor.text for each in editors(pane)]


def test_a_call_that_is_removed_takes_its_draft_along(document: Document, qtbot: QtBot) -> None:
    pane = pane_of("messages", document, qtbot)
    put(editors(pane)[2], "{oops")
    bare = Message({"role": "assistant", "content": ""}, key=TALK.messages[3].key)
    talk = replace(TALK, messages=(*TALK.messages[:3], bare))
    document.change(replace(document.state, conversation=talk), ["messages"], "test", "Remove tool call")
    assert document.draft_texts == {}
    assert all(not each.has_draft for each in editors(pane))


@pytest.mark.parametrize("is_seen", [True, False])
def test_a_draft_does_not_stay_for_the_next_document(document: Document, qtbot: QtBot, is_seen: bool) -> None:
    pane = pane_of("json", document, qtbot)
    assert isinstance(pane, JsonPane)
    put(pane.editor, '{"messages": [')
    pane.setVisible(is_seen)
    document.new()
    assert not pane.editor.has_draft
    assert not document.is_modified
    pane.show()
    assert pane.editor.editor.text == '{\n  "messages": []\n}'


def colours(pane: JsonPane) -> list[bool]:
    """For each line with a key or a text in it, whether it has colours."""
    found, block = [], pane.editor.editor.document().firstBlock()
    while block.isValid():
        if '"' in block.text():
            found.append(bool(block.layout().formats()))
        block = block.next()
    return found


def test_a_rewritten_text_keeps_its_colours(document: Document, qtbot: QtBot) -> None:
    document.new(DocumentState(conversation=replace(TALK, tools=(), documents=())))
    pane = pane_of("json", document, qtbot)
    assert isinstance(pane, JsonPane)
    document.listen(lambda change: pane.editor.show_value({"messages": ["a", "b"], "n": 1}) if change.parts else None)
    put(pane.editor, '{"messages":[]}')
    assert pane.editor.editor.text.count("\n") > 4, "it was written anew"
    assert colours(pane)
    assert all(colours(pane))


def test_what_means_the_same_keeps_its_spelling(document: Document, qtbot: QtBot) -> None:
    document.new(DocumentState(conversation=Conversation(messages=(message("user", "u"),))))
    pane = pane_of("json", document, qtbot)
    assert isinstance(pane, JsonPane)
    typed = '{"messages": [{"role": "user", "content": "u"}], "tools": []}'
    put(pane.editor, typed)
    assert not document.is_modified, "nothing was said that the document does not hold"
    put(pane.editor, typed.replace('"u"}', '"v"}'))
    assert pane.editor.editor.text == typed.replace('"u"}', '"v"}')
    assert document.state.conversation.messages[0].text == "v"


def test_going_back_in_a_long_draft_keeps_little(document: Document, qtbot: QtBot) -> None:
    pane = pane_of("json", document, qtbot)
    assert isinstance(pane, JsonPane)
    start = '{"messages": "' + "x" * 100_000
    put(pane.editor, start)
    QTest.keyClicks(pane.editor.editor, "yyyyyyyyyy")
    assert pane.editor._steps.size < 100_000, "what was replaced first, and nothing for each key"
    for _ in range(10):
        pane.editor.editor.undo_requested.emit()
    assert pane.editor.editor.text == start


def test_the_caret_stays_in_sight_in_less_room(document: Document, qtbot: QtBot) -> None:
    pane = pane_of("json", document, qtbot)
    assert isinstance(pane, JsonPane)
    pane.resize(400, 240)
    editor = pane.editor.editor
    pane.activateWindow()
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    editor.moveCursor(editor.textCursor().MoveOperation.End)
    QTest.keyClicks(editor, "x")
    height = editor.height()
    pane.resize(400, 170)
    qtbot.waitUntil(lambda: editor.height() < height)
    assert editor.viewport().rect().contains(editor.cursorRect())
