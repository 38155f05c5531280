"""What a person typed or received stays: replies and other documents, results, drafts, copies."""

import json
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from support.services import PatientServices
from support.windows import Answer, add, let_go, run_to_end
from thinkpane.endpoints.dialects._api import Call
from thinkpane.endpoints.sink import Handle, Sink
from thinkpane.errors import Problem
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.document_files import SAMPLES, first_document
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.calls import CallsPane
from thinkpane.ui.panes.json_body import JsonPane
from thinkpane.ui.panes.messages import MessagesPane
from thinkpane.ui.panes.prompt import PromptPane
from thinkpane.ui.prompt_copy import copy_prompt
from thinkpane.ui.widgets.call_card import CallCard
from thinkpane.workspace.document_file import read_document
from thinkpane.workspace.state import DocumentState


def roles(window: MainWindow) -> list[str]:
    return [each.role for each in window.document.state.conversation.messages]


def card_of(window: MainWindow, place: int = 0) -> CallCard:
    calls = window.layout_.panes["calls"]
    assert isinstance(calls, CallsPane)
    return calls.cards[place]


def write_result(window: MainWindow, text: str, place: int = 0) -> CallCard:
    card = card_of(window, place)
    card.add_button.click()
    card.result.insert_exactly(text)
    return card


class TwoCalls:
    """Replays a reply with two tool calls that have no id."""

    def title(self, call: Call) -> str:
        return "two calls"

    def dialect(self, call: Call) -> str:
        return "openai-chat"

    def replay(self, call: Call, sink: Sink, speed: float = 1.0) -> Handle:
        sink.head(200, {"content-type": "text/event-stream"}, 0.0)
        calls = [{"index": at, "function": {"name": name, "arguments": "{}"}} for at, name in enumerate(("one", "two"))]
        sink.data(f"data: {json.dumps({'choices': [{'delta': {'tool_calls': calls}}]})}\n\n".encode(), 0.0)
        sink.over(None, 5.0)
        return self

    def stop(self) -> None:
        """There is nothing left to stop."""


# Replies and their documents.


def test_a_reply_is_not_appended_to_another_document(window: MainWindow, qtbot: QtBot) -> None:
    run_to_end(window, qtbot)
    answer = window.runs.run.transcript.answer if window.runs.run else ""
    window.files.new()
    assert roles(window) == []
    assert not window.session.may_append
    assert not window.layout_.append.isVisible()
    assert "of another untitled document, which is not open" in window.layout_.elsewhere.text()
    assert window.layout_.elsewhere.isVisible()
    window.actions_["append"].trigger()
    assert roles(window) == []
    assert "This reply is of another untitled document" in window.layout_.banner.sentence.text()
    window.session.give_result(0, "21 °C")
    window.session.break_loop()
    assert roles(window) == []
    assert window.runs.run is not None
    assert window.runs.run.transcript.answer == answer, "what was received is still there"
    assert not card_of(window).add_button.isVisible()


def test_the_next_run_belongs_to_the_document_that_is_open_then(window: MainWindow, qtbot: QtBot) -> None:
    run_to_end(window, qtbot)
    window.files.new()
    add(window, "hello")
    run_to_end(window, qtbot)
    assert not window.layout_.elsewhere.isVisible()
    window.session.append_reply()
    assert roles(window) == ["user", "assistant"]


