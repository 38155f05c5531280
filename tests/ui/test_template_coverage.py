"""Coverage over several conversations in the real window: opened, counted, marked, removed; one bad file among them."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from thinkpane.analysis.coverage_over import CoverageOver
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.templates.edited import EditedTemplate
from thinkpane.ui.coverage_feed import file_member
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.prompt import PromptPane
from thinkpane.ui.panes.template import TemplatePane
from thinkpane.workspace.state import DocumentState

SOURCE = """{% for m in messages %}
{% if m.role == 'tool' %}
T{{ m.content }}
{% elif m.role == 'user' %}
U{{ m.content }}
{% else %}
A{{ m.content }}
{% endif %}
{% endfor %}
{% if thorough %}
think
{% endif %}
{% if documents %}
docs
{% endif %}
"""
Make = Callable[[DocumentState], MainWindow]


@pytest.fixture
def window(make_window: Make) -> MainWindow:
    talk = Conversation(messages=(message("user", "hello"),))
    return make_window(DocumentState(template="", edited=EditedTemplate(SOURCE, {}), conversation=talk))


def pane_of(window: MainWindow) -> TemplatePane:
    window.layout_.show_pane("template")
    pane = window.layout_.panes["template"]
    assert isinstance(pane, TemplatePane)
    return pane


def body(path: Path, *roles: str, **more: object) -> Path:
    path.write_text(json.dumps({"messages": [{"role": each, "content": "x"} for each in roles], **more}))
    return path


def found(pane: TemplatePane, qtbot: QtBot, words: str) -> CoverageOver:
    qtbot.waitUntil(lambda: pane.coverage.bar.words.whole == words)
    assert pane.coverage.feed.found is not None
    return pane.coverage.feed.found


def test_lines_are_counted_over_the_conversations_that_are_opened(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane = pane_of(window)
    found(pane, qtbot, "4 of 9 lines never ran, over 1 conversation")
    assert pane.editor.gutter.words_for(3) == "Line 3 did not run for “Untitled (this document)”."
    files = [
        body(tmp_path / "tools.json", "user", "tool", "assistant"),
        body(tmp_path / "hard.json", "user", chat_template_kwargs={"thorough": True}),
    ]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(each) for each in files], ""))
    pane.coverage.bar.list_button.click()
    pane.coverage.ask_files()
    over = found(pane, qtbot, "1 of 9 lines never ran, over 3 conversations")
    assert over.dead == ((14, 14),)
    assert pane.editor.gutter.words_for(14) == "Line 14 never ran in any of the 3 open conversations."
    assert pane.editor.gutter.words_for(7) == "Line 7 ran in 1 of 3 open conversations: “tools”."
    assert pane.editor.gutter.words_for(5) == "Line 5 ran in all 3 open conversations."
    assert [each.title for each in pane.coverage.list.rows] == ["Untitled (this document)", "tools", "hard"]
    assert [each.told for each in pane.coverage.list.rows][1:] == [
        "7 lines, 2 of them only here",
        "6 lines, 1 of them only here",
    ]
    assert pane.coverage.bar.list_button.text() == "Conversations 3"

    pane.coverage.list.cross(str(files[0])).click()
    found(pane, qtbot, "3 of 9 lines never ran, over 2 conversations")
    pane.coverage.list.cross(str(files[1])).click()
    found(pane, qtbot, "4 of 9 lines never ran, over 1 conversation")


def test_edits_of_the_template_count_anew(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    pane = pane_of(window)
    pane.coverage.feed.add([file_member(body(tmp_path / "tools.json", "tool"))])
    found(pane, qtbot, "3 of 9 lines never ran, over 2 conversations")
    pane.editor.go_to(13, 1)
    QTest.keyClicks(pane.editor, "end")
    QTest.keyClick(pane.editor, Qt.Key.Key_Return)
    found(pane, qtbot, "3 of 10 lines never ran, over 2 conversations")


def test_a_bad_file_is_one_sentence_and_the_rest_goes_on(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    pane = pane_of(window)
    (tmp_path / "broken.json").write_text("{")
    names = ("broken.json", "gone.json")
    members = [file_member(tmp_path / name) for name in names]
    pane.coverage.feed.add([*members, file_member(body(tmp_path / "tools.json", "tool"))])
    found(pane, qtbot, "3 of 9 lines never ran, over 2 conversations")
    _, broken, gone, good = pane.coverage.list.rows
    assert broken.tone == gone.tone == "bad"
    assert "broken.json is no document" in broken.told
    assert "gone.json" in gone.told
    assert good.told.startswith("5 lines")


def test_a_refusing_template_still_has_its_lines(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    pane = pane_of(window)
    text = "{% if tools %}\n{{ raise_exception('no tools here') }}\n{% endif %}\nend\n"
    edit = EditedTemplate(text, {})
    tools = [{"type": "function", "function": {"name": "f", "parameters": {}}}]
    window.document.new(DocumentState(template="", edited=edit, conversation=window.document.state.conversation))
    pane.coverage.feed.add([file_member(body(tmp_path / "tools.json", "user", tools=tools))])
    over = found(pane, qtbot, "All 3 lines ran, over 2 conversations")
    assert over.some == {2, 4}
    told = pane.coverage.list.rows[1]
    assert told.tone == "warning"
    assert "no tools here" in told.told


def test_from_one_dead_branch_to_the_next(window: MainWindow, qtbot: QtBot) -> None:
    pane = pane_of(window)
    found(pane, qtbot, "4 of 9 lines never ran, over 1 conversation")
    pane.editor.go_to(1)
    lines = []
    for _ in range(5):
        pane.coverage.bar.next.click()
        lines.append(pane.editor.caret_line[0])
    assert lines == [3, 7, 11, 14, 3]
    pane.coverage.bar.previous.click()
    assert pane.editor.caret_line[0] == 14


def test_examples_and_recent_documents_can_be_added(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    pane = pane_of(window)
    recent = body(tmp_path / "lately.json", "tool")
    pane.coverage.recent = lambda: [recent]
    pane.coverage.fill_menu()
    offered = {each.text(): each for each in pane.coverage.list.menu.actions()}
    assert {"Files…", "lately", "Reasoning tiers and a tool"} <= set(offered)
    offered["All of these"].trigger()
    assert len(pane.coverage.feed.members) == 3
    qtbot.waitUntil(lambda: "over 4 conversations" in pane.coverage.bar.words.whole)
    pane.coverage.fill_menu()
    again = {each.text(): each.isEnabled() for each in pane.coverage.list.menu.actions()}
    assert again["lately"] is False


def test_the_document_s_own_file_is_not_counted_twice(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    pane = pane_of(window)
    path = body(tmp_path / "mine.json", "user")
    pane.coverage.feed.add([file_member(path), file_member(path)])
    found(pane, qtbot, "4 of 9 lines never ran, over 2 conversations")
    window.document.save_as(path)
    state = window.document.state
    other = replace(state, conversation=Conversation(messages=(message("user", "other"),)))
    window.document.change(other, ["messages"], "test", "Edit")
    found(pane, qtbot, "4 of 9 lines never ran, over 1 conversation")
    assert pane.coverage.list.rows[1].told == "open here"


def test_nothing_is_rendered_while_nobody_looks(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    pane = pane_of(window)
    window.layout_.show_pane("messages")
    pane.coverage.feed.add([file_member(body(tmp_path / "tools.json", "tool"))])
    before = pane.coverage.feed.found
    assert before is None or len(before.ran) == 1
    window.layout_.show_pane("template")
    found(pane, qtbot, "3 of 9 lines never ran, over 2 conversations")


def test_keys_that_the_window_has_too_mean_the_pane_s_within_it(window: MainWindow, qtbot: QtBot) -> None:
    pane = pane_of(window)
    coverage = found(pane, qtbot, "4 of 9 lines never ran, over 1 conversation")
    window.activateWindow()
    pane.editor.setFocus()
    qtbot.waitUntil(pane.editor.hasFocus)
    QTest.keyClick(pane.editor, Qt.Key.Key_F8)
    assert pane.editor.caret_line[0] == coverage.dead[0][0]
    QTest.keyClick(pane.editor, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert pane.editor.caret_line[0] == coverage.dead[-1][0]
    assert not window.view.shades_tokens
    assert not window.view.shows_ids
    prompt = window.layout_.panes["prompt"]
    assert isinstance(prompt, PromptPane)
    prompt.view.setFocus()
    QTest.keyClick(prompt.view, Qt.Key.Key_F8)
    assert window.view.shades_tokens
