"""Earlier runs in the window: the list, one shown as the last reply, and what a crash cut off."""

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from support.cut_off import offered
from support.runs import endpoint_at
from support.server import Server, answer, chat_stream
from support.services import PatientServices
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.runs import past
from thinkpane.ui.dialogs.earlier_runs import EarlierRunsDialog
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.answer import AnswerPane
from thinkpane.ui.panes.thinking import ThinkingPane
from thinkpane.ui.panes.wire import WirePane
from thinkpane.workspace.document_file import document_to_json
from thinkpane.workspace.state import DocumentState

TALK = Conversation((message("user", "Well?"),))


@pytest.fixture
def window(make_window: Callable[[DocumentState], MainWindow], services: PatientServices, qtbot: QtBot) -> MainWindow:
    """A window that has run twice, and whose services have no other journals."""
    for each in services.folders.journals.glob("*"):
        each.unlink()
    with Server([answer(chat_stream("First.", "One."))], [answer(chat_stream("Second.", "Two."))]) as server:
        services.endpoints.put(endpoint_at(server.url))
        found = make_window(DocumentState(template="chatml", conversation=TALK, endpoint="here", path="chat"))
        for _ in range(2):
            with qtbot.waitSignal(found.runs.finished):
                found.session.run()
    return found


def opened(window: MainWindow, qtbot: QtBot) -> EarlierRunsDialog:
    window.actions_["earlier_runs"].trigger()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, EarlierRunsDialog)
    qtbot.waitUntil(lambda: dialog.list.topLevelItemCount() > 0)
    return dialog


def texts(window: MainWindow) -> tuple[str, str]:
    answer, thinking = window.layout_.panes["answer"], window.layout_.panes["thinking"]
    assert isinstance(answer, AnswerPane)
    assert isinstance(thinking, ThinkingPane)
    card = thinking.cards[0]
    if card.is_folded:
        # What is folded away is laid out when it is opened.
        card.press_arrow()
    return card.view.text, answer.text.text


def test_an_earlier_run_shows_its_thinking_answer_wire_and_times(window: MainWindow, qtbot: QtBot) -> None:
    assert texts(window) == ("Second.", "Two.")
    dialog = opened(window, qtbot)
    rows = [dialog.list.topLevelItem(row) for row in range(dialog.list.topLevelItemCount())]
    assert [row.text(3) for row in rows if row] == ["here", "here"]
    qtbot.waitUntil(lambda: [row.text(4) for row in rows if row] == ["done", "done"])
    older = dialog.list.topLevelItem(1)
    assert older is not None
    dialog.list.setCurrentItem(older)
    with qtbot.waitSignal(window.runs.finished):
        dialog.open_button.click()
    assert texts(window) == ("First.", "One.")
    assert window.layout_.elsewhere.text().startswith("Earlier run: Chat")
    assert window.layout_.elsewhere.isVisible()
    window.layout_.show_pane("wire")
    wire = window.layout_.panes["wire"]
    assert isinstance(wire, WirePane)
    assert "/v1/chat/completions" in wire.view.text
    assert "first byte" in wire.totals.text()
    assert window.output.may_reread
    window.session.append_reply()
    assert window.document.state.conversation.messages[-1].data["content"] == "One."


def shown_earlier(window: MainWindow, qtbot: QtBot, row: int = 0) -> None:
    dialog = opened(window, qtbot)
    item = dialog.list.topLevelItem(row)
    assert item is not None
    dialog.list.setCurrentItem(item)
    with qtbot.waitSignal(window.runs.finished):
        dialog.open_button.click()


def contents(window: MainWindow) -> list[object]:
    return [each.data.get("content") for each in window.document.state.conversation.messages]


