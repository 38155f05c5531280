"""The tools and documents panes."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from support.panes import context_for, document_with
from thinkpane.conversation.tools import ContextDocument, Tool
from thinkpane.formats.json_values import JsonObject
from thinkpane.ui.panes import documents as documents_pane
from thinkpane.ui.panes import tools as tools_pane
from thinkpane.ui.panes.documents import DocumentCard, DocumentsPane
from thinkpane.ui.panes.tools import ToolCard, ToolsPane
from thinkpane.workspace.document import Document

WEATHER: JsonObject = {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}


def show(qtbot: QtBot, pane: QWidget) -> None:
    qtbot.addWidget(pane)
    pane.resize(460, 600)
    pane.show()
    pane.activateWindow()
    qtbot.waitUntil(pane.isActiveWindow)


def tools_of(qtbot: QtBot, *tools: Tool) -> tuple[ToolsPane, Document]:
    document = document_with(tools=tools)
    pane = tools_pane.PANE.build(context_for(document))
    show(qtbot, pane)
    return pane, document


def documents_of(qtbot: QtBot, *found: ContextDocument) -> tuple[DocumentsPane, Document]:
    document = document_with(documents=found)
    pane = documents_pane.PANE.build(context_for(document))
    show(qtbot, pane)
    return pane, document


def tool_card(pane: ToolsPane, index: int) -> ToolCard:
    found = pane.list.card(index)
    assert isinstance(found, ToolCard)
    return found


def document_card(pane: DocumentsPane, index: int) -> DocumentCard:
    found = pane.list.card(index)
    assert isinstance(found, DocumentCard)
    return found


def put(card: ToolCard, text: str) -> None:
    card.editor.editor.selectAll()
    card.editor.editor.insert_exactly(text)


def test_an_empty_pane_says_what_will_appear_and_a_snippet_starts_one(qtbot: QtBot) -> None:
    pane, document = tools_of(qtbot)
    assert pane.empty.isVisible()
    titles = [each.text() for each in pane.add_menu.actions()]
    assert titles == ["Weather", "Search", "Calculator", "Empty"]
    pane.add_menu.actions()[0].trigger()
    assert [each.name for each in document.state.conversation.tools] == ["get_weather"]
    assert not pane.empty.isVisible()
    assert QApplication.focusWidget() is tool_card(pane, 0).editor.editor
    assert tool_card(pane, 0).editor.line == ""


def test_an_edit_reaches_the_document_and_faults_are_one_line(qtbot: QtBot) -> None:
    pane, document = tools_of(qtbot, Tool(WEATHER))
    card = tool_card(pane, 0)
    put(card, '{"name": "f",\n "parameters": }')
    assert card.editor.line == "Not JSON: expecting value (line 2, column 16)."
    assert document.state.conversation.tools[0].name == "get_weather"
    put(card, '{"name": "f", "parameters": {"type": "array"}, "strict": true}')
    assert card.editor.line == "“parameters” must be of “type” “object”."
    assert document.state.conversation.tools[0].data["strict"] is True, "a faulty tool can be sent all the same"
    put(card, '["no tool"]')
    assert card.editor.line == "A tool must be a JSON object."
    assert document.state.conversation.tools[0].name == "f"
    put(card, '{"name": "g"}')
    assert card.editor.line == ""
    assert document.state.conversation.tools[0].name == "g"


def test_a_tool_is_switched_off_doubled_moved_and_deleted(qtbot: QtBot) -> None:
    pane, document = tools_of(qtbot, Tool(WEATHER), Tool({"name": "b"}))
    card = tool_card(pane, 0)
    card.enabled.click()
    assert document.state.conversation.tools_value() == [{"name": "b"}]
    assert len(document.state.conversation.tools) == 2
    card.editor.editor.setFocus()
    QTest.keyClick(card.editor.editor, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert [each.name for each in document.state.conversation.tools] == ["b", "get_weather"]
    card.duplicate.click()
    assert [each.enabled for each in document.state.conversation.tools] == [True, False, False]
    tool_card(pane, 0).delete.click()
    assert [each.name for each in document.state.conversation.tools] == ["get_weather", "get_weather"]
    document.undo()
    assert document.state.conversation.tools[0].name == "b"
    document.undo()
    document.undo()
    document.undo()
    assert tool_card(pane, 0).enabled.isChecked()


def test_typing_is_one_undo_step(qtbot: QtBot) -> None:
    pane, document = tools_of(qtbot, Tool({"name": "f"}))
    editor = tool_card(pane, 0).editor.editor
    editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(editor, "  ")
    editor.setPlainText(editor.text.replace('"f"', '"fg"'))
    assert document.state.conversation.tools[0].name == "fg"
    QTest.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert document.state.conversation.tools[0].name == "f"
    assert '"f"' in editor.text


def test_a_document_is_written_by_title_and_text(qtbot: QtBot) -> None:
    pane, document = documents_of(qtbot)
    pane.add_button.click()
    title = QApplication.focusWidget()
    assert title is document_card(pane, 0).title
    QTest.keyClicks(title, "Tides")
    QTest.keyClicks(document_card(pane, 0).text, "High at six.")
    assert document.state.conversation.documents_value() == [{"title": "Tides", "text": "High at six."}]


def test_unknown_keys_and_other_names_of_the_text_are_kept(qtbot: QtBot) -> None:
    pane, document = documents_of(qtbot, ContextDocument({"id": 7, "contents": "x", "title": "t"}))
    QTest.keyClicks(document_card(pane, 0).text, "y")
    assert document.state.conversation.documents_value() == [{"id": 7, "contents": "xy", "title": "t"}]


def test_a_document_can_be_seen_as_json(qtbot: QtBot) -> None:
    pane, document = documents_of(qtbot, ContextDocument({"title": "t", "text": "x"}), ContextDocument("loose"))
    card = document_card(pane, 0)
    assert not card.json.isVisible()
    card.as_json.click()
    assert card.json.isVisible()
    card.json.editor.selectAll()
    card.json.editor.insert_exactly('{"title": "t", "text": "x", "date": ')
    card.as_json.click()
    assert card.json.isVisible(), "a draft is not hidden away"
    card.json.editor.insert_exactly("1}")
    assert document.state.conversation.documents[0].data == {"title": "t", "text": "x", "date": 1}
    loose = document_card(pane, 1)
    assert loose.json.isVisible()
    assert not loose.title.isVisible()
    assert not loose.as_json.isEnabled()


def test_a_document_is_switched_off_moved_and_deleted(qtbot: QtBot) -> None:
    pane, document = documents_of(qtbot, ContextDocument("a"), ContextDocument("b"))
    document_card(pane, 0).enabled.click()
    assert document.state.conversation.documents_value() == ["b"]
    document_card(pane, 0).json.editor.setFocus()
    QTest.keyClick(document_card(pane, 0).json.editor, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert [each.data for each in document.state.conversation.documents] == ["b", "a"]
    document_card(pane, 0).duplicate.click()
    document_card(pane, 2).delete.click()
    assert [each.data for each in document.state.conversation.documents] == ["b", "b"]
