"""Unsaved work on disk: written soon after each change by a thread of its own, found again after a crash.

Each running instance owns `<id>.json` and a lock file that its process holds. A clean end removes both; after a crash
the lock is free, which is how the next start knows that nobody is working on the file any more.
"""

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.formats.strict_json import dump, parse_bytes
from thinkpane.workspace.atomic_file import file_error, read_file, write_atomically
from thinkpane.workspace.document import Change, Document
from thinkpane.workspace.document_file import document_from_json, document_to_json
from thinkpane.workspace.instance_lock import InstanceLock
from thinkpane.workspace.state import DocumentState

DELAY_SECONDS = 1.0


class Autosave:
    """Keeps `document` on disk in `folder` while it is modified.

    delay: seconds between the first unsaved change and the write; changes that follow do not put it off.
    on_written: called in the writing thread after each try, with the problem where there was one.
    """

    def __init__(
        self,
        document: Document,
        folder: Path,
        *,
        delay: float = DELAY_SECONDS,
        on_written: Callable[[Problem | None], None] | None = None,
    ) -> None:
        self._document = document
        self._file = folder / f"{uuid4().hex}.json"
        self._delay = delay
        self._on_written = on_written
        self._lock: InstanceLock | None = None
        self._wake = threading.Condition()
        self._due: float | None = None
        self._busy = False
        self._closed = False
        self._newest: _Work | None = None
        self.problem: Problem | None = None
        self.written_at: datetime | None = None
        self._end_listening = document.listen(self._on_document_changed)
        self._thread = threading.Thread(target=self._work, name="autosave", daemon=True)
        self._thread.start()

    def flush(self, timeout: float = 10.0) -> bool:
        """Writes what is due now and waits for it; False where that took longer than `timeout` seconds."""
        with self._wake:
            if self._due is not None:
                self._due = 0.0
                self._wake.notify_all()
            return self._wake.wait_for(lambda: self._due is None and not self._busy, timeout)

    def close(self) -> None:
        """A clean end: the thread ends, and nothing is left on disk."""
        self._end_listening()
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        self._thread.join(10.0)
        self._remove()

    def _on_document_changed(self, change: Change) -> None:
        del change
        document = self._document
        with self._wake:
            self._newest = _work(document) if document.is_modified else None
            if self._due is None:
                self._due = time.monotonic() + self._delay
                self._wake.notify_all()

    def _work(self) -> None:
        while True:
            with self._wake:
                while not self._closed and (left := self._seconds_left()) != 0:
                    self._wake.wait(left)
                if self._closed:
                    return
                newest, self._due, self._busy = self._newest, None, True
            self.problem = self._write(newest)
            if self._on_written:
                self._on_written(self.problem)
            with self._wake:
                self._busy = False
                self._wake.notify_all()

    def _seconds_left(self) -> float | None:
        """Until the next write; None where none is due."""
        return None if self._due is None else max(0.0, self._due - time.monotonic())

    def _write(self, newest: "_Work | None") -> Problem | None:
        try:
            if newest is None:
                self._remove()
                return None
            self._take_lock()
            now = datetime.now(UTC)
            found: JsonObject = {
                "saved_at": now.isoformat(timespec="seconds"),
                "path": str(newest.path) if newest.path else None,
                "digest": newest.digest,
                "foreign": newest.is_foreign,
                "document": document_to_json(newest.state),
            }
            write_atomically(self._file, dump(found, indent=None).encode("utf-8"))
        except ThinkpaneError as fault:
            return fault.problem
        except (OSError, ValueError, RecursionError) as fault:
            return Problem("file", f"The autosave could not be written: {fault}.")
        self.written_at = now
        return None

    def _take_lock(self) -> None:
        if self._lock is None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._lock = InstanceLock.take(self._file.with_suffix(".lock"))

    def _remove(self) -> None:
        with contextlib.suppress(OSError):
            self._file.unlink(missing_ok=True)
        if self._lock:
            self._lock.release()
            self._lock = None


@dataclass(frozen=True, slots=True)
class _Work:
    """What is written: as in Leftover."""

    state: DocumentState
    path: Path | None
    digest: str
    is_foreign: bool


def _work(document: Document) -> _Work:
    return _Work(document.whole, document.path, document.digest, document.is_foreign)


@dataclass(slots=True)
class Leftover:
    """Work that a crashed instance left. While it is held, no other instance offers it.

    state: the document, None where it cannot be read (problem says why). path: the file it belongs to; digest: of that
    file's bytes as they were then; is_foreign: it is no document of ours.
    """

    state: DocumentState | None
    path: Path | None
    saved_at: datetime | None
    problem: Problem | None
    file: Path
    lock: InstanceLock
    digest: str = ""
    is_foreign: bool = False

    @property
    def size(self) -> int:
        """Bytes that it takes on disk, 0 where it is gone."""
        try:
            return self.file.stat().st_size
        except OSError:
            return 0

    def discard(self) -> None:
        """Removes it from disk: it was taken over, or is not wanted. Raises ThinkpaneError (kind "file")."""
        try:
            self.file.unlink(missing_ok=True)
        except OSError as fault:
            raise file_error(self.file, "removed", fault) from None
        self.lock.release()

    def keep(self) -> None:
        """Leaves it for the next start."""
        self.lock.let_go()


def claim_leftovers(folder: Path) -> list[Leftover]:
    """What crashed instances left in `folder`, newest first; each is held until it is discarded or kept."""
    found = []
    for file in sorted(folder.glob("*.json")):
        try:
            lock = InstanceLock.take(file.with_suffix(".lock"))
        except OSError:
            continue
        if lock and not file.exists():
            lock.release()
        elif lock:
            found.append(_leftover(file, lock))
    return sorted(found, key=lambda each: each.saved_at or datetime.min.replace(tzinfo=UTC), reverse=True)


def _leftover(file: Path, lock: InstanceLock) -> Leftover:
    try:
        value = parse_bytes(read_file(file))
        if not isinstance(value, dict):
            raise ThinkpaneError(Problem("json", f"{file.name} is no autosave."))
        state = document_from_json(value.get("document"))
        path, saved_at, digest = value.get("path"), value.get("saved_at"), value.get("digest")
        when = datetime.fromisoformat(saved_at) if isinstance(saved_at, str) else None
    except ThinkpaneError as fault:
        return Leftover(None, None, None, fault.problem, file, lock)
    except ValueError as fault:
        return Leftover(None, None, None, Problem("json", f"{file.name} is no autosave: {fault}."), file, lock)
    known = digest if isinstance(digest, str) else ""
    foreign = value.get("foreign") is True
    return Leftover(state, Path(path) if isinstance(path, str) else None, when, None, file, lock, known, foreign)
