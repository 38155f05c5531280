"""Finding and reading the files of tokenizers."""

from collections.abc import Iterable
from pathlib import Path

from thinkpane.errors import Problem, ThinkpaneError


def beside(path: Path, names: Iterable[str]) -> Path | None:
    """The first file of these names in the folder `path`, or beside the file `path`; None = there is none."""
    folder = path if path.is_dir() else path.parent
    return next((folder / name for name in names if (folder / name).is_file()), None)


def read_file(path: Path, most: int) -> bytes:
    """The file's bytes. Raises ThinkpaneError (kind "file") where it cannot be read or has more than `most` of them."""
    try:
        if path.stat().st_size > most:
            raise ThinkpaneError(Problem("file", f"“{path.name}” is larger than {most // 2**20} MB."))
        return path.read_bytes()
    except OSError as fault:
        raise ThinkpaneError(Problem("file", f"“{path}” could not be read: {fault.strerror}.")) from None
