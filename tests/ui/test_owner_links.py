"""From the prompt to cards and back, in a real window with a real engine."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from thinkpane.conversation.conversation import conversation_from_body
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.places import Place
from thinkpane.ui.json_lights import body_place, body_steps
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.json_body import JsonPane
from thinkpane.ui.panes.messages import MessagesPane
from thinkpane.ui.panes.prompt import PromptPane
from thinkpane.ui.panes.template import TemplatePane
from thinkpane.ui.widgets.exact_text import ExactLineEdit, ExactTextEdit, TextField
from thinkpane.ui.widgets.items_pane import ItemsPane
from thinkpane.ui.widgets.message_card import MessageCard
from thinkpane.ui.widgets.text_lit import lit
from thinkpane.workspace.state import DocumentState

CALL: JsonValue = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
DEEP: JsonValue = {"id": "c2", "type": "function", "function": {"name": "go", "arguments": {"to": ["the\nsea"]}}}
BODY: JsonValue = {
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "Where 😀 is it?"}]},
        {
            "role": "assistant",
            "content": "There.",
            "reasoning_content": "It must be there.",
            "tool_calls": [CALL, DEEP],
        },
    ],
    "documents": [{"title": "Map", "text": "Here be it."}],
    "tools": [{"type": "function", "function": {"name": "look", "description": "Looks around."}}],
}
SOURCE = """{{ documents[0].text }}
{%- for tool in tools %}{{ tool | tojson }}
{% endfor %}{% for message in messages %}
{{ message.role }}: {{ message.content if message.content is string else message.content[0].text }}
{{ message.reasoning_content }}{% for call in message.tool_calls %}>{{ call.function.name }}<{% endfor %}
{%- for call in message.tool_calls if call.function.arguments is mapping %}
{{- call.function.arguments.to[0] }}!{% endfor %}
{% endfor %}{{ greeting }}"""


@pytest.fixture
def window(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot, tmp_path_factory: pytest.TempPathFactory
) -> MainWindow:
    template = tmp_path_factory.mktemp("template") / "own.jinja"
    template.write_text(SOURCE, encoding="utf-8")
    state = DocumentState(
        template=str(template), conversation=conversation_from_body(BODY), variables={"greeting": "Goodbye"}
    )
    found = make_window(state)
    qtbot.waitUntil(lambda: found.prompts.prompt.owners is not None)
    found.activateWindow()
    return found


def prompt_pane(window: MainWindow) -> PromptPane:
    found = window.layout_.panes["prompt"]
    assert isinstance(found, PromptPane)
    return found


def point(window: MainWindow, text: str) -> QPoint:
    """A point on the second character of a text in the prompt."""
    view = prompt_pane(window).view
    found = view.rect_of(view.text.index(text) + 1)
    return QPoint(found.left() + 3, found.center().y())


def click(window: MainWindow, text: str) -> None:
    view = prompt_pane(window).view
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point(window, text))


def card(window: MainWindow, index: int) -> MessageCard:
    pane = window.layout_.panes["messages"]
    assert isinstance(pane, MessagesPane)
    pane.list.complete()
    found = pane.list.card(index)
    assert isinstance(found, MessageCard)
    return found


def selected(field: TextField) -> str:
    if isinstance(field, ExactLineEdit):
        return field.selectedText()
    return field.text[field.selected[0] : field.selected[1]]


@pytest.mark.parametrize(
    ("text", "index", "field"),
    [
        ("Be brief.", 0, "content"),
        ("Where 😀 is it?", 1, "content[0].text"),
        ("There.", 2, "content"),
        ("It must be there.", 2, "reasoning_content"),
        ("look<", 2, "tool_calls[0].function.name"),
    ],
)
def test_a_click_selects_the_very_characters_in_their_field(
    window: MainWindow, text: str, index: int, field: str
) -> None:
    window.layout_.show_pane("tools")
    focus = window.focusWidget()
    click(window, text)
    found = card(window, index)
    assert selected(found.text_fields()[field]) == text.rstrip("<")
    assert found.isVisible()
    assert found.property("current") is True
    assert window.focusWidget() in (focus, prompt_pane(window).view), "the keyboard goes into no card"


def test_a_document_s_text_is_selected_too(window: MainWindow) -> None:
    click(window, "Here be it.")
    assert window.layout_.compose.current_id == "documents"
    pane = window.layout_.panes["documents"]
    assert isinstance(pane, ItemsPane)
    shown = pane.list.card(0)
    assert shown is not None
    assert selected(shown.text_fields()["text"]) == "Here be it."


def test_hovering_lights_the_card_and_its_field_without_scrolling_to_it(window: MainWindow) -> None:
    view = prompt_pane(window).view
    found = card(window, 1)
    editor = found.text_fields()["content[0].text"]
    assert isinstance(editor, ExactTextEdit)
    caret = editor.selected
    QTest.mouseMove(view.viewport(), point(window, "Where 😀 is it?"))
    assert found.property("pointed") is True
    assert [each.cursor.selectedText() for each in editor.extraSelections()] == ["Where 😀 is it?"]
    assert editor.selected == caret
    QTest.mouseMove(view.viewport(), QPoint(view.text_left + 200, view.viewport().height() - 2))
    assert found.property("pointed") is False
    assert editor.extraSelections() == []


def test_the_caret_in_a_field_lights_what_it_became(window: MainWindow, qtbot: QtBot) -> None:
    view = prompt_pane(window).view
    fields = card(window, 1).text_fields()
    editor = fields["content[0].text"]
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    start = view.text.index("Where")
    assert view.lit("chosen") == lit([(start, start + 14)])
    assert isinstance(editor, ExactTextEdit)
    editor.select(6, 7)
    assert view.lit("chosen") == lit([(start + 6, start + 7)])
    name = card(window, 2).text_fields()["tool_calls[0].function.name"]
    name.setFocus()
    qtbot.waitUntil(name.hasFocus)
    called = view.text.index(">look<") + 1
    assert view.lit("chosen") == lit([(called, called + 4)])
    card(window, 0).setFocus()
    qtbot.waitUntil(card(window, 0).hasFocus)
    assert view.text[view.lit("chosen").starts[0] :].startswith("system")


def test_typing_keeps_the_light_on_what_is_typed(window: MainWindow, qtbot: QtBot) -> None:
    view = prompt_pane(window).view
    editor = card(window, 0).editor
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    QTest.keyClicks(editor, " So.")
    qtbot.waitUntil(lambda: "Be brief. So." in view.text)
    start = view.text.index("Be brief. So.")
    qtbot.waitUntil(lambda: view.lit("chosen") == lit([(start, start + 13)]))


def test_tools_and_variables_are_shown_in_their_panes(window: MainWindow) -> None:
    click(window, "Looks around.")
    assert window.layout_.compose.current_id == "tools"
    tools = window.layout_.panes["tools"]
    assert isinstance(tools, ItemsPane)
    shown = tools.list.card(0)
    assert shown is not None
    assert shown.property("current") is True
    click(window, "Goodbye")
    assert window.layout_.side.current_id == "controls"


def test_a_click_in_the_gutter_shows_the_line_in_the_template_that_was_never_shown(
    window: MainWindow, qtbot: QtBot
) -> None:
    view = prompt_pane(window).view
    at = QPoint(20, point(window, "It must be there.").y())
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert window.layout_.compose.current_id == "template"
    template = window.layout_.panes["template"]
    assert isinstance(template, TemplatePane)
    line = SOURCE[: SOURCE.index("{{ message.reasoning_content")].count("\n") + 1
    assert template.editor.textCursor().blockNumber() + 1 == line
    assert view.isVisible()
    start = view.text.index("It must be there.")
    assert view.lit("chosen") == lit([(start, start + len("It must be there.>look<>go<"))])


def test_a_key_tells_the_owner_at_the_caret(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr("thinkpane.ui.panes._prompt_owners.announce", lambda _widget, words: said.append(words))
    view = prompt_pane(window).view
    start = view.text.index("Be brief.")
    view.select(start + 3, start + 8)
    window.actions_["owner"].trigger()
    qtbot.waitUntil(view.hasFocus)
    line = view.rows.lines.line_number(start)
    assert said == [
        f"Line {line} of {view.rows.lines.line_count()}. message 1 · content, characters 4–8. "
        + prompt_pane(window).written_by.whole.replace("T", "t", 1)
    ]
    assert prompt_pane(window).came_from.accessibleName() == "Message 1 · content, characters 4–8"


def test_a_message_that_a_problem_names_is_shown(window: MainWindow) -> None:
    window.layout_.show_pane("json")
    window.context.links.message_chosen.emit(2)
    assert window.layout_.compose.current_id == "messages"
    assert card(window, 2).property("current") is True


def test_one_raw_text_is_lit_and_selected_as_well(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot, tmp_path_factory: pytest.TempPathFactory
) -> None:
    template = tmp_path_factory.mktemp("template") / "raw.jinja"
    template.write_text("<doc>{{ messages }}</doc>", encoding="utf-8")
    talk = conversation_from_body({"messages": "All of it."})
    window = make_window(DocumentState(template=str(template), conversation=talk))
    qtbot.waitUntil(lambda: window.prompts.prompt.owners is not None)
    view = prompt_pane(window).view
    pane = window.layout_.panes["messages"]
    assert isinstance(pane, MessagesPane)
    QTest.mouseMove(view.viewport(), point(window, "All of it."))
    assert [each.cursor.selectedText() for each in pane.raw.editor.extraSelections()] == ["All of it."]
    click(window, "All of it.")
    assert selected(pane.raw.editor) == "All of it."
    window.activateWindow()
    pane.raw.editor.setFocus()
    qtbot.waitUntil(pane.raw.editor.hasFocus)
    pane.raw.editor.select(4, 6)
    assert view.lit("chosen") == lit([(9, 11)])


def test_places_that_are_gone_are_passed_over(window: MainWindow) -> None:
    links = window.context.links
    for place in (Place("message", 9, "content", (0, 1)), Place("tool", 9), Place("message", 1, "nothing"), None):
        links.place_pointed.emit(place)
        links.place_chosen.emit(place)
        links.field_entered.emit(place)
    assert not prompt_pane(window).view.lit("chosen")


def tool_editor(window: MainWindow) -> ExactTextEdit:
    pane = window.layout_.panes["tools"]
    assert isinstance(pane, ItemsPane)
    found = pane.list.card(0)
    assert found is not None
    return found.json_fields()[""]


def lit_in(editor: ExactTextEdit) -> list[str]:
    return [each.cursor.selectedText() for each in editor.extraSelections()]


def test_a_click_selects_the_very_characters_inside_a_tool_s_json(window: MainWindow, qtbot: QtBot) -> None:
    click(window, "Looks around.")
    assert window.layout_.compose.current_id == "tools"
    editor = tool_editor(window)
    assert selected(editor) == "Looks around."
    QTest.mouseMove(prompt_pane(window).view.viewport(), point(window, "Looks around."))
    qtbot.waitUntil(lambda: lit_in(editor) == ["Looks around."])


def test_a_click_selects_inside_the_arguments_of_a_call(window: MainWindow) -> None:
    click(window, "sea!")
    editor = card(window, 2).json_fields()["tool_calls[1].function.arguments"]
    assert selected(editor) == "the\\nsea", "with the escape that JSON has for the newline"


def test_the_caret_in_a_tool_s_json_lights_what_it_became(window: MainWindow, qtbot: QtBot) -> None:
    view = prompt_pane(window).view
    window.layout_.show_pane("tools")
    editor = tool_editor(window)
    editor.setFocus(Qt.FocusReason.OtherFocusReason)
    qtbot.waitUntil(editor.hasFocus)
    at = editor.text.index("around")
    editor.select(at, at + 6)
    begin = view.text.index("around")
    qtbot.waitUntil(lambda: view.lit("chosen") == lit([(begin, begin + 6)]))


def test_the_json_pane_shows_it_where_it_is_in_front(window: MainWindow, qtbot: QtBot) -> None:
    pane = window.layout_.panes["json"]
    assert isinstance(pane, JsonPane)
    editor = pane.editor.editor
    click(window, "Be brief.")
    assert selected(editor) == "", "it is not in front"
    window.layout_.show_pane("json")
    qtbot.waitUntil(pane.isVisible)
    for text in ("Be brief.", "Looks around.", "It must be there."):
        click(window, text)
        assert window.layout_.compose.current_id == "json"
        assert selected(editor) == text
    view = prompt_pane(window).view
    editor.setFocus(Qt.FocusReason.OtherFocusReason)
    qtbot.waitUntil(editor.hasFocus)
    at = editor.text.index("Here be it.")
    editor.select(at, at + 4)
    begin = view.text.index("Here be it.")
    qtbot.waitUntil(lambda: view.lit("chosen") == lit([(begin, begin + 4)]))


def test_what_is_left_out_has_no_place_in_the_body() -> None:
    talk = conversation_from_body(BODY)
    first, *rest = talk.messages
    talk = replace(talk, messages=(replace(first, excluded=True), *rest))
    assert body_steps(talk, Place("message", 0, "content")) is None
    assert body_steps(talk, Place("message", 2, "content")) == ("messages", 1, "content")
    assert body_place(talk, ("messages", 1, "content"), (0, 2)) == Place("message", 2, "content", (0, 2))
    assert body_steps(talk, Place("variable", field="greeting")) is None
    assert body_place(talk, ("messages",), None) is None
    assert body_place(talk, ("model", 0), None) is None
    assert body_place(talk, ("tools", 9), None) is None
