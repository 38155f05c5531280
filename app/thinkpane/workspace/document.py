"""The open document: its state, its undo history, its file, and who is told of changes. Free of Qt, one thread."""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path

from thinkpane.workspace.document_file import SUFFIX, file_digest, read_document_file, write_document
from thinkpane.workspace.drafts import Drafts
from thinkpane.workspace.state import DocumentState

PARTS = frozenset(
    {
        "template",
        "messages",
        "tools",
        "documents",
        "raw_text",
        "variables",
        "steps",
        "profile",
        "endpoint",
        "params",
        "drafts",
        "file",
    }
)
"""What a change can touch.

endpoint: also the path and the model; drafts: texts that are not applied; file: the file's name, or that it was saved.
"""

Edit = Callable[[DocumentState], DocumentState]
"""Gives another state for one."""

MERGE_SECONDS = 1.0
UNDO_STEPS = 500


@dataclass(frozen=True, slots=True)
class Change:
    """What listeners are told. parts: of `PARTS`; by: who changed it ("messages", "undo", "open", …)."""

    parts: frozenset[str]
    by: str


@dataclass(slots=True)
class _Step:
    """One undo step: the state before and after it."""

    before: DocumentState
    after: DocumentState
    parts: frozenset[str]
    label: str
    merge: str
    at: float


