"""Controls and sampling: what they set in the document, and what they say about it."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from support.services import PatientServices
from thinkpane.conversation import edits
from thinkpane.conversation.conversation import conversation_from_body
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import dump
from thinkpane.prompt.job import prepare
from thinkpane.prompt.step_table import STEPS
from thinkpane.ui.dialogs.endpoint import EndpointDialog
from thinkpane.ui.dialogs.settings import SettingsDialog
from thinkpane.ui.dialogs.step_fields import StepFieldsDialog
from thinkpane.ui.document_files import first_document
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.model_lists import ModelLists
from thinkpane.ui.panes.controls import ControlsPane, shown_limit
from thinkpane.ui.panes.sampling import SamplingPane, stop_strings
from thinkpane.ui.run_starter import call_of
from thinkpane.ui.widgets.combo import Combo
from thinkpane.ui.widgets.segmented import Segmented
from thinkpane.ui.widgets.value_list import ASIDE
from thinkpane.ui.widgets.variable_row import VariableRow
from thinkpane.workspace.state import DocumentState
from thinkpane.workspace.state_edits import set_variable

KEYWORDS = next(step for step in STEPS if step.id == "keywords")


@pytest.fixture
def pane(window: MainWindow) -> ControlsPane:
    found = window.layout_.panes["controls"]
    assert isinstance(found, ControlsPane)
    return found


@pytest.fixture
def sampling(window: MainWindow) -> SamplingPane:
    window.layout_.show_pane("sampling")
    found = window.layout_.panes["sampling"]
    assert isinstance(found, SamplingPane)
    return found


def press(row: VariableRow, text: str) -> None:
    button = next(each for each in row.editor.findChildren(QPushButton) if each.text() == text)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_row_for_each_variable_with_what_it_does(pane: ControlsPane, window: MainWindow, qtbot: QtBot) -> None:
    assert {"reasoning_effort", "enable_thinking", "clear_thinking", "mode", "thinking_level"} <= set(pane.rows)
    qtbot.waitUntil(lambda: window.effects.effects is not None)
    said = {name: row.badge.text() for name, row in pane.rows.items()}
    assert said["reasoning_effort"] == "overruled by [L3] in message 2"
    assert said["thinking_level"] == "read, but never has an effect"
    assert said["enable_thinking"] == "false: +8 characters"
    values = pane.rows["reasoning_effort"].editor
    assert isinstance(values, Combo)
    assert values.count() == 76, "75 spellings and none"
    beside = {values.itemText(index): values.itemData(index, ASIDE) for index in range(values.count())}
    assert (beside["low"], beside["oracle"], beside["council"]) == ("L2 Apollo", "L9 Oracle", "Council")


def test_late_effects_of_an_earlier_prompt_are_outdated_too(
    pane: ControlsPane, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed = window.effects
    qtbot.waitUntil(lambda: feed.is_settled)
    late = feed.effects
    assert late is not None
    monkeypatch.setattr(feed._newest, "ask", lambda _asked: None)
    with qtbot.waitSignal(feed.outdated):
        with qtbot.waitSignal(window.prompts.changed):
            press(pane.rows["enable_thinking"], "off")
        feed._tell(late)


def test_a_switch_has_three_states(pane: ControlsPane, window: MainWindow) -> None:
    row = pane.rows["enable_thinking"]
    found = []
    for text in ("off", "on", "–"):
        press(row, text)
        found.append(dict(window.document.state.variables))
    assert found == [{"enable_thinking": False}, {"enable_thinking": True}, {}]


def test_a_choice_takes_listed_and_typed_values(pane: ControlsPane, window: MainWindow) -> None:
    editor = pane.rows["reasoning_effort"].editor
    assert isinstance(editor, Combo)
    editor.setCurrentIndex(editor.findText("7"))
    editor.activated.emit(editor.currentIndex())
    assert window.document.state.variables == {"reasoning_effort": "7"}
    editor.setEditText("low")
    line = editor.lineEdit()
    assert line is not None
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert window.document.state.variables == {"reasoning_effort": "low"}
    editor.setEditText("")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert window.document.state.variables == {}


def test_a_wheel_over_a_choice_scrolls_and_chooses_nothing(pane: ControlsPane, window: MainWindow) -> None:
    editor = pane.rows["reasoning_effort"].editor
    assert isinstance(editor, Combo)
    before = window.document.state
    editor.setFocus()
    turn = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(editor, turn)
    assert window.document.state is before
    assert not turn.isAccepted()


def test_a_text_is_json_where_it_reads_as_json(pane: ControlsPane, window: MainWindow) -> None:
    pane.new_variable.setText("note=3")
    QTest.keyClick(pane.new_variable, Qt.Key.Key_Return)
    assert window.document.state.variables == {"note": 3}
    editor = pane.rows["note"].editor
    assert isinstance(editor, QLineEdit)
    editor.setText('"3"')
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert window.document.state.variables == {"note": "3"}
    assert editor.text() == '"3"'


def test_undo_reaches_the_rows(pane: ControlsPane, window: MainWindow) -> None:
    press(pane.rows["enable_thinking"], "off")
    window.document.undo()
    editor = pane.rows["enable_thinking"].editor
    assert isinstance(editor, Segmented)
    assert [each.text() for each in editor.findChildren(QPushButton) if each.isChecked()] == ["–"]


def test_a_variable_that_nobody_listed(pane: ControlsPane, window: MainWindow, qtbot: QtBot) -> None:
    pane.new_variable.setText("my_flag=true")
    QTest.keyClick(pane.new_variable, Qt.Key.Key_Return)
    assert window.document.state.variables == {"my_flag": True}
    assert pane.new_variable.text() == ""
    qtbot.waitUntil(lambda: "does not read it" in pane.rows["my_flag"].badge.text())
    window.document.undo()
    assert "my_flag" not in pane.rows


def test_a_tag_goes_to_the_caret(pane: ControlsPane, window: MainWindow) -> None:
    pane.insert_requested.emit("[L7] ")
    assert "[L7] " in window.document.state.conversation.messages[-1].text


def test_a_step_says_what_it_decides(pane: ControlsPane, window: MainWindow, qtbot: QtBot) -> None:
    row = pane.steps["classifier"]
    button = next(each for each in row.editor.findChildren(QPushButton) if each.text() == "on")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.document.state.steps == {"classifier": True}
    qtbot.waitUntil(lambda: bool(row.decision.text()))
    assert row.decision.isVisible()


def test_a_setting_of_the_wrong_shape_is_said_at_its_step(
    make_window: Callable[[DocumentState], MainWindow],
) -> None:
    window = make_window(replace(first_document(), steps={"keywords": {"on": True, "efforts": ["think"]}}))
    pane = window.layout_.panes["controls"]
    assert isinstance(pane, ControlsPane)
    assert "steps.keywords.efforts" in pane.steps["keywords"].decision.text()


def test_a_keyword_without_an_effort_is_refused(qtbot: QtBot) -> None:
    dialog = StepFieldsDialog(KEYWORDS, {"on": True, "efforts": {"ponder": "high"}})
    qtbot.addWidget(dialog)
    assert dialog.values()["efforts"] == {"ponder": "high"}
    dialog.editors["efforts"].setPlainText("ponder = high\nmuse")
    dialog.accept()
    assert dialog.result() != QDialog.DialogCode.Accepted
    assert dialog.fault.text()
    dialog.editors["efforts"].setPlainText("ponder = high\nmuse = low")
    dialog.accept()
    assert dialog.result() == QDialog.DialogCode.Accepted
    assert dialog.values()["efforts"] == {"ponder": "high", "muse": "low"}


def test_the_loop_guard_is_a_setting(pane: ControlsPane, services: PatientServices) -> None:
    pane.loop_guard.setCurrentIndex(pane.loop_guard.findData(5))
    pane.loop_guard.activated.emit(pane.loop_guard.currentIndex())
    assert services.settings.whole("loop_guard.blocks") == 5
    services.settings.set("loop_guard.blocks", 40)
    assert pane.loop_guard.currentText() == "40 blocks"
    services.settings.set("loop_guard.blocks", 0)
    assert pane.loop_guard.currentText() == "off"


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(1_000_000, "bytes", "1 MB"), (1_500, "bytes", "1.5 kB"), (12, "bytes", "12 bytes"), (120.0, "s", "120 s")],
)
def test_limits_in_the_words_of_people(value: float, unit: str, text: str) -> None:
    assert shown_limit(value, unit) == text


def test_settings_are_in_force_when_the_dialog_is_accepted(qtbot: QtBot, services: PatientServices) -> None:
    dialog = SettingsDialog(services.settings)
    qtbot.addWidget(dialog)
    blocks = dialog.editors["limits.blocks"]
    assert isinstance(blocks, QLineEdit)
    blocks.setText("0")
    dialog.accept()
    assert "limits.blocks" in dialog.fault.text()
    assert dialog.result() != QDialog.DialogCode.Accepted
    blocks.setText("7")
    assert services.settings.whole("limits.blocks") == 100
    dialog.accept()
    assert services.settings.whole("limits.blocks") == 7
    assert dialog.result() == QDialog.DialogCode.Accepted


def test_sampling_is_not_sent_unless_it_is_set(sampling: SamplingPane, window: MainWindow) -> None:
    assert dict(window.document.state.params) == {}
    line = sampling.lines["temperature"]
    line.setText("0,7")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert window.document.state.params == {"temperature": 0.7}
    assert line.text() == "0.7" or line.text() == "0,7"
    line.setText("")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert window.document.state.params == {}


@pytest.mark.parametrize(
    ("name", "text"),
    [("temperature", "warm"), ("temperature", "nan"), ("temperature", "1e999"), ("seed", "1_000"), ("top_p", "1,2,3")],
)
def test_a_number_that_is_none_is_said_and_not_sent(
    sampling: SamplingPane, window: MainWindow, name: str, text: str
) -> None:
    sampling.lines[name].setText(text)
    QTest.keyClick(sampling.lines[name], Qt.Key.Key_Return)
    assert sampling.faults[name].text() == f"“{text}” is no number, so it is not sent."
    assert name not in window.document.state.params


@pytest.mark.parametrize(
    ("name", "text", "value", "words"),
    [
        ("top_p", "1.2", 1.2, "it goes from 0 to 1."),
        ("top_p", "-,5", -0.5, "it goes from 0 to 1."),
        ("seed", "1.5", 1.5, "it has to be a whole number."),
        ("max_tokens", "0", 0, "it goes from 1 on."),
        ("seed", '"abc"', "abc", "it has to be a whole number."),
        ("temperature", "[1,2]", [1, 2], "it has to be a number."),
        ("max_tokens", "1e3", 1000, ""),
        ("temperature", "+00.50", 0.5, ""),
        ("temperature", "1.", 1.0, ""),
        ("seed", "007", 7, ""),
    ],
)
def test_an_odd_value_is_warned_of_and_sent_as_a_body_s_is(
    sampling: SamplingPane, window: MainWindow, name: str, text: str, value: JsonValue, words: str
) -> None:
    sampling.lines[name].setText(text)
    QTest.keyClick(sampling.lines[name], Qt.Key.Key_Return)
    sent = window.document.state.params[name]
    assert (sent, type(sent)) == (value, type(value))
    fault = sampling.faults[name]
    assert fault.text() == (
        f"“{name}” is {dump(value, indent=None)}; {words} It is sent as it stands." if words else ""
    )
    assert not words or fault.property("tone") == "warning"


def test_leaving_the_field_of_a_body_s_odd_value_leaves_it(sampling: SamplingPane, window: MainWindow) -> None:
    talk = conversation_from_body({"messages": [{"role": "user", "content": "Hi"}], "seed": "abc"})
    window.document.new(replace(window.document.state, conversation=talk, params={}))
    assert sampling.lines["seed"].text() == '"abc"'
    QTest.keyClick(sampling.lines["seed"], Qt.Key.Key_Return)
    assert window.document.state.conversation.extra == {"seed": "abc"}


def test_max_tokens_are_always_sent_on_the_raw_path(sampling: SamplingPane, window: MainWindow) -> None:
    assert "always" in sampling.lines["max_tokens"].placeholderText()
    window.document.change(replace(window.document.state, path="chat"), ["endpoint"], "test", "Chat")
    assert sampling.lines["max_tokens"].placeholderText() == "not sent"


def test_stop_strings_one_a_line(sampling: SamplingPane, window: MainWindow) -> None:
    sampling.stop.setPlainText("</s>\n\\n\\nUser:")
    assert window.document.state.params == {"stop": ["</s>", "\n\nUser:"]}
    window.document.undo()
    assert sampling.stop.toPlainText() == ""
    assert stop_strings("a\\\\n") == ["a\\n"]


def test_other_parameters_are_an_object(sampling: SamplingPane, window: MainWindow) -> None:
    sampling.others.setPlainText('{"top_k": 40}')
    assert window.document.state.params == {"top_k": 40}
    sampling.others.setPlainText('{"top_k": ')
    assert sampling.faults["others"].text() == "This is no JSON object."
    sampling.others.setPlainText('{"temperature": 1}')
    assert "field of its own" in sampling.faults["others"].text()
    assert window.document.state.params == {"top_k": 40}


def test_what_another_part_of_the_window_sets_is_shown(sampling: SamplingPane, window: MainWindow) -> None:
    changed = replace(window.document.state, params={"seed": 7, "stop": "x", "min_p": 0.1}, model="tiny")
    window.document.change(changed, ["params", "endpoint"], "test", "Set")
    assert sampling.lines["seed"].text() == "7"
    assert sampling.stop.toPlainText() == "x"
    assert "min_p" in sampling.others.toPlainText()
    assert sampling.model.text() == "tiny"
    assert window.layout_.top.model.currentText() == "tiny"


def test_an_endpoint_is_added_with_its_scheme(qtbot: QtBot, services: PatientServices) -> None:
    dialog = EndpointDialog(services, ModelLists(services))
    qtbot.addWidget(dialog)
    dialog.name.setText("local")
    dialog.url.setText("ftp://x")
    dialog.accept()
    assert "ftp://x" in dialog.said.text()
    dialog.url.setText("127.0.0.1:8080/v1")
    dialog.headers.setPlainText("x-team: a")
    dialog.accept()
    assert services.endpoints.named("local").base_url == "http://127.0.0.1:8080/v1"
    assert services.endpoints.named("local").headers == {"x-team": "a"}


def test_a_key_goes_where_it_was_asked_to_and_into_no_file(qtbot: QtBot, services: PatientServices) -> None:
    dialog = EndpointDialog(services, ModelLists(services))
    qtbot.addWidget(dialog)
    dialog.name.setText("local")
    dialog.url.setText("http://127.0.0.1:8080/v1")
    dialog.place.setCurrentIndex(dialog.place.findData("session"))
    dialog.key.setText("a-key-of-this-test")
    dialog.accept()
    key = services.keys.key(services.endpoints.named("local"))
    assert key is not None
    assert key.value == "a-key-of-this-test"
    assert b"a-key-of-this-test" not in services.folders.endpoints_file.read_bytes()


def test_a_server_that_is_down_is_one_sentence(qtbot: QtBot, services: PatientServices) -> None:
    dialog = EndpointDialog(services, ModelLists(services))
    qtbot.addWidget(dialog)
    dialog.name.setText("down")
    dialog.url.setText("http://127.0.0.1:9/v1")
    QTest.mouseClick(dialog.test, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.test.isEnabled() and "127.0.0.1:9" in dialog.said.text())
    assert "refused" in dialog.said.text()


def test_an_endpoint_that_is_not_there_is_refused_on_run(window: MainWindow, qtbot: QtBot) -> None:
    window.document.change(replace(window.document.state, endpoint="gone"), ["endpoint"], "test", "Choose")
    with qtbot.waitSignal(window.session.refused):
        window.session.run()
    assert "There is no endpoint “gone”" in window.layout_.banner.sentence.text()
    with pytest.raises(ThinkpaneError):
        window._services.endpoints.named("gone")


def test_variables_follow_the_template(pane: ControlsPane, window: MainWindow) -> None:
    state = set_variable(window.document.state, "reasoning_effort", "high")
    window.document.change(replace(state, template="glm-5.2"), ["template", "variables"], "test", "GLM")
    assert "thinking_level" not in pane.rows
    editor = pane.rows["reasoning_effort"].editor
    assert isinstance(editor, Combo)
    assert editor.currentText() == "high"


def test_a_variable_that_the_profile_sets_says_so(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot
) -> None:
    window = make_window(replace(first_document(), profile="llamacpp"))
    pane = window.layout_.panes["controls"]
    assert isinstance(pane, ControlsPane)
    qtbot.waitUntil(lambda: pane.rows["enable_thinking"].badge.text().startswith("llama.cpp sets it"))
    assert "llama.cpp sets it to true: " in pane.rows["enable_thinking"].badge.text()
    window.document.change(set_variable(window.document.state, "enable_thinking", False), ["variables"], "test", "Set")
    qtbot.waitUntil(lambda: "sets it" not in pane.rows["enable_thinking"].badge.text())


def test_variables_that_the_body_carries_are_in_force(
    window: MainWindow, pane: ControlsPane, services: PatientServices, qtbot: QtBot
) -> None:
    body: JsonValue = {
        "messages": [{"role": "user", "content": "Hi"}],
        "chat_template_kwargs": {"enable_thinking": False},
    }
    talk = edits.with_body(window.document.state.conversation, body)
    window.document.change(
        replace(window.document.state, conversation=talk, template="chatml"), ["messages", "template"], "test", "Paste"
    )
    qtbot.waitUntil(lambda: window.prompts.prompt.text.endswith("<think>\n\n</think>\n\n"))
    said = "The body's chat_template_kwargs sets it to false: "
    qtbot.waitUntil(lambda: pane.rows["enable_thinking"].badge.text().startswith(said))
    prepared = prepare(window.prompts.job(), services.engine)
    state = replace(window.document.state, path="chat")
    assert call_of(state, prepared, window.prompts.prompt, "").variables == {"enable_thinking": False}
    chosen = set_variable(window.document.state, "enable_thinking", True)
    window.document.change(chosen, ["variables"], "test", "Set")
    qtbot.waitUntil(lambda: "</think>" not in window.prompts.prompt.text)
