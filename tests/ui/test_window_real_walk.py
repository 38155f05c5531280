"""The window used as a person uses it, against a real llama.cpp server, from the endpoint's dialog to the saved file.

The model is tiny, so its words are never asserted; what the window says of them is.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QPushButton, QWidget
from pytestqt.exceptions import TimeoutError
from pytestqt.qtbot import QtBot

from support.llama_server import MISSING, MODEL_NAME, PATIENCE, LlamaServer, model_file
from support.services import PatientServices
from support.think_template import TURNS
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.endpoints.profile import Endpoint
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.runs.run import Run
from thinkpane.ui.dialogs.endpoint import EndpointDialog
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.answer import AnswerPane
from thinkpane.ui.panes.controls import ControlsPane
from thinkpane.ui.panes.thinking import ThinkingPane
from thinkpane.ui.panes.wire import WirePane
from thinkpane.ui.run_both import PATHS
from thinkpane.ui.widgets.segmented import Segmented
from thinkpane.workspace.state import DocumentState

pytestmark = [pytest.mark.real_server, pytest.mark.skipif(model_file() is None, reason=MISSING)]

TEMPLATE = f"""{TURNS}\
{{% if enable_thinking is defined and not enable_thinking %}}<think>

</think>

{{% else %}}<think>
{{% endif %}}
{{%- endif -%}}
"""
WAIT = int(PATIENCE * 1000)
TALK = Conversation(messages=(message("user", "Write a short story about a lighthouse."),))
SAMPLING: JsonObject = {"max_tokens": 20, "temperature": 0.0, "seed": 1}
FIGURES = re.compile(r"first token \d+\.\d\d s · \d+ tok/s")

_Pane = TypeVar("_Pane", bound=QWidget)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("template") / "think.jinja"
    file.write_text(TEMPLATE, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def server(template: Path) -> Iterator[LlamaServer]:
    with LlamaServer(template) as found:
        yield found


@dataclass
class Person:
    """What a person does in the window, with keys and the mouse."""

    window: MainWindow
    bot: QtBot

    def press(self, widget: QWidget, text: str) -> None:
        """Clicks the button with that text."""
        button = next(each for each in widget.findChildren(QPushButton) if each.text() == text)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def pane(self, id: str, kind: type[_Pane]) -> _Pane:
        """A pane of the window."""
        found = self.window.layout_.panes[id]
        assert isinstance(found, kind)
        return found

    def choose_path(self, text: str) -> None:
        """Presses one of the two buttons of the path."""
        self.press(self.window.layout_.top.path, text)

    def key(self, key: Qt.Key, *, shift: bool = False) -> None:
        """Presses Ctrl and that key. Keys of the menus are the active window's alone."""
        self.window.activateWindow()
        self.bot.waitUntil(self.window.isActiveWindow, timeout=WAIT)
        held = Qt.KeyboardModifier.ControlModifier
        QTest.keyClick(self.window, key, held | Qt.KeyboardModifier.ShiftModifier if shift else held)

    def run(self) -> Run:
        """Presses Run and waits for the end of the reply."""
        self.bot.waitUntil(lambda: self.window.prompts.prompt.is_current, timeout=WAIT)
        with self.bot.waitSignal(self.window.runs.finished, timeout=WAIT):
            QTest.mouseClick(self.window.layout_.top.run, Qt.MouseButton.LeftButton)
        run = self.window.runs.run
        assert run is not None
        assert run.problem is None
        return run

    def set_sampling(self, **more: JsonValue) -> None:
        """Sampling parameters, as the pane sets them."""
        document = self.window.document
        document.change(replace(document.state, params={**SAMPLING, **more}), ["params"], "test", "Set sampling")


@pytest.fixture
def person(
    template: Path, services: PatientServices, make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot
) -> Person:
    services.settings.set("limits.idle_seconds", PATIENCE)
    state = DocumentState(template=str(template), conversation=TALK, params=dict(SAMPLING), path="chat")
    return Person(make_window(state), qtbot)


