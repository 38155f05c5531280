"""What went over the wire: the request with its headers masked, and every event with time, size and bytes."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFileDialog, QLineEdit, QStackedLayout, QVBoxLayout, QWidget

from thinkpane.ui.context import Context
from thinkpane.ui.models.wire_text import NARROW, WIDE, Form, WireWriter, totals
from thinkpane.ui.panes._api import Area
from thinkpane.ui.widgets.find_bar import FindBar
from thinkpane.ui.widgets.flat_button import flat_button
from thinkpane.ui.widgets.folding_row import FoldingRow
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.segmented import Segmented
from thinkpane.ui.widgets.text_view import TextView, put_on_clipboard

if TYPE_CHECKING:
    from thinkpane.runs.run import Run
    from thinkpane.runs.wire import WireEntry

_EMPTY = "The request and every event of the reply appear here, byte for byte, when you press Run (Ctrl+Enter)."
_FILES = "Text (*.txt);;The reply's bytes (*.bin);;All files (*)"
_PAUSE_MS = 200
_AT_ONCE = 256 * 1024
"""Bytes of a wire that is filtered at every letter; a larger one waits for a pause in typing."""

_WIDE_COLUMNS = 80


class WirePane(QWidget):
    """The wire of the latest run. While it is not to be seen, nothing of it is laid out."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("kind", "pane")
        self._run: Run | None = None
        self._shown = 0
        self._writer = WireWriter()
        self.view = TextView("Wire")
        self.view.set_follow(True)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter: only what holds this text")
        self.filter.setAccessibleName("Filter the wire")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._on_filter_text_changed)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._show_anew)
        self.form = Segmented("Bytes of the events", [("Text", "text"), ("Hex", "hex")])
        self.form.set_value("text")
        self.form.set_hint("Events as text, or their bytes in hexadecimal")
        self.form.chosen.connect(self._show_anew)
        self.totals = plain_label("", "dim")
        self.totals.setWordWrap(True)
        self.totals.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.totals.setContentsMargins(8, 4, 8, 6)
        self.empty = plain_label(_EMPTY, "dim")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(32, 32, 32, 32)
        self._lay_out()
        context.runs.started.connect(self._on_runs_started)
        context.runs.events.connect(self._on_runs_events)
        context.runs.finished.connect(self._show)
        context.runs.reread.connect(self._show)
        if context.runs.run is not None:
            self._on_runs_started(context.runs.run)

    def copy(self) -> None:
        """Puts what is shown on the clipboard."""
        put_on_clipboard(self.view.text)

    def save(self, path: Path) -> None:
        """Writes the whole wire, whatever the filter; says so where that fails. A .bin gets the reply's bytes alone."""
        if path.suffix == ".bin":
            data = b"".join(entry.raw for entry in self._entries() if entry.kind == "data")
        else:
            text, _marks = WireWriter(self._form).write(self._entries())
            data = text.encode("utf-8", "backslashreplace")
        try:
            path.write_bytes(data)
        except OSError as fault:
            self.totals.setText(f"Not saved: {fault.strerror or fault} ({path}).")

    def _lay_out(self) -> None:
        self.filter.setMinimumWidth(90)
        row = FoldingRow(gives_way=True)
        row.row.setContentsMargins(8, 4, 8, 0)
        row.add(self.filter)
        row.add(self.form, 1, self.form.fill)
        buttons: tuple[tuple[str, str, Callable[[], None]], ...] = (
            ("Copy", "Copy what is shown", self.copy),
            ("Save…", "Save the whole wire as text, or the reply's bytes", self._on_save_clicked),
        )
        for rank, (text, words, act) in enumerate(buttons):
            button = flat_button(text, words)
            button.clicked.connect(act)
            row.add(button, -rank)
        row.close_row()
        self._stack = QStackedLayout()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(row)
        column.addLayout(self._stack, 1)
        column.addWidget(FindBar(self.view, self))
        column.addWidget(self.totals)

    @property
    def _form(self) -> Form:
        return "hex" if self.form.value == "hex" else "text"

    def _entries(self) -> "list[WireEntry]":
        return self._run.wire if self._run is not None else []

    def _on_runs_started(self, run: "Run") -> None:
        self._run = run
        self._show_anew()

    def _on_runs_events(self, run: "Run", _events: list[object]) -> None:
        self._show(run)

    def _on_filter_text_changed(self) -> None:
        if sum(len(entry.raw) for entry in self._entries()) > _AT_ONCE:
            self._pause.start()
        else:
            self._show_anew()

    def _on_save_clicked(self) -> None:
        name, _kind = QFileDialog.getSaveFileName(self, "Save the wire", "wire.txt", _FILES)
        if name:
            self.save(Path(name))

    def _show_anew(self) -> None:
        self._pause.stop()
        self._shown = 0
        width = WIDE if self.view.width() > _WIDE_COLUMNS * self.view.rows.style.face.column else NARROW
        self._writer = WireWriter(self._form, self.filter.text().casefold(), width)
        self.view.set_text("")
        if self._run is not None:
            self._show(self._run)

    def _show(self, run: "Run") -> None:
        if not self.isVisible():
            return
        text, marks = self._writer.write(run.wire[self._shown :], len(self.view.text))
        self._shown = len(run.wire)
        self.view.append(text, marks)
        self._stack.setCurrentWidget(self.view if run.wire else self.empty)
        self.totals.setText(totals(self._writer, run.transcript, run.clock))

    def showEvent(self, event: QShowEvent) -> None:
        """Catches up with what came while it was out of sight."""
        super().showEvent(event)
        if self._run is not None:
            self._show(self._run)


class _WirePane:
    id = "wire"
    title = "Wire"
    area: Area = "output"
    order = 40

    def build(self, context: Context) -> QWidget:
        return WirePane(context)


PANE = _WirePane()
