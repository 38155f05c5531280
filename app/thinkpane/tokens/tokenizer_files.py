"""Finding and reading the files of tokenizers."""

from collections.abc import Iterable
from pathlib import Path

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.wrong_file import HEAD, wrong_file


def beside(path: Path, names: Iterable[str]) -> Path | None:
    """The first file of these names in the folder `path`, or beside the file `path`; None = there is none."""
    folder = path if path.is_dir() else path.parent
    return next((folder / name for name in names if (folder / name).is_file()), None)


def read_file(path: Path, most: int) -> bytes:
    """The file's bytes.

    Raises ThinkpaneError, kind "file" where it cannot be read or has more than `most` of them, kind "tokenizer" where
    it is plainly another thing (formats/wrong_file.py).
    """
    try:
        if path.stat().st_size > most:
            raise ThinkpaneError(Problem("file", f"“{path.name}” is larger than {most // 2**20} MB."))
        data = path.read_bytes()
    except OSError as fault:
        raise ThinkpaneError(Problem("file", f"“{path}” could not be read: {fault.strerror}.")) from None
    refuse_wrong_file(path, data[:HEAD])
    return data


def refuse_wrong_file(path: Path, head: bytes) -> None:
    """Raises ThinkpaneError (kind "tokenizer") where a file that begins so is plainly no tokenizer."""
    wrong = wrong_file(head)
    if wrong:
        raise ThinkpaneError(Problem("tokenizer", f"“{path}” {wrong}."))


def naming(path: Path, fault: ThinkpaneError) -> ThinkpaneError:
    """The same fault, with the file that has it."""
    return ThinkpaneError(Problem(fault.problem.kind, f"“{path}”: {fault.problem.message}"))
