"""The collector is put off once and put back to what it was."""

import gc
from dataclasses import replace

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from thinkpane.ui.collecting import Collecting, RestCollecting
from thinkpane.workspace.document import Document


def test_it_is_put_back_to_what_it_was() -> None:
    usual = gc.get_threshold()
    collecting = Collecting()
    collecting.resume()
    assert gc.get_threshold() == usual
    try:
        collecting.put_off()
        collecting.put_off()
        assert gc.get_threshold() != usual
    finally:
        collecting.resume()
    assert gc.get_threshold() == usual
    assert gc.isenabled()


def test_old_objects_are_looked_through_when_nobody_edits(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = gc.get_threshold()
    looked: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: looked.append(1))
    document, parent = Document(), QObject()
    RestCollecting(document, parent, rest=20)
    assert gc.get_threshold() != usual
    document.change(replace(document.state, template="other"), ["template"], "test", "choose")
    assert not looked
    qtbot.waitUntil(lambda: looked == [1])
    with qtbot.waitSignal(parent.destroyed):
        parent.deleteLater()
    assert gc.get_threshold() == usual
    document.undo()  # nobody listens any more
