"""The diff pane: pinned prompts, the one at hand, variants, and going from one difference to the next."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt.comparison import Comparison, Side, Variant
from thinkpane.prompt.job import PromptJob
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.diff import DiffPane
from thinkpane.ui.panes.prompt import PromptPane
from thinkpane.workspace.state import DocumentState


@pytest.fixture
def window(make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot) -> MainWindow:
    found = make_window(DocumentState(template="chatml", conversation=Conversation((message("user", "the old word"),))))
    qtbot.waitUntil(lambda: found.prompts.prompt.owners is not None)
    return found


@pytest.fixture
def pane(window: MainWindow) -> DiffPane:
    return window.comparing.pane


def write(window: MainWindow, *texts: str) -> None:
    talk = Conversation(tuple(message("user", text) for text in texts))
    window.document.change(replace(window.document.state, conversation=talk), ["messages"], "test", "Write")


def compared(
    pane: DiffPane, qtbot: QtBot, act: Callable[[], object], holds: str = "", owned: bool = False
) -> Comparison:
    """What is shown after `act`: of a B that holds this; owned: once its owners are known."""

    def fits(found: Comparison) -> bool:
        return holds in found.other.prompt.text and (found.owners is not None or not owned)

    with qtbot.waitSignal(pane.compared, check_params_cb=fits):
        act()
    assert pane.shown is not None
    return pane.shown


def test_what_is_pinned_is_compared_with_the_prompt_at_hand(window: MainWindow, pane: DiffPane, qtbot: QtBot) -> None:
    window.actions_["pin_a"].trigger()
    window.layout_.show_pane("diff")
    found = compared(pane, qtbot, lambda: write(window, "the new word"), "new", owned=True)
    assert found.found is not None
    assert [piece.text for piece in found.found.pieces() if piece.kind != "same"] == ["old", "new"]
    assert pane.counts.text() == "3 characters only in A, 3 only in B"
    assert pane.owners.text() == "By owner: message 1 (user) −3 +3"
    assert pane.where.text() == "1 difference"
    again = compared(pane, qtbot, lambda: write(window, "the old word", "and more"), "more")
    assert again.found is not None
    assert again.found.removed == 0


def test_the_prompt_pane_pins_and_lets_go(window: MainWindow, pane: DiffPane) -> None:
    prompt = window.layout_.panes["prompt"]
    assert isinstance(prompt, PromptPane)
    prompt.pin.click()
    assert (pane.has_pinned, prompt.pin.isChecked()) == (True, True)
    assert pane.pickers["A"].shown_value.startswith("Pinned at ")
    prompt.pin.click()
    assert (pane.has_pinned, prompt.pin.isChecked()) == (False, False)


def test_before_the_last_edit(window: MainWindow, pane: DiffPane, qtbot: QtBot) -> None:
    window.layout_.show_pane("diff")
    found = compared(pane, qtbot, lambda: write(window, "the new word"), "new")
    assert found.one.title == "Before the last edit"
    assert "the old word" in found.one.prompt.text
    # What follows at once belongs to the same edit.
    found = compared(pane, qtbot, lambda: write(window, "the new words"), "words")
    assert "the old word" in found.one.prompt.text


@pytest.mark.parametrize("kind", ["Another &template", "Another t&ier", "Another &profile"])
def test_variants_of_the_document(window: MainWindow, pane: DiffPane, qtbot: QtBot, kind: str) -> None:
    window.layout_.show_pane("diff")
    menu = pane.pickers["A"].menu_of_entries
    menu.aboutToShow.emit()
    subs = {each.title(): each for each in menu.findChildren(QMenu)}
    action = subs[kind].actions()[0]
    found = compared(pane, qtbot, action.trigger)
    assert found.problem is None
    assert found.one.title == action.text().replace("&&", "&")
    assert found.one.prompt.text
    assert pane.pickers["A"].shown_value == found.one.title


def test_going_from_difference_to_difference(window: MainWindow, pane: DiffPane, qtbot: QtBot) -> None:
    text = "\n".join(f"line {number}" for number in range(300))
    one = Side("One", Prompt(text=text))
    other = Side("Other", Prompt(text=text.replace("line 10\n", "").replace("line 250", "line CCL")))
    found = compared(pane, qtbot, lambda: window.context.links.comparison_asked.emit(one, other))
    assert window.layout_.inspect.currentWidget() is pane
    assert (found.one.title, found.other.title) == ("One", "Other")
    assert pane.where.text() == "2 differences"
    window.actions_["next_difference"].trigger()
    assert pane.where.text() == "1 of 2"
    window.actions_["next_difference"].trigger()
    assert pane.where.text() == "2 of 2"
    at = text.index("line 250")
    assert pane.view.one.rect_of(at).isValid()
    assert pane.view.other.rect_of(other.prompt.text.index("line CCL")).isValid()
    pane.form.chosen.emit(True)
    assert pane.view.is_inline
    assert pane.view.both.rect_of(at).isValid()
    window.actions_["next_difference"].trigger()
    assert pane.where.text() == "1 of 2"
    window.actions_["previous_difference"].trigger()
    assert pane.where.text() == "2 of 2"


def test_the_sides_scroll_together(window: MainWindow, pane: DiffPane, qtbot: QtBot) -> None:
    text = "\n".join(f"line {number}" for number in range(300))
    more = "\n".join(f"new {number}" for number in range(50))
    one, other = Side("One", Prompt(text=text)), Side("Other", Prompt(text=f"{more}\n{text}"))
    compared(pane, qtbot, lambda: pane.compare(one, other))
    left, right = pane.view.one, pane.view.other
    left.scroll_to(text.index("line 100"))
    assert right.position_at_top() == len(more) + 1 + left.position_at_top()
    right.scroll_to(len(more) + 1 + text.index("line 200"))
    assert left.position_at_top() == text.index("line 200")


def test_swapping(window: MainWindow, pane: DiffPane, qtbot: QtBot) -> None:
    one, other = Side("One", Prompt(text="a")), Side("Other", Prompt(text="b"))
    compared(pane, qtbot, lambda: pane.compare(one, other))
    found = compared(pane, qtbot, pane.swap.click)
    assert (found.one.title, found.other.title) == ("Other", "One")


def test_a_side_that_cannot_be_made_says_why(window: MainWindow, pane: DiffPane, qtbot: QtBot) -> None:
    def refuse() -> PromptJob:
        raise ThinkpaneError(Problem("template", "There is no such template."))

    pane.compare(Variant("Gone", refuse))
    qtbot.waitUntil(lambda: "no such template" in pane.empty.text())
    assert not pane.has_differences


def test_the_servers_prompt_is_offered_once_it_is_known(window: MainWindow, pane: DiffPane, qtbot: QtBot) -> None:
    menu = pane.pickers["B"].menu_of_entries

    def entry() -> QAction:
        menu.aboutToShow.emit()
        return next(each for each in menu.actions() if each.text() == "The server’s prompt")

    assert not entry().isEnabled()
    server = Side("The prompt of llama.cpp", Prompt(text="<|im_start|>else"))
    pane.offer_server(lambda: server)
    window.layout_.show_pane("diff")
    pane.compare(None)
    found = compared(pane, qtbot, entry().trigger, "else")
    assert found.other.title == "The prompt of llama.cpp"
    assert pane.has_differences


def test_going_to_a_difference_brings_the_pane_to_the_front_first(
    window: MainWindow, pane: DiffPane, qtbot: QtBot
) -> None:
    window.actions_["pin_a"].trigger()
    write(window, "the new word")
    qtbot.waitUntil(lambda: "new" in window.prompts.prompt.text)
    assert window.layout_.inspect.currentWidget() is not pane
    found = compared(pane, qtbot, window.actions_["next_difference"].trigger, "new")
    assert found.one.title.startswith("Pinned at ")
    assert window.layout_.inspect.currentWidget() is pane
    assert pane.where.text() == "1 of 1"
