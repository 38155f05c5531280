"""The badge beside Run: what it says of the prompt and the chosen endpoint's server, and what it opens."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from support.nobody import nobody
from support.server import Server, answer
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.runs.parity import Parity
from thinkpane.ui.dialogs.parity import ParityDialog
from thinkpane.ui.main_window import MainWindow
from thinkpane.workspace.state import DocumentState

OURS = "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n"
TALK = Conversation((message("user", "hi"),))
PROPS = answer(b'{"build_info": "b1"}', kind="application/json")
Make = Callable[[DocumentState], MainWindow]


def prompt(text: str) -> bytes:
    return answer(json.dumps({"prompt": text}).encode(), kind="application/json")


@pytest.fixture
def server() -> Iterator[Server]:
    with Server([PROPS], [prompt(OURS)], [PROPS], [prompt(OURS.replace("hi", "ho"))], [PROPS], [prompt(OURS)]) as found:
        yield found


@pytest.fixture
def window(make_window: Make, server: Server) -> MainWindow:
    return make_window(DocumentState(template="chatml", conversation=TALK, endpoint=f"openai-chat+{server.url}"))


def asked(window: MainWindow, qtbot: QtBot) -> Parity:
    with qtbot.waitSignal(window.parity.found) as caught:
        window.parity.ask()
    found: Parity = (caught.args or [None])[0]
    return found


def test_nothing_is_asked_before_somebody_wants_to_know(window: MainWindow, server: Server) -> None:
    assert window.layout_.top.parity.text() == "Parity…"
    assert not server.received
    assert window.parity.parity is None


def test_the_badge_says_what_was_found(window: MainWindow, qtbot: QtBot) -> None:
    badge = window.layout_.top.parity
    with qtbot.waitSignal(window.parity.found):
        badge.click()
    assert window.parity.parity is not None
    assert (badge.text(), badge.property("tone")) == ("= server", "good")
    found = asked(window, qtbot)
    assert (found.verdict, badge.text(), badge.property("tone")) == ("differs", "≠ server", "warning")
    assert found.cause in badge.toolTip()


def test_another_prompt_is_asked_about_again_at_this_machine(window: MainWindow, qtbot: QtBot) -> None:
    asked(window, qtbot)
    document = window.document
    with qtbot.waitSignal(window.parity.found) as caught:
        changed = replace(document.state, conversation=Conversation((message("user", "ho"),)))
        document.change(changed, ["messages"], "messages", "Edit")
        qtbot.waitUntil(lambda: window.parity.parity is None)
    assert (caught.args or [None])[0].verdict == "same"


def test_another_endpoint_outdates_it(window: MainWindow, qtbot: QtBot) -> None:
    asked(window, qtbot)
    document = window.document
    document.change(replace(document.state, endpoint="demo"), ["endpoint"], "window", "Choose endpoint")
    assert window.parity.parity is None
    assert window.layout_.top.parity.isHidden()
    assert not window.parity.may_ask


def test_a_server_that_is_not_there_is_no_difference(make_window: Make, qtbot: QtBot) -> None:
    with nobody() as place:
        window = make_window(
            DocumentState(template="chatml", conversation=TALK, endpoint=f"openai-chat+http://{place}/v1")
        )
        found = asked(window, qtbot)
    assert (found.verdict, window.layout_.top.parity.text()) == ("unknown", "? server")
    assert "refused" in found.cause


def test_an_endpoint_that_is_not_known(make_window: Make) -> None:
    window = make_window(DocumentState(template="chatml", conversation=TALK, endpoint="nobodys"))
    window.parity.ask()
    assert window.layout_.top.parity.text() == "? server"
    assert "nobodys" in window.layout_.top.parity.toolTip()


def test_the_difference_is_shown_with_its_cause(qtbot: QtBot) -> None:
    theirs = OURS.replace("hi", "ho").replace("assistant", "model")
    dialog = ParityDialog(Parity("differs", OURS, theirs, "The cause.", "unknown", "llama.cpp b1", "/apply-template"))
    qtbot.addWidget(dialog)
    assert (dialog.cause.text(), dialog.how.text()) == ("The cause.", "llama.cpp b1 /apply-template")
    assert dialog.steps.where.text() == "Difference 1 of 4: only here, “hi”"
    ask = next(each for each in dialog.findChildren(QPushButton) if each.text() == "Ask again")
    with qtbot.waitSignal(dialog.again):
        ask.click()


def test_prompts_that_are_too_long_are_compared_beside_the_window(qtbot: QtBot) -> None:
    dialog = ParityDialog(Parity("differs", "a" * 300_000, "b" * 300_000, "The cause."))
    qtbot.addWidget(dialog)
    assert "Side by side" in dialog.steps.where.text()
    assert not dialog.steps.next.isEnabled()
    beside = next(each for each in dialog.findChildren(QPushButton) if each.text() == "Side by side")
    with qtbot.waitSignal(dialog.compare_wanted):
        beside.click()


@pytest.mark.parametrize(
    "found",
    [Parity("same", OURS, OURS, server="vLLM"), Parity("unknown", "", cause="Nobody knows."), Parity("unknown", OURS)],
)
def test_other_verdicts(qtbot: QtBot, found: Parity) -> None:
    dialog = ParityDialog(found)
    qtbot.addWidget(dialog)
    assert (dialog.view is None) == (not found.ours)
    assert dialog.steps.where.text() == ""
    assert not dialog.cause.isVisibleTo(dialog) or dialog.cause.text() == found.cause


def test_both_prompts_are_compared_in_the_diff_pane(window: MainWindow, qtbot: QtBot) -> None:
    asked(window, qtbot)
    assert asked(window, qtbot).verdict == "differs"
    pane = window.comparing.pane
    with qtbot.waitSignal(pane.wanted):
        window.parity.compare_wanted.emit()
