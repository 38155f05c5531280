"""What grows is shown at once where it costs little, and once for much where it costs more."""

import pytest
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from thinkpane.ui import pace
from thinkpane.ui.pace import LONGEST_MS, SHARE, Pace


class Desk(QObject):
    """A pace on a clock that goes on only where a test says so. cost: seconds that a showing takes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self.now = 100.0
        self.cost = 0.0
        self.shown = 0
        monkeypatch.setattr(pace, "perf_counter", lambda: self.now)
        self.pace = Pace(self.show, self)

    def show(self) -> None:
        self.shown += 1
        self.now += self.cost


@pytest.fixture
def desk(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(monkeypatch)


def test_what_is_asked_during_a_pause_is_shown_once_after_it(desk: Desk, qtbot: QtBot) -> None:
    desk.cost = 0.5
    desk.pace.ask()
    assert desk.shown == 1, "the first one never waits"
    desk.pace.ask()
    desk.pace.ask()
    assert desk.shown == 1, "the first one took half a second"
    qtbot.waitUntil(lambda: desk.shown == 2)


def test_the_pause_is_a_share_of_what_it_took_and_never_long(desk: Desk) -> None:
    desk.cost = 0.001
    desk.pace.ask()
    desk.now += 0.001 * (SHARE - 1)
    desk.pace.ask()
    assert desk.shown == 1
    desk.cost = 60.0
    desk.pace.now()
    desk.now += LONGEST_MS / 1000
    desk.pace._timer.stop()
    desk.pace.ask()
    assert desk.shown == 3


def test_what_painting_takes_counts(desk: Desk, qtbot: QtBot) -> None:
    desk.pace.ask()
    painted = QTimer(desk, singleShot=True, interval=0)
    painted.timeout.connect(lambda: None)
    painted.start()
    desk.now += 0.004
    with qtbot.waitSignal(painted.timeout):
        pass
    desk.now += 0.004 * (SHARE - 1)
    desk.pace.ask()
    assert desk.shown == 1
    desk.now += 0.005
    desk.pace._timer.stop()
    desk.pace.ask()
    assert desk.shown == 2


def test_the_first_of_something_else_does_not_wait(desk: Desk) -> None:
    desk.cost = 0.5
    desk.pace.ask()
    desk.pace.begin()
    desk.pace.ask()
    assert desk.shown == 2


def test_it_can_be_shown_at_once(desk: Desk) -> None:
    desk.cost = 0.5
    for _ in range(3):
        desk.pace.now()
    assert desk.shown == 3
