"""What a person chooses about the output: raw or rendered, grouped or in order of arrival, and how it is read."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.ui.context import Context
from thinkpane.ui.newest import Newest, let_it_end
from thinkpane.ui.output_order import OutputOrder
from thinkpane.ui.panes.answer import AnswerPane
from thinkpane.ui.panes.calls import CallsPane
from thinkpane.ui.panes.thinking import ThinkingPane

if TYPE_CHECKING:
    from thinkpane.runs.how import How
    from thinkpane.runs.rereading import Reading
    from thinkpane.runs.run import Run
    from thinkpane.ui.widgets.output_column import OutputColumn

PAUSE = 0.05


class OutputPlace(Protocol):
    """Where a reply is shown: the window's output, or one side of a pair."""

    @property
    def panes(self) -> Mapping[str, QWidget]:
        """The panes by their ids: thinking, answer and calls among them."""

    @property
    def column(self) -> "OutputColumn":
        """The column in which they stand."""

    def show_reply(self) -> None:
        """Brings the reply to the front, where its wire is."""


class OutputView(QObject):
    """Joins the settings of the output with its panes.

    Signals:
        failed(object): a Problem: a choice could not be kept.
        changed(): another choice is in force.
    """

    failed = Signal(object)
    changed = Signal()
    _found = Signal(object)

    def __init__(self, layout: OutputPlace, context: Context) -> None:
        super().__init__()
        self._context = context
        self._place = layout
        self._answer = layout.panes["answer"]
        self._column = layout.column
        self._newest = Newest("reread", self._read, self._found.emit, let_it_end, PAUSE)
        self._found.connect(self._on_newest_found, Qt.ConnectionType.QueuedConnection)
        thinking, calls = layout.panes["thinking"], layout.panes["calls"]
        self.order: OutputOrder | None = None
        if isinstance(self._answer, AnswerPane) and isinstance(thinking, ThinkingPane) and isinstance(calls, CallsPane):
            self._answer.raw_pressed.connect(self.toggle_raw)
            self._answer.reading_pressed.connect(self.toggle_reading)
            self._answer.panel.changed.connect(self._on_panel_changed)
            self._answer.panel.back_requested.connect(self._on_panel_back_requested)
            self.order = OutputOrder(layout.column, thinking, self._answer, calls, context)
        context.runs.started.connect(self._on_runs_started)
        context.runs.finished.connect(self._on_runs_finished)
        self._end_listening = context.settings.listen(self._on_setting_changed)
        self.destroyed.connect(self._end_listening)
        self._apply()

    @property
    def shows_raw(self) -> bool:
        """Whether answers are shown as the characters that came."""
        return not self._context.settings.get("output.markdown")

    @property
    def is_in_order(self) -> bool:
        """Whether thinking, answer and calls stand in the order in which they came."""
        return self._context.settings.text("output.order") == "arrival"

    @property
    def may_reread(self) -> bool:
        """Whether there is a reply whose bytes can be read another way."""
        run = self._context.runs.run
        return run is not None and run.is_over

    @property
    def shows_reading(self) -> bool:
        """Whether the settings of the reading are to be seen."""
        return isinstance(self._answer, AnswerPane) and not self._answer.panel.isHidden()

    def toggle_raw(self) -> None:
        """Shows the characters that came, or Markdown again."""
        self._set("output.markdown", self.shows_raw)

    def toggle_order(self) -> None:
        """Shows the output in order of arrival, or grouped again."""
        self._set("output.order", "grouped" if self.is_in_order else "arrival")

    def toggle_reading(self) -> None:
        """Shows the settings of the reading, or puts them away."""
        if isinstance(self._answer, AnswerPane):
            show = self._answer.panel.isHidden() and self.may_reread
            host = self._answer.panel.parentWidget()
            if show and host is not None:
                # It opens at the answer's top, which may be far above what is seen, or behind the wire.
                self._place.show_reply()
                self._column.show_card(host)
            self._answer.panel.setVisible(show)
            self._answer.read_as.setChecked(show)
            self._show_how()
            self.changed.emit()

    def close(self) -> None:
        """Ends the thread; nothing is told any more."""
        self._newest.close()

    def _set(self, name: str, value: str | bool) -> None:
        try:
            self._context.settings.set(name, value)
        except ThinkpaneError as error:
            self.failed.emit(error.problem)
        self._apply()

    def _apply(self) -> None:
        if isinstance(self._answer, AnswerPane):
            self._answer.set_raw(self.shows_raw)
        if self.order is not None:
            self.order.set_in_order(self.is_in_order)
        self.changed.emit()

    def _on_setting_changed(self, name: str) -> None:
        if name.startswith("output."):
            self._apply()

    def _on_runs_started(self, _run: "Run") -> None:
        self._newest.drop()
        if isinstance(self._answer, AnswerPane):
            self._answer.panel.hide()
            self._answer.read_as.setChecked(False)
        self.changed.emit()

    def _on_runs_finished(self, _run: "Run") -> None:
        self.changed.emit()

    def _show_how(self) -> None:
        run = self._context.runs.run
        if run is None or run.how is None or not isinstance(self._answer, AnswerPane):
            return
        from thinkpane.endpoints.dialects._registry import all_dialects

        panel = self._answer.panel
        panel.set_dialects([(each.title, each.name) for each in all_dialects()])
        how = run.how if run.reading is None else run.reading.how
        panel.show_options(how.options, how.dialect.name)
        panel.say("", other=run.reading is not None)

    def _on_panel_changed(self) -> None:
        run = self._context.runs.run
        if run is None or run.how is None or not isinstance(self._answer, AnswerPane):
            return
        from thinkpane.endpoints.dialects._registry import dialect_named

        panel = self._answer.panel
        try:
            how = replace(run.how, dialect=dialect_named(panel.dialect_name), options=panel.options())
        except ValueError as fault:
            panel.say(str(fault), other=run.reading is not None)
            return
        self._newest.ask((run, how))

    def _on_panel_back_requested(self) -> None:
        if self.may_reread:
            self._newest.drop()
            self._context.runs.show(None)
            self._show_how()

    def _read(self, question: "tuple[Run, How]", _ticket: object) -> "tuple[Run, Reading | Problem]":
        from thinkpane.runs.rereading import reread

        run, how = question
        try:
            return run, reread(run, how)
        except ThinkpaneError as error:
            return run, error.problem

    @Slot(object)
    def _on_newest_found(self, found: "tuple[Run, Reading | Problem]") -> None:
        run, reading = found
        if (
            not self._newest.is_newest(found)
            or run is not self._context.runs.run
            or not isinstance(self._answer, AnswerPane)
        ):
            return
        panel = self._answer.panel
        if isinstance(reading, Problem):
            panel.say(reading.message, other=run.reading is not None)
            return
        self._context.runs.show(reading)
        panel.say("The same bytes, read another way; Append reply takes what is shown.", other=True)
