"""A lock file that its process holds: the system lets go of it however the process ends, so a crash can be told."""

import contextlib
import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


class InstanceLock:
    """A held lock on `path`. Get one with `take`; `release` lets go and removes the file."""

    def __init__(self, path: Path, handle: int) -> None:
        self.path = path
        self._handle: int | None = handle

    @classmethod
    def take(cls, path: Path) -> "InstanceLock | None":
        """The lock, or None where somebody holds it. Raises OSError where the file cannot be made."""
        while True:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            if not _lock(handle):
                os.close(handle)
                return None
            if _is_still(path, handle):
                return cls(path, handle)
            os.close(handle)

    def release(self) -> None:
        """Lets go and removes the file; a second call does nothing."""
        handle, self._handle = self._handle, None
        if handle is None:
            return
        # Windows refuses to remove an open file; elsewhere it goes while it is held, so that nobody takes it between.
        if sys.platform == "win32":
            os.close(handle)
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)
        else:
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)
            os.close(handle)

    def let_go(self) -> None:
        """Lets go and leaves the file, as the end of the process would."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)


def _lock(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _is_still(path: Path, handle: int) -> bool:
    """False where another process removed the file between our opening and our locking it."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
