"""What a person chooses about the output, in the real window: raw, order, and how the reply is read."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from support.runs import endpoint_at
from support.server import CHAT_END, Server, chat_event
from support.services import PatientServices
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.endpoints.dialects._api import DecodeOptions
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.answer import AnswerPane
from thinkpane.ui.panes.thinking import ThinkingPane
from thinkpane.ui.widgets.reading_panel import ReadingPanel, pairs
from thinkpane.workspace.state import DocumentState

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
REPLY = (
    chat_event(reasoning_content="First.")
    + chat_event(content="One.<b>Aside.</b>Two.")
    + b'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"1","function":{"name":"f",'
    + b'"arguments":"{}"}}]}}]}\n\n'
    + CHAT_END
)


def answered(
    make_window: Callable[[DocumentState], MainWindow], services: PatientServices, qtbot: QtBot
) -> tuple[MainWindow, AnswerPane, ThinkingPane]:
    """A window with that reply."""
    with Server([HEAD + REPLY]) as server:
        services.endpoints.put(endpoint_at(server.url))
        talk = Conversation(messages=(message("user", "Well?"),))
        window = make_window(DocumentState(template="chatml", conversation=talk, endpoint="here", path="chat"))
        window.session.run()
        qtbot.waitUntil(lambda: window.runs.run is not None and window.runs.run.is_over)
    answer, thinking = window.layout_.panes["answer"], window.layout_.panes["thinking"]
    assert isinstance(answer, AnswerPane)
    assert isinstance(thinking, ThinkingPane)
    return window, answer, thinking


def test_the_reply_is_read_another_way_and_back(
    make_window: Callable[[DocumentState], MainWindow], services: PatientServices, qtbot: QtBot
) -> None:
    window, answer, thinking = answered(make_window, services, qtbot)
    assert window.actions_["read_as"].isEnabled()
    window.layout_.show_pane("wire")
    window.output.toggle_reading()
    panel = answer.panel
    assert panel.isVisible()
    panel.mode.set_value("anywhere")
    panel.tags.setText("<b> </b>")
    panel.changed.emit()
    qtbot.waitUntil(lambda: len(thinking.cards) == 2)
    assert [card.badge("source") for card in thinking.cards] == ["field: reasoning_content", "tag <b> in the answer"]
    assert answer.text.text == "One.Two."
    assert (answer.card.badge("reading"), panel.back.isEnabled()) == ("reread", True)
    panel.tags.setText("<b>")
    panel.changed.emit()
    assert panel.remark.text().startswith("Tags come in pairs")
    panel.back.click()
    assert answer.text.text == "One.<b>Aside.</b>Two."
    assert (answer.card.badge("reading"), panel.tags.text().split()[:2]) == ("", ["<think>", "</think>"])
    window.output.toggle_reading()
    assert not panel.isVisible()


def test_the_settings_of_the_reading_open_where_they_are_seen(
    make_window: Callable[[DocumentState], MainWindow], services: PatientServices, qtbot: QtBot
) -> None:
    window, answer, _ = answered(make_window, services, qtbot)
    window.resize(1000, 560)
    column = window.layout_.column
    qtbot.waitUntil(lambda: column.verticalScrollBar().maximum() > 0)
    column.follow()
    window.output.toggle_reading()
    qtbot.waitUntil(lambda: answer.panel.height() > 40)
    qtbot.waitUntil(lambda: 0 <= answer.panel.mapTo(column.viewport(), QPoint(0, 0)).y() < column.viewport().height())


def test_what_is_shown_is_what_is_appended(
    make_window: Callable[[DocumentState], MainWindow], services: PatientServices, qtbot: QtBot
) -> None:
    window, answer, thinking = answered(make_window, services, qtbot)
    window.output.toggle_reading()
    answer.panel.mode.set_value("anywhere")
    answer.panel.tags.setText("<b> </b>")
    answer.panel.changed.emit()
    qtbot.waitUntil(lambda: len(thinking.cards) == 2)
    window.session.append_reply()
    reply = window.document.state.conversation.messages[-1].data
    assert (reply["content"], reply["reasoning_content"]) == ("One.Two.", "First.Aside.")


def test_cards_stand_in_the_order_in_which_they_came_and_grouped_again(
    make_window: Callable[[DocumentState], MainWindow], services: PatientServices, qtbot: QtBot
) -> None:
    window, answer, thinking = answered(make_window, services, qtbot)
    answer.panel.set_dialects([])
    window.output.toggle_reading()
    answer.panel.mode.set_value("anywhere")
    answer.panel.tags.setText("<b> </b>")
    answer.panel.changed.emit()
    qtbot.waitUntil(lambda: len(thinking.cards) == 2)
    window.output.toggle_order()
    calls = window.layout_.panes["calls"]
    cards: list[QWidget] = [
        thinking.cards[0],
        answer.parts[0],
        thinking.cards[1],
        answer.parts[1],
        getattr(calls, "cards")[0],  # noqa: B009 - the pane's class is not what is tested
    ]
    qtbot.waitUntil(lambda: all(card.isVisible() for card in cards))
    tops = [card.mapTo(window, card.rect().topLeft()).y() for card in cards]
    assert tops == sorted(set(tops))
    assert [part.text.text for part in answer.parts] == ["One.", "Two."]
    assert (thinking.isVisible(), answer.text.isVisible()) == (False, False)
    window.output.toggle_order()
    qtbot.waitUntil(lambda: thinking.isVisible() and answer.text.isVisible())
    assert answer.parts == []
    assert all(card.parentWidget() is thinking for card in thinking.cards)


def test_raw_is_a_key_away_and_remembered(
    make_window: Callable[[DocumentState], MainWindow], services: PatientServices, qtbot: QtBot
) -> None:
    window, answer, _thinking = answered(make_window, services, qtbot)
    assert answer.text.rich.isVisible()
    window.actions_["raw_answer"].trigger()
    assert (answer.view.text, answer.raw.isChecked()) == ("One.<b>Aside.</b>Two.", True)
    assert services.settings.get("output.markdown") is False
    answer.raw.click()
    assert services.settings.get("output.markdown") is True
    assert answer.text.rich.isVisible()


@pytest.mark.parametrize("typed", ["<a>", "<a> <a>", "<a> </a> <b>"])
def test_tags_that_are_no_pairs_are_refused(typed: str) -> None:
    with pytest.raises(ValueError, match="pairs"):
        pairs(typed)


def test_the_panel_gives_back_what_it_shows(qtbot: QtBot) -> None:
    panel = ReadingPanel()
    qtbot.addWidget(panel)
    panel.set_dialects([("A", "a"), ("B", "b")])
    for options in (
        DecodeOptions("anywhere", (("<x>", "</x>"),), True, "harmony"),
        DecodeOptions("leading", (), False, ""),
    ):
        panel.show_options(options, "b")
        assert (panel.options(), panel.dialect_name) == (options, "b")
