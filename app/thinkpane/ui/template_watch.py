"""Sees when a template's file is written anew on disk, by editors that replace it too."""

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from thinkpane.templates import model_files, own
from thinkpane.templates.files import local_path

SETTLE_MILLISECONDS = 120
"""Editors write in steps: away with the old file, a new one in its place, its dates."""

Stamp = tuple[tuple[int, int, int] | None, ...]
"""What tells one state of the files from another: time, size and number of each; the path itself first."""


class TemplateWatch(QObject):
    """Watches the files of one REF.

    Signals:
        changed(): a file is another one, and all that were there still are.
        gone(): the file, or the folder, is no longer there.
    """

    changed = Signal()
    gone = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._root: Path | None = None
        self._stamp: Stamp = ()
        self._watcher = QFileSystemWatcher()
        self._watcher.fileChanged.connect(self._on_watcher_changed)
        self._watcher.directoryChanged.connect(self._on_watcher_changed)
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MILLISECONDS)
        self._settle.timeout.connect(self._on_settle_timeout)

    @property
    def stamp(self) -> Stamp:
        """The files as they were when they were looked at last."""
        return self._stamp

    def watch(self, ref: str, since: Stamp | None = None) -> None:
        """Watches what `ref` names in place of what it named before; a REF that is no path is not watched.

        since: the files as they were known; what changed from then on is told too.
        """
        self._settle.stop()
        watched = [*self._watcher.files(), *self._watcher.directories()]
        if watched:
            self._watcher.removePaths(watched)
        path = own.folder_of(ref) / own.TEMPLATE_FILE if own.is_own(ref) else local_path(ref)
        self._root = path.absolute() if path is not None else None
        self._add()
        self._stamp = _stamp(self._root) if since is None else since
        if since is not None:
            self._settle.start()

    def close(self) -> None:
        """Watches nothing any more."""
        self.watch("")

    def _add(self) -> None:
        if self._root is None:
            return
        # The folder tells of a file that comes in the place of the old one, whose own watch ends with it.
        wanted = {str(each) for each in (self._root.parent, *_files(self._root)) if each.exists()}
        new = wanted - set(self._watcher.files()) - set(self._watcher.directories())
        if new:
            self._watcher.addPaths(sorted(new))

    def _on_watcher_changed(self, _path: str) -> None:
        self._settle.start()

    def _on_settle_timeout(self) -> None:
        # First watched, then looked at: what changes between the two is told again rather than never.
        self._add()
        before, self._stamp = self._stamp, _stamp(self._root)
        if self._root is None or self._stamp == before:
            return
        if self._stamp[0] is None:
            self.gone.emit()
        else:
            self.changed.emit()


def _files(root: Path) -> list[Path]:
    """The path itself, and what is read of a model's folder."""
    if not root.is_dir():
        return [root]
    further = root / model_files.FURTHER_FOLDER
    named = [root / name for name in (*model_files.SMALL_FILES, model_files.TOKENIZER_FILE)]
    return [root, *named, further, *sorted(further.glob("*.jinja"))]


def _stamp(root: Path | None) -> Stamp:
    if root is None:
        return ()
    found: list[tuple[int, int, int] | None] = []
    for each in _files(root):
        try:
            status = each.stat()
        except (OSError, ValueError):
            found.append(None)
        else:
            # A folder's own times change with every file in it, read or not.
            found.append(
                (0, 0, status.st_ino) if each.is_dir() else (status.st_mtime_ns, status.st_size, status.st_ino)
            )
    return tuple(found)
