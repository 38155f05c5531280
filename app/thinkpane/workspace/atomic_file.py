"""Files are written whole or not at all: a temporary file beside the target, flushed to disk, then renamed over it."""

import contextlib
import os
import stat
from pathlib import Path
from uuid import uuid4

from thinkpane.errors import Problem, ThinkpaneError


def write_atomically(path: Path, data: bytes, *, mode: int = 0o600) -> None:
    """Puts `data` into `path`, which may be a link; a file that is there keeps its permissions, a new one gets `mode`.

    Missing folders are made. Raises ThinkpaneError (kind "file") with the system's reason; the old file is then
    untouched.
    """
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(target, data, mode)
    except OSError as fault:
        raise file_error(path, "written", fault) from None


def read_file(path: Path, *, at_most: int = 256 << 20) -> bytes:
    """The bytes of a file. Raises ThinkpaneError (kind "file") where it cannot be read or is larger than `at_most`."""
    try:
        with path.open("rb") as source:
            data = source.read(at_most + 1)
    except OSError as fault:
        raise file_error(path, "read", fault) from None
    if len(data) > at_most:
        raise ThinkpaneError(Problem("file", f"{path.name} is larger than {at_most >> 20} MiB and was not read."))
    return data


def file_error(path: Path, what: str, fault: OSError) -> ThinkpaneError:
    """The one sentence for a file that could not be `what` ("read", "written", …)."""
    reason = fault.strerror or str(fault)
    return ThinkpaneError(Problem("file", f"{path} could not be {what}: {reason}.", detail={"path": str(path)}))


def _replace(target: Path, data: bytes, mode: int) -> None:
    temporary = target.with_name(f".{target.name[:80]}.{uuid4().hex}.new")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        with contextlib.suppress(FileNotFoundError):
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _flush_folder(target.parent)


def _flush_folder(folder: Path) -> None:
    """Makes the rename itself survive a power cut, where the system can open folders."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