def add_endpoint(person: Person, url: str) -> list[str]:
    """Fills the endpoint's dialog with the keyboard, tests the connection, probes, and keeps it; what it said."""
    said: list[str] = []
    faults: list[Exception] = []

    def use(dialog: EndpointDialog) -> None:
        QTest.keyClicks(dialog.name, "here")
        QTest.keyClicks(dialog.url, url)
        QTest.mouseClick(dialog.test, Qt.MouseButton.LeftButton)
        person.bot.waitUntil(dialog.test.isEnabled, timeout=WAIT)
        said.append(dialog.said.text())
        dialog.tabs.setCurrentWidget(dialog.variant_page)
        QTest.mouseClick(dialog.variant_page.probe, Qt.MouseButton.LeftButton)
        person.bot.waitUntil(lambda: dialog.said.text().startswith("Probed"), timeout=WAIT)
        said.append(dialog.said.text())
        box = dialog.findChild(QDialogButtonBox)
        assert isinstance(box, QDialogButtonBox)
        QTest.mouseClick(box.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)

    def drive() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, EndpointDialog):
            QTimer.singleShot(20, drive)
            return
        try:
            use(dialog)
        except (AssertionError, TimeoutError) as fault:
            faults.append(fault)
            dialog.reject()

    QTimer.singleShot(0, drive)
    person.window.actions_["add_endpoint"].trigger()
    if faults:
        raise faults[0]
    return said


def use_endpoint(person: Person, services: PatientServices, server: LlamaServer) -> None:
    """The endpoint as the dialog would keep it."""
    services.endpoints.put(Endpoint("here", "openai-chat", server.url, MODEL_NAME, variant="llamacpp"))
    document = person.window.document
    document.change(replace(document.state, endpoint="here"), ["endpoint"], "test", "Choose endpoint")


def test_an_endpoint_is_typed_tested_probed_and_used(person: Person, server: LlamaServer) -> None:
    tested, probed = add_endpoint(person, server.url)
    assert "llama.cpp" in tested
    assert f"1 model: {MODEL_NAME}" in tested
    assert probed.startswith("Probed: ")
    assert person.window.document.state.endpoint == "here"
    by_chat(person)


def test_one_prompt_by_both_paths_and_without_thinking(
    person: Person, services: PatientServices, server: LlamaServer
) -> None:
    use_endpoint(person, services, server)
    chat, raw = by_chat(person), by_raw_prompt(person, server)
    assert raw.transcript.usage is not None
    assert chat.transcript.usage is not None
    assert raw.transcript.usage["prompt_tokens"] == chat.transcript.usage["prompt_tokens"]
    parity(person)
    without_thinking(person)


