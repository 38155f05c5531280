"""The real window at a million tokens: what a keystroke costs its thread, and how long the thread is ever held up.

The share is processor time of that thread, so that other work on the machine does not count: from the key to the
painted prompt, and all that follows until tokens and owners are there. Each key comes when the window has told all of
the one before, effects and problems too, so that it is its own cost that is seen. The other side is what is allowed.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, thread_time

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from bench.corpus import conversation, tools
from bench.figures import Figure
from support import vocabularies
from support.services import PatientServices
from thinkpane.conversation.conversation import conversation_from_body
from thinkpane.engine.host import Engine
from thinkpane.templates.library import load
from thinkpane.ui.application import SPARE
from thinkpane.ui.collecting import Collecting
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.messages import MessagesPane
from thinkpane.ui.panes.prompt import PromptPane
from thinkpane.ui.widgets.message_card import MessageCard
from thinkpane.workspace.state import DocumentState

MESSAGES, CHARACTERS = 2_000, 1_750
VOCABULARY = "qwen2"
KEYS = 9
SHARE, GAP = 8.0, 33.0
"""Milliseconds: of the window's thread for one keystroke, and between two of its turns."""

LOOK = 50
"""Milliseconds between two looks whether the window is there: each costs its thread something, too."""

ALL = QEventLoop.ProcessEventsFlag.AllEvents
LONGEST = 60.0


def measure(application: QApplication) -> list[Figure]:
    """The share until the prompt is painted, the share of all that follows, and the longest gap."""
    engine = Engine(deadline=LONGEST, spare=SPARE)
    services = PatientServices(engine)
    with TemporaryDirectory() as folder:
        window = MainWindow(services)
        try:
            Collecting(window.document, window.runs, window)
            window.resize(1440, 900)
            window.show()
            window.document.new(_state(Path(folder)))
            return _measured(application, window)
        finally:
            window.close_down()
            services.close()
            engine.close()


def _state(folder: Path) -> DocumentState:
    """The conversation, and ChatML with a tokenizer beside it where there is one."""
    source = folder / "chat_template.jinja"
    source.write_text(load("chatml").source, encoding="utf-8")
    vocabulary = vocabularies.file_of(VOCABULARY)
    if vocabulary.exists():
        (folder / vocabulary.name).symlink_to(vocabulary)
    talk = conversation_from_body({"messages": conversation(MESSAGES, CHARACTERS), "tools": tools()})
    return replace(DocumentState(), conversation=talk, template=str(source))


def _measured(application: QApplication, window: MainWindow) -> list[Figure]:
    _wait(application, lambda: _is_settled(window))
    editor = _last_card(window).editor
    editor.setFocus()
    prompt = window.layout_.panes["prompt"]
    assert isinstance(prompt, PromptPane)
    prompt.view.scroll_to_end()  # the edit is in sight
    painted, settled, gaps = [], [], []
    for _ in range(KEYS):
        _wait(application, lambda: _is_settled(window))
        before, start = window.prompts.prompt.serial, thread_time()
        QTest.keyClicks(editor, "x")
        _wait_for_prompt(application, window, before)
        painted.append((thread_time() - start) * 1000)
        _wait(application, lambda: _is_counted(window))
        settled.append((thread_time() - start) * 1000)
    for _ in range(KEYS):
        _wait(application, lambda: _is_settled(window))
        gaps.append(_longest_gap(application, window, lambda: QTest.keyClicks(editor, "y")))
    size = f"{len(window.prompts.prompt.text) // 1000:,} kB"
    return [
        _held(f"keystroke in the window ({size}): its thread until the prompt is painted", painted, SHARE),
        Figure("the same with tokens and owners", median(settled), SHARE),
        _held("the same, longest gap between two turns of the thread", gaps, GAP),
    ]


def _held(name: str, found: list[float], most: float) -> Figure:
    return Figure(name, median(found), most, bound="at most", goal=1.0)


def _last_card(window: MainWindow) -> MessageCard:
    pane = window.layout_.panes["messages"]
    assert isinstance(pane, MessagesPane)
    pane.focus_message(MESSAGES - 1)
    card = pane.list.card(MESSAGES - 1)
    assert isinstance(card, MessageCard)
    return card


def _is_counted(window: MainWindow) -> bool:
    prompt = window.prompts.prompt
    told = prompt.owners is not None or bool(prompt.untraced)
    return prompt.serial > 0 and told and not window.tokens.busy


def _is_settled(window: MainWindow) -> bool:
    return window.effects.is_settled and window.problems.is_settled and _is_counted(window)


def _wait(application: QApplication, until: Callable[[], bool]) -> None:
    """Lets the window work; it is asked rarely, so that asking costs its thread next to nothing."""
    loop, look, end = QEventLoop(), QTimer(), perf_counter() + LONGEST
    look.setInterval(LOOK)
    look.timeout.connect(lambda: loop.quit() if until() or perf_counter() > end else None)
    look.start()
    loop.exec()
    assert until(), "the window did not get there"
    application.processEvents(ALL, 1)


def _wait_for_prompt(application: QApplication, window: MainWindow, before: int) -> None:
    """Lets the window work until a newer prompt is painted; nothing of this asks meanwhile."""
    loop = QEventLoop()
    window.prompts.changed.connect(loop.quit)
    QTimer.singleShot(round(LONGEST * 1000), loop, loop.quit)
    loop.exec()
    window.prompts.changed.disconnect(loop.quit)
    application.processEvents(ALL, 1)
    assert window.prompts.prompt.serial > before, "the window did not get there"


def _longest_gap(application: QApplication, window: MainWindow, act: Callable[[], None]) -> float:
    """Milliseconds between two turns of the thread, at most, from `act` until everything is there."""
    turns = [perf_counter()]
    timer = QTimer()
    timer.setInterval(1)
    timer.timeout.connect(lambda: turns.append(perf_counter()))
    timer.start()
    before = window.prompts.prompt.serial
    act()
    _wait(application, lambda: window.prompts.prompt.serial > before and _is_counted(window))
    timer.stop()
    return max((after - before) * 1000 for before, after in pairwise(turns))
