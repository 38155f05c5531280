"""Exports the prompt, or what is selected of it, as a picture or pages: how it will look is seen before."""

from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path
from typing import cast

from PySide6.QtCore import QStandardPaths, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QImage, QPainter, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.ui import theme
from thinkpane.ui.excerpts.excerpt import Excerpt, Look
from thinkpane.ui.excerpts.kinds import KINDS, ExportKind
from thinkpane.ui.excerpts.lines import written
from thinkpane.ui.excerpts.pdf_pages import PdfPages
from thinkpane.ui.excerpts.pictures import png, svg
from thinkpane.ui.excerpts.sheet import Sheet
from thinkpane.ui.models.wire_text import counted
from thinkpane.ui.newest import Newest, let_it_end
from thinkpane.ui.widgets.calm_scroll_area import CalmScrollArea
from thinkpane.ui.widgets.combo import Combo
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.workspace.atomic_file import write_atomically
from thinkpane.workspace.exporters.excerpt_html import html_page

_PREVIEW_ROWS = 60
_WIDTHS = (480, 600, 760, 960, 1280, 1600)
_WIDTH = 760
_PAUSE_MS = 80
_READABLE = 0o644
"""A file to hand on: others may read it, as with every file that a person saves."""


class ExportDialog(QDialog):
    """Chooses kind and look, shows a preview, and writes the file. It closes when the file is written.

    Signals:
        exported(object): the Path of the file that was written.
    """

    exported = Signal(object)
    _page_made = Signal(object)

    def __init__(self, excerpt: Excerpt, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._excerpt = excerpt
        self._pages: tuple[PdfPages, Generator[int, None, None], Path] | None = None
        self._page: Newest[tuple[Look, Path], tuple[bytes, Path]] | None = None
        self.setWindowTitle("Export the prompt or what is selected")
        self.resize(1120, 700)
        self.ask_path: Callable[[ExportKind], Path | None] = self._asked_path
        """How a person chooses the file; None = not at all."""
        self.kind = Combo(editable=False)
        for each in KINDS:
            self.kind.addItem(f"{each.title} ({each.id.upper()})", each)
        self.scheme = Combo(editable=False)
        for words, value in (("Dark", theme.DARK), ("Light", theme.LIGHT)):
            self.scheme.addItem(words, value)
        self.scheme.setCurrentIndex(0 if theme.current().scheme == "dark" else 1)
        self.width_ = Combo(editable=False)
        for width in _WIDTHS:
            self.width_.addItem(f"{width:,} px", width)
        self.width_.setCurrentIndex(_WIDTHS.index(_WIDTH))
        has_tokens = excerpt.tokens is not None
        self.shaded = _check("Shade every token", on=has_tokens, enabled=has_tokens)
        self.ids = _check("Token ids below each line", on=False, enabled=has_tokens)
        self.gutter = _check("Line numbers and owners", on=True)
        self.title = _check("Template and counts above", on=True)
        self.invisible = _check("Invisible characters", on=False)
        self.preview = QLabel()
        self.preview.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.preview.setAccessibleName("Preview")
        self.facts = plain_label("", "dim")
        self.facts.setWordWrap(True)
        self.problem = plain_label("", "error")
        self.problem.setWordWrap(True)
        self.save = QPushButton("Export…")
        self.save.setProperty("kind", "primary")
        self.copy = QPushButton("Copy picture")
        self._box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self._later = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._step = QTimer(self, interval=0)
        self._lay_out()
        self._connect()
        self.refresh()

    @property
    def chosen(self) -> ExportKind:
        """The kind of file."""
        return cast("ExportKind", self.kind.currentData())

    @property
    def look(self) -> Look:
        """How it is to look."""
        return Look(
            theme=cast("theme.Theme", self.scheme.currentData()),
            width=cast("int", self.width_.currentData()),
            shaded=self.shaded.isChecked(),
            ids=self.ids.isChecked(),
            gutter=self.gutter.isChecked(),
            title=self.title.isChecked(),
            invisible=self.invisible.isChecked(),
        )

    def refresh(self) -> None:
        """Shows the preview as the choices are now."""
        self._later.stop()
        sheet = Sheet(self._excerpt, self.look)
        rows = sheet.count_rows(_PREVIEW_ROWS)
        picture = QPixmap(sheet.look.width, int(sheet.height(rows)))
        painter = QPainter(picture)
        sheet.paint(painter, sheet.first(), rows, picture.height())
        painter.end()
        self.preview.setPixmap(picture)
        self.preview.resize(picture.size())
        whole = rows < _PREVIEW_ROWS
        told = (
            counted(rows, "row", "rows")
            if whole
            else f"About {sheet.estimated_rows():,} rows; the preview shows {rows}"
        )
        self.facts.setText(f"{told} · {self._excerpt.facts}")
        self.preview.setAccessibleDescription(self.facts.text())
        refusal = self.chosen.refusal(len(self._excerpt.text))
        self._say(refusal)
        self.save.setEnabled(refusal is None)
        self.copy.setEnabled(KINDS[0].refusal(len(self._excerpt.text)) is None)

    def export(self) -> None:
        """Asks for a file and writes it."""
        kind = self.chosen
        path = self.ask_path(kind)
        if path is None:
            return
        look = self.look
        self._busy(f"Writing {path.name}…")
        if kind.id == "html":
            self._start_page(look, path)
            return
        sheet = Sheet(self._excerpt, look)
        if kind.id == "pdf":
            pages = PdfPages(sheet)
            self._pages = pages, pages.written(), path
            self._step.start()
            return
        try:
            self._write(path, png(sheet) if kind.id == "png" else svg(sheet))
        except ThinkpaneError as error:
            self._fail(error.problem)

    def copy_picture(self) -> None:
        """Puts the picture on the clipboard."""
        try:
            picture = QImage.fromData(png(Sheet(self._excerpt, self.look)))
        except ThinkpaneError as error:
            self._say(error.problem)
            return
        QGuiApplication.clipboard().setImage(picture)
        self.facts.setText(f"Copied a picture of {picture.width():,} × {picture.height():,} pixels")

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.DontWrapRows)
        form.setVerticalSpacing(8)
        for words, field in (("Kind", self.kind), ("Theme", self.scheme), ("Width", self.width_)):
            form.addRow(words, field)
        side = QVBoxLayout()
        side.setSpacing(8)
        side.addLayout(form)
        for check in (self.shaded, self.ids, self.gutter, self.title, self.invisible):
            side.addWidget(check)
        side.addWidget(self.facts)
        side.addWidget(self.problem)
        side.addStretch(1)
        narrow = QWidget()
        narrow.setFixedWidth(280)
        narrow.setLayout(side)
        side.setContentsMargins(0, 0, 12, 0)
        area = CalmScrollArea()
        area.setWidget(self.preview)
        area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        area.setAccessibleName("Preview")
        row = QHBoxLayout()
        row.addWidget(narrow)
        row.addWidget(area, 1)
        self._box.addButton(self.copy, QDialogButtonBox.ButtonRole.ActionRole)
        self._box.addButton(self.save, QDialogButtonBox.ButtonRole.ActionRole)
        column = QVBoxLayout(self)
        column.setSpacing(12)
        column.addLayout(row, 1)
        column.addWidget(self._box)
        for each in (self.copy, self._box.button(QDialogButtonBox.StandardButton.Close)):
            each.setAutoDefault(False)
        self.save.setDefault(True)

    def _connect(self) -> None:
        for combo in (self.kind, self.scheme, self.width_):
            combo.currentIndexChanged.connect(self._later.start)
        for check in (self.shaded, self.ids, self.gutter, self.title, self.invisible):
            check.toggled.connect(self._later.start)
        self._later.timeout.connect(self.refresh)
        self._step.timeout.connect(self._on_step_timeout)
        self._page_made.connect(self._on_page_made, Qt.ConnectionType.QueuedConnection)
        self.save.clicked.connect(self.export)
        self.copy.clicked.connect(self.copy_picture)
        self._box.rejected.connect(self.reject)

    def _asked_path(self, kind: ExportKind) -> Path | None:
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        name = Path(folder) / f"{self._excerpt.name}{kind.suffix}"
        chosen, _ = QFileDialog.getSaveFileName(self, "Export", str(name), kind.filter)
        if not chosen:
            return None
        path = Path(chosen)
        return path if path.suffix else path.with_suffix(kind.suffix)

    def _start_page(self, look: Look, path: Path) -> None:
        """Makes the page in a thread: it is text work, of any length."""
        if self._page is None:
            self._page = Newest("export", self._made_page, self._tell_page, let_it_end, 0.0)
            self.destroyed.connect(self._page.close)
        self._page.ask((look, path))

    def _made_page(self, asked: tuple[Look, Path], _ticket: object) -> tuple[bytes, Path]:
        look, path = asked
        return html_page(written(self._excerpt, look)).encode("utf-8"), path

    def _tell_page(self, made: tuple[bytes, Path]) -> None:
        # The dialog may be closed while its page is made.
        with suppress(RuntimeError):
            self._page_made.emit(made)

    def _write(self, path: Path, data: bytes) -> None:
        try:
            write_atomically(path, data, mode=_READABLE)
        except ThinkpaneError as error:
            self._fail(error.problem)
            return
        self.exported.emit(path)
        self.accept()

    def _busy(self, words: str) -> None:
        self._say(None)
        self.facts.setText(words)
        self.save.setEnabled(False)

    def _fail(self, problem: Problem) -> None:
        self.refresh()
        self._say(problem)

    def _say(self, problem: Problem | None) -> None:
        self.problem.setText(problem.message if problem is not None else "")
        self.problem.setVisible(problem is not None)

    def done(self, result: int) -> None:
        """Ends what is still being written."""
        self._step.stop()
        if self._pages is not None:
            self._pages[1].close()
            self._pages = None
        if self._page is not None:
            self._page.drop()
        super().done(result)

    @Slot(object)
    def _on_page_made(self, made: tuple[bytes, Path]) -> None:
        if self._page is not None and self._page.is_newest(made):
            self._write(made[1], made[0])

    def _on_step_timeout(self) -> None:
        if self._pages is None:
            self._step.stop()
            return
        pages, steps, path = self._pages
        try:
            number = next(steps, None)
        except ThinkpaneError as error:
            self._step.stop()
            self._pages = None
            self._fail(error.problem)
            return
        if number is not None:
            self.facts.setText(f"Writing page {number:,}…")
            return
        self._step.stop()
        self._pages = None
        self._write(path, pages.data)


def _check(words: str, *, on: bool, enabled: bool = True) -> QCheckBox:
    found = QCheckBox(words)
    found.setChecked(on)
    found.setEnabled(enabled)
    if not enabled:
        found.setToolTip("The tokens are not known here")
    return found
