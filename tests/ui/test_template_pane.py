"""The template pane in the real window: live edits, undo, faults, format, compare, saving, links to the prompt."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.prompt.owners import Owner
from thinkpane.templates import own
from thinkpane.templates.edited import EditedTemplate, edit_of
from thinkpane.templates.library import load
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.template import LONGEST_EDITED, TemplatePane
from thinkpane.workspace.state import DocumentState

Make = Callable[[DocumentState], MainWindow]
SOURCE = "{% for m in messages %}\n{% if m.role == 'user' %}\n[{{ m.content }}]\n{% endif %}\n{% endfor %}\n"
ODD = "{{ bos_token }}\r\n\u00a0\u2028\r{{ messages[0].content }}\n{# 😀 #}end"
TALK = Conversation(messages=(message("user", "hello"), message("assistant", "bye")))


def shown(window: MainWindow) -> TemplatePane:
    """The pane, in front."""
    window.layout_.show_pane("template")
    pane = window.layout_.panes["template"]
    assert isinstance(pane, TemplatePane)
    return pane


def wait_for_prompt(window: MainWindow, qtbot: QtBot, text: str) -> None:
    def is_there() -> bool:
        prompt = window.prompts.prompt
        return prompt.text == text and prompt.problem is None

    qtbot.waitUntil(is_there)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    found = tmp_path / "mine.jinja"
    found.write_text(SOURCE, encoding="utf-8")
    return found


@pytest.fixture
def window_of(make_window: Make, qtbot: QtBot) -> Callable[[str, str | None], MainWindow]:
    def make(ref: str, source: str | None = None) -> MainWindow:
        edited = EditedTemplate(source, {}) if source is not None else None
        window = make_window(DocumentState(template=ref, edited=edited, conversation=TALK))
        qtbot.waitUntil(lambda: window.prompts.original is not None or not ref)
        qtbot.waitUntil(lambda: window.prompts.prompt.request is not None)
        return window

    return make


WindowOf = Callable[[str, str | None], MainWindow]


def test_typing_renders_at_once_and_undo_is_the_document_s(window_of: WindowOf, file: Path, qtbot: QtBot) -> None:
    window = window_of(str(file), None)
    pane = shown(window)
    assert pane.editor.text == SOURCE
    assert not pane.tools.state.text()
    assert not pane.remark.isVisible(), "no room for what is not said"
    pane.editor.go_to(3, 2)
    QTest.keyClicks(pane.editor, "ab")
    wait_for_prompt(window, qtbot, "[abhello]\n")
    assert window.document.undo_label == "Edit template"
    assert pane.tools.state.text() == "edited"
    assert window.layout_.compose.tabText(window.layout_.compose.currentIndex()) == "TEMPLATE*"
    assert pane.text == SOURCE.replace("[", "[ab")
    QTest.keyClick(pane.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert pane.editor.text == SOURCE, "typing in one go is one step"
    assert not pane.is_edited
    wait_for_prompt(window, qtbot, "[hello]\n")
    window.document.redo()
    assert pane.editor.text == SOURCE.replace("[", "[ab")


def test_typing_the_original_again_is_no_edit(window_of: WindowOf, file: Path) -> None:
    window = window_of(str(file), None)
    pane = shown(window)
    pane.editor.go_to(3, 2)
    QTest.keyClicks(pane.editor, "x")
    assert pane.is_edited
    QTest.keyClick(pane.editor, Qt.Key.Key_Backspace)
    assert not pane.is_edited


def test_odd_characters_survive_edits_undo_and_the_file(
    window_of: WindowOf, file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    window = window_of(str(file), ODD)
    pane = shown(window)
    pane.editor.select(2, 2)
    QTest.keyClicks(pane.editor, " ")
    edited = window.document.state.edited
    assert edited is not None
    assert edited.source == "{{ " + ODD[2:]
    window.document.save_as(tmp_path / "a.thinkpane.json")
    window.document.open(tmp_path / "a.thinkpane.json")
    assert window.document.state.edited == edited
    assert pane.editor.text == edited.source
    # Jinja takes every line end for a line feed, and drops the comment.
    wait_for_prompt(window, qtbot, "\n\u00a0\u2028\nhello\nend")


def test_a_broken_template_is_told_in_place_and_mended(window_of: WindowOf, file: Path, qtbot: QtBot) -> None:
    window = window_of(str(file), None)
    pane = shown(window)
    pane.editor.select(SOURCE.index("{% endif"), SOURCE.index("{% endfor"))
    QTest.keyClick(pane.editor, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: window.prompts.prompt.problem is not None)
    assert window.prompts.prompt.text == "[hello]\n", "the last good prompt stays"
    assert window.prompts.prompt.stale
    assert "endif" in pane.problem_box.words.whole
    assert "The “if” of line 2 is never closed." in pane.problem_box.words.whole
    line = window.prompts.prompt.problem.line if window.prompts.prompt.problem else None
    assert line == 4
    assert "endif" in pane.editor.gutter.words_for(4)
    pane.problem_box.go_to.click()
    assert pane.editor.caret_line[0] == 4
    window.document.undo()
    wait_for_prompt(window, qtbot, "[hello]\n")
    assert pane.editor.gutter.words_for(4) == ""
    assert not pane.problem_box.words.isVisible()


def test_a_fault_of_a_message_keeps_its_line(window_of: WindowOf, qtbot: QtBot) -> None:
    window = window_of("chatml", "a\n{{ raise_exception('no <b>such</b> role') }}")
    pane = shown(window)
    qtbot.waitUntil(lambda: "no <b>such</b> role" in pane.problem_box.words.whole)
    assert "no <b>such</b> role" in pane.editor.gutter.words_for(2)


def test_format_changes_no_prompt_and_is_one_step(window_of: WindowOf, file: Path, qtbot: QtBot) -> None:
    window = window_of(str(file), None)
    pane = shown(window)
    wait_for_prompt(window, qtbot, "[hello]\n")
    with qtbot.waitSignal(pane.format.done):
        pane.tools.tidy.click()
    assert pane.editor.text == SOURCE.replace("{% if", "    {% if").replace("{% endif", "    {% endif")
    assert window.document.undo_label == "Format template"
    assert "the same" in pane.remark.text()
    with qtbot.waitSignal(pane.format.refused):
        pane.tools.tidy.click()
    assert pane.remark.text() == "The template is formatted already."
    window.document.undo()
    assert pane.editor.text == SOURCE
    wait_for_prompt(window, qtbot, "[hello]\n")


def test_format_refuses_visibly(window_of: WindowOf, qtbot: QtBot) -> None:
    window = window_of("chatml", "{% if a %}\n{% set b = 1 %}\n")
    pane = shown(window)
    with qtbot.waitSignal(pane.format.refused):
        pane.tools.tidy.click()
    assert "do not match" in pane.remark.text()
    window.document.change(
        replace(window.document.state, edited=EditedTemplate("{% if a %}\n{% set b = | %}\n{% endif %}")),
        ["template"],
        "test",
        "Edit",
    )
    with qtbot.waitSignal(pane.format.refused):
        pane.tools.tidy.click()
    assert "syntax" in pane.remark.text()


def test_a_proof_that_breaks_is_told_and_ends_no_later_one(
    window_of: WindowOf, file: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane = shown(window_of(str(file), None))

    def broken(*_: object) -> None:
        raise ValueError

    with monkeypatch.context() as patched:
        patched.setattr("thinkpane.ui.panes._template_format.difference", broken)
        with qtbot.waitSignal(pane.format.refused) as refused:
            pane.tools.tidy.click()
    assert refused.args == ["Not formatted: the proof ended in ValueError."]
    with qtbot.waitSignal(pane.format.done):
        pane.tools.tidy.click()


def test_compare_and_revert(window_of: WindowOf, file: Path) -> None:
    window = window_of(str(file), None)
    pane = shown(window)
    assert pane.tools.compare.isHidden()
    pane.editor.go_to(3, 2)
    QTest.keyClicks(pane.editor, "x")
    pane.tools.compare.click()
    assert pane.diff.isVisible()
    assert "− [{{ m.content }}]" in pane.diff.text
    assert "+ [x{{ m.content }}]" in pane.diff.text
    assert pane.place.whole == "1 line added or changed, 1 removed or changed"
    pane.tools.compare.click()
    assert pane.editor.isVisible()
    pane.tools.back.click()
    assert pane.editor.text == SOURCE
    assert window.document.undo_label == "Revert template"


def test_save_as_own_and_render_by_id(window_of: WindowOf, qtbot: QtBot) -> None:
    window = window_of("chatml", None)
    pane = shown(window)
    before = window.prompts.prompt.text
    pane.editor.go_to(1)
    QTest.keyClicks(pane.editor, "x")
    edited = pane.text
    changed: list[bool] = []
    pane.own_changed.connect(lambda: changed.append(True))
    pane.saving.keep_as("mine", "Mine", pane.text)
    assert changed == [True]
    qtbot.waitUntil(lambda: window.prompts.original is not None)
    assert window.document.state.template == "mine"
    assert window.document.state.edited is None
    assert pane.editor.text == edited
    assert pane.remark.text() == "Saved as own template “Mine”."
    kept = load("mine")
    assert (kept.source, kept.title) == (edited, "Mine")
    assert kept.special_tokens == load("chatml").special_tokens
    assert kept.tiers == load("chatml").tiers
    wait_for_prompt(window, qtbot, "x" + before)
    window.document.undo()
    assert window.document.state.template == "chatml"
    assert pane.text == edited


def test_an_own_template_is_saved_again(window_of: WindowOf, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    window = window_of("chatml", None)
    pane = shown(window)
    pane.saving.keep_as("mine", "Mine", "{{ messages[0].content }}")
    qtbot.waitUntil(lambda: window.prompts.original is not None)
    wait_for_prompt(window, qtbot, "hello")
    pane.editor.go_to(1)
    QTest.keyClicks(pane.editor, "y")
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Save)
    pane.tools.save_menu.aboutToShow.emit()
    assert pane.tools.save_to_file.text() == "Save to own template “Mine”…"
    pane.tools.save_to_file.trigger()
    assert load("mine").source == "y{{ messages[0].content }}"
    wait_for_prompt(window, qtbot, "yhello")
    assert not pane.is_edited
    assert own.ids() == ("mine",)


def test_the_file_is_written_after_a_question(
    window_of: WindowOf, file: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_bytes(SOURCE.replace("\n", "\r\n").encode())
    window = window_of(str(file), None)
    pane = shown(window)
    pane.editor.go_to(3, 2)
    QTest.keyClicks(pane.editor, "x")
    asked: list[str] = []

    def answer(*words: object) -> QMessageBox.StandardButton:
        asked.append(str(words[2]))
        return QMessageBox.StandardButton.Cancel if len(asked) == 1 else QMessageBox.StandardButton.Save

    monkeypatch.setattr(QMessageBox, "question", answer)
    pane.tools.save_to_file.trigger()
    assert b"[x" not in file.read_bytes()
    assert pane.is_edited
    pane.tools.save_to_file.trigger()
    assert file.read_bytes() == SOURCE.replace("[", "[x").replace("\n", "\r\n").encode()
    wait_for_prompt(window, qtbot, "[xhello]\n")
    assert not pane.tools.state.text()
    assert str(file) in asked[0]


def test_a_file_that_cannot_be_written_is_told(
    window_of: WindowOf, file: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = window_of(str(file), "\ud800")
    pane = shown(window)
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Save)
    with qtbot.waitSignal(pane.failed) as failed:
        pane.tools.save_to_file.trigger()
    assert "surrogate" in failed.args[0].message
    assert pane.is_edited


def test_very_long_templates_are_read_only_and_say_why(window_of: WindowOf) -> None:
    window = window_of("chatml", "a" * (LONGEST_EDITED + 1))
    pane = shown(window)
    assert pane.reader.isVisible()
    assert "not edited" in pane.remark.text()
    assert not pane.tools.tidy.isEnabled()


def test_ollama_s_own_template_is_read_only_and_says_why(
    make_window: Make, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    layers = [{"mediaType": "application/vnd.ollama.image.template", "digest": "sha256:" + "a" * 64}]
    manifest = tmp_path / "manifests" / "registry.ollama.ai" / "library" / "m" / "latest"
    manifest.parent.mkdir(parents=True)
    manifest.write_text(json.dumps({"layers": layers}))
    (tmp_path / "blobs").mkdir()
    (tmp_path / "blobs" / f"sha256-{'a' * 64}").write_text("{{ range .Messages }}{{ .Content }}{{ end }}")
    monkeypatch.setenv("OLLAMA_MODELS", str(tmp_path))
    window = make_window(DocumentState(conversation=TALK))
    pane = shown(window)
    window.choices.use_template("ollama:m")
    qtbot.waitUntil(pane.reader.isVisible)
    assert pane.reader.text == "{{ range .Messages }}{{ .Content }}{{ end }}"
    assert "Go's syntax" in pane.remark.text()
    assert pane.tools.state.text() == "read-only"
    assert not pane.tools.save.isEnabled()
    window.choices.use_template("chatml")
    qtbot.waitUntil(pane.editor.isVisible)
    assert pane.remark.text() == ""


def test_lines_light_up_with_the_prompt(window_of: WindowOf, file: Path, qtbot: QtBot) -> None:
    window = window_of(str(file), None)
    pane = shown(window)
    links = window.context.links
    links.owner_pointed.emit(Owner(3, 1, (2, 1)))
    assert sorted(pane.editor.lit_lines) == [1, 2, 3]
    links.owner_pointed.emit(None)
    assert sorted(pane.editor.lit_lines) == []
    links.owner_chosen.emit(Owner(4))
    assert sorted(pane.editor.lit_lines) == [4]
    window.layout_.show_pane("messages")
    links.template_line_chosen.emit(5)
    assert window.layout_.compose.current_id == "template"
    assert pane.editor.caret_line == (5, 1)
    with qtbot.waitSignal(links.template_line_chosen) as chosen:
        pane.editor.line_chosen.emit(2)
    assert chosen.args == [2]


def test_the_gutter_shows_which_lines_ran(window_of: WindowOf, file: Path, qtbot: QtBot) -> None:
    file.write_text(SOURCE + "{% if never %}\nx\n{% endif %}\n", encoding="utf-8")
    window = window_of(str(file), None)
    pane = shown(window)
    qtbot.waitUntil(lambda: bool(pane.coverage.bar.words.whole))
    assert "did not run" in pane.editor.gutter.words_for(7)
    assert "ran" in pane.editor.gutter.words_for(3)


def test_an_edit_while_hidden_is_caught_up(window_of: WindowOf) -> None:
    window = window_of("chatml", None)
    pane = shown(window)
    window.layout_.show_pane("messages")
    original = window.prompts.original
    assert original is not None
    edit = edit_of(original, "other")
    window.document.change(replace(window.document.state, edited=edit), ["template"], "test", "Edit")
    assert pane.editor.text != "other"
    window.layout_.show_pane("template")
    assert pane.editor.text == "other"


def test_more_room_and_back(window_of: WindowOf) -> None:
    window = window_of("chatml", None)
    pane = shown(window)
    height = pane.height()
    pane.room.click()
    assert pane.height() > height
    pane.room.click()
    assert abs(pane.height() - height) < 4
