"""A request body that is pasted into the window or opened: what it brings is shown, is in force, and is sent."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from thinkpane.endpoints.dialects._api import SendPath
from thinkpane.endpoints.profile import Endpoint
from thinkpane.formats.json_values import JsonObject
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.controls import ControlsPane
from thinkpane.ui.panes.json_body import JsonPane
from thinkpane.ui.panes.sampling import SamplingPane
from thinkpane.ui.run_starter import Ready, RunStarter
from thinkpane.workspace.body_sampling import given_params, with_typed_talk
from thinkpane.workspace.document_file import document_from_json, document_to_json, read_document, write_document
from thinkpane.workspace.state import DocumentState

BODY: JsonObject = {
    "model": "customers",
    "messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "An unfinished"}],
    "temperature": 0.3,
    "top_k": 40,
    "max_tokens": 64,
    "stop": ["</s>"],
    "odd": {"kept": True},
}


def sampling(window: MainWindow) -> SamplingPane:
    pane = window.layout_.panes["sampling"]
    assert isinstance(pane, SamplingPane)
    return pane


def paste(window: MainWindow, body: JsonObject) -> None:
    window.arrivals.take_text(json.dumps(body))


def ready(window: MainWindow, path: SendPath) -> Ready:
    """What Run would send."""
    return RunStarter(window.context, window._services).ready(path)


def calls_of(window: MainWindow) -> list[JsonObject]:
    """The parameters of both paths."""
    return [dict(ready(window, "raw").call.params), dict(ready(window, "chat").call.params)]


@pytest.fixture
def pasted(window: MainWindow) -> MainWindow:
    window.document.change(
        replace(window.document.state, params={"seed": 7}, model="mine"), ["params", "endpoint"], "test", "Set"
    )
    paste(window, BODY)
    return window


def test_what_it_brings_is_shown_with_its_origin(pasted: MainWindow) -> None:
    pane = sampling(pasted)
    assert pane.model.text() == "customers"
    assert {name: line.text() for name, line in pane.lines.items()} == {
        "temperature": "0.3",
        "top_p": "",
        "max_tokens": "64",
        "seed": "",
    }
    assert pane.stop.toPlainText() == "</s>"
    assert json.loads(pane.others.toPlainText()) == {"top_k": 40}
    assert "request body" in pane.faults["temperature"].text()
    assert "request body" in pane.faults["stop"].text()
    assert pane.faults["others"].text().startswith("top_k: ")
    assert pane.faults["top_p"].text() == ""
    assert pane.lines["top_p"].placeholderText() == "not sent"


def test_it_is_sent_and_unknown_fields_stay_in_the_body(pasted: MainWindow) -> None:
    brought = {"temperature": 0.3, "top_k": 40, "max_tokens": 64, "stop": ["</s>"]}
    assert calls_of(pasted) == [brought, brought]
    assert ready(pasted, "chat").call.extra_body == {"odd": {"kept": True}}
    assert ready(pasted, "chat").call.model == "customers"


def test_the_model_it_names_holds_over_a_choice_of_endpoint_until_another_is_chosen(
    pasted: MainWindow, qtbot: QtBot
) -> None:
    services, choices, pane = pasted._services, pasted.endpoints, sampling(pasted)
    assert "request body" in pane.faults["model"].text()
    here = Endpoint("here", "openai-chat", "http://127.0.0.1:1")
    services.endpoints.put(here)
    choices.lists.remember(here, ("first", "second"), {})
    with qtbot.waitSignal(choices.failed) as told:
        choices._choose("here")
    assert "does not list the model “customers”" in told.args[0].message
    assert pasted.document.state.model == "customers"
    assert ready(pasted, "chat").call.model == "customers"
    assert document_from_json(document_to_json(pasted.document.state)).keeps_model
    pane.model.setText("second")
    pane.model.editingFinished.emit()
    assert pane.faults["model"].text() == ""
    assert ready(pasted, "chat").call.model == "second"
    choices._choose("demo")
    assert pasted.document.state.model == ""


def test_a_model_chosen_after_one_was_typed_into_the_body_is_sent(window: MainWindow) -> None:
    talk = window.document.state.conversation
    typed = with_typed_talk(window.document.state, replace(talk, extra={"model": "err"}))
    window.document.change(typed, ["messages", "endpoint"], "test", "Edit JSON")
    assert sampling(window).model.text() == "err"
    window.document.change(replace(typed, model="chosen"), ["endpoint"], "test", "Set model")
    call = ready(window, "chat").call
    assert (call.model, "model" in call.extra_body) == ("chosen", False)


def test_a_model_that_is_typed_into_the_body_holds() -> None:
    state = replace(DocumentState(), model="mine")
    typed = with_typed_talk(state, replace(state.conversation, extra={"model": "err"}))
    assert (typed.model, typed.keeps_model) == ("err", True)
    later = replace(typed, model="chosen")
    assert with_typed_talk(later, replace(typed.conversation, raw_text="x")).model == "chosen"


def test_a_value_without_sense_is_told_beside_its_field_and_sent(window: MainWindow) -> None:
    paste(window, {**BODY, "temperature": -1, "seed": "abc"})
    faults = sampling(window).faults
    assert "“temperature” is -1; it goes from 0 to 5. It is sent as it stands." in faults["temperature"].text()
    assert "it has to be a whole number" in faults["seed"].text()
    assert faults["temperature"].text().startswith("from the request body; ")
    assert [each["temperature"] for each in calls_of(window)] == [-1, -1]


def test_a_value_is_edited_where_it_stands_and_undone(pasted: MainWindow) -> None:
    pane, document = sampling(pasted), pasted.document
    line = pane.lines["temperature"]
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "0.9")
    line.editingFinished.emit()
    assert given_params(document.state)["temperature"] == 0.9
    body = pasted.layout_.panes["json"]
    assert isinstance(body, JsonPane)
    pasted.layout_.show_pane("json")
    assert json.loads(body.editor.editor.text)["temperature"] == 0.9
    line.clear()
    line.editingFinished.emit()
    assert "temperature" not in given_params(document.state)
    assert pane.faults["temperature"].text() == ""
    document.undo()
    document.undo()
    assert line.text() == "0.3"
    assert "request body" in pane.faults["temperature"].text()
    document.undo()
    assert (document.state.params, document.state.model) == ({"seed": 7}, "mine")
    assert line.text() == ""


def test_other_parameters_are_edited_where_they_stand(pasted: MainWindow) -> None:
    pane = sampling(pasted)
    pane.others.setPlainText('{"top_k": 5, "min_p": 0.1, "mirostat": 2}')
    state = pasted.document.state
    assert (state.conversation.extra["top_k"], state.params) == (5, {"min_p": 0.1, "mirostat": 2})
    pane.others.setPlainText("")
    assert given_params(pasted.document.state).keys() == {"temperature", "max_tokens", "stop"}


def test_it_survives_saving_and_opening(pasted: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "pasted.thinkpane.json"
    write_document(path, pasted.document.state)
    again = read_document(path)
    assert given_params(again) == given_params(pasted.document.state)
    assert again.conversation == pasted.document.state.conversation


def test_typing_it_into_the_json_pane_shows_it_too(window: MainWindow) -> None:
    body = window.layout_.panes["json"]
    assert isinstance(body, JsonPane)
    window.layout_.show_pane("json")
    body._on_body_accepted(BODY)
    assert sampling(window).lines["temperature"].text() == "0.3"


def test_messages_alone_leave_what_was_set(window: MainWindow) -> None:
    window.document.change(replace(window.document.state, params={"seed": 7}), ["params"], "test", "Set")
    paste(window, {"messages": BODY["messages"]})
    assert given_params(window.document.state) == {"seed": 7}


@pytest.mark.parametrize(
    ("options", "ends"),
    [
        ({}, "<|im_start|>assistant\n"),
        ({"add_generation_prompt": False}, "An unfinished<|im_end|>\n"),
        ({"chat_template_kwargs": {"add_generation_prompt": False}}, "An unfinished<|im_end|>\n"),
        ({"continue_final_message": True, "add_generation_prompt": False}, "An unfinished"),
        ({"chat_template_kwargs": {"continue_final_message": True}}, "An unfinished"),
    ],
)
def test_the_renders_options_are_honoured(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot, options: JsonObject, ends: str
) -> None:
    window = make_window(replace(document_from_json({**BODY, **options}), template="chatml"))
    qtbot.waitUntil(lambda: window.prompts.prompt.is_current and window.prompts.prompt.text != "")
    assert window.prompts.prompt.text.endswith(ends)
    raw, chat = ready(window, "raw"), ready(window, "chat")
    assert raw.prompt.text == raw.call.prompt == window.prompts.prompt.text
    assert bool(chat.call.continue_final) is (ends == "An unfinished")


def test_an_option_that_is_none_is_told(make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot) -> None:
    window = make_window(replace(document_from_json(BODY), template="chatml"))
    paste(window, {**BODY, "add_generation_prompt": "no"})
    qtbot.waitUntil(lambda: window.prompts.prompt.problem is not None)
    assert window.prompts.prompt.problem is not None
    assert "add_generation_prompt" in window.prompts.prompt.problem.message
    paste(window, BODY)
    qtbot.waitUntil(lambda: window.prompts.prompt.problem is None)


def test_a_choice_over_the_bodys_variables_proves_its_effect_against_them(window: MainWindow, qtbot: QtBot) -> None:
    window.choices.use_template("chatml")
    messages: JsonObject = {"messages": [{"role": "user", "content": "hi"}]}
    paste(window, messages | {"chat_template_kwargs": {"enable_thinking": False}})
    controls, tiers = window.layout_.panes["controls"], window.layout_.tiers
    assert isinstance(controls, ControlsPane)
    by_body = "enable_thinking = false (the body's chat_template_kwargs) is in force: No thinking"
    qtbot.waitUntil(lambda: tiers.reason.whole == by_body)
    badge = controls.rows["enable_thinking"].badge
    assert badge.text() == "The body's chat_template_kwargs sets it to false: +19 characters against leaving it out"
    tiers.picked.emit([each.label for each in window.prompts.template.tiers].index("Thinking"))
    qtbot.waitUntil(lambda: tiers.reason.whole == "enable_thinking = true (the picker) is in force: Thinking")
    assert controls.rows["enable_thinking"].badge.text() == "−19 characters against the body's false"
