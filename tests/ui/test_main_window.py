"""The window as a person uses it: typing, tiers, running, replies, keys."""

import json
import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from support.patience import PATIENCE
from support.services import PatientServices
from support.windows import prompt_with, run_to_end
from thinkpane.conversation import edits
from thinkpane.conversation.messages import message
from thinkpane.endpoints.dialects._api import Call
from thinkpane.endpoints.sink import Handle, Sink
from thinkpane.errors import Problem
from thinkpane.runs.loop_guard import BREAKER_TEXT
from thinkpane.ui.actions import ACTIONS, Row
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes._registry import all_panes
from thinkpane.ui.panes.messages import MessagesPane
from thinkpane.ui.widgets.message_card import MessageCard
from thinkpane.workspace.state_edits import picked_tier


def last_editor(window: MainWindow) -> MessageCard:
    pane = window.layout_.panes["messages"]
    assert isinstance(pane, MessagesPane)
    card = pane.list.card(len(window.document.state.conversation.messages) - 1)
    assert isinstance(card, MessageCard)
    return card


def test_every_pane_has_its_place(window: MainWindow) -> None:
    assert set(window.layout_.panes) == {pane.id for pane in all_panes()}
    for id in window.layout_.panes:
        assert window.layout_.show_pane(id), id
    assert not window.layout_.show_pane("nothing")


def test_a_keystroke_reaches_the_prompt(window: MainWindow, qtbot: QtBot) -> None:
    editor = last_editor(window).editor
    editor.setFocus()
    QTest.keyClicks(editor, "Yes")
    prompt_with(window, qtbot, "Yes")
    assert window.windowTitle().startswith("*Untitled")


def test_run_sends_what_is_shown_and_fills_the_panes(window: MainWindow, qtbot: QtBot) -> None:
    shown = window.prompts.prompt.text
    run_to_end(window, qtbot)
    run = window.runs.run
    assert run is not None
    assert run.prompt == shown
    assert run.request.body["prompt"] == shown
    assert run.transcript.thinking
    assert run.transcript.answer
    assert [call.name for call in run.transcript.tool_calls] == ["get_weather"]
    assert run.problem is None
    assert window.layout_.status.state.text() == "Done"


def test_run_renders_what_was_typed_a_moment_ago(window: MainWindow, qtbot: QtBot) -> None:
    state = window.document.state
    talk = edits.add(state.conversation, message("user", "just now"))
    window.document.change(replace(state, conversation=talk), ["messages"], "test", "Add")
    run_to_end(window, qtbot)
    assert window.runs.run is not None
    assert window.runs.run.prompt is not None
    assert "just now" in window.runs.run.prompt


