"""The files and templates that were open last, newest first, each kind in one small JSON file of the state folder."""

import os
from pathlib import Path

from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import dump, parse_bytes
from thinkpane.templates.files import is_there, local_path, near_path
from thinkpane.workspace.atomic_file import read_file, write_atomically


class _KeptTexts:
    """A short list of texts in a file. It is read anew each time, because other instances write to it too."""

    def __init__(self, file: Path, limit: int) -> None:
        self._file = file
        self._limit = limit

    def read(self) -> list[str]:
        try:
            found = parse_bytes(read_file(self._file, at_most=1 << 20))
        except ThinkpaneError:
            return []
        return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []

    def put_first(self, text: str) -> None:
        self.write([text, *(each for each in self.read() if each != text)])

    def remove(self, text: str) -> None:
        self.write([each for each in self.read() if each != text])

    def write(self, texts: list[str]) -> None:
        found: JsonValue = list(texts[: self._limit])
        write_atomically(self._file, dump(found).encode("utf-8"))


class Recent:
    """The documents in the list that `file` keeps."""

    def __init__(self, file: Path, limit: int = 12) -> None:
        self._kept = _KeptTexts(file, limit)

    def paths(self) -> list[Path]:
        """The files, newest first, those that are gone among them; [] where the list cannot be read."""
        return [Path(each) for each in self._kept.read()]

    def add(self, path: Path) -> None:
        """Puts a file in front. Raises ThinkpaneError (kind "file") where the list cannot be written."""
        self._kept.put_first(_absolute(path))

    def forget(self, path: Path) -> None:
        """Takes a file from the list. Raises ThinkpaneError (kind "file")."""
        self._kept.remove(str(path))

    def clear(self) -> None:
        """Empties the list. Raises ThinkpaneError (kind "file")."""
        self._kept.write([])


class RecentTemplates:
    """The REFs of templates in the list that `file` keeps; those that are paths are absolute."""

    def __init__(self, file: Path, limit: int = 8) -> None:
        self._kept = _KeptTexts(file, limit)

    def refs(self) -> list[str]:
        """The REFs, newest first, those whose files are gone among them; [] where the list cannot be read."""
        return self._kept.read()

    def begins_with(self, ref: str) -> bool:
        """Whether a REF, relative or not, is the first already."""
        return self._kept.read()[:1] == [_kept_form(ref)]

    def add(self, ref: str) -> None:
        """Puts a REF in front. Raises ThinkpaneError (kind "file") where the list cannot be written."""
        self._kept.put_first(_kept_form(ref))

    def forget(self, ref: str) -> None:
        """Takes a REF from the list. Raises ThinkpaneError (kind "file")."""
        self._kept.remove(_kept_form(ref))


def is_missing(ref: str) -> bool:
    """Whether `ref` is a path at which there is nothing now; one on another machine is not looked for."""
    path = near_path(ref)
    return path is not None and not is_there(path)


def _kept_form(ref: str) -> str:
    path = local_path(ref)
    return ref if path is None else _absolute(path)


def _absolute(path: Path) -> str:
    return os.path.abspath(path)  # noqa: PTH100 — Path.resolve would follow links away from the person's name
