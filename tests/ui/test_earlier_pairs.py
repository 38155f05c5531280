"""Pairs of runs of before: put away and shown again, repeated, and cut off by a crash."""

from dataclasses import replace

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from support.cut_off import offered
from support.pair_windows import Make, answers, chat_reply, opened, raw_reply, run_to_its_end, seen, serving, text_event
from support.server import chat_event
from support.services import PatientServices
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.endpoints.profile import Endpoint
from thinkpane.ui.dialogs.earlier_runs import EarlierRunsDialog
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.widgets.pair_panel import PairPanel


def reopened(window: MainWindow, qtbot: QtBot) -> PairPanel:
    window.actions_["earlier_runs"].trigger()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, EarlierRunsDialog)
    qtbot.waitUntil(lambda: dialog.both_button.isEnabled())
    with qtbot.waitSignal(window.session.both.started):
        dialog.both_button.click()
    panel = window.session_view.pair.panel
    assert panel is not None
    return panel


def test_a_pair_that_was_put_away_is_told_no_more_and_can_be_shown_again(
    make_window: Make, services: PatientServices, qtbot: QtBot
) -> None:
    for each in services.folders.journals.glob("*"):
        each.unlink()
    with serving(chat_reply("Yes."), raw_reply("No.")) as server:
        window = opened(make_window, services, server, {"temperature": 0})
        panel = run_to_its_end(window, qtbot)
    bar = window.layout_.status
    assert bar.state.text() == "Chat: done · Raw: done"
    panel.close_button.click()
    assert bar.state.text() == "Ready"
    first, other = window.session.both.run("chat"), window.session.both.run("raw")
    assert reopened(window, qtbot) is panel
    assert panel.isVisible()
    assert window.session.both.run("chat") is not first
    assert window.session.both.run("raw") is not other
    assert answers(window) == ["Yes.", "No."]
    assert panel.verdict.text() == "replies differ"
    assert panel.parity.text() == "prompts: cannot tell"
    assert "Earlier run: Run both" in panel.reason.text()
    window.session.take("raw")
    assert window.layout_.elsewhere.text().endswith("This is its raw reply.")


def test_a_reopened_pair_repeats_its_own_requests_whatever_document_is_open(
    make_window: Make, services: PatientServices, qtbot: QtBot
) -> None:
    for each in services.folders.journals.glob("*"):
        each.unlink()
    with serving(chat_reply("Yes."), raw_reply("No.")) as server:
        window = opened(make_window, services, server, {"temperature": 0.7, "top_p": 0.5})
        run_to_its_end(window, qtbot)
        window.document.new(replace(window.document.state, conversation=Conversation((message("user", "Other"),))))
        panel = reopened(window, qtbot)
        assert panel.steady.isVisible()
        panel.steady.click()
        seen(window, qtbot)
        (chat, chat_again), (raw, raw_again) = (
            server.received["/v1/chat/completions"],
            server.received["/v1/completions"],
        )
        assert chat_again == chat | {"temperature": 0, "seed": 1}
        assert raw_again == raw | {"temperature": 0, "seed": 1}
        assert panel.verdict.text() == "replies differ"
        panel.again.click()
        seen(window, qtbot)
        assert server.received["/v1/chat/completions"][2] == chat_again
        window.session.take("chat")
        window.session.append_reply()
        assert "another conversation" in window.layout_.banner.sentence.text()
        assert len(window.document.state.conversation.messages) == 1
        services.endpoints.put(Endpoint("here", "openai-chat", server.url + "/other"), replacing="here")
        panel.again.click()
        assert "leads to another address now" in window.layout_.banner.sentence.text()
        assert len(server.received["/v1/chat/completions"]) == 3


def test_a_crash_in_the_middle_of_both_offers_both(make_window: Make, services: PatientServices, qtbot: QtBot) -> None:
    for each in services.folders.journals.glob("*"):
        each.unlink()
    with serving((chat_event(content="Yes."),), (text_event("No."),)) as server:
        window = opened(make_window, services, server)
        panel = run_to_its_end(window, qtbot)
    panel.close_button.click()
    for file in services.folders.journals.glob("*.transcript"):
        file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))
    assert offered(window, qtbot)
    banner = window.layout_.banner
    assert "while two replies came: Run both" in banner.sentence.text()
    assert "more after it" not in banner.sentence.text()
    show = next(each for each in banner.choices if each.text() == "Show both")
    with qtbot.waitSignal(window.session.both.started):
        show.click()
    assert answers(window) == ["Yes.", "No."]
    assert window.layout_.status.state.text() == "Chat: cut off · Raw: cut off"
    assert offered(window, qtbot)
    next(each for each in banner.choices if each.text() == "Don't offer again").click()
    assert not offered(window, qtbot)