def test_run_refuses_while_the_template_fails_and_says_why(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jinja"
    broken.write_text("{% if %}")
    window.choices.use_template(str(broken))
    qtbot.waitUntil(lambda: window.prompts.prompt.problem is not None)
    with qtbot.waitSignal(window.session.refused):
        window.session.run()
    assert window.runs.run is None
    assert "Nothing was sent" in window.layout_.banner.sentence.text()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.layout_.banner.isHidden()


def test_a_prompt_that_fails_keeps_the_last_good_one(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    good = window.prompts.prompt.text
    broken = tmp_path / "broken.jinja"
    broken.write_text("{% if %}")
    window.choices.use_template(str(broken))
    qtbot.waitUntil(lambda: window.prompts.prompt.problem is not None)
    prompt = window.prompts.prompt
    assert (prompt.text, prompt.stale) == (good, True)
    assert prompt.problem is not None
    assert window.layout_.status.fact("problems") == "1 problem"
    window.document.undo()
    qtbot.waitUntil(lambda: window.prompts.prompt.is_current)


def test_escape_stops_the_reply_and_keeps_what_came(window: MainWindow, qtbot: QtBot) -> None:
    window.session.run(demo_speed=0.05)
    assert window.layout_.top.run.text().startswith("■")
    qtbot.waitUntil(lambda: window.runs.run is not None and bool(window.runs.run.transcript.blocks))
    with qtbot.waitSignal(window.runs.finished):
        QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.runs.run is not None
    assert window.runs.run.transcript.blocks
    assert window.runs.run.state == "stopped"
    assert window.layout_.top.run.text().startswith("▶")


def test_run_and_stop_take_the_same_room(window: MainWindow) -> None:
    top = window.layout_.top
    width = top.run.width()
    top.set_live(True)
    assert top.run.width() == width
    top.set_live(False)
    assert top.run.width() == width


def test_a_second_and_a_third_turn(window: MainWindow, qtbot: QtBot) -> None:
    run_to_end(window, qtbot)
    calls = window.runs.run.transcript.tool_calls if window.runs.run else []
    window.session.give_result(0, "21 °C, sunny")
    roles = [each.role for each in window.document.state.conversation.messages]
    assert roles == ["system", "user", "assistant", "tool"]
    assert window.document.state.conversation.messages[-1].tool_call_id == calls[0].id
    assert not window.session.may_append
    prompt_with(window, qtbot, "21 °C, sunny")
    run_to_end(window, qtbot)
    window.actions_["append"].trigger()
    state = window.document.state
    talk = edits.add(state.conversation, message("user", "And tomorrow?"))
    window.document.change(replace(state, conversation=talk), ["messages"], "test", "Add")
    run_to_end(window, qtbot)
    assert window.runs.run is not None
    assert window.runs.run.transcript.answer


def test_append_is_one_step_of_undo(window: MainWindow, qtbot: QtBot) -> None:
    before = window.document.state
    run_to_end(window, qtbot)
    window.session.append_reply()
    window.session.append_reply()
    assert len(window.document.state.conversation.messages) == len(before.conversation.messages) + 1
    window.document.undo()
    assert window.document.state is before
    window.session.append_reply()
    assert len(window.document.state.conversation.messages) == len(before.conversation.messages) + 1


def test_the_tier_in_force_is_lit_and_says_why(window: MainWindow, qtbot: QtBot) -> None:
    row = window.layout_.tiers
    qtbot.waitUntil(lambda: any(button.isChecked() for button in row.buttons))
    assert [button.text() for button in row.buttons if button.isChecked()] == ["L3 Artemis"]
    assert row.reason.whole == "[L3] in message 2 is in force: L3 Artemis"
    assert "characters" in row.effect.whole
    assert row.reason.isEnabled()
    assert not row.lost.isVisible()


def test_what_lost_is_said_too(window: MainWindow, qtbot: QtBot) -> None:
    state = replace(window.document.state, template="glm-5.2", variables={"reasoning_effort": "low"})
    window.document.change(state, ["template", "variables"], "test", "GLM")
    row = window.layout_.tiers
    qtbot.waitUntil(lambda: row.lost.isVisible() and row.lost.isEnabled())
    assert row.lost.whole == "reasoning_effort = “low” is no value this template knows: it falls through to Max"


def test_f7_asks_for_the_next_tier_and_the_tag_still_wins(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.effects.effects is not None)
    window.actions_["next_tier"].trigger()
    template = window.prompts.template
    assert picked_tier(window.document.state, template) == 4
    window.actions_["previous_tier"].trigger()
    window.actions_["previous_tier"].trigger()
    assert picked_tier(window.document.state, template) == 2
    qtbot.waitUntil(lambda: "beats the picker" in window.layout_.tiers.reason.whole)
    assert [button.text() for button in window.layout_.tiers.buttons if button.isChecked()] == ["L3 Artemis"]
    assert window.layout_.tiers.buttons[2].property("beaten")


def test_a_press_on_the_picked_tier_leaves_it_to_the_template(window: MainWindow, qtbot: QtBot) -> None:
    button = window.layout_.tiers.buttons[5]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert picked_tier(window.document.state, window.prompts.template) == 5
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert picked_tier(window.document.state, window.prompts.template) is None
    assert not window.document.state.variables


def test_the_steps_can_be_taken_out_of_what_is_shown_only(window: MainWindow, qtbot: QtBot) -> None:
    state = replace(window.document.state, steps={"locale": True})
    window.document.change(state, ["steps"], "test", "Locale")
    qtbot.waitUntil(lambda: bool(window.prompts.prompt.decisions))
    with_steps = window.prompts.prompt.text
    window.view.toggle_steps()
    qtbot.waitUntil(lambda: window.prompts.prompt.text != with_steps)
    run_to_end(window, qtbot)
    assert window.runs.run is not None
    assert window.runs.run.prompt == with_steps


def test_a_template_from_the_library(window: MainWindow, qtbot: QtBot) -> None:
    library = window.layout_.templates
    item = next(library.item(row) for row in range(library.count()) if library.item(row).text() == "GLM 5.2")
    library.itemClicked.emit(item)
    prompt_with(window, qtbot, "Reasoning Effort: Max")
    assert window.layout_.top.template.shown_value == "GLM 5.2"
    assert [button.accessibleName() for button in window.layout_.tiers.buttons] == ["Tier High", "Tier Max", "Tier Off"]


def test_copy_takes_the_models_string(window: MainWindow) -> None:
    window.view.copy_prompt()
    assert QGuiApplication.clipboard().text() == window.prompts.prompt.text


class Ponderer:
    """Replays a reply that thinks, answers a word, and thinks again, three times."""

    def title(self, call: Call) -> str:
        return "a loop"

    def dialect(self, call: Call) -> str:
        return "openai-chat"

    def replay(self, call: Call, sink: Sink, speed: float = 1.0) -> Handle:
        sink.head(200, {"content-type": "text/event-stream"}, 0.0)
        for number in range(3):
            for delta in ({"reasoning_content": f"plan {number} "}, {"content": "hm "}):
                sink.data(f"data: {json.dumps({'choices': [{'delta': delta}]})}\n\n".encode(), number)
        sink.over(None, 5.0)
        return self

    def stop(self) -> None:
        """There is nothing left to stop."""


def test_a_loop_guard_that_is_off_lets_a_model_think(
    window: MainWindow, services: PatientServices, qtbot: QtBot
) -> None:
    services.__dict__["demo"] = Ponderer()
    services.settings.set("loop_guard.blocks", 0)
    run_to_end(window, qtbot)
    run = window.runs.run
    assert run is not None
    assert not run.loop_guard_fired
    assert run.transcript.answer == "hm hm hm "


def test_a_model_that_only_thinks_is_stopped_and_can_be_sent_the_breaker(
    window: MainWindow, services: PatientServices, qtbot: QtBot
) -> None:
    services.__dict__["demo"] = Ponderer()
    run_to_end(window, qtbot)
    run = window.runs.run
    assert run is not None
    assert run.loop_guard_fired
    assert run.transcript.answer == "hm hm ", "nothing after the third block's begin"
    assert window.layout_.banner.detail.text() == BREAKER_TEXT
    with qtbot.waitSignal(window.runs.finished):
        QTest.mouseClick(window.layout_.banner.choices[0], Qt.MouseButton.LeftButton)
    assert [each.role for each in window.document.state.conversation.messages][-2:] == ["assistant", "user"]
    assert window.document.state.conversation.messages[-1].text == BREAKER_TEXT
    assert window.runs.run is not run
    assert window.runs.run is not None
    assert BREAKER_TEXT in (window.runs.run.prompt or "")


def test_closing_ends_what_runs(window: MainWindow, qtbot: QtBot) -> None:
    window.session.run(demo_speed=0.05)
    assert window.close()
    assert not {each.name for each in threading.enumerate()} & {"prompts", "effects", "autosave"}
    assert not window.isVisible()


def test_the_chat_path_sends_messages(window: MainWindow, qtbot: QtBot) -> None:
    window.layout_.top.path.chosen.emit("chat")
    run_to_end(window, qtbot)
    run = window.runs.run
    assert run is not None
    assert "prompt" not in run.request.body
    messages = run.request.body["messages"]
    assert isinstance(messages, list)
    assert len(messages) == 2
    assert run.transcript.answer


def test_a_window_starts_without_what_only_later_work_needs() -> None:
    script = (
        "import sys\n"
        "from thinkpane.compose import Services\n"
        "from thinkpane.ui.application import make_application\n"
        "application = make_application()\n"
        "from thinkpane.ui.main_window import MainWindow\n"
        "services = Services()\n"
        "window = MainWindow(services)\n"
        "window.show()\n"
        "heavy = sorted({'httpx', 'jinja2', 'tokenizers', 'pygments', 'keyring'} & set(sys.modules))\n"
        "window.close_down()\n"
        "services.close()\n"
        "assert not heavy, heavy\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "app"), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr


def test_no_two_actions_share_a_key(window: MainWindow) -> None:
    keys = [key for row in ACTIONS if isinstance(row, Row) for key in row.shortcut.split()]
    assert len(keys) == len(set(keys))
    assert all(window.actions_[row.id].text() for row in ACTIONS if isinstance(row, Row))


def test_actions_follow_their_rules(window: MainWindow, qtbot: QtBot) -> None:
    assert not window.actions_["undo"].isEnabled()
    assert not window.actions_["append"].isEnabled()
    window.choices.use_template("llama-3")
    assert window.actions_["undo"].isEnabled()
    run_to_end(window, qtbot)
    assert window.actions_["append"].isEnabled()
    assert window.actions_["run"].isEnabled()
    assert not window.actions_["stop"].isEnabled()


def test_tabs_count_what_is_sent(window: MainWindow) -> None:
    assert window.layout_.compose.tabText(1) == "TOOLS 1"
    state = window.document.state
    off = tuple(replace(tool, enabled=False) for tool in state.conversation.tools)
    window.document.change(replace(state, conversation=edits.set_tools(state.conversation, off)), ["tools"], "t", "Off")
    assert window.layout_.compose.tabText(1) == "TOOLS"


def test_a_fault_of_no_pane_is_told_and_put_away(window: MainWindow) -> None:
    window.tell(Problem("file", "It broke."))
    assert window.layout_.banner.sentence.text() == "It broke."
    window.layout_.banner.put_away()
    assert window.layout_.banner.isHidden()


def test_the_menu_and_the_button_name_the_same_keys_for_stop(window: MainWindow) -> None:
    window.layout_.top.set_live(True)
    assert "(Esc, Shift+F5)" in window.layout_.top.run.toolTip()
    assert window.actions_["stop"].text().endswith("\tEsc, Shift+F5")
    window.layout_.top.set_live(False)
