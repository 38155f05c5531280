"""Run both in the real window: two requests of one conversation, two replies beside each other, and what came of it."""

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from support.pair_windows import (
    OURS,
    TALK,
    Make,
    answers,
    chat_reply,
    opened,
    raw_reply,
    run_to_its_end,
    seen,
    serving,
    text_event,
)
from support.server import CHAT_END, chat_event
from support.services import PatientServices
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.endpoints.profile import Endpoint
from thinkpane.endpoints.recording import read_recording
from thinkpane.errors import Problem
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.answer import AnswerPane
from thinkpane.ui.panes.calls import CallsPane
from thinkpane.ui.panes.thinking import ThinkingPane
from thinkpane.ui.panes.wire import WirePane
from thinkpane.workspace.state import DocumentState


def test_both_requests_are_of_one_conversation(make_window: Make, services: PatientServices, qtbot: QtBot) -> None:
    with serving(chat_reply("Yes."), raw_reply("Yes.")) as server:
        window = opened(make_window, services, server, {"temperature": 0, "seed": 3})
        panel = run_to_its_end(window, qtbot)
        (chat,), (raw,) = server.received["/v1/chat/completions"], server.received["/v1/completions"]
    assert chat["messages"] == [{"role": "user", "content": "Well?"}]
    assert raw["prompt"] == OURS == window.prompts.prompt.text
    assert [body["temperature"] for body in (chat, raw)] == [0, 0]
    assert [body["seed"] for body in (chat, raw)] == [3, 3]
    assert answers(window) == ["Yes.", "Yes."]
    assert (panel.verdict.text(), panel.verdict.property("tone")) == ("replies agree", "good")
    assert panel.sentence.text().startswith("The replies agree: the answer is the same.")
    assert (panel.parity.text(), panel.parity.property("tone")) == ("prompts: same", "good")
    assert panel.difference.isHidden()
    assert panel.steady.isHidden()


@pytest.mark.parametrize("path", ["raw", "chat"])
def test_another_prompt_of_the_server_is_said_beside_another_reply(
    make_window: Make, services: PatientServices, qtbot: QtBot, path: str
) -> None:
    with serving(chat_reply("Yes."), raw_reply("No."), OURS.replace("Well", "Hm")) as server:
        panel = run_to_its_end(opened(make_window, services, server, {"temperature": 0}, path), qtbot)
    assert panel.verdict.text() == "replies differ"
    assert "after character 0: Chat goes on with “Yes.”, Raw with “No.”." in panel.sentence.text()
    assert panel.parity.text() == "prompts: differ"
    assert "The prompts were not the same" in panel.reason.text()


def test_what_chance_may_have_done_is_said_and_taken_out_for_one_comparison(
    make_window: Make, services: PatientServices, qtbot: QtBot
) -> None:
    with serving(chat_reply("Yes."), raw_reply("No.")) as server:
        window = opened(make_window, services, server, {"temperature": 0.9})
        panel = run_to_its_end(window, qtbot)
        assert "may differ by chance" in panel.reason.text()
        assert panel.steady.isVisible()
        panel.steady.click()
        assert seen(window, qtbot) is panel
        bodies = [server.received[f"/v1/{name}"][1] for name in ("chat/completions", "completions")]
        assert [(body["temperature"], body["seed"]) for body in bodies] == [(0, 1), (0, 1)]
        assert window.document.state.params == {"temperature": 0.9}
        assert "for this comparison only" in panel.reason.text()
        assert panel.steady.isHidden()
        panel.again.click()
        seen(window, qtbot)
        assert server.received["/v1/completions"][2]["temperature"] == 0.9