def test_a_reply_is_read_anew_stopped_and_the_document_saved(
    person: Person,
    services: PatientServices,
    server: LlamaServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_endpoint(person, services, server)
    person.choose_path("Raw prompt")
    read_another_way(person, person.run())
    stopped(person)
    saved_and_opened(person, tmp_path, monkeypatch)


def by_chat(person: Person) -> Run:
    """Thinking comes in a field of its own, and the figures are told."""
    person.set_sampling(reasoning_budget_tokens=8)
    person.choose_path("Chat API")
    run = person.run()
    thinking = person.pane("thinking", ThinkingPane)
    assert thinking.cards[0].badge("source") == "field: reasoning_content"
    assert FIGURES.fullmatch(person.pane("answer", AnswerPane).figures.text())
    person.window.layout_.output.show_pane("wire")
    wire = person.pane("wire", WirePane)
    assert "/v1/chat/completions" in wire.view.text
    for words in ("first byte", "usage: ", "server timings: ", "finish: "):
        assert words in wire.totals.text(), words
    person.set_sampling()
    return run


def by_raw_prompt(person: Person, server: LlamaServer) -> Run:
    """What is shown is sent, and it is what the server itself makes of the messages."""
    person.choose_path("Raw prompt")
    run = person.run()
    theirs = server.post("/apply-template", {"messages": [dict(each.data) for each in TALK.messages]})["prompt"]
    assert run.request.body["prompt"] == person.window.prompts.prompt.text == theirs
    assert person.pane("thinking", ThinkingPane).cards[0].badge("source") == "opened by the prompt"
    return run


def parity(person: Person) -> None:
    """The badge beside Run."""
    badge = person.window.layout_.top.parity
    with person.bot.waitSignal(person.window.parity.found, timeout=WAIT):
        QTest.mouseClick(badge, Qt.MouseButton.LeftButton)
    assert (badge.text(), badge.property("tone")) == ("= server", "good")


def without_thinking(person: Person) -> None:
    """The control changes the prompt, and the server's chat path does the same."""
    controls = person.pane("controls", ControlsPane)
    person.bot.waitUntil(lambda: "enable_thinking" in controls.rows, timeout=WAIT)
    person.press(controls.rows["enable_thinking"], "off")
    person.bot.waitUntil(lambda: "<think>\n\n</think>" in person.window.prompts.prompt.text, timeout=WAIT)
    person.choose_path("Chat API")
    run = person.run()
    assert run.request.body["chat_template_kwargs"] == {"enable_thinking": False}
    assert not run.transcript.thinking.strip()
    assert run.transcript.answer
    person.press(controls.rows["enable_thinking"], "–")
    person.bot.waitUntil(lambda: "enable_thinking" not in person.window.document.state.variables, timeout=WAIT)


def read_another_way(person: Person, run: Run) -> None:
    """The same bytes without think tags are all answer; “As it came” brings back what came."""
    person.key(Qt.Key.Key_R, shift=True)
    panel = person.pane("answer", AnswerPane).panel
    assert panel.isVisible()
    came = run.transcript.thinking
    opened = panel.opened
    opened.click()
    person.bot.waitUntil(lambda: run.reading is not None, timeout=WAIT)
    assert came in run.transcript.answer
    panel.back.click()
    assert run.reading is None
    assert run.transcript.thinking == came


def stopped(person: Person) -> None:
    """Esc in the middle keeps what came."""
    person.set_sampling(max_tokens=2000, ignore_eos=True)
    person.choose_path("Chat API")
    window = person.window
    person.key(Qt.Key.Key_Return)
    run = window.runs.run
    assert run is not None
    person.bot.waitUntil(lambda: bool(run.transcript.blocks), timeout=WAIT)
    assert window.layout_.top.run.accessibleName() == "Stop"
    with person.bot.waitSignal(window.runs.finished, timeout=WAIT):
        QTest.keyClick(window, Qt.Key.Key_Escape)
    assert run.state == "stopped"
    assert run.transcript.blocks
    person.set_sampling()


def saved_and_opened(person: Person, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The document goes to a file and comes back as it was."""
    file = folder / "day.thinkpane.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    window = person.window
    window.actions_["save"].trigger()
    before = window.document.state
    assert window.windowTitle().startswith("day")
    window.actions_["new"].trigger()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    window.actions_["open"].trigger()
    after = window.document.state
    assert (after.endpoint, after.path, after.params) == (before.endpoint, before.path, before.params)
    assert [each.data for each in after.conversation.messages] == [each.data for each in before.conversation.messages]


def test_both_paths_beside_each_other(person: Person, server: LlamaServer, services: PatientServices) -> None:
    use_endpoint(person, services, server)
    window = person.window
    person.key(Qt.Key.Key_Return, shift=True)
    both = window.session.both
    assert both.is_live
    person.bot.waitUntil(
        lambda: not both.is_live and both.found is not None and both.found.parity is not None, timeout=WAIT
    )
    panel, sides = window.session_view.pair.panel, window.session_view.pair.sides
    assert panel is not None
    assert panel.parity.text() == "prompts: same"
    assert panel.verdict.text() in ("replies agree", "replies differ")
    assert "by chance" not in panel.reason.text(), "temperature 0 is sent"
    counts = [run.transcript.usage or {} for path in PATHS if (run := both.run(path)) is not None]
    assert counts[0]["prompt_tokens"] == counts[1]["prompt_tokens"]
    for side in sides.values():
        answer = side.panes["answer"]
        assert isinstance(answer, AnswerPane)
        assert FIGURES.fullmatch(answer.figures.text())
        assert isinstance(side.panes["wire"], WirePane)
    assert isinstance(window.layout_.top.path, Segmented)
    assert window.runs.run is None, "the window's own reply is another matter"
