"""An edited thought in the real window: how it would be replayed, and in the conversation."""

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.templates.edited import EditedTemplate
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.thinking import ThinkingPane
from thinkpane.ui.widgets.thought_editor import ThoughtEditor
from thinkpane.workspace.state import DocumentState

HEAD = "{% for m in messages %}<|{{ m.role }}|>"
KEEPS = (
    HEAD + "{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}{% endfor %}"
)
DROPS = HEAD + "{{ m.content }}{% endfor %}"


def edited_thought(window: MainWindow, qtbot: QtBot) -> tuple[ThinkingPane, ThoughtEditor]:
    """Plays a recorded reply with thinking and opens the editor of its thought."""
    window.session.run(demo_speed=0)
    qtbot.waitUntil(lambda: not window.session.is_live)
    pane = window.layout_.panes["thinking"]
    assert isinstance(pane, ThinkingPane)
    assert pane.cards
    pane.cards[0].open_editor()
    editor = pane.cards[0].editor
    assert editor is not None
    return pane, editor


def document(template: str) -> DocumentState:
    talk = Conversation(messages=(message("user", "How many r are in strawberry?"),))
    return DocumentState(template="", edited=EditedTemplate(template), conversation=talk, path="chat")


@pytest.mark.parametrize(("template", "words"), [(KEEPS, "Replayed as it is"), (DROPS, "Dropped: ")])
def test_it_is_shown_how_the_next_prompt_holds_it(
    template: str, words: str, make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot
) -> None:
    window = make_window(document(template))
    _pane, editor = edited_thought(window, qtbot)
    editor.field.insert_exactly("Another thought of mine.")
    qtbot.waitUntil(lambda: editor.verdict.text().startswith(words))
    assert ("Another thought of mine." in editor.preview.text) == (template == KEEPS)


def test_it_goes_into_the_conversation_once_and_can_be_undone(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot
) -> None:
    window = make_window(document(KEEPS))
    pane, editor = edited_thought(window, qtbot)
    editor.field.set_text("Mine.")
    editor.append.click()
    messages = window.document.state.conversation.messages
    assert (len(messages), messages[1].data["reasoning_content"]) == (2, "Mine.")
    assert not window.session.may_append
    qtbot.waitUntil(lambda: "<think>Mine.</think>" in window.prompts.prompt.text)
    pane.cards[0].open_editor()
    again = pane.cards[0].editor
    assert again is not None
    again.field.set_text("Mine again.")
    again.append.click()
    messages = window.document.state.conversation.messages
    assert (len(messages), messages[1].data["reasoning_content"]) == (2, "Mine again.")
    window.document.undo()
    assert window.document.state.conversation.messages[1].data["reasoning_content"] == "Mine."


def test_an_edited_thought_holds_back_the_next_run(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot
) -> None:
    window = make_window(document(KEEPS))
    pane, editor = edited_thought(window, qtbot)
    assert not window.document.draft_texts, "nothing is written yet"
    editor.field.insert_exactly("Mine: ")
    assert window.document.draft_texts == {"thought[0]": editor.field.text}
    window.session.run(demo_speed=0)
    assert not window.session.is_live
    banner = window.layout_.banner
    assert banner.sentence.text() == "Nothing was sent: edited thought 1 holds text that is not applied."
    assert pane.cards[0].editor is editor
    next(each for each in banner.choices if each.text() == "Show it").click()
    assert pane.cards[0].editor is editor
    editor.append.click()
    assert not window.document.draft_texts, "it is in the conversation"


def test_a_thought_that_is_given_up_is_no_work(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot
) -> None:
    window = make_window(document(KEEPS))
    pane, editor = edited_thought(window, qtbot)
    editor.field.insert_exactly("Mine: ")
    editor.cancel.click()
    assert not window.document.draft_texts
    pane.cards[0].open_editor()
    again = pane.cards[0].editor
    assert again is not None
    again.field.insert_exactly("Mine: ")
    window.session.run(demo_speed=0, anyway=True)
    qtbot.waitUntil(lambda: not window.session.is_live)
    assert not window.document.draft_texts, "the reply that it was of is another one now"