def test_each_is_stopped_alone_and_escape_stops_both(
    make_window: Make, services: PatientServices, qtbot: QtBot
) -> None:
    hold = threading.Event()
    chat = (chat_event(content="One"), hold, *chat_reply(" two."))
    raw = (text_event("One"), hold, *raw_reply(" two."))
    with serving(chat, raw) as server:
        window = opened(make_window, services, server)
        both, sides = window.session.both, window.session_view.pair.sides
        window.session.run_both()
        qtbot.waitUntil(lambda: answers(window) == ["One", "One"])
        assert window.layout_.top.run.accessibleName() == "Stop"
        assert not window.actions_["run"].isEnabled()
        sides["chat"].stop.click()
        chat_run, raw_run = both.run("chat"), both.run("raw")
        assert chat_run is not None
        assert raw_run is not None
        qtbot.waitUntil(lambda: chat_run.is_over)
        assert both.is_live
        assert not raw_run.is_over
        assert [sides[path].stop.isVisible() for path in both.feeds] == [False, True]
        QTest.keyClick(window, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: not both.is_live)
        assert [chat_run.state, raw_run.state] == ["stopped", "stopped"]
        window.session.run_both()
        qtbot.waitUntil(lambda: answers(window) == ["One", "One"])
        QTest.keyClick(window, Qt.Key.Key_Escape)
        panel = seen(window, qtbot)
        hold.set()
    assert (panel.verdict.text(), panel.verdict.property("tone")) == ("same so far", "")
    said = "As far as both came, the answer is the same. Chat is unfinished: stopped. Raw is unfinished: stopped."
    assert panel.sentence.text() == said
    assert window.layout_.top.run.accessibleName() == "Run"


def test_thinking_wire_and_journal_of_each_are_its_own(
    make_window: Make, services: PatientServices, qtbot: QtBot
) -> None:
    chat = (chat_event(reasoning_content="Hm."), *chat_reply("Yes."))
    with serving(chat, raw_reply("<think>Hm.</think>Yes.")) as server:
        window = opened(make_window, services, server)
        panel = run_to_its_end(window, qtbot)
    sides = window.session_view.pair.sides
    sources = []
    for side in sides.values():
        pane, calls, wire = side.panes["thinking"], side.panes["calls"], side.panes["wire"]
        assert isinstance(pane, ThinkingPane)
        assert isinstance(calls, CallsPane)
        assert isinstance(wire, WirePane)
        sources.append(pane.cards[0].badge("source"))
        side.wire.setChecked(True)
        assert "POST http" in wire.view.text
    assert sources[0] == "field: reasoning_content"
    assert "tag" in sources[1]
    texts = [side.panes["wire"].view.text for side in sides.values() if isinstance(side.panes["wire"], WirePane)]
    assert ["/v1/chat/completions" in each for each in texts] == [True, False]
    assert panel.sentence.text().startswith("The replies agree: thinking and the answer are the same.")
    files = sorted(services.folders.journals.glob("*.transcript"))
    headers = [read_recording(each.read_bytes()).header for each in files]
    assert sorted(each.path for each in headers) == ["chat", "raw"]
    assert len({str(each.extra["pair"]) for each in headers}) == 1


def test_what_is_copied_is_the_models_own_text(make_window: Make, services: PatientServices, qtbot: QtBot) -> None:
    text = "A\u00a0b\u2028c **d**"
    with serving(chat_reply(text), raw_reply(text)) as server:
        window = opened(make_window, services, server)
        run_to_its_end(window, qtbot)
    for side in window.session_view.pair.sides.values():
        pane = side.panes["answer"]
        assert isinstance(pane, AnswerPane)
        pane.copy()
        assert QApplication.clipboard().text() == text


def test_a_reply_is_used_as_the_windows_own(make_window: Make, services: PatientServices, qtbot: QtBot) -> None:
    with serving(chat_reply("From chat."), raw_reply("From raw.")) as server:
        window = opened(make_window, services, server)
        run_to_its_end(window, qtbot)
    window.session_view.pair.sides["raw"].take.click()
    assert window.runs.run is window.session.both.run("raw")
    pane = window.layout_.panes["answer"]
    assert isinstance(pane, AnswerPane)
    assert pane.text.text == "From raw."
    window.session.append_reply()
    assert window.document.state.conversation.messages[-1].data["content"] == "From raw."


