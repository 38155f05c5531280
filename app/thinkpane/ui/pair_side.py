"""One side of a pair: a reply with its name, its state and its figures, its cards or its wire, and its own buttons."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from thinkpane.ui.context import Context
from thinkpane.ui.models.reply_state import short_word, state_of
from thinkpane.ui.panes.answer import AnswerPane
from thinkpane.ui.panes.calls import CallsPane
from thinkpane.ui.panes.thinking import ThinkingPane
from thinkpane.ui.panes.wire import WirePane
from thinkpane.ui.widgets.badge import Badge
from thinkpane.ui.widgets.elided_label import ElidedLabel
from thinkpane.ui.widgets.flat_button import flat_button
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.output_column import OutputColumn
from thinkpane.ui.widgets.plain_tip import plain_tip

if TYPE_CHECKING:
    from thinkpane.runs.run import Run


_ONE_ROW = 84
"""Digits of the interface's font from which the figures, and what the name means, stand in the row of the name."""


class PairSide(QWidget):
    """The reply on one path. panes, column: as in the window's own output.

    Signals:
        stop_pressed(): this reply is to end.
        take_pressed(): this reply is to become the window's last one.
    """

    stop_pressed = Signal()
    take_pressed = Signal()

    def __init__(self, title: str, hint: str, context: Context) -> None:
        """title: its name, "Chat"; hint: what that means; context: its `runs` are this side's alone."""
        super().__init__()
        self.setProperty("kind", "pane")
        self.setAccessibleName(f"{title}: {hint}")
        self.title = title
        answer, wire = AnswerPane(context), WirePane(context)
        self.panes: Mapping[str, QWidget] = {
            "thinking": ThinkingPane(context, editable=False),
            "answer": answer,
            "calls": CallsPane(context, takes_results=False),
            "wire": wire,
        }
        self.column = OutputColumn([self.panes[id] for id in ("thinking", "answer", "calls")])
        self.column.setAccessibleName(f"{title} reply")
        self._stack = QStackedWidget()
        self._stack.addWidget(self.column)
        self._stack.addWidget(wire)
        self.state = Badge()
        self.stop = flat_button("■ Stop", f"Stop the {title.lower()} reply alone and keep what came")
        self.stop.clicked.connect(self.stop_pressed)
        self.wire = flat_button("Wire", f"The {title.lower()} request and every event of its reply")
        self.wire.setCheckable(True)
        self.wire.toggled.connect(lambda on: self._stack.setCurrentIndex(int(on)))
        self.take = flat_button(
            "Use this", f"Show the {title.lower()} reply as the window's output, where it can be appended and edited"
        )
        self.take.clicked.connect(self.take_pressed)
        self._figures = answer.figures
        self._answer = answer
        self._lay_out(title, hint)
        self.show_run(None, live=False)
        for signal in (context.runs.events, context.runs.finished, context.runs.reread):
            signal.connect(lambda run, *_: self.show_state(run))

    def show_run(self, run: "Run | None", *, live: bool) -> None:
        """Which buttons there are, as the reply stands. live: one of the two replies is still coming."""
        self.stop.setVisible(run is not None and not run.is_over)
        self.take.setVisible(run is not None and run.is_over)
        self.take.setEnabled(not live)
        self.column.set_live(run is not None and not run.is_over)
        if run is not None:
            self.show_state(run)

    def set_in_characters(self, on: bool) -> None:
        """Whether its speed is told in characters, as for AnswerPane."""
        self._answer.set_in_characters(on)

    def show_reply(self) -> None:
        """Brings the reply to the front, where its wire is."""
        self.wire.setChecked(False)

    def show_state(self, run: "Run") -> None:
        """How the reply stands, beside its name."""
        state = state_of(run.transcript, over=run.is_over)
        word = short_word(state)
        if self.state.text() != word:
            self.state.say(word, state.tone)

    def _lay_out(self, title: str, hint: str) -> None:
        name = plain_label(title, "card-title")
        about = self._about = ElidedLabel("dim")
        about.set_whole(hint)
        about.setToolTip(plain_tip(hint))
        name.setToolTip(plain_tip(hint))
        head = self._head = QHBoxLayout()
        head.setContentsMargins(12, 4, 8, 2)
        head.setSpacing(6)
        self._low = QHBoxLayout()
        self._low.setContentsMargins(12, 0, 8, 2)
        head.addWidget(name)
        head.addWidget(self.state)
        head.addStretch(1)
        for each in (self.stop, self.take, self.wire):
            head.addWidget(each)
        self._low.addWidget(about, 1)
        self._low.addWidget(self._figures)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(self._low)
        column.addWidget(self._stack, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The figures go below the name where they would push the buttons out, and what the name means with them."""
        super().resizeEvent(event)
        wide = self.width() >= _ONE_ROW * self.fontMetrics().horizontalAdvance("0")
        if wide != (self._head.indexOf(self._figures) >= 0):
            if wide:
                self._head.insertWidget(2, self._about, 1)
                self._head.insertWidget(self._head.indexOf(self.stop), self._figures)
            else:
                self._low.addWidget(self._about, 1)
                self._low.addWidget(self._figures)
