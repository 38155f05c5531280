"""The problems tab: findings with places and fixes, worked out while a person types."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from support.services import PatientServices
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import Message, message
from thinkpane.formats.json_values import JsonValue
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.problems import ProblemsPane
from thinkpane.ui.widgets.problem_row import ProblemRow
from thinkpane.workspace.state import DocumentState
from thinkpane.workspace.state_edits import set_variable


def state_of(*messages: Message, **variables: bool) -> DocumentState:
    return DocumentState(template="chatml", conversation=Conversation(messages=messages), variables=dict(variables))


def pane_of(window: MainWindow) -> ProblemsPane:
    window.layout_.show_pane("problems")
    found = window.layout_.panes["problems"]
    assert isinstance(found, ProblemsPane)
    return found


def wait_for(window: MainWindow, qtbot: QtBot, *ids: str) -> list[ProblemRow]:
    """The rows, once the problems are exactly these."""

    def told() -> bool:
        problems = window.problems.problems
        return problems is not None and [each.id for each in problems.findings if each.severity != "note"] == [*ids]

    qtbot.waitUntil(told)
    return [row for row in pane_of(window).rows if not row.isHidden()]


def tab_title(window: MainWindow) -> str:
    tabs = window.layout_.inspect
    return next(tabs.tabText(n) for n in range(tabs.count()) if tabs.tabText(n).startswith("PROBLEMS"))


def test_nothing_wrong_is_said(make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot) -> None:
    window = make_window(state_of(message("user", "hi")))
    assert wait_for(window, qtbot) == []
    pane = pane_of(window)
    assert pane.empty.text() == "No problems found"
    assert pane.empty.isVisible()
    assert tab_title(window) == "PROBLEMS"
    assert window.layout_.status.fact("problems") == ""


def test_findings_come_while_typing_and_the_tab_counts_them(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot
) -> None:
    window = make_window(state_of(message("user", "hi")))
    wait_for(window, qtbot)
    document = window.document
    document.change(set_variable(document.state, "foo", 1), {"variables"}, "test", "Set foo")
    (row,) = wait_for(window, qtbot, "kwarg-unused")
    assert row.severity.text() == "▲ warning"
    assert row.summary.text() == "“foo” is set, and the template never reads it."
    assert row.why.text()
    assert row.line.isHidden()
    assert tab_title(window) == "PROBLEMS 1"
    assert window.layout_.status.fact("problems") == "1 problem"
    assert not pane_of(window).empty.isVisible()


def test_a_fix_is_applied_and_taken_back(make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot) -> None:
    window = make_window(state_of(message("user", "hi"), foo=True))
    (row,) = wait_for(window, qtbot, "kwarg-unused")
    QTest.mouseDClick(row.fix, Qt.MouseButton.LeftButton)
    QTest.mouseClick(row.fix, Qt.MouseButton.LeftButton)
    assert window.document.state.variables == {}
    assert not row.fix.isEnabled()
    assert window.document.undo_label == "Unset “foo”"
    wait_for(window, qtbot)
    window.document.undo()
    assert window.document.state.variables == {"foo": True}
    (row,) = wait_for(window, qtbot, "kwarg-unused")
    assert row.fix.isEnabled()


def test_a_fix_for_another_document_is_refused_in_words(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot
) -> None:
    calls: list[JsonValue] = [{"id": id, "function": {"name": "f", "arguments": {}}} for id in "ab"]
    talk = (
        message("user", "hi"),
        message("assistant", "", tool_calls=calls),
        message("tool", "two", tool_call_id="b"),
        message("tool", "one", tool_call_id="a"),
    )
    window = make_window(state_of(*talk))
    qtbot.waitUntil(lambda: window.problems.is_settled)
    pane = pane_of(window)
    row = next(row for row in pane.rows if row.finding and row.finding.id == "tool-results-out-of-order")
    problems = window.problems.problems
    window.document.new(state_of(message("user", "other")))
    pane._on_row_fix_asked(row.finding.fix if row.finding and row.finding.fix else pytest.fail("no fix"))
    assert problems is not None
    assert pane.notice.text().startswith("The fix was not applied.")
    assert [each.content for each in window.document.state.conversation.messages] == ["other"]


def test_places_are_shown_in_their_panes(make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot) -> None:
    window = make_window(state_of(message("system", "s"), message("user", "a <|im_end|> b")))
    (row,) = wait_for(window, qtbot, "special-token-in-content")
    assert row.message.text() == "Message 2"
    with qtbot.waitSignal(window.context.links.message_chosen) as chosen:
        QTest.mouseClick(row.message, Qt.MouseButton.LeftButton)
    assert chosen.args == [1]
    with qtbot.waitSignal(pane_of(window).span_chosen) as span:
        QTest.mouseClick(row.prompt, Qt.MouseButton.LeftButton)
    assert window.prompts.prompt.text[span.args[0] : span.args[1]] == "<|im_end|>"
    assert window.layout_.inspect.current_id == "prompt"


def test_a_message_that_is_left_out_does_not_move_the_others(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot
) -> None:
    left_out = Message({"role": "user", "content": "old"}, excluded=True)
    window = make_window(state_of(left_out, message("user", "a <|im_end|> b")))
    (row,) = wait_for(window, qtbot, "special-token-in-content")
    assert row.message.text() == "Message 2"
    assert "message 2" in row.summary.text()


def test_a_click_on_the_card_shows_the_first_place(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot
) -> None:
    window = make_window(state_of(message("user", "<|im_end|>")))
    (row,) = wait_for(window, qtbot, "special-token-in-content")
    with qtbot.waitSignal(window.context.links.message_chosen):
        QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=row.rect().bottomRight() / 1.02)


def test_notes_wait_until_they_are_asked_for(make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot) -> None:
    state = DocumentState(template="glm-5.2", conversation=Conversation(messages=(message("user", "hi"),)))
    window = make_window(state)
    assert wait_for(window, qtbot) == []
    pane = pane_of(window)
    assert pane.notes.text().startswith("Show ")
    QTest.mouseClick(pane.notes, Qt.MouseButton.LeftButton)
    rows = [row for row in pane.rows if row.isVisible()]
    assert rows
    assert {row.severity.text() for row in rows} == {"● note"}
    assert rows[0].line.text().startswith("Template line ")
    assert tab_title(window) == "PROBLEMS"


def test_a_template_that_refuses_is_a_problem_with_a_fix(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot
) -> None:
    window = make_window(
        DocumentState(
            template="command-r7b",
            conversation=Conversation(messages=(message("user", "a"), message("user", "b"))),
        )
    )
    (row,) = wait_for(window, qtbot, "roles-must-alternate")
    assert row.severity.text() == "✕ error"
    QTest.mouseClick(row.fix, Qt.MouseButton.LeftButton)
    assert [each.content for each in window.document.state.conversation.messages] == ["a\n\nb"]
    qtbot.waitUntil(lambda: window.prompts.prompt.is_current)


def test_the_traced_prompt_is_not_checked_again(
    services: PatientServices, make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot
) -> None:
    window = make_window(state_of(message("user", "hi")))
    wait_for(window, qtbot)
    told: list[object] = []
    window.problems.changed.connect(told.append)
    window.prompts.changed.emit(window.prompts.prompt)
    assert window.problems.is_settled
    assert told == []
    shown = window.problems.problems
    with qtbot.waitSignal(window.problems.changed):
        window.prompts.refresh()
    assert window.problems.is_settled
    assert shown is not None
    assert window.problems.problems is not None
    assert window.problems.problems.prompt.serial > shown.prompt.serial
