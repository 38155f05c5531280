"""The budget in a window: counted when owners and tokens are there, on the cards too, and greyed until it is."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from support.small_vocabularies import byte_pairs
from support.told import wait_told
from thinkpane.conversation import edits, message_edits
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.conversation.tools import ContextDocument, Tool
from thinkpane.prompt.budget import Budget
from thinkpane.prompt.parts import Part
from thinkpane.templates import built_in
from thinkpane.ui import theme
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.models.told_budget import ToldBudget
from thinkpane.ui.panes.messages import MessagesPane
from thinkpane.ui.panes.prompt import PromptPane
from thinkpane.ui.panes.tools import ToolsPane
from thinkpane.workspace.state import DocumentState

TEMPLATE = (
    "{% for each in tools or [] %}<t>{{ each.name }}{% endfor %}"
    "{% for each in documents or [] %}<d>{{ each.text }}{% endfor %}"
    "{% for each in messages %}<{{ each.role }}>{{ each.content }}{% endfor %}"
    "{% if deep %}<s>Think deeply.{% endif %}"
)
TALK = Conversation(
    (message("user", "the one"), message("assistant", "there"), message("user", "again")),
    (Tool({"name": "look"}), Tool({"name": "go there"})),
    (ContextDocument({"title": "Notes", "text": "A fact."}),),
)


def budget_in(window: MainWindow, qtbot: QtBot, holds: Callable[[Budget], bool]) -> Budget:
    """The first budget of which that holds."""
    found: list[Budget] = []

    def note(told: ToldBudget | None) -> None:
        if told is not None and holds(told.budget):
            found.append(told.budget)

    window.budgets.changed.connect(note)
    qtbot.waitUntil(lambda: bool(found))
    window.budgets.changed.disconnect(note)
    return found[0]


def own_tokens(text: str) -> int:
    """A message's tokens: its text's, and the one that the template makes of its role."""
    return len(byte_pairs().encode([text])[0]) + 1


def messages_of(window: MainWindow) -> MessagesPane:
    found = window.layout_.panes["messages"]
    assert isinstance(found, MessagesPane)
    return found


def counts(pane: MessagesPane | ToolsPane) -> list[str]:
    return [each.count for each in pane.list.cards()]


def opened(make_window: Callable[[DocumentState], MainWindow], folder: Path, *, tokenizer: bool) -> MainWindow:
    if tokenizer:
        byte_pairs(("<s>", "<t>", "<d>", "<user>", "<assistant>"))._tokenizer.save(str(folder / "tokenizer.json"))
    file = folder / "chat_template.jinja"
    file.write_text(TEMPLATE, encoding="utf-8")
    return make_window(DocumentState(template=str(file), conversation=TALK, variables={"deep": True}))


def test_every_card_says_its_tokens(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = opened(make_window, tmp_path, tokenizer=True)
    found = budget_in(window, qtbot, lambda budget: budget.measure == "exact" and Part("tier") in budget.parts.names)
    assert found.measure == "exact"
    tier = len(byte_pairs(("<s>",)).encode(["<s>Think deeply."])[0])
    assert found.of("tier") == tier
    one, two, three = (own_tokens(each.text) for each in TALK.messages)
    assert counts(messages_of(window)) == [f"{one} tokens", f"{two} tokens", f"{three} tokens"]
    tools = window.layout_.panes["tools"]
    assert isinstance(tools, ToolsPane)
    assert [each.partition(" ")[2] for each in counts(tools)] == ["tokens", "tokens"]
    prompt = window.layout_.panes["prompt"]
    assert isinstance(prompt, PromptPane)
    assert sum(each.tokens for each in prompt.bar.shares) == found.total
    assert [each.kind for each in prompt.bar.shares][:4] == ["scaffolding", "tier", "tool", "document"]


def test_counts_are_greyed_where_the_new_prompt_is_not_counted_soon(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = opened(make_window, tmp_path, tokenizer=True)
    found = budget_in(window, qtbot, lambda budget: budget.measure == "exact")
    pane, before = messages_of(window), counts(messages_of(window))
    window.budgets.outdated.emit()
    assert pane.list.cards()[0]._count.isEnabled(), "new counts mostly come sooner"

    def is_grey() -> bool:
        # Once more, should counts of the same prompt have come in between.
        window.budgets.outdated.emit()
        return not pane.list.cards()[0]._count.isEnabled()

    qtbot.waitUntil(is_grey)
    assert counts(pane) == before
    state = window.document.state
    talk = edits.edit(state.conversation, 0, lambda each: message_edits.set_content(each, "the one there"))
    window.document.change(replace(state, conversation=talk), ["messages"], "test", "Edit")
    many = own_tokens("the one there")
    budget_in(window, qtbot, lambda budget: budget.of("message", index=0) == many and budget is not found)
    assert counts(pane)[0] == f"{many} tokens"
    assert pane.list.cards()[0]._count.isEnabled()


def test_without_a_tokenizer_counts_are_marked(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = opened(make_window, tmp_path, tokenizer=False)
    assert budget_in(window, qtbot, lambda _budget: True).measure == "estimate"
    assert all(each.startswith("≈ ") for each in counts(messages_of(window)))


def test_messages_that_are_left_out_have_no_count(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = opened(make_window, tmp_path, tokenizer=False)
    budget_in(window, qtbot, lambda _budget: True)
    state = window.document.state
    talk = edits.edit(state.conversation, 1, lambda each: replace(each, excluded=True))
    window.document.change(replace(state, conversation=talk), ["messages"], "test", "Leave out")
    found = budget_in(window, qtbot, lambda budget: len(budget.prompt.origins.messages) == 2)
    assert found.of("message", index=2) == 0
    assert [bool(each) for each in counts(messages_of(window))] == [True, False, True]


def test_the_context_s_length_is_told_with_the_reply_that_is_asked_for(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "config.json").write_text('{"max_position_embeddings": 1000}', encoding="utf-8")
    window = opened(make_window, tmp_path, tokenizer=True)
    prompt = window.layout_.panes["prompt"]
    assert isinstance(prompt, PromptPane)
    qtbot.waitUntil(lambda: window.budget_view.room is not None)
    budget_in(window, qtbot, lambda budget: budget.measure == "exact" and Part("tier") in budget.parts.names)
    state = replace(window.document.state, path="chat", params={"max_tokens": 900})
    window.document.change(state, ["params", "endpoint"], "test", "Ask for more")
    room = window.budget_view.room
    assert room is not None
    assert (room.asked, room.length.place) == (900, "config.json")
    assert room.tone == "warning"
    assert prompt.room.text() == room.words
    assert prompt.room.property("kind") == "remark"
    assert prompt.gauge.isVisible()
    image = prompt.gauge.grab().toImage()
    warned = theme.current().color(theme.current().warning)
    assert abs(image.pixelColor(1, 2).green() - warned.green()) < 30
    state = replace(window.document.state, params={"max_tokens": 2000})
    window.document.change(state, ["params"], "test", "Ask for too much")
    assert "too many with 2,000 asked for" in prompt.room.text()
    assert prompt.room.property("kind") == "error"
    assert "over the context" in window.layout_.status.fact("context"), "it is told where the prompt is not in front"


def test_a_context_of_unknown_length_says_nothing(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = opened(make_window, tmp_path, tokenizer=False)
    budget_in(window, qtbot, lambda _budget: True)
    prompt = window.layout_.panes["prompt"]
    assert isinstance(prompt, PromptPane)
    assert window.budget_view.room is None
    assert window.layout_.status.fact("context") == ""
    assert not prompt.gauge.isVisible()
    assert not prompt.room.isVisible()


def test_a_context_that_another_template_s_files_told_is_not_this_one_s(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "config.json").write_text('{"max_position_embeddings": 1000}', encoding="utf-8")
    window = opened(make_window, tmp_path, tokenizer=True)
    lengths = window.lengths
    qtbot.waitUntil(lambda: lengths.current is not None)
    lengths._on_template_changed(window.prompts.template)
    assert lengths.current is None
    wait_told(lengths._newest)
    lengths._on_template_changed(built_in.load("chatml"))
    QApplication.sendPostedEvents(lengths)
    assert lengths.current is None
