"""The output's panes in one column, fed by hand."""

from dataclasses import dataclass
from typing import cast

from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from support.fake_runs import Runs, context_of
from thinkpane.ui.panes.answer import PANE as ANSWER
from thinkpane.ui.panes.answer import AnswerPane
from thinkpane.ui.panes.calls import PANE as CALLS
from thinkpane.ui.panes.calls import CallsPane
from thinkpane.ui.panes.thinking import PANE as THINKING
from thinkpane.ui.panes.thinking import ThinkingPane


@dataclass
class Output:
    """The panes in one column, as the window stacks them."""

    column: QWidget
    thinking: ThinkingPane
    answer: AnswerPane
    calls: CallsPane


def shown_output(runs: Runs, qtbot: QtBot) -> Output:
    """The panes of that feed, shown; the answer as it came."""
    column = QWidget()
    layout = QVBoxLayout(column)
    panes = [each.build(context_of(runs)) for each in (THINKING, ANSWER, CALLS)]
    for pane in panes:
        layout.addWidget(pane)
    layout.addStretch(1)
    qtbot.addWidget(column)
    column.resize(480, 900)
    column.show()
    thinking, answer, calls = panes
    cast("AnswerPane", answer).set_raw(True)
    return Output(column, cast("ThinkingPane", thinking), cast("AnswerPane", answer), cast("CallsPane", calls))