class Document:
    """One open document. `clock` gives seconds that never go back."""

    def __init__(self, state: DocumentState | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._state = state or DocumentState()
        self._saved: DocumentState | None = self._state
        self._path: Path | None = None
        self._digest = ""
        self._is_foreign = False
        self._serial = 0
        self._drafts = Drafts(lambda: self._tell(Change(frozenset({"drafts"}), "drafts")))
        self._saved_drafts: dict[str, str] = {}
        self._undo: list[_Step] = []
        self._redo: list[_Step] = []
        self._open_merge = False
        self._clock = clock
        self._listeners: list[Callable[[Change], None]] = []

    @property
    def state(self) -> DocumentState:
        """What the document holds now."""
        return self._state

    @property
    def path(self) -> Path | None:
        """Its file, None for a document that has none yet."""
        return self._path

    @property
    def name(self) -> str:
        """What it is called: its file's name without our suffix."""
        return self._path.name.removesuffix(SUFFIX) if self._path else "Untitled"

    @property
    def digest(self) -> str:
        """Of its file's bytes as they were last read or written here, "" where there is none."""
        return self._digest

    @property
    def is_foreign(self) -> bool:
        """True while its file is no document of ours but a plain body, which saving would turn into one."""
        return self._is_foreign

    @property
    def is_changed_on_disk(self) -> bool:
        """True where its file is another one than was last read or written here. Reads the file."""
        return self._path is not None and self._path.exists() and file_digest(self._path) != self._digest

    @property
    def serial(self) -> int:
        """Which document is open: another number after each `new`, `open` and `restore`."""
        return self._serial

    @property
    def drafts(self) -> Drafts:
        """Texts that are typed and not applied."""
        return self._drafts

    @property
    def draft_texts(self) -> dict[str, str]:
        """The drafts by their places, as a file has them."""
        return self._drafts.named(self._state.conversation)

    @property
    def whole(self) -> DocumentState:
        """The state with the drafts: what a file has to hold so that nothing is lost."""
        texts = self.draft_texts
        return replace(self._state, drafts=texts) if texts else self._state

    @property
    def is_modified(self) -> bool:
        """True while the document or its drafts differ from its file (or from how it was made)."""
        return self._state is not self._saved or self.draft_texts != self._saved_drafts

    @property
    def can_undo(self) -> bool:
        """True where `undo` does something."""
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        """True where `redo` does something."""
        return bool(self._redo)

    @property
    def undo_label(self) -> str:
        """What `undo` takes back, "" where there is nothing."""
        return self._undo[-1].label if self._undo else ""

    @property
    def redo_label(self) -> str:
        """What `redo` does again, "" where there is nothing."""
        return self._redo[-1].label if self._redo else ""

    @property
    def undo_states(self) -> tuple[DocumentState, DocumentState] | None:
        """What `undo` would make of the document, and what it takes back; None where there is nothing."""
        return (self._undo[-1].before, self._undo[-1].after) if self._undo else None

    @property
    def redo_states(self) -> tuple[DocumentState, DocumentState] | None:
        """What `redo` starts from, and what it would make of the document; None where there is nothing."""
        return (self._redo[-1].before, self._redo[-1].after) if self._redo else None

    def change(self, state: DocumentState, parts: Collection[str], by: str, label: str, merge: str = "") -> None:
        """Makes `state` the document's state, as one undo step, and tells the listeners.

        Steps that follow each other within a second under the same `merge` key become one. Nothing happens where
        `state` is the very object that is there.
        """
        touched = frozenset(parts)
        if not touched <= PARTS:
            raise ValueError(f"no parts of a document: {sorted(touched - PARTS)}")
        if state is self._state:
            return
        now = self._clock()
        last = self._undo[-1] if self._undo else None
        if last and merge and self._open_merge and last.merge == merge and now - last.at <= MERGE_SECONDS:
            last.after, last.parts, last.at = state, last.parts | touched, now
        else:
            self._undo.append(_Step(self._state, state, touched, label, merge, now))
            del self._undo[:-UNDO_STEPS]
        self._redo.clear()
        self._open_merge = True
        self._put(state, touched, by)

    def undo(self) -> None:
        """Takes the last step back; does nothing where there is none."""
        if self._undo:
            step = self._undo.pop()
            self._redo.append(step)
            self._open_merge = False
            self._put(step.before, step.parts, "undo")

    def redo(self) -> None:
        """Does the step again that was taken back last; does nothing where there is none."""
        if self._redo:
            step = self._redo.pop()
            self._undo.append(step)
            self._open_merge = False
            self._put(step.after, step.parts, "redo")

    def take_back(self, before: DocumentState, parts: Collection[str], by: str, edit: Edit) -> None:
        """Makes the step that began at `before` as if it had never been, and tells the listeners.

        edit: gives a state without what that step changed. What was done since stays, and can be undone as ever.
        Nothing happens where no step began there.
        """
        first = next((at for at, step in enumerate(self._undo) if step.before is before), None)
        if first is None:
            return

        def edited(state: DocumentState) -> DocumentState:
            found = edit(state)
            return before if found == before else found

        for step in (*self._undo[first:], *self._redo):
            step.before, step.after = edited(step.before), edited(step.after)
        self._undo[first:] = [step for step in self._undo[first:] if step.before is not step.after]
        self._put(edited(self._state), frozenset(parts), by)

    def new(self, state: DocumentState | None = None) -> None:
        """Starts over with `state` (None = an empty document), without a file; counts as unmodified."""
        self._start(state or DocumentState(), None, "new")

    def open(self, path: Path) -> None:
        """Reads a file into the document. Raises ThinkpaneError and changes nothing where that fails."""
        found = read_document_file(path)
        self._start(found.state, path, "open", digest=found.digest, foreign=found.is_foreign)

    def restore(self, state: DocumentState, path: Path | None, *, digest: str = "", foreign: bool = False) -> None:
        """Starts over with what an autosave held; counts as modified, because no file holds it.

        digest, foreign: what was known of the file at `path` then.
        """
        self._start(state, path, "restore", saved=False, digest=digest, foreign=foreign)

    def save(self) -> None:
        """Writes the document to its file. Raises ThinkpaneError; ValueError where it has no file yet."""
        if self._path is None:
            raise ValueError("the document has no file yet")
        self.save_as(self._path)

    def save_as(self, path: Path) -> None:
        """Writes the document to `path`, which becomes its file. Raises ThinkpaneError and changes nothing then."""
        self._digest = write_document(path, self.whole)
        self._path = path
        self._is_foreign = False
        self._saved, self._saved_drafts = self._state, self.draft_texts
        self._open_merge = False
        self._tell(Change(frozenset({"file"}), "save"))

    def listen(self, callback: Callable[[Change], None]) -> Callable[[], None]:
        """Calls `callback` after each change, in the order of listening; calling the result ends that."""
        self._listeners.append(callback)

        def end() -> None:
            if callback in self._listeners:
                self._listeners.remove(callback)

        return end

    def _start(
        self,
        state: DocumentState,
        path: Path | None,
        by: str,
        *,
        saved: bool = True,
        digest: str = "",
        foreign: bool = False,
    ) -> None:
        self._drafts.start_over(state.drafts, state.conversation)
        state = replace(state, drafts={}) if state.drafts else state
        self._undo.clear()
        self._redo.clear()
        self._open_merge = False
        self._path, self._digest, self._is_foreign = path, digest, foreign
        self._saved = state if saved else None
        self._saved_drafts = self._drafts.named(state.conversation)
        self._serial += 1
        self._put(state, PARTS, by)

    def _put(self, state: DocumentState, parts: frozenset[str], by: str) -> None:
        self._state = state
        self._tell(Change(parts, by))

    def _tell(self, change: Change) -> None:
        for callback in tuple(self._listeners):
            callback(change)
