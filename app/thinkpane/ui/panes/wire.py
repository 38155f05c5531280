"""What went over the wire: the request with its headers masked, and every event with its time and size, as raw text."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QStackedLayout, QToolButton, QVBoxLayout, QWidget

from thinkpane.formats import strict_json
from thinkpane.streaming.transcript import Transcript
from thinkpane.ui.context import Context
from thinkpane.ui.panes._api import Area
from thinkpane.ui.widgets.find_bar import FindBar
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.plain_tip import plain_tip
from thinkpane.ui.widgets.text_marks import Mark
from thinkpane.ui.widgets.text_view import TextView, put_on_clipboard

if TYPE_CHECKING:
    from thinkpane.runs.run import Run
    from thinkpane.runs.wire import WireEntry

_EMPTY = "The request and every event of the reply appear here, byte for byte, when you press Run (Ctrl+Enter)."
_ROLES = {"request": "user", "response": "system", "error": "tool"}


class WirePane(QWidget):
    """The wire of the latest run."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("kind", "pane")
        self._run: Run | None = None
        self._shown = 0
        self.view = TextView("Wire")
        self.view.set_follow(True)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter: only what holds this text")
        self.filter.setAccessibleName("Filter the wire")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._on_filter_text_changed)
        self.totals = plain_label("", "dim")
        self.totals.setWordWrap(True)
        self.totals.setContentsMargins(8, 4, 8, 6)
        self.empty = plain_label(_EMPTY, "dim")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(32, 32, 32, 32)
        self._lay_out()
        context.runs.started.connect(self._on_runs_started)
        context.runs.events.connect(self._on_runs_events)
        context.runs.finished.connect(self._show)
        if context.runs.run is not None:
            self._on_runs_started(context.runs.run)

    def copy(self) -> None:
        """Puts what is shown on the clipboard."""
        put_on_clipboard(self.view.text)

    def save(self, path: Path) -> None:
        """Writes the whole wire, whatever the filter, to a file; says so where that fails."""
        text = "".join(entry_text(entry) for entry in self._entries())
        try:
            path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="")
        except OSError as fault:
            self.totals.setText(f"Not saved: {fault.strerror or fault} ({path}).")

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(8, 4, 8, 0)
        row.setSpacing(4)
        row.addWidget(self.filter, 1)
        for text, words, act in (
            ("Copy", "Copy what is shown", self.copy),
            ("Save…", "Save the whole wire as text", self._on_save_clicked),
        ):
            button = QToolButton()
            button.setText(text)
            button.setProperty("kind", "flat")
            button.setToolTip(plain_tip(words))
            button.setAccessibleName(words)
            button.clicked.connect(act)
            row.addWidget(button)
        self._stack = QStackedLayout()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        column.addLayout(self._stack, 1)
        column.addWidget(FindBar(self.view, self))
        column.addWidget(self.totals)

    def _entries(self) -> "list[WireEntry]":
        return self._run.wire if self._run is not None else []

    def _on_runs_started(self, run: "Run") -> None:
        self._run = run
        self._show_anew()

    def _on_runs_events(self, run: "Run", _events: list[object]) -> None:
        self._show(run)

    def _on_filter_text_changed(self) -> None:
        self._show_anew()

    def _on_save_clicked(self) -> None:
        name, _kind = QFileDialog.getSaveFileName(self, "Save the wire", "wire.txt", "Text (*.txt);;All files (*)")
        if name:
            self.save(Path(name))

    def _show_anew(self) -> None:
        self._shown = 0
        self.view.set_text("")
        if self._run is not None:
            self._show(self._run)

    def _show(self, run: "Run") -> None:
        words = self.filter.text().casefold()
        text, marks = laid_out(run.wire[self._shown :], words, len(self.view.text))
        self._shown = len(run.wire)
        self.view.append(text, marks)
        self._stack.setCurrentWidget(self.view if run.wire else self.empty)
        self.totals.setText(totals(run.wire, run.transcript))


class _WirePane:
    id = "wire"
    title = "Wire"
    area: Area = "output"
    order = 40

    def build(self, context: Context) -> QWidget:
        return WirePane(context)


PANE = _WirePane()


def laid_out(entries: "Iterable[WireEntry]", words: str, at: int) -> tuple[str, list[Mark]]:
    """The entries that hold `words` (casefolded; "" = all) as text, a mark on each head. at: where it will stand."""
    parts: list[str] = []
    marks: list[Mark] = []
    for entry in entries:
        text = entry_text(entry)
        if words and words not in text.casefold():
            continue
        marks.append(Mark(at, at + text.index("\n"), "token", _ROLES.get(entry.kind, "assistant")))
        parts.append(text)
        at += len(text)
    return "".join(parts), marks


def entry_text(entry: "WireEntry") -> str:
    """One entry: a head with its time, kind and size in bytes, and its data as it was, on lines of its own."""
    size = len(entry.data.encode("utf-8", "surrogatepass"))
    end = "\n" if entry.data.endswith("\n") else "\n\n"
    return f"{entry.ms:,.0f} ms · {entry.kind} · {size:,} B\n{entry.data}{end}"


def totals(entries: "list[WireEntry]", transcript: Transcript) -> str:
    """How much came, in how long, how it ended, and what the server counted."""
    if not entries:
        return ""
    found = [f"{len(entries):,} entries", f"{entries[-1].ms / 1000:.2f} s"]
    if transcript.finish:
        found.append(f"finish: {transcript.finish}")
    if transcript.usage is not None:
        found.append(f"usage: {strict_json.dump(transcript.usage, indent=None)}")
    return " · ".join(found)
