"""What grows is shown at once where it costs little, and once for much where it costs more."""

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from thinkpane.ui import pace
from thinkpane.ui.pace import Pace


def test_what_is_asked_during_a_pause_is_shown_once_after_it(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 1.0, 1.5])
    shown: list[int] = []
    parent = QObject()
    found = Pace(lambda: shown.append(1), parent)
    monkeypatch.setattr(pace, "perf_counter", lambda: next(times))
    found.ask()
    assert len(shown) == 1
    found.ask()
    found.ask()
    assert len(shown) == 1, "the first one took half a second"
    qtbot.waitUntil(lambda: len(shown) == 2)


def test_it_can_be_shown_at_once(qtbot: QtBot) -> None:
    shown: list[int] = []
    parent = QObject()
    found = Pace(lambda: shown.append(1), parent)
    for _ in range(3):
        found.now()
    assert len(shown) == 3
