"""A template that cannot be had is not taken: the one before stays in force, everywhere, and one sentence says why."""

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from support.arrivals import TALK, prompt_is
from support.fake_web import FakeWeb
from support.patience import PATIENCE
from support.services import PatientServices
from support.windows import add, prompt_with, run_to_end
from thinkpane.templates.edited import EditedTemplate
from thinkpane.ui.main_window import MainWindow
from thinkpane.workspace.document_file import read_document
from thinkpane.workspace.state import DocumentState

Make = Callable[[DocumentState], MainWindow]
SERVER = "http://127.0.0.1:9"


@pytest.fixture
def web(services: PatientServices, tmp_path: Path) -> FakeWeb:
    found = FakeWeb()
    services.__dict__["reach"] = found.reach(tmp_path / "cache")
    return found


@pytest.fixture
def window(make_window: Make, web: FakeWeb, qtbot: QtBot) -> MainWindow:
    found = make_window(TALK)
    prompt_with(found, qtbot, "<|im_start|>")
    return found


def broken_json(folder: Path) -> str:
    path = folder / "tokenizer_config.json"
    path.write_text('{"chat_template": "x"', encoding="utf-8")
    return str(path)


def folder_without_one(folder: Path) -> str:
    (folder / "model").mkdir()
    return str(folder / "model")


def no_text(folder: Path) -> str:
    path = folder / "latin.jinja"
    path.write_bytes(b"caf\xe9 {{ messages }}")
    return str(path)


WAYS: dict[str, tuple[Callable[[Path], str], str]] = {
    "missing": (lambda folder: str(folder / "missing.jinja"), "There is no file"),
    "broken JSON": (broken_json, "tokenizer_config.json"),
    "no template": (folder_without_one, "model"),
    "no text": (no_text, "is not UTF-8 text"),
    "hub": (lambda _: "hf:owner/nothing", "owner/nothing"),
    "server": (lambda _: SERVER, "127.0.0.1:9"),
}


def refused(window: MainWindow, qtbot: QtBot) -> str:
    banner = window.layout_.source.matter
    qtbot.waitUntil(lambda: banner.isVisible() and "stays in force" in banner.sentence.text())
    qtbot.waitUntil(lambda: bool(banner.choices))
    return banner.sentence.text()


@pytest.mark.parametrize("way", WAYS)
def test_the_template_before_stays_everywhere(window: MainWindow, qtbot: QtBot, tmp_path: Path, way: str) -> None:
    make, words = WAYS[way]
    before, shown = window.document.state, window.prompts.prompt.text
    window.choices.use_template(make(tmp_path))
    sentence = refused(window, qtbot)
    assert words in sentence
    assert "was not taken" in sentence
    assert "“ChatML” stays in force." in sentence
    prompt_is(window, qtbot, shown)
    assert window.document.state is before
    assert not window.document.is_modified
    assert not window.document.can_undo
    assert window.layout_.top.template.shown_value == "ChatML"
    qtbot.waitUntil(lambda: window.problems.problems is not None and not window.problems.problems.findings)
    window.document.save_as(tmp_path / "kept.thinkpane.json")
    assert read_document(tmp_path / "kept.thinkpane.json").template == "chatml"
    run_to_end(window, qtbot)
    assert window.runs.run is not None
    assert window.runs.run.prompt == shown


