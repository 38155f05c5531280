"""One engine for all windows of these tests, and windows that end with their test."""

import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from support.fake_runs import Runs
from support.output_panes import Output, shown_output
from support.patience import PATIENCE
from support.services import PatientServices
from support.windows import Answer
from thinkpane.engine.host import Engine
from thinkpane.ui.document_files import first_document
from thinkpane.ui.main_window import DEFAULT_SIZE, MainWindow
from thinkpane.workspace.state import DocumentState

SEARCHED_EVERY = 20
"""Tests between two searches through all objects: each takes a while, and windows are many objects."""


@pytest.fixture(scope="session")
def tests_done() -> Iterator[list[int]]:
    """Counts the tests of this folder. Lost objects are searched here alone: as in the program (ui/collecting.py), one
    that another thread finds would be destroyed there, with what Qt has open in it."""
    before = gc.isenabled()
    gc.disable()
    yield [0]
    if before:
        gc.enable()


@pytest.fixture(autouse=True)
def lost_objects_end_here(tests_done: list[int]) -> Iterator[None]:
    """Searches after each test, in the thread that runs Qt."""
    gc.disable()
    yield
    tests_done[0] += 1
    gc.collect(2 if tests_done[0] % SEARCHED_EVERY == 0 else 1)


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    found = Engine(deadline=PATIENCE)
    yield found
    found.close()


@pytest.fixture(autouse=True)
def nothing_in_the_way(qapp: QApplication) -> Iterator[None]:
    """A window that a test leaves open would lie over the next test's and take its mouse."""
    yield
    for left in qapp.topLevelWidgets():
        if left.isVisible():
            left.hide()


@pytest.fixture
def services(engine: Engine) -> Iterator[PatientServices]:
    found = PatientServices(engine)
    yield found
    found.close()


@pytest.fixture
def make_window(services: PatientServices, qtbot: QtBot) -> Iterator[Callable[[DocumentState], MainWindow]]:
    """Makes shown windows that hold a document and its first prompt."""
    with ExitStack() as ends:

        def make(state: DocumentState) -> MainWindow:
            window = MainWindow(services)
            # What is typed in one go is one step of undo, also where the machine takes a second between two keys.
            window.document._clock = lambda: 0.0
            # Neither qtbot.addWidget nor close(): they would ask about unsaved work.
            ends.callback(window.deleteLater)
            ends.callback(window.hide)
            ends.callback(window.close_down)
            window.document.new(state)
            # The offscreen platform's screen is smaller than the window would like to be.
            window.resize(*DEFAULT_SIZE)
            window.show()
            qtbot.waitUntil(lambda: window.prompts.prompt.serial > 0)
            return window

        yield make


@pytest.fixture
def window(make_window: Callable[[DocumentState], MainWindow]) -> MainWindow:
    """A window with the document of a new user."""
    return make_window(first_document())


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Answer]]:
    """What is answered to questions about unsaved work, in turn; all of it has to be asked for."""
    found: list[Answer] = []
    monkeypatch.setattr(QMessageBox, "question", lambda *_: found.pop(0))
    yield found
    assert not found


@pytest.fixture
def runs(qapp: object) -> Runs:
    """A feed of runs that is filled by hand."""
    return Runs()


@pytest.fixture
def output(runs: Runs, qtbot: QtBot) -> Output:
    """The output's panes of that feed, shown."""
    return shown_output(runs, qtbot)
