"""The ways to a template in the window, and what is said of where it comes from."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from support.arrivals import TALK, drop_files, prompt_is
from support.fake_web import FakeWeb
from support.patience import PATIENCE
from support.services import PatientServices
from support.windows import prompt_with
from thinkpane.templates.edited import edit_of
from thinkpane.templates.template import Template
from thinkpane.ui.dialogs.template_source import TemplateSourceDialog
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.template import TemplatePane
from thinkpane.workspace.document_file import write_document
from thinkpane.workspace.own_templates import save_own
from thinkpane.workspace.state import DocumentState

SERVER = "http://127.0.0.1:9"


@pytest.fixture
def web(services: PatientServices, tmp_path: Path) -> FakeWeb:
    found = FakeWeb()
    found.put_json(f"{SERVER}/props", {"chat_template": "served {{ messages[0].content }}", "bos_token": "<s>"})
    services.__dict__["reach"] = found.reach(tmp_path / "cache")
    return found


@pytest.fixture
def window(make_window: Callable[[DocumentState], MainWindow], web: FakeWeb) -> MainWindow:
    return make_window(TALK)


def said(window: MainWindow, qtbot: QtBot, words: str) -> list[str]:
    banner = window.layout_.source.matter
    qtbot.waitUntil(lambda: banner.isVisible() and words in banner.sentence.text())
    qtbot.waitUntil(lambda: bool(banner.choices))
    return [button.text() for button in banner.choices]


def press(window: MainWindow, text: str) -> None:
    [button] = [each for each in window.layout_.source.matter.choices if each.text() == text]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def write_model(folder: Path) -> None:
    (folder / "additional_chat_templates").mkdir(parents=True)
    (folder / "chat_template.jinja").write_text("plain {{ messages[0].content }}")
    (folder / "additional_chat_templates" / "tool_use.jinja").write_text("tools {{ messages[0].content }}")
    config = {"chat_template": "config {{ messages[0].content }}", "bos_token": "<s>", "eos_token": {"content": "</s>"}}
    (folder / "tokenizer_config.json").write_text(json.dumps(config))


def test_run_refuses_while_a_template_is_loading(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    shown = window.prompts.prompt.text
    (tmp_path / "own.jinja").write_text("own {{ messages[0].content }}")
    window.choices.use_template(str(tmp_path / "own.jinja"))
    assert window.prompts.templates.is_loading
    assert (window.prompts.prompt.text, window.prompts.prompt.stale) == (shown, True)
    with qtbot.waitSignal(window.session.refused) as refused:
        window.session.run()
    assert "still loading" in refused.args[0].message
    assert window.runs.run is None
    prompt_is(window, qtbot, "own Hi")


def test_a_server_that_a_person_names_is_asked(window: MainWindow, web: FakeWeb, qtbot: QtBot) -> None:
    window.templates.ask_address()
    dialog = window.templates.dialog
    assert dialog is not None
    QTest.keyClicks(dialog.line, "127.0.0.1:9")
    assert "llama.cpp server" in dialog.meaning.text()
    assert "when you press Open" in dialog.meaning.text()
    assert web.asked == []
    dialog.accept()
    prompt_is(window, qtbot, "served Hi")
    assert window.document.state.template == SERVER
    assert "bos_token “<s>”" in window.layout_.source.facts.whole
    assert "/props" in window.layout_.source.facts.whole
    assert "&lt;s&gt;" in window.layout_.source.facts.toolTip()


@pytest.mark.parametrize("typed", ["", "no such thing", "http://", "a/b/c"])
def test_an_address_that_names_nothing_cannot_be_opened(window: MainWindow, typed: str) -> None:
    window.templates.ask_address()
    dialog = window.templates.dialog
    assert dialog is not None
    dialog.line.setText(typed)
    assert dialog.box.buttons()
    opening = dialog.box.button(dialog.box.StandardButton.Open)
    assert opening.isEnabled() == (typed == "http://")
    dialog.reject()


def test_a_document_that_names_a_server_asks_first(
    window: MainWindow, web: FakeWeb, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "other.thinkpane.json"
    write_document(path, replace(TALK, template=SERVER))
    drop_files(window, path)
    assert said(window, qtbot, "nothing is fetched before you ask") == ["Fetch it"]
    assert web.asked == []
    with qtbot.waitSignal(window.session.refused):
        window.session.run()
    press(window, "Fetch it")
    prompt_is(window, qtbot, "served Hi")


def test_a_fault_of_the_network_can_be_tried_again(window: MainWindow, web: FakeWeb, qtbot: QtBot) -> None:
    web.fails_after = 0
    window.choices.use_template(SERVER)
    assert said(window, qtbot, "no network") == ["Try again"]
    prompt_with(window, qtbot, "<|im_start|>")
    web.fails_after = None
    press(window, "Try again")
    prompt_is(window, qtbot, "served Hi")
    qtbot.waitUntil(window.layout_.source.matter.isHidden)


def test_a_slow_source_says_so_and_can_be_stopped(
    window: MainWindow, web: FakeWeb, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    go_on = threading.Event()
    answer = web.ask

    def slow(*arguments: object, **named: object) -> object:
        assert go_on.wait(PATIENCE)
        return answer(*arguments, **named)  # type: ignore[arg-type]  # handed through as they came

    monkeypatch.setattr(web, "ask", slow)
    window._services.__dict__["reach"] = web.reach(Path("unused"))
    window.choices.use_template(SERVER)
    assert said(window, qtbot, "Loading") == ["Stop"]
    press(window, "Stop")
    go_on.set()
    assert said(window, qtbot, "was stopped") == ["Try again"]
    prompt_with(window, qtbot, "<|im_start|>")


def test_a_model_folder_offers_its_named_templates_and_says_who_takes_what(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    write_model(folder)
    drop_files(window, folder)
    prompt_is(window, qtbot, "plain Hi")
    bar = window.layout_.source
    names = [bar.names.itemText(row) for row in range(bar.names.count())]
    assert names == ["by itself: default", "default", "tool_use"]
    assert bar.warning.text() == "runtimes differ"
    assert "Runtimes take different templates" in bar.warning.toolTip()
    assert "from tokenizer_config.json" in bar.facts.whole
    bar.names.activated.emit(2)
    prompt_is(window, qtbot, "tools Hi")
    assert window.document.state.template_name == "tool_use"
    window.document.undo()
    prompt_is(window, qtbot, "plain Hi")
    assert bar.names.currentIndex() == 0


def test_what_was_found_can_be_read_and_used(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    write_model(folder)
    window.choices.use_template(str(folder))
    prompt_is(window, qtbot, "plain Hi")
    window.actions_["template_source"].trigger()
    dialog = window.source.dialog
    assert isinstance(dialog, TemplateSourceDialog)
    labels = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    assert labels == [
        "chat_template.jinja",
        "tool_use · additional_chat_templates/tool_use.jinja",
        "tokenizer_config.json",
    ]
    assert dialog.view.text.startswith("plain")
    assert not dialog.use.isVisibleTo(dialog)
    dialog.list.setCurrentRow(2)
    assert dialog.view.text.startswith("config")
    assert "GGUF converter" in dialog.about.text()
    dialog.use.click()
    prompt_is(window, qtbot, "config Hi")
    assert window.document.state.template == str(folder / "tokenizer_config.json")


def test_ollamas_own_template_is_shown_and_not_rendered(window: MainWindow, web: FakeWeb, qtbot: QtBot) -> None:
    web.put_json(f"{SERVER}/api/show", {"template": "{{ .Prompt }}"})
    window.choices.use_template(f"ollama+{SERVER}#m")
    qtbot.waitUntil(lambda: window.prompts.prompt.problem is not None)
    problem = window.prompts.prompt.problem
    assert problem is not None
    assert "Go's syntax" in problem.message
    assert "shown, not rendered" in window.layout_.source.warning.toolTip()
    window.source.show_details()
    dialog = window.source.dialog
    assert isinstance(dialog, TemplateSourceDialog)
    assert dialog.view.text == "{{ .Prompt }}"
    assert "in Go's syntax" in dialog.about.text()
    dialog.reject()


def test_templates_that_were_open_are_listed_and_missing_ones_said(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    recent = window.layout_.recent_templates
    assert recent.isHidden()
    for name in ("one.jinja", "two.jinja"):
        (tmp_path / name).write_text(name)
        window.choices.use_template(str(tmp_path / name))
        prompt_is(window, qtbot, name)
    assert [recent.item(row).text() for row in range(recent.count())] == ["two.jinja", "one.jinja"]
    (tmp_path / "one.jinja").unlink()
    window.templates.show_recent()
    missing = recent.item(1)
    assert "nothing at this path now" in missing.toolTip()
    assert missing.data(Qt.ItemDataRole.AccessibleTextRole) == "one.jinja, missing"
    recent.itemClicked.emit(missing)
    said(window, qtbot, "There is no file")


def test_own_templates_have_a_group_of_their_own(window: MainWindow, qtbot: QtBot) -> None:
    own = window.layout_.own_templates
    assert own.isHidden()
    save_own("mine", Template("x", "mine {{ messages[0].content }}"), "My template")
    pane = window.layout_.panes["template"]
    assert isinstance(pane, TemplatePane)
    pane.own_changed.emit()
    assert [own.item(row).text() for row in range(own.count())] == ["My template"]
    own.itemClicked.emit(own.item(0))
    prompt_is(window, qtbot, "mine Hi")
    assert window.layout_.top.template.shown_value == "My template"
    assert window.layout_.recent_templates.isHidden()


def test_a_file_that_goes_is_said_and_its_text_can_be_kept(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "own.jinja"
    file.write_text("own {{ messages[0].content }}")
    window.choices.use_template(str(file))
    prompt_is(window, qtbot, "own Hi")
    file.unlink()
    assert said(window, qtbot, "no longer there") == ["Keep it in the document"]
    assert window.prompts.prompt.is_current
    press(window, "Keep it in the document")
    assert window.document.state.edited is not None
    assert window.document.state.edited.source == "own {{ messages[0].content }}"
    prompt_is(window, qtbot, "own Hi")


def test_a_file_that_changes_is_read_again_but_edits_over_it_stay(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    file = tmp_path / "own.jinja"
    file.write_text("{{ 'one' }}")
    window.choices.use_template(str(file))
    prompt_is(window, qtbot, "one")
    file.write_text("{{ 'two, longer' }}")
    prompt_is(window, qtbot, "two, longer")
    state = window.document.state
    edit = edit_of(window.prompts.template, "edited by hand")
    window.document.change(replace(state, edited=edit), ["template"], "test", "Edit template")
    prompt_is(window, qtbot, "edited by hand")
    file.write_text("{{ 'three, longer still' }}")
    assert said(window, qtbot, "changed on disk") == ["Take the file's text"]
    prompt_is(window, qtbot, "edited by hand")
    press(window, "Take the file's text")
    prompt_is(window, qtbot, "three, longer still")
    assert window.layout_.source.matter.isHidden()
    window.document.undo()
    prompt_is(window, qtbot, "edited by hand")


def test_a_file_is_asked_for(window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "README"
    file.write_text("read {{ messages[0].content }}")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    window.actions_["open_template"].trigger()
    prompt_is(window, qtbot, "read Hi")
    assert window.document.state.template == ""