def test_the_difference_is_shown_in_the_diff_pane(make_window: Make, services: PatientServices, qtbot: QtBot) -> None:
    with serving(chat_reply("The sea."), raw_reply("The sun.")) as server:
        window = opened(make_window, services, server)
        panel = run_to_its_end(window, qtbot)
    with qtbot.waitSignal(window.comparing.pane.compared):
        panel.difference.click()
    shown = window.comparing.pane.shown
    assert shown is not None
    assert (shown.one.prompt.text, shown.other.prompt.text) == ("The sea.\n", "The sun.\n")
    assert window.layout_.inspect.current_id == "diff"


@pytest.mark.parametrize(
    ("endpoint", "why"),
    [
        (Endpoint("one", "anthropic", "http://127.0.0.1:9"), "has no raw path"),
        (Endpoint("one", "openai-chat", "https://api.groq.com/openai/v1"), "takes no raw prompts"),
    ],
)
def test_one_path_only_is_said_and_nothing_is_sent(
    make_window: Make, services: PatientServices, endpoint: Endpoint, why: str
) -> None:
    services.endpoints.put(endpoint)
    window = make_window(DocumentState(template="chatml", conversation=TALK, endpoint="one", path="chat"))
    refused: list[Problem] = []
    window.session.refused.connect(refused.append)
    assert window.actions_["run_both"].isEnabled()
    window.actions_["run_both"].trigger()
    assert [why in each.message for each in refused] == [True]
    assert window.layout_.banner.sentence.text() == refused[0].message
    assert not window.session.is_live
    assert window.session_view.pair.panel is None


def test_a_path_that_fails_does_not_take_the_other_with_it(
    make_window: Make, services: PatientServices, qtbot: QtBot
) -> None:
    with serving(chat_reply("Yes."), ()) as server:
        server.refused["/v1/completions"] = 403
        window = opened(make_window, services, server)
        panel = run_to_its_end(window, qtbot)
    assert answers(window)[0] == "Yes."
    assert panel.verdict.text() == "cannot be compared"
    assert panel.sentence.text().startswith("Raw brought no reply: ")


def test_text_that_is_not_applied_holds_both_back(make_window: Make, services: PatientServices, qtbot: QtBot) -> None:
    from thinkpane.workspace.drafts import THOUGHT, DraftPlace

    with serving(chat_reply("Yes."), raw_reply("Yes.")) as server:
        window = opened(make_window, services, server)
        window.document.drafts.put(DraftPlace(THOUGHT, 0), "half")
        window.session.run_both()
        assert not server.received
        (anyway,) = [each for each in window.layout_.banner.choices if each.text() == "Run without it"]
        anyway.click()
        seen(window, qtbot)
        assert len(server.received["/v1/completions"]) == 1


def test_the_room_shares_the_height_or_has_it_all(make_window: Make, services: PatientServices, qtbot: QtBot) -> None:
    with serving(chat_reply("Yes."), raw_reply("Yes.")) as server:
        window = opened(make_window, services, server)
        panel = run_to_its_end(window, qtbot)
    below, columns = window.layout_.below, window.layout_.splitters["columns"]
    assert columns.isVisible()
    assert panel.isVisible()
    panel.whole.click()
    assert not columns.isVisible()
    panel.whole.click()
    assert columns.isVisible()
    panel.close_button.click()
    assert not panel.isVisible()
    window.resize(800, 560)
    below.open()
    qtbot.waitUntil(lambda: not columns.isVisible() and panel.isVisible())
    assert panel.whole.isChecked()
    window.resize(1440, 900)
    qtbot.waitUntil(columns.isVisible)
    assert not panel.whole.isChecked()


