"""Every run's bytes on disk as they come, so that a crash loses nothing that was received.

A file is a recording (endpoints/recording.py): it can be read, replayed and decoded like any other.
"""

import errno
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

if sys.platform != "win32":
    import fcntl

KEPT_RUNS = 50
KEPT_BYTES = 200 * 1024 * 1024
SUFFIX = ".transcript"


@dataclass(frozen=True, slots=True)
class Journal:
    """A folder with one file a run, the oldest removed. runs, bytes: what is kept at most, by one run too."""

    folder: Path
    runs: int = KEPT_RUNS
    bytes: int = KEPT_BYTES

    def open(self, run_id: str) -> "JournalFile":
        """A new file for that run. Raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._make_room()
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
        return JournalFile(self.folder / f"{stamp}-{run_id[:8]}{SUFFIX}", self.bytes)

    def files(self) -> list[Path]:
        """The files, newest first."""
        return sorted(self.folder.glob(f"*{SUFFIX}"), key=lambda path: path.name, reverse=True)

    def _make_room(self) -> None:
        total = 0
        for count, path in enumerate(self.files(), 1):
            # Another window may remove the same files at the same time.
            with suppress(FileNotFoundError):
                total += path.stat().st_size
                if count >= self.runs or total > self.bytes:
                    path.unlink()


class JournalFile:
    """One file that is appended to, a whole line at a time; only its owner may read it."""

    def __init__(self, path: Path, most: int = KEPT_BYTES) -> None:
        """most: bytes that it may have. Raises OSError where the file is there already or cannot be made."""
        self.path = path
        self._room = most
        self._file = os.open(
            path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o600
        )
        if sys.platform != "win32":
            # The system lets go of it however the process ends.
            with suppress(OSError):
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def write(self, line: bytes) -> None:
        """Appends `line`; with the system once this returns, so a crash of ours does not lose it. Raises OSError."""
        if len(line) > self._room:
            raise OSError(errno.EFBIG, "the reply is larger than the journal may be")
        self._room -= len(line)
        left = memoryview(line)
        while left:
            left = left[os.write(self._file, left) :]

    def close(self) -> None:
        """Closes it. Raises OSError where what was written did not arrive."""
        os.close(self._file)


def is_held(path: Path) -> bool:
    """Whether a program is still writing that file; never on Windows, where a lock would keep readers out."""
    if sys.platform == "win32":
        return False
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
