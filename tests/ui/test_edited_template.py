"""The document's edited template is what the window renders, and the original is at hand."""

from dataclasses import replace

from pytestqt.qtbot import QtBot

from thinkpane.templates.edited import edit_of
from thinkpane.ui.main_window import MainWindow


def test_edited_text_is_rendered_and_undone(window: MainWindow, qtbot: QtBot) -> None:
    document, prompts = window.document, window.prompts
    original = prompts.original
    assert original is not None
    before = prompts.prompt.text
    told: list[object] = []
    prompts.template_changed.connect(told.append)
    edit = edit_of(original, "{{ messages[0].role }}!")
    document.change(replace(document.state, edited=edit), ["template"], "test", "Edit template")
    qtbot.waitUntil(lambda: prompts.prompt.text == f"{document.state.conversation.messages[0].role}!")
    assert prompts.template.source == edit.source
    assert prompts.template.tiers == original.tiers
    assert prompts.job().template.source == edit.source
    document.undo()
    qtbot.waitUntil(lambda: prompts.prompt.text == before)
    assert prompts.template == prompts.original == original
    assert told == []


def test_choosing_another_template_leaves_the_edit_behind(window: MainWindow, qtbot: QtBot) -> None:
    document = window.document
    edit = edit_of(window.prompts.template, "mine")
    document.change(replace(document.state, edited=edit), ["template"], "test", "Edit template")
    window.choices.use_template("chatml" if document.state.template != "chatml" else "glm-5.2")
    assert [document.state.edited] == [None]
    document.undo()
    assert document.state.edited == edit
    qtbot.waitUntil(lambda: window.prompts.prompt.text == "mine")


def test_new_document_keeps_the_template_as_it_is(window: MainWindow) -> None:
    document = window.document
    edit = edit_of(window.prompts.template, "mine")
    document.new(replace(document.state, edited=edit))
    window.files.new()
    assert document.state.edited == edit


def test_a_new_document_begins_without_a_fault(window: MainWindow, qtbot: QtBot) -> None:
    window.files.new()
    qtbot.waitUntil(lambda: window.prompts.prompt.is_unwritten and window.problems.is_settled)
    assert window.layout_.status.fact("problems") == ""
    assert window.problems.problems is not None
    assert window.problems.problems.count == 0