def test_a_reply_to_another_conversation_is_appended_only_when_a_person_says_so(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.document.new(replace(window.document.state, conversation=Conversation((message("user", "Other"),))))
    shown_earlier(window, qtbot)
    window.session.append_reply()
    banner = window.layout_.banner
    assert "answers another conversation than the open one" in banner.sentence.text()
    assert contents(window) == ["Other"]
    [anyway] = banner.choices
    anyway.click()
    assert contents(window) == ["Other", "Two."]
    window.document.undo()
    window.session.append_reply()
    assert contents(window) == ["Other", "Two."], "it is asked once"


def test_who_was_asked_about_one_reply_appends_no_other_one(window: MainWindow, qtbot: QtBot) -> None:
    window.document.new(replace(window.document.state, conversation=Conversation((message("user", "Other"),))))
    shown_earlier(window, qtbot)
    window.session.append_reply()
    shown_earlier(window, qtbot, 1)
    window.session.append_doubted()
    assert contents(window) == ["Other"]


def test_a_reply_to_the_same_conversation_in_another_document_is_appended(window: MainWindow, qtbot: QtBot) -> None:
    window.document.new(replace(window.document.state, conversation=Conversation((message("user", "Well?"),))))
    shown_earlier(window, qtbot)
    window.session.append_reply()
    assert contents(window) == ["Well?", "Two."]
    assert window.layout_.banner.isHidden()


def test_the_conversation_that_went_on_is_another_one(window: MainWindow, qtbot: QtBot) -> None:
    window.session.append_reply()
    shown_earlier(window, qtbot, 1)
    window.session.append_reply()
    assert contents(window) == ["Well?", "Two."]
    assert window.layout_.banner.isVisible()
    thinking = window.layout_.panes["thinking"]
    done: list[int] = []
    window.session.append_thinking("Other thought.", lambda: done.append(1))
    assert contents(window) == ["Well?", "Two."]
    window.session.append_doubted()
    assert contents(window) == ["Well?", "Two.", "One."]
    assert done == [1]
    assert isinstance(thinking, ThinkingPane)


def test_a_journal_that_does_not_say_its_conversation_is_asked_about(
    window: MainWindow, services: PatientServices, qtbot: QtBot
) -> None:
    newest = sorted(services.folders.journals.glob("*.transcript"))[-1]
    first, rest = newest.read_bytes().split(b"\n", 1)
    head = json.loads(first)
    del head["conversation"]
    newest.write_bytes(json.dumps(head).encode() + b"\n" + rest)
    shown_earlier(window, qtbot)
    window.session.append_reply()
    assert "nobody knows which conversation" in window.layout_.banner.sentence.text()
    assert contents(window) == ["Well?"]


def test_the_list_is_filtered_and_used_by_keys(window: MainWindow, qtbot: QtBot) -> None:
    dialog = opened(window, qtbot)
    QTest.keyClicks(dialog.filter, "nothing of that")
    assert all(item.isHidden() for row in range(2) if (item := dialog.list.topLevelItem(row)))
    dialog.open_button.click()
    assert dialog.isVisible(), "what is hidden is not chosen"
    dialog.filter.clear()
    with qtbot.waitSignal(window.runs.finished):
        QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    assert texts(window) == ("Second.", "Two.")


def test_what_a_crash_cut_off_is_offered_until_it_is_settled(
    window: MainWindow, services: PatientServices, qtbot: QtBot
) -> None:
    newest = sorted(services.folders.journals.glob("*.transcript"))[-1]
    lines = newest.read_text(encoding="utf-8").splitlines()
    piece = json.loads(lines[2])
    piece["text"] = piece["text"].partition('data: {"choices":[{"index":0,"delta":{},"finish')[0]
    newest.write_text("\n".join([*lines[:2], json.dumps(piece)]) + "\n", encoding="utf-8")
    window.restore()
    banner = window.layout_.banner
    qtbot.waitUntil(lambda: "ended while a reply came" in banner.sentence.text() and banner.isVisible())
    show = next(each for each in banner.choices if each.text() == "Show it")
    with qtbot.waitSignal(window.runs.finished):
        show.click()
    assert texts(window) == ("Second.", "Two.")
    answer = window.layout_.panes["answer"]
    assert isinstance(answer, AnswerPane)
    assert "The program ended while this reply came" in answer.error.text()
    assert offered(window, qtbot), "it was looked at, not settled"
    next(each for each in banner.choices if each.text() == "Don't offer again").click()
    assert not offered(window, qtbot)
    dialog = opened(window, qtbot)
    first = dialog.list.topLevelItem(0)
    assert first is not None
    qtbot.waitUntil(lambda: first.text(4) == "cut off")
    assert "The program ended" in str(first.data(4, Qt.ItemDataRole.ToolTipRole))
    dialog.reject()


def test_an_empty_list_says_what_will_be_there(qtbot: QtBot) -> None:
    dialog = EarlierRunsDialog()
    qtbot.addWidget(dialog)
    assert "Reading" in dialog.empty.text()
    assert not dialog.open_button.isEnabled()
    dialog.show_runs([])
    assert "There is none yet" in dialog.empty.text()
    assert not dialog.open_button.isEnabled()


def test_a_thousand_runs_are_read_beside_the_window(
    window: MainWindow, services: PatientServices, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = sorted(services.folders.journals.glob("*.transcript"))[0].read_bytes()
    for number in range(1000):
        (services.folders.journals / f"20250101T000000.{number:06d}Z-{number:08d}.transcript").write_bytes(one)
    threads: list[str] = []
    read = past.past_run

    def told(file: Path) -> past.PastRun | None:
        threads.append(threading.current_thread().name)
        return read(file)

    monkeypatch.setattr(past, "past_run", told)
    dialog = opened(window, qtbot)
    assert dialog.list.topLevelItemCount() == 1002
    assert set(threads) == {"list of earlier runs"}
    dialog.filter.setText("nothing of that")
    dialog.filter.clear()
    last = dialog.list.topLevelItem(1001)
    assert last is not None
    assert last.text(0).startswith(("2024-12-31", "2025-01-01"))
    dialog.reject()
    assert not offered(window, qtbot)
    window.actions_["earlier_runs"].trigger()
    closed = QApplication.activeModalWidget()
    assert isinstance(closed, EarlierRunsDialog)
    closed.reject()
    assert window.layout_.banner.isHidden()


def test_a_cut_off_reply_is_offered_after_the_unsaved_work(
    window: MainWindow, services: PatientServices, qtbot: QtBot
) -> None:
    """A crash in the middle of a reply mostly leaves both."""
    newest = sorted(services.folders.journals.glob("*.transcript"))[-1]
    newest.write_bytes(newest.read_bytes().splitlines(keepends=True)[0])
    state = DocumentState(template="chatml", conversation=TALK)
    left = {"saved_at": "2026-01-02T10:00:00+00:00", "path": None, "document": document_to_json(state)}
    services.folders.autosaves.mkdir(parents=True, exist_ok=True)
    (services.folders.autosaves / "a.json").write_text(json.dumps(left), encoding="utf-8")
    window.restore()
    banner = window.layout_.banner
    assert "Unsaved work" in banner.sentence.text()
    next(each for each in banner.choices if each.text() == "Discard").click()
    qtbot.waitUntil(lambda: "ended while a reply came" in banner.sentence.text() and banner.isVisible())


def test_what_failed_is_not_done(window: MainWindow, services: PatientServices, qtbot: QtBot) -> None:
    refusal = answer(b'{"error": {"message": "It broke."}}', status="500 Broken", kind="application/json")
    with Server([refusal]) as server:
        services.endpoints.put(endpoint_at(server.url), replacing="here")
        with qtbot.waitSignal(window.runs.finished):
            window.session.run()
    answered = window.layout_.panes["answer"]
    assert isinstance(answered, AnswerPane)
    assert answered.card.badge("state") == "error 500"
    dialog = opened(window, qtbot)
    first = dialog.list.topLevelItem(0)
    assert first is not None
    qtbot.waitUntil(lambda: first.text(4) == "error 500")
    dialog.reject()


def test_the_next_cut_off_reply_is_offered_once_one_was_shown(
    window: MainWindow, services: PatientServices, qtbot: QtBot
) -> None:
    for file in services.folders.journals.glob("*.transcript"):
        file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:3]))
    assert offered(window, qtbot)
    banner = window.layout_.banner
    assert banner.sentence.text().endswith("1 more after it.")
    with qtbot.waitSignal(window.runs.finished):
        next(each for each in banner.choices if each.text() == "Show it").click()
    assert banner.isVisible()
    assert "more after it" not in banner.sentence.text()
    next(each for each in banner.choices if each.text() == "Don't offer again").click()
    assert not banner.isVisible()