def test_one_reply_at_a_time_where_two_have_no_room(make_window: Make, services: PatientServices, qtbot: QtBot) -> None:
    with serving(chat_reply("Yes."), raw_reply("Yes.")) as server:
        window = opened(make_window, services, server)
        panel = run_to_its_end(window, qtbot)
    sides = window.session_view.pair.sides
    assert [side.isVisible() for side in sides.values()] == [True, True]
    assert panel.turn.isHidden()
    panel.setMaximumWidth(400)
    qtbot.waitUntil(panel.turn.isVisible)
    assert [side.isVisible() for side in sides.values()] == [True, False]
    panel.turn.findChildren(QPushButton)[1].click()
    assert [side.isVisible() for side in sides.values()] == [False, True]


def test_a_reply_of_another_document_is_not_appended_to_this_one(
    make_window: Make, services: PatientServices, qtbot: QtBot
) -> None:
    with serving(chat_reply("Yes."), raw_reply("Yes.")) as server:
        window = opened(make_window, services, server)
        run_to_its_end(window, qtbot)
    window.document.new(replace(window.document.state, conversation=Conversation((message("user", "Other"),))))
    window.session.take("chat")
    assert window.session.elsewhere
    assert not window.session.may_append


def test_run_both_is_in_the_menu_beside_run(window: MainWindow) -> None:
    top = window.layout_.top
    titles = [each.text().replace("&", "") for each in top.menu.actions()]
    assert titles == ["Run", "Run both, chat beside raw"]
    assert top.more.accessibleName() == "More ways to run"
    keys = [each.toString() for each in window.actions_["run_both"].shortcuts()]
    assert keys == ["Ctrl+Shift+Return", "Ctrl+Shift+Enter"]


def test_what_is_used_is_seen_where_the_room_has_all_the_height(
    make_window: Make, services: PatientServices, qtbot: QtBot
) -> None:
    with serving(chat_reply("From chat."), raw_reply("From raw.")) as server:
        window = opened(make_window, services, server)
        panel = run_to_its_end(window, qtbot)
    panel.whole.click()
    window.session_view.pair.sides["raw"].take.click()
    assert window.layout_.column.isVisible()
    assert panel.isVisible()
    assert not panel.whole.isChecked()
    window.layout_.below.shut()
    window.resize(800, 560)
    window.layout_.below.open()
    qtbot.waitUntil(lambda: not window.layout_.column.isVisible())
    window.session_view.pair.sides["chat"].take.click()
    assert window.layout_.column.isVisible()
    assert not panel.isVisible()


@pytest.mark.parametrize(("raw_tells", "unit"), [(True, True), (False, False)])
def test_both_speeds_are_in_one_unit(
    make_window: Make, services: PatientServices, qtbot: QtBot, raw_tells: bool, unit: bool
) -> None:
    timings = b'data: {"choices": [], "timings": {"predicted_per_second": 50.0}}\n\n'
    chat = (chat_event(content="Yes."), timings, CHAT_END)
    raw = (text_event("Yes."), *((timings,) if raw_tells else ()), *raw_reply("")[1:])
    with serving(chat, raw) as server:
        window = opened(make_window, services, server)
        run_to_its_end(window, qtbot)
    for side in window.session_view.pair.sides.values():
        pane = side.panes["answer"]
        assert isinstance(pane, AnswerPane)
        assert ("50 tok/s" in pane.figures.text()) == unit


def test_two_paths_that_fail_are_both_told(make_window: Make, services: PatientServices, qtbot: QtBot) -> None:
    with serving((), ()) as server:
        server.refused = {"/v1/chat/completions": 500, "/v1/completions": 400}
        window = opened(make_window, services, server)
        panel = run_to_its_end(window, qtbot)
        assert len(server.received["/v1/completions"]) == 1
    assert panel.verdict.text() == "cannot be compared"
    assert [f"{name} brought no reply: " in panel.sentence.text() for name in ("Chat", "Raw")] == [True, True]
    sides = window.session_view.pair.sides
    assert [side.state.text() for side in sides.values()] == ["error 500", "refused 400"]
    problem = window.session.both.problem
    assert problem is not None
    assert [each in problem.message for each in ("Chat: The server failed", "Raw: The server did not")] == [True, True]