def test_a_reply_that_comes_while_another_document_is_opened_is_said_to_be_elsewhere(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window.document.save_as(tmp_path / "asked.thinkpane.json")
    with qtbot.waitSignal(window.runs.finished):
        window.session.run(demo_speed=0)
        window.files.new()
    assert "of “asked”, which" in window.layout_.elsewhere.text()
    assert not window.session.may_append
    (tmp_path / "other").mkdir()
    window.document.save_as(tmp_path / "other" / "asked.thinkpane.json")
    assert window.session.elsewhere.startswith("This reply is of another “asked”, which")


def test_a_received_reply_is_in_the_journal(window: MainWindow, services: PatientServices, qtbot: QtBot) -> None:
    run_to_end(window, qtbot)
    kept = list(services.folders.journals.iterdir())
    assert len(kept) == 1
    assert kept[0].stat().st_size > 1000


def test_append_undo_append(window: MainWindow, qtbot: QtBot) -> None:
    run_to_end(window, qtbot)
    window.session.append_reply()
    assert not window.layout_.append.isVisible()
    window.document.undo()
    assert window.session.may_append
    assert window.layout_.append.isVisible()
    window.session.append_reply()
    assert roles(window) == ["system", "user", "assistant"]
    window.document.undo()
    window.document.redo()
    assert not window.session.may_append, "the conversation holds it again"


# Results of tool calls.


def test_call_and_result_are_one_step_and_can_be_given_again(window: MainWindow, qtbot: QtBot) -> None:
    run_to_end(window, qtbot)
    card = write_result(window, "21 °C")
    card.give_button.click()
    assert roles(window) == ["system", "user", "assistant", "tool"]
    assert card.badge("result") == "result appended"
    window.document.undo()
    assert roles(window) == ["system", "user"]
    assert card.typed == "21 °C"
    assert card.give_button.isVisible()
    card.give_button.click()
    assert roles(window) == ["system", "user", "assistant", "tool"], "no orphan"


def test_a_result_stands_behind_its_call_whatever_was_added_meanwhile(window: MainWindow, qtbot: QtBot) -> None:
    run_to_end(window, qtbot)
    window.session.append_reply()
    add(window, "and then?")
    write_result(window, "21 °C").give_button.click()
    assert roles(window) == ["system", "user", "assistant", "tool", "user"]


def test_run_takes_a_typed_result_along(window: MainWindow, qtbot: QtBot) -> None:
    run_to_end(window, qtbot)
    write_result(window, "21 °C, sunny")
    run_to_end(window, qtbot)
    assert roles(window) == ["system", "user", "assistant", "tool"]
    assert window.document.state.conversation.messages[-1].text == "21 °C, sunny"
    assert window.runs.run is not None
    assert "21 °C, sunny" in (window.runs.run.prompt or "")


def test_run_does_not_drop_a_typed_result_that_cannot_be_appended(window: MainWindow, qtbot: QtBot) -> None:
    run_to_end(window, qtbot)
    first = window.runs.run
    card = write_result(window, "21 °C")
    window.files._document.new(DocumentState(conversation=first_document().conversation))
    window.session.run(demo_speed=0)
    assert window.runs.run is first
    assert card.result.isVisible()
    assert card.result.text == "21 °C"
    assert "This reply is of" in window.layout_.banner.sentence.text()


def test_closing_asks_about_a_typed_result(window: MainWindow, qtbot: QtBot, answers: list[Answer]) -> None:
    run_to_end(window, qtbot)
    write_result(window, "21 °C")
    answers.append(Answer.Cancel)
    assert not window.close()
    assert roles(window)[-1] == "tool"


def test_calls_without_ids_keep_their_own_names(window: MainWindow, services: PatientServices, qtbot: QtBot) -> None:
    services.__dict__["demo"] = TwoCalls()
    run_to_end(window, qtbot)
    for place in (1, 0):
        write_result(window, f"result {place}", place).give_button.click()
    messages = window.document.state.conversation.messages
    ids = [call["id"] for call in messages[-3].tool_calls]
    found = [(each.data["name"], each.tool_call_id, each.text) for each in messages[-2:]]
    assert found == [("two", ids[1], "result 1"), ("one", ids[0], "result 0")]
    assert len(set(map(str, ids))) == 2


def test_the_keyboard_goes_to_the_message_that_a_result_became(window: MainWindow, qtbot: QtBot) -> None:
    run_to_end(window, qtbot)
    window.layout_.show_pane("tools")
    window.activateWindow()
    card = write_result(window, "21 °C")
    card.result.setFocus()
    QTest.keyClick(card.result, Qt.Key.Key_Tab)
    QTest.keyClick(card.give_button, Qt.Key.Key_Space)
    pane = window.layout_.panes["messages"]
    assert isinstance(pane, MessagesPane)
    assert window.focusWidget() is pane.list.card(3)
    assert QApplication.focusWidget() in (None, pane.list.card(3))


def test_undo_in_a_result_without_steps_is_the_documents(window: MainWindow, qtbot: QtBot) -> None:
    run_to_end(window, qtbot)
    add(window, "more")
    card = card_of(window)
    card.add_button.click()
    QTest.keyClick(card.result, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert roles(window) == ["system", "user"]


# Drafts.


def draft(window: MainWindow, text: str = '{"messages": [\n  {"role": }\n]}') -> JsonPane:
    pane = window.layout_.panes["json"]
    assert isinstance(pane, JsonPane)
    window.layout_.show_pane("json")
    pane.editor.editor.selectAll()
    pane.editor.editor.insert_exactly(text)
    return pane


def tab(window: MainWindow, id: str) -> str:
    tabs = window.layout_.compose
    return tabs.tabText(tabs._ids.index(id))


def test_a_draft_marks_its_tab_and_run_says_where_it_is(window: MainWindow, qtbot: QtBot) -> None:
    pane = draft(window)
    assert tab(window, "json") == "● JSON"
    assert window.windowTitle().startswith("*")
    window.layout_.show_pane("messages")
    window.session.run(demo_speed=0)
    assert window.runs.run is None
    sentence = window.layout_.banner.sentence.text()
    assert sentence.startswith("Nothing was sent: the JSON tab holds text that is not applied.")
    assert "line 2, column 12" in sentence
    assert [each.text() for each in window.layout_.banner.choices] == ["Show it", "Run without it"]
    window.layout_.banner.choices[0].click()
    assert window.layout_.compose.current_id == "json"
    window.session.run(demo_speed=0)
    with qtbot.waitSignal(window.runs.finished):
        window.layout_.banner.choices[1].click()
    pane.editor.discard_draft()
    assert tab(window, "json") == "JSON"
    assert not window.document.is_modified


def test_closing_asks_about_a_draft_and_saving_keeps_it(
    window: MainWindow, answers: list[Answer], tmp_path: Path
) -> None:
    path = tmp_path / "talk.thinkpane.json"
    window.document.save_as(path)
    draft(window, "{oops")
    answers.append(Answer.Cancel)
    assert not window.close()
    answers.append(Answer.Save)
    assert window.close()
    assert read_document(path).drafts == {"json": "{oops"}


def test_a_crash_leaves_the_draft(
    make_window: Callable[[DocumentState], MainWindow], services: PatientServices
) -> None:
    crashed = make_window(first_document())
    crashed.restore()
    draft(crashed, "{oops")
    let_go(crashed)
    fresh = make_window(first_document())
    fresh.restore()
    assert "text that is not applied" in fresh.layout_.banner.sentence.text()
    fresh.layout_.banner.choices[0].click()
    fresh.layout_.show_pane("json")
    pane = fresh.layout_.panes["json"]
    assert isinstance(pane, JsonPane)
    assert pane.editor.editor.text == "{oops"
    assert pane.editor.has_draft


# Files.


def test_samples_can_be_opened_again(window: MainWindow, answers: list[Answer]) -> None:
    menu = QMenu()
    window.files.fill_samples(menu)
    assert [each.text() for each in menu.actions()] == list(SAMPLES)
    for action, title in zip(menu.actions(), SAMPLES, strict=True):
        window.files.new()
        action.trigger()
        assert window.document.state.conversation.messages, title
        assert not window.document.is_modified
        assert window.document.path is None
    add(window, "typed")
    answers.append(Answer.Cancel)
    menu.actions()[0].trigger()
    assert window.document.state.conversation.messages[-1].text == "typed"


# Copies.


def test_a_copy_of_the_last_good_prompt_says_so(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    good = window.prompts.prompt.text
    broken = tmp_path / "broken.jinja"
    broken.write_text("{% if %}")
    window.choices.use_template(str(broken))
    qtbot.waitUntil(lambda: window.prompts.prompt.problem is not None)
    pane = window.layout_.panes["prompt"]
    assert isinstance(pane, PromptPane)
    for copy in (window.view.copy_prompt, pane.copy):
        QGuiApplication.clipboard().setText("before")
        window.layout_.banner.put_away()
        copy()
        assert QGuiApplication.clipboard().text() == good
        assert window.layout_.banner.sentence.text().startswith("Copied the last good prompt")
        assert window.layout_.banner.isVisible()


def test_nothing_is_copied_where_there_never_was_a_prompt(qtbot: QtBot) -> None:
    QGuiApplication.clipboard().setText("before")
    problem = copy_prompt(Prompt(problem=Problem("template", "It fails.")))
    assert problem is not None
    assert problem.message == "Nothing was copied, because there is no prompt: It fails."
    assert QGuiApplication.clipboard().text() == "before"
