"""Faults of Qt bindings that would end the process: the pinned version must not have them (docs/architecture.md)."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

EMITS = 5_000
TEXTS = 10_000


class Speaker(QObject):
    """Something that tells a bool.

    Signals:
        told(bool): whatever it was given.
    """

    told = Signal(bool)


def test_five_thousand_emits_of_true_lose_no_reference(qapp: object) -> None:
    heard: list[bool] = []
    speaker = Speaker()
    speaker.told.connect(heard.append)
    for _ in range(EMITS):
        speaker.told.emit(True)
    assert heard == [True] * EMITS


def test_ten_thousand_texts_reach_the_label(qtbot: QtBot) -> None:
    label = QLabel()
    qtbot.addWidget(label)
    for number in range(TEXTS):
        label.setText(f"text {number}")
        assert label.text() == f"text {number}"
