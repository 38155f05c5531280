"""The open document and its file: New, Open, Save, recent files, the question before unsaved work goes, autosave."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox, QWidget

from thinkpane.errors import Problem
from thinkpane.resources import read_bytes
from thinkpane.ui.dialogs.question import ask, plain_words
from thinkpane.ui.trying import done
from thinkpane.ui.widgets.plain_tip import plain_tip
from thinkpane.workspace.autosave import Autosave, Leftover, claim_leftovers
from thinkpane.workspace.document import Change, Document
from thinkpane.workspace.document_file import SUFFIX, document_from_json
from thinkpane.workspace.state import DocumentState

if TYPE_CHECKING:
    from thinkpane.folders import Folders
    from thinkpane.workspace.recent import Recent

FIRST_DOCUMENT = "samples/first.thinkpane.json"
SAMPLES = {
    "Reasoning tiers and a tool": FIRST_DOCUMENT,
    "Answers from documents": "samples/documents.thinkpane.json",
}
"""What the File menu offers to look at, by title."""

_BESIDE, _OVERWRITE, _ELSEWHERE = "Save as a document beside it", "Overwrite", "Save as…"
_FILTER = f"Documents (*{SUFFIX});;JSON (*.json);;All files (*)"


class DocumentFiles(QObject):
    """What the File menu does with the one open document.

    Signals:
        failed(object): a Problem to be told where a person looks.
        written(object): an autosave was tried; its Problem, None where it was written. From the writing thread.
        changed(): the file, or whether there is unsaved work.
        remembered(): the list of recent files is another one, or another of them is open.
        leaving(): the document may go; what is typed for it and not in it yet has to come now.
    """

    failed = Signal(object)
    written = Signal(object)
    changed = Signal()
    remembered = Signal()
    leaving = Signal()

    def __init__(self, window: QWidget, document: Document, recent: "Recent", folders: "Folders") -> None:
        super().__init__(window)
        self._window = window
        self._document = document
        self._recent = recent
        self._folders = folders
        self._autosave: Autosave | None = None
        self._end_listening = document.listen(self._on_document_changed)

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return self._document.can_undo

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to do again."""
        return self._document.can_redo

    @property
    def name(self) -> str:
        """What the document is called."""
        return self._document.name

    def undo(self) -> None:
        """Takes the last step back."""
        self._document.undo()

    def redo(self) -> None:
        """Does the step again."""
        self._document.redo()

    def start_autosave(self) -> list[Leftover]:
        """Begins to keep unsaved work on disk; gives what crashed instances left there."""
        left = claim_leftovers(self._folders.autosaves)
        self._autosave = Autosave(self._document, self._folders.autosaves, on_written=self.written.emit)
        return left

    def restore(self, leftover: Leftover) -> bool:
        """Opens what a crashed instance left, after the question where there is unsaved work; False where it stays.

        It leaves the disk when the autosave of the open document holds it.
        """
        if leftover.state is None:
            problem = leftover.problem or Problem("file", "The autosave could not be read.")
            leftover.keep()
            self.failed.emit(problem)
            return True
        if not self.may_discard():
            return False
        self._document.restore(leftover.state, leftover.path, digest=leftover.digest, foreign=leftover.is_foreign)
        if self._autosave is not None and self._autosave.flush() and self._autosave.problem is None:
            self._try(leftover.discard)
        return True

    def discard(self, leftover: Leftover) -> None:
        """Removes what a crashed instance left."""
        self._try(leftover.discard)

    def open_sample(self, title: str) -> None:
        """Opens one of `SAMPLES`, after the question where there is unsaved work; it has no file."""
        if self.may_discard():
            self._document.new(sample(SAMPLES[title]))

    def fill_samples(self, menu: QMenu) -> None:
        """Fills the menu of samples."""
        menu.clear()
        for title in SAMPLES:
            menu.addAction(title, partial(self.open_sample, title))

    def show_first_document(self) -> None:
        """Opens the document that a new user begins with; it counts as unmodified."""
        self._document.new(first_document())

    def new(self) -> None:
        """An empty document with the template and endpoint of the one before."""
        if self.may_discard():
            old = self._document.state
            kept = DocumentState(
                template=old.template,
                edited=old.edited,
                profile=old.profile,
                endpoint=old.endpoint,
                path=old.path,
                model=old.model,
            )
            self._document.new(kept)

    def ask_open(self) -> None:
        """Asks for a file and opens it."""
        chosen, _ = QFileDialog.getOpenFileName(self._window, "Open", self._folder(), _FILTER)
        if chosen:
            self.open(Path(chosen))

    def open(self, path: Path) -> bool:
        """Opens a file, after the question where there is unsaved work; False where it was not opened."""
        return self.may_discard() and self._try(lambda: self._open(path))

    def save(self) -> bool:
        """Saves to the document's file, or asks for one; False where nothing was saved.

        Asks before it turns a request body into a document, and where another program changed the file.
        """
        path = self._document.path
        if path is None:
            return self.save_as()
        answer = self._answer_for(path)
        if answer == _BESIDE:
            beside = _beside(path)
            return self._ask_file(beside) if beside.exists() else self._try(lambda: self._save_as(beside))
        if answer == _ELSEWHERE:
            return self.save_as()
        return answer == _OVERWRITE and self._try(self._document.save)

    def save_as(self) -> bool:
        """Asks for a file and saves to it; False where nothing was saved."""
        return self._ask_file(_beside(self._document.path or Path(self._folder()) / self.name))

    def may_discard(self) -> bool:
        """Asks where there is unsaved work; False where a person wants to keep it."""
        self.leaving.emit()
        if not self._document.is_modified:
            return True
        button = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self._window,
            "Unsaved work",
            plain_words(f"“{self.name}” has changes that no file holds. Save them?"),
            button.Save | button.Discard | button.Cancel,
            button.Save,
        )
        if answer == button.Save:
            return self.save()
        return answer == button.Discard

    def recent_paths(self) -> list[Path]:
        """The files that were open last and are still there, newest first."""
        return [path for path in self._recent.paths() if path.exists()]

    def fill_recent(self, menu: QMenu) -> None:
        """Fills the menu of recent files."""
        menu.clear()
        for path in self.recent_paths():
            action = menu.addAction(path.name.replace("&", "&&"))
            action.setToolTip(plain_tip(str(path)))
            action.triggered.connect(lambda _checked=False, path=path: self.open(path))
        menu.setToolTipsVisible(True)
        if menu.isEmpty():
            menu.addAction("No documents yet").setEnabled(False)

    def close(self) -> None:
        """A clean end: no autosave stays on disk."""
        self._end_listening()
        if self._autosave is not None:
            self._autosave.close()

    def _answer_for(self, path: Path) -> str:
        """Where the document is to be saved; asks where its file is another's. "" = nowhere."""
        if self._document.is_foreign:
            sentence = f"“{path.name}” is a request body. Overwriting it makes a document of it, for this program."
            answer = ask(self._window, "Save", sentence, (_BESIDE, _OVERWRITE))
            if answer != _OVERWRITE:
                return answer
        if self._document.is_changed_on_disk:
            sentence = f"Another program changed “{path.name}” since it was read here. Overwriting it loses that."
            return ask(self._window, "Save", sentence, (_ELSEWHERE, _OVERWRITE))
        return _OVERWRITE

    def _ask_file(self, suggestion: Path) -> bool:
        chosen, _ = QFileDialog.getSaveFileName(self._window, "Save as", str(suggestion), _FILTER)
        if not chosen:
            return False
        path = Path(chosen if "." in Path(chosen).name else chosen + SUFFIX)
        return self._try(lambda: self._save_as(path))

    def _open(self, path: Path) -> None:
        self._document.open(path)
        self._remember(path)

    def _save_as(self, path: Path) -> None:
        self._document.save_as(path)
        self._remember(path)

    def _on_document_changed(self, change: Change) -> None:
        self.changed.emit()
        if "file" in change.parts:
            self.remembered.emit()

    def _remember(self, path: Path) -> None:
        self._try(lambda: self._recent.add(path))
        self.remembered.emit()

    def _try(self, work: Callable[[], object]) -> bool:
        return done(work, self.failed.emit)

    def _folder(self) -> str:
        path = self._document.path
        return str(path.parent if path else Path.home())


def first_document() -> DocumentState:
    """The document that a new user begins with."""
    return sample(FIRST_DOCUMENT)


def sample(name: str) -> DocumentState:
    """A document that comes with the program, by its resource's name."""
    from thinkpane.formats.strict_json import parse_bytes

    return document_from_json(parse_bytes(read_bytes(name)))


def _beside(path: Path) -> Path:
    """The document that stands beside a file, or the file where it is one."""
    if path.name.endswith(SUFFIX):
        return path
    return path.with_name(path.name.removesuffix(".json") + SUFFIX)
