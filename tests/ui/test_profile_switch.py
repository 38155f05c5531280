"""Switching the runtime profile in the window shows what became of the prompt."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.prompt.diff import Piece
from thinkpane.prompt.profile_diff import ProfileDiff, ProfilePrompt
from thinkpane.ui.dialogs.profile_diff import ProfileDiffDialog, marks
from thinkpane.ui.main_window import MainWindow
from thinkpane.workspace.state import DocumentState

TALK = Conversation((message("user", "u"), message("assistant", "I go")))


@pytest.fixture
def window(make_window: Callable[[DocumentState], MainWindow]) -> MainWindow:
    return make_window(DocumentState(template="chatml", conversation=TALK))


def switch(window: MainWindow, qtbot: QtBot, profile: str) -> ProfileDiff:
    found: list[ProfileDiff] = []
    with qtbot.waitSignal(window.profiles.compared) as caught:
        document = window.document
        document.change(replace(document.state, profile=profile), ["profile"], "choices", "Runtime profile")
    found.extend(caught.args or [])
    return found[0]


def test_a_switch_is_told_above_the_prompt_until_something_else_changes(window: MainWindow, qtbot: QtBot) -> None:
    notice = window.profiles.notice
    assert notice.isHidden()
    found = switch(window, qtbot, "sglang")
    assert not notice.isHidden()
    assert notice.sentence.text() == found.sentence
    assert "characters differ" in found.sentence
    assert not notice.show_button.isHidden()
    document = window.document
    document.change(replace(document.state, variables={"a": 1}), ["variables"], "controls", "Set a")
    assert notice.isHidden()


def test_a_switch_back_compares_with_what_was_there(window: MainWindow, qtbot: QtBot) -> None:
    switch(window, qtbot, "sglang")
    found = switch(window, qtbot, "transformers")
    assert (found.before.profile, found.after.profile) == ("sglang", "transformers")


def test_a_switch_that_changes_nothing_has_nothing_to_show(window: MainWindow, qtbot: QtBot) -> None:
    switch(window, qtbot, "plain")
    assert window.profiles.notice.show_button.isHidden()


def test_the_notice_opens_the_difference(window: MainWindow, qtbot: QtBot) -> None:
    switch(window, qtbot, "llamacpp")
    window.profiles.notice.show_button.click()
    dialog = next(each for each in window.findChildren(ProfileDiffDialog) if each.isVisible())
    assert dialog.windowTitle() == "transformers and llama.cpp"
    dialog.close()


def test_the_dialog_goes_round_all_differences(qtbot: QtBot) -> None:
    pieces = (Piece("same", "a\n"), Piece("removed", "old"), Piece("added", "new\n"), Piece("same", "z"))
    before, after = ProfilePrompt("transformers", "a\noldz"), ProfilePrompt("vllm", "a\nnew\nz", ("It does.",))
    dialog = ProfileDiffDialog(ProfileDiff(before, after, pieces))
    qtbot.addWidget(dialog)
    assert dialog.view.text == "a\noldnew\nz"
    assert [(mark.start, mark.end, mark.role) for mark in marks(pieces)] == [(2, 5, "removed"), (5, 9, "added")]
    assert dialog.view.selected_text == "old"
    assert dialog.steps.where.text() == "Difference 1 of 2: only with transformers, “old” (3 characters)"
    dialog.steps.next.click()
    assert dialog.steps.where.text() == "Difference 2 of 2: only with vLLM, “new↵” (4 characters)"
    dialog.steps.next.click()
    assert dialog.view.selected_text == "old"
    dialog.steps.previous.click()
    assert dialog.view.selected_text == "new\n"


def test_the_dialog_of_equal_prompts_says_so(qtbot: QtBot) -> None:
    same = ProfilePrompt("vllm", "x", ("It does.",))
    dialog = ProfileDiffDialog(ProfileDiff(same, same, (Piece("same", "x"),)))
    qtbot.addWidget(dialog)
    assert dialog.steps.where.text() == "The prompts are the same."
    assert not dialog.steps.next.isEnabled()
