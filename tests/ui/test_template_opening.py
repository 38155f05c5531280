"""The ways to a template in the window, and what is said of where it comes from."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from support.fake_web import FakeWeb
from support.gguf_files import gguf
from support.services import PatientServices
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.templates.edited import edit_of
from thinkpane.templates.template import Template
from thinkpane.ui.dialogs.template_source import TemplateSourceDialog
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.template import TemplatePane
from thinkpane.ui.widgets.exact_text import ExactTextEdit
from thinkpane.workspace.document_file import document_to_json, write_document
from thinkpane.workspace.own_templates import save_own
from thinkpane.workspace.state import DocumentState

SECONDS = 20_000
SERVER = "http://127.0.0.1:9"
TALK = DocumentState(template="chatml", conversation=Conversation((message("user", "Hi"),)))


@pytest.fixture
def web(services: PatientServices, tmp_path: Path) -> FakeWeb:
    found = FakeWeb()
    found.put_json(f"{SERVER}/props", {"chat_template": "served {{ messages[0].content }}", "bos_token": "<s>"})
    services.__dict__["reach"] = found.reach(tmp_path / "cache")
    return found


@pytest.fixture
def window(make_window: Callable[[DocumentState], MainWindow], web: FakeWeb) -> MainWindow:
    return make_window(TALK)


def prompt_is(window: MainWindow, qtbot: QtBot, text: str) -> None:
    qtbot.waitUntil(lambda: window.prompts.prompt.is_current and window.prompts.prompt.text == text, timeout=SECONDS)


def said(window: MainWindow, qtbot: QtBot, words: str) -> list[str]:
    banner = window.layout_.source.matter
    qtbot.waitUntil(lambda: banner.isVisible() and words in banner.sentence.text(), timeout=SECONDS)
    qtbot.waitUntil(lambda: bool(banner.choices), timeout=SECONDS)
    return [button.text() for button in banner.choices]


def press(window: MainWindow, text: str) -> None:
    [button] = [each for each in window.layout_.source.matter.choices if each.text() == text]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def drop(window: MainWindow, data: QMimeData) -> None:
    action, button, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), action, data, button, keys)
    window.dragEnterEvent(enter)
    assert enter.isAccepted()
    window.dropEvent(QDropEvent(QPoint(5, 5), action, data, button, keys))


def drop_files(window: MainWindow, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    drop(window, data)


def drop_text(window: MainWindow, text: str) -> None:
    data = QMimeData()
    data.setText(text)
    drop(window, data)


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
    with qtbot.waitSignal(window.session.refused, timeout=SECONDS) as refused:
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
    with qtbot.waitSignal(window.session.refused, timeout=SECONDS):
        window.session.run()
    press(window, "Fetch it")
    prompt_is(window, qtbot, "served Hi")


def test_a_fault_of_the_network_can_be_tried_again(window: MainWindow, web: FakeWeb, qtbot: QtBot) -> None:
    web.fails_after = 0
    window.choices.use_template(SERVER)
    assert said(window, qtbot, "no network") == ["Try again"]
    assert window.prompts.prompt.stale
    web.fails_after = None
    press(window, "Try again")
    prompt_is(window, qtbot, "served Hi")
    qtbot.waitUntil(window.layout_.source.matter.isHidden, timeout=SECONDS)


def test_a_slow_source_says_so_and_can_be_stopped(
    window: MainWindow, web: FakeWeb, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    go_on = threading.Event()
    answer = web.ask

    def slow(*arguments: object, **named: object) -> object:
        assert go_on.wait(20)
        return answer(*arguments, **named)  # type: ignore[arg-type]  # handed through as they came

    monkeypatch.setattr(web, "ask", slow)
    window._services.__dict__["reach"] = web.reach(Path("unused"))
    window.choices.use_template(SERVER)
    assert said(window, qtbot, "Loading") == ["Stop"]
    press(window, "Stop")
    go_on.set()
    assert said(window, qtbot, "was stopped") == ["Try again"]
    assert window.prompts.prompt.stale


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
    qtbot.waitUntil(lambda: window.prompts.prompt.problem is not None, timeout=SECONDS)
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


def test_a_gguf_file_that_is_dropped(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "m.gguf"
    file.write_bytes(gguf({"tokenizer.chat_template": "gguf {{ messages[0].content }}"}))
    drop_files(window, file)
    prompt_is(window, qtbot, "gguf Hi")


@pytest.mark.parametrize("name", ["tokenizer_config.json", "my-tokenizer.json"])
def test_a_json_file_with_a_template_is_no_document(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, name: str
) -> None:
    file = tmp_path / name
    file.write_text(json.dumps({"chat_template": "json {{ bos_token }}", "bos_token": "<s>"}))
    drop_files(window, file)
    prompt_is(window, qtbot, "json <s>")


def test_text_that_is_dropped_or_pasted_is_the_template_and_one_undo_takes_it_back(
    window: MainWindow, qtbot: QtBot
) -> None:
    before = window.document.state
    drop_text(window, "dropped {{ messages[0].content }}")
    prompt_is(window, qtbot, "dropped Hi")
    QGuiApplication.clipboard().setText("pasted {{ messages[0].content }}")
    window.actions_["paste_template"].trigger()
    prompt_is(window, qtbot, "pasted Hi")
    window.document.undo()
    window.document.undo()
    assert window.document.state is before


def test_pasted_json_with_several_templates_offers_the_others(window: MainWindow, qtbot: QtBot) -> None:
    named = [{"name": name, "template": f"{name} {{{{ messages[0].content }}}}"} for name in ("default", "rag")]
    window.templates.use_text(json.dumps({"chat_template": named}))
    prompt_is(window, qtbot, "default Hi")
    [button] = window.layout_.banner.choices
    assert button.text() == "rag"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    prompt_is(window, qtbot, "rag Hi")


def test_a_text_without_any_template_is_asked_about(window: MainWindow, qtbot: QtBot) -> None:
    before = window.document.state
    drop_text(window, "Just some words.")
    assert window.document.state is before
    assert "There is no template here" in window.layout_.banner.sentence.text()
    QTest.mouseClick(window.layout_.banner.choices[0], Qt.MouseButton.LeftButton)
    prompt_is(window, qtbot, "Just some words.")


def test_a_clipboard_without_text_is_told(window: MainWindow) -> None:
    QGuiApplication.clipboard().clear()
    window.templates.paste()
    assert "no text on the clipboard" in window.layout_.banner.sentence.text()


def test_a_conversation_that_is_dropped_as_text_keeps_the_template(window: MainWindow, qtbot: QtBot) -> None:
    drop_text(window, json.dumps([{"role": "user", "content": "From elsewhere"}]))
    assert window.document.state.template == "chatml"
    assert window.document.state.conversation.messages[0].text == "From elsewhere"
    window.document.undo()
    assert window.document.state is TALK


def test_a_documents_text_asks_about_unsaved_work(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Cancel)
    window.choices.use_template("llama-3")
    text = json.dumps(document_to_json(replace(TALK, template="glm-5.2")))
    drop_text(window, text)
    assert window.document.state.template == "llama-3"
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)
    drop_text(window, text)
    assert window.document.state.template == "glm-5.2"


def test_of_several_files_the_first_is_opened_and_said(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    for name in ("a.jinja", "b.jinja"):
        (tmp_path / name).write_text(name)
    drop_files(window, tmp_path / "a.jinja", tmp_path / "b.jinja")
    prompt_is(window, qtbot, "a.jinja")
    assert "Only “a.jinja” was opened" in window.layout_.banner.sentence.text()


def test_an_editor_leaves_files_to_the_window_and_takes_texts(window: MainWindow, tmp_path: Path) -> None:
    editor = ExactTextEdit()
    files, text = QMimeData(), QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.jinja"))])
    text.setText("https://example.org/")
    assert not editor.canInsertFromMimeData(files)
    assert editor.canInsertFromMimeData(text)
    editor.deleteLater()


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
