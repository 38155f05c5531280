"""The files that were open last, newest first, in one small JSON file of the state folder."""

import os
from pathlib import Path

from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import dump, parse_bytes
from thinkpane.workspace.atomic_file import read_file, write_atomically


class Recent:
    """The list kept in `file`. It is read anew each time, because other instances write to it too."""

    def __init__(self, file: Path, limit: int = 12) -> None:
        self._file = file
        self._limit = limit

    def paths(self) -> list[Path]:
        """The files, newest first, those that are gone among them; [] where the list cannot be read."""
        try:
            found = parse_bytes(read_file(self._file, at_most=1 << 20))
        except ThinkpaneError:
            return []
        return [Path(each) for each in found if isinstance(each, str)] if isinstance(found, list) else []

    def add(self, path: Path) -> None:
        """Puts a file in front. Raises ThinkpaneError (kind "file") where the list cannot be written."""
        full = Path(os.path.abspath(path))  # noqa: PTH100 — Path.resolve would follow links away from the person's name
        self._write([full, *(each for each in self.paths() if each != full)])

    def forget(self, path: Path) -> None:
        """Takes a file from the list. Raises ThinkpaneError (kind "file")."""
        self._write([each for each in self.paths() if each != path])

    def clear(self) -> None:
        """Empties the list. Raises ThinkpaneError (kind "file")."""
        self._write([])

    def _write(self, paths: list[Path]) -> None:
        found: JsonValue = [str(each) for each in paths[: self._limit]]
        write_atomically(self._file, dump(found).encode("utf-8"))
