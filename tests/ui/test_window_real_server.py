"""Run in the window against a real llama.cpp server: both dialects stream into the panes, and Stop works."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from support.llama_server import MISSING, MODEL_NAME, PATIENCE, LlamaServer, model_file
from support.services import PatientServices
from support.think_template import THINK
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.endpoints.profile import Endpoint
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.answer import AnswerPane
from thinkpane.ui.panes.thinking import ThinkingPane
from thinkpane.workspace.state import DocumentState

pytestmark = [pytest.mark.real_server, pytest.mark.skipif(model_file() is None, reason=MISSING)]

WAIT = int(PATIENCE * 1000)
TALK = Conversation(messages=(message("user", "Write a short story about a lighthouse."),))
Open = Callable[[str, str, int], MainWindow]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("template") / "think.jinja"
    file.write_text(THINK, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def server(template: Path) -> Iterator[LlamaServer]:
    with LlamaServer(template) as found:
        yield found


@pytest.fixture
def open_window(
    server: LlamaServer,
    template: Path,
    services: PatientServices,
    make_window: Callable[[DocumentState], MainWindow],
) -> Open:
    services.settings.set("limits.idle_seconds", PATIENCE)

    def open_window(dialect: str, path: str, most: int) -> MainWindow:
        services.endpoints.put(Endpoint("real", dialect, server.url, MODEL_NAME))
        params = {"max_tokens": most, "temperature": 0.0, "seed": 1, "reasoning_budget_tokens": 8}
        return make_window(
            DocumentState(template=str(template), conversation=TALK, endpoint="real", path=path, params=params)
        )

    return open_window


@pytest.mark.parametrize(("dialect", "path"), [("openai-chat", "chat"), ("openai-completions", "raw")])
def test_thinking_streams_into_its_pane(open_window: Open, qtbot: QtBot, dialect: str, path: str) -> None:
    window = open_window(dialect, path, 60)
    batches: list[int] = []
    window.runs.events.connect(lambda _run, events: batches.append(len(events)))
    with qtbot.waitSignal(window.runs.finished, timeout=WAIT):
        window.session.run()
    run = window.runs.run
    assert run is not None
    assert run.problem is None
    assert run.state == "done"
    assert sum(batches) > 3, "it came in pieces"
    pane = window.layout_.panes["thinking"]
    assert isinstance(pane, ThinkingPane)
    assert pane.cards[0].view.text == run.transcript.thinking_blocks[0].text
    assert run.transcript.thinking.strip()
    source = "opened by the prompt" if path == "raw" else "field: reasoning_content"
    assert run.transcript.thinking_blocks[0].source == source


def test_the_raw_prompt_is_the_servers_own(open_window: Open, server: LlamaServer, qtbot: QtBot) -> None:
    window = open_window("openai-completions", "raw", 2)
    with qtbot.waitSignal(window.runs.finished, timeout=WAIT):
        window.session.run()
    assert window.runs.run is not None
    messages = [dict(each.data) for each in TALK.messages]
    theirs = server.post("/apply-template", {"messages": messages})["prompt"]
    assert window.runs.run.request.body["prompt"] == theirs == window.prompts.prompt.text


def test_the_answer_is_shown_and_stop_keeps_it(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("openai-chat", "chat", 1500)
    state = window.document.state
    window.document.change(
        replace(state, params={**state.params, "ignore_eos": True}), ["params"], "test", "Go on for ever"
    )
    window.session.run()
    run = window.runs.run
    assert run is not None
    qtbot.waitUntil(lambda: bool(run.transcript.answer), timeout=WAIT)
    with qtbot.waitSignal(window.runs.finished, timeout=WAIT):
        window.session.stop()
    assert run.state == "stopped"
    pane = window.layout_.panes["answer"]
    assert isinstance(pane, AnswerPane)
    assert pane.text.text == run.transcript.answer


def test_the_models_are_listed(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("openai-chat", "chat", 2)
    with qtbot.waitSignal(window.endpoints.lists.found, timeout=WAIT):
        window.layout_.top.models_asked.emit()
    assert MODEL_NAME in [window.layout_.top.model.itemText(row) for row in range(window.layout_.top.model.count())]


def test_the_servers_own_template_is_taken_when_a_person_names_it(
    open_window: Open, server: LlamaServer, qtbot: QtBot
) -> None:
    window = open_window("openai-completions", "raw", 2)
    before = window.prompts.prompt.text
    window.choices.use_template(server.url)
    qtbot.waitUntil(lambda: window.prompts.prompt.is_current and window.prompts.template.id == server.url, timeout=WAIT)
    assert window.prompts.prompt.text == before
    assert "from the server's /props" in window.layout_.source.facts.whole
