"""Lost objects are looked for in the window's thread, when nobody waits."""

import gc
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from thinkpane.ui import collecting
from thinkpane.ui.bridge import RunFeed
from thinkpane.ui.collecting import Collecting
from thinkpane.workspace.document import Document
from thinkpane.workspace.state import DocumentState


@pytest.fixture
def enabled() -> Iterator[None]:
    """The collector as Python has it, whatever these tests leave."""
    before = gc.isenabled()
    gc.enable()
    yield
    (gc.enable if before else gc.disable)()


@pytest.mark.usefixtures("enabled")
def test_all_objects_are_looked_through_when_nobody_edits(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[tuple[object, ...]] = []
    document, parent = Document(), QObject()
    Collecting(document, RunFeed(), parent, rest=20)
    assert not gc.isenabled()
    monkeypatch.setattr(gc, "collect", lambda *generation: looked.append(generation))
    document.change(replace(document.state, template="other"), ["template"], "test", "choose")
    assert () not in looked
    qtbot.waitUntil(lambda: () in looked)
    with qtbot.waitSignal(parent.destroyed):
        parent.deleteLater()
    assert gc.isenabled()
    document.undo()  # nobody listens any more


class _Lost:
    """In a circle with itself."""

    ended: list[int]

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        _Lost.ended.append(threading.get_ident())


@pytest.mark.usefixtures("enabled")
def test_what_other_threads_lose_ends_in_the_windows(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "YOUNG", 1)
    monkeypatch.setattr(_Lost, "ended", [], raising=False)
    parent = QObject()
    Collecting(Document(), RunFeed(), parent)

    def lose() -> None:
        for _ in range(20_000):
            _Lost()

    thread = threading.Thread(target=lose)
    thread.start()
    thread.join()
    assert set(_Lost.ended) <= {threading.get_ident()}
    qtbot.waitUntil(lambda: len(_Lost.ended) == 20_000)
    assert set(_Lost.ended) == {threading.get_ident()}
    parent.deleteLater()
    qtbot.waitUntil(gc.isenabled)


@pytest.mark.usefixtures("enabled")
def test_all_objects_are_looked_through_once_for_each_document(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    document, parent = Document(), QObject()
    for name in ("collect", "freeze", "unfreeze"):
        monkeypatch.setattr(gc, name, lambda *_generation, name=name: done.append(name))
    Collecting(document, RunFeed(), parent, rest=10)
    document.change(replace(document.state, template="other"), ["template"], "test", "choose")
    qtbot.waitUntil(lambda: done == ["unfreeze", "collect", "freeze"])
    document.undo()
    qtbot.waitUntil(lambda: done[3:] == ["collect", "freeze"])
    document.new(DocumentState())
    qtbot.waitUntil(lambda: done[5:] == ["unfreeze", "collect", "freeze"])
    with qtbot.waitSignal(parent.destroyed):
        parent.deleteLater()
    assert done[8:] == ["unfreeze"]