def test_a_file_that_may_not_be_read_says_so(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "closed.jinja"
    file.write_text("x")
    opened = Path.open

    def refuse(path: Path, *arguments: object, **named: object) -> object:
        if path == file:
            raise PermissionError(13, "Permission denied")
        return opened(path, *arguments, **named)  # type: ignore[call-overload]  # handed through as they came

    monkeypatch.setattr(Path, "open", refuse)
    window.choices.use_template(str(file))
    assert "Permission denied" in refused(window, qtbot)
    assert window.document.state.template == "chatml"


def test_it_can_be_tried_again_and_put_away(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "late.jinja"
    window.choices.use_template(str(file))
    refused(window, qtbot)
    banner = window.layout_.source.matter
    [again] = banner.choices
    file.write_text("late {{ messages[0].content }}")
    QTest.mouseClick(again, Qt.MouseButton.LeftButton)
    prompt_is(window, qtbot, "late Hi")
    qtbot.waitUntil(banner.isHidden)
    window.choices.use_template(str(tmp_path / "missing.jinja"))
    assert "“late.jinja” stays in force." in refused(window, qtbot)
    banner.put_away()
    add(window, "more")
    prompt_is(window, qtbot, "late Hi")
    assert banner.isHidden()


def test_what_was_typed_meanwhile_stays_and_can_be_undone(
    window: MainWindow, web: FakeWeb, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, ask = threading.Event(), web.ask

    def slow(*arguments: object, **named: object) -> object:
        assert go_on.wait(PATIENCE)
        return ask(*arguments, **named)  # type: ignore[arg-type]  # handed through as they came

    monkeypatch.setattr(web, "ask", slow)
    window._services.__dict__["reach"] = web.reach(tmp_path / "other")
    before = window.document.state
    window.choices.use_template(SERVER)
    add(window, "typed")
    go_on.set()
    refused(window, qtbot)
    prompt_with(window, qtbot, "typed")
    assert window.document.state.template == "chatml"
    assert window.document.undo_label == "Add"
    window.document.undo()
    assert window.document.state is before
    assert not window.document.can_undo


def test_loading_that_is_stopped_leaves_the_template_before(
    window: MainWindow, web: FakeWeb, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()
    monkeypatch.setattr(web, "ask", lambda *_, **__: go_on.wait(PATIENCE))
    window._services.__dict__["reach"] = web.reach(tmp_path / "other")
    window.choices.use_template(SERVER)
    window.prompts.templates.stop_loading()
    go_on.set()
    assert refused(window, qtbot) == f"Loading “{SERVER}” was stopped. “ChatML” stays in force."


def test_the_last_of_several_choices_counts(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    shown = window.prompts.prompt.text
    window.choices.use_template(str(tmp_path / "one.jinja"))
    window.choices.use_template(str(tmp_path / "two.jinja"))
    assert "“two.jinja” was not taken" in refused(window, qtbot)
    prompt_is(window, qtbot, shown)
    assert window.document.state.template == "chatml"
    assert not window.document.can_undo


def test_an_edited_text_that_was_in_force_is_again(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    edited = replace(window.document.state, edited=EditedTemplate("mine {{ messages[0].content }}", {}))
    window.document.change(edited, ["template"], "test", "Edit template")
    prompt_is(window, qtbot, "mine Hi")
    window.choices.use_template(str(tmp_path / "missing.jinja"))
    refused(window, qtbot)
    prompt_is(window, qtbot, "mine Hi")
    assert window.document.state is edited
    assert window.layout_.banner.isHidden(), "no word of an edit that is kept"


def test_with_nothing_in_force_before_the_new_one_s_fault_is_said(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window.document.new(replace(TALK, template=str(tmp_path / "gone.jinja")))
    qtbot.waitUntil(lambda: window.prompts.prompt.problem is not None)
    window.choices.use_template(str(tmp_path / "missing.jinja"))
    banner = window.layout_.source.matter
    qtbot.waitUntil(lambda: "missing.jinja" in banner.sentence.text())
    assert "stays in force" not in banner.sentence.text()
    assert window.document.state.template == str(tmp_path / "missing.jinja")


def test_a_file_with_a_fault_in_it_stays_chosen_and_shows_the_line(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    file = tmp_path / "edited.jinja"
    file.write_text("one\n{% if %}\n")
    window.choices.use_template(str(file))
    qtbot.waitUntil(lambda: window.prompts.prompt.problem is not None)
    problem = window.prompts.prompt.problem
    assert problem is not None
    assert problem.line == 2
    assert window.document.state.template == str(file)
    assert window.layout_.top.template.shown_value == "edited.jinja"


def test_a_file_that_is_gone_stays_in_force_when_it_is_read_anew(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    file = tmp_path / "own.jinja"
    file.write_text("own {{ messages[0].content }}")
    window.choices.use_template(str(file))
    prompt_is(window, qtbot, "own Hi")
    file.unlink()
    window.templates.reload()
    qtbot.waitUntil(lambda: window.prompts.templates.is_gone and window.prompts.templates.is_ready)
    prompt_is(window, qtbot, "own Hi")
    assert "is still in force" in window.layout_.source.matter.sentence.text()


def test_going_back_to_a_file_sees_what_changed_meanwhile(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "own.json"
    file.write_text(json.dumps({"chat_template": "one"}))
    config = tmp_path / "tokenizer_config.json"
    config.write_text(file.read_text())
    window.choices.use_template(str(config))
    prompt_is(window, qtbot, "one")
    window.choices.use_template(str(tmp_path / "missing.jinja"))
    config.write_text(json.dumps({"chat_template": "two, longer"}))
    refused(window, qtbot)
    prompt_is(window, qtbot, "two, longer")
