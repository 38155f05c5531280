"""Keeps a person's own templates, and writes edited text back to the file it came from."""

import re
import shutil
from dataclasses import replace
from itertools import count
from pathlib import Path

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.folders import folders
from thinkpane.templates import own
from thinkpane.templates.template import Template
from thinkpane.templates.toml_text import toml_of
from thinkpane.workspace.atomic_file import file_error, read_file, write_atomically

_HALF = re.compile("[\ud800-\udfff]")


def save_own(id: str, template: Template, title: str = "") -> Template:
    """Keeps `template` (its text and all that is known of it) as the own template `id`, in place of one that is there.

    title: "" = the template's own. Gives it as it is read from now on. Raises ThinkpaneError: kind "template_source"
    for an id that cannot be, "file" where it cannot be written.
    """
    own.check_id(id)
    kept = replace(template, id=id, title=title or template.title or id)
    data = _encoded(kept.source)
    toml = toml_of(kept).encode("utf-8")
    folder = own.folder_of(id)
    # The text last: a folder without it is no template, one without the new table still reads.
    write_atomically(folder / own.TOML_FILE, toml, mode=0o666)
    write_atomically(folder / own.TEMPLATE_FILE, data, mode=0o666)
    return own.load(id)


def remove_own(id: str) -> Path:
    """Takes an own template away. Its folder is kept in another place, which is told, so that it can be put back.

    Raises ThinkpaneError (kind "file").
    """
    own.check_id(id)
    folder, kept = own.folder_of(id), _free(folders().removed_templates / id)
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(folder, kept)
    except OSError as fault:
        raise file_error(folder, "removed", fault) from None
    return kept


def put_back(id: str, kept: Path) -> None:
    """Undoes `remove_own`, which told `kept`. Raises ThinkpaneError (kind "file"), also where another one is there."""
    folder = own.folder_of(id)
    if folder.exists():
        raise ThinkpaneError(Problem("file", f"There is another own template “{id}” now; the removed one is “{kept}”."))
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(kept, folder)
    except OSError as fault:
        raise file_error(folder, "put back", fault) from None


def write_back(path: Path, source: str) -> None:
    """Puts a template's text into the file it was read from, with the line ends that the file has.

    Templates are read with every line end as a line feed (templates/files.py), so that a file with CRLF throughout gets
    CRLF again. Raises ThinkpaneError (kind "file").
    """
    data = _encoded(source)
    if path.exists():
        old = read_file(path)
        if b"\r\n" in old and old.count(b"\r\n") == old.count(b"\n") == old.count(b"\r"):
            data = data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    write_atomically(path, data, mode=0o666)


def _free(place: Path) -> Path:
    """A path where nothing is: this one, else one with a number."""
    numbered = (place.with_name(f"{place.name}-{number}") for number in count(2))
    return place if not place.exists() else next(each for each in numbered if not each.exists())


def _encoded(source: str) -> bytes:
    half = _HALF.search(source)
    if half:
        place = source.count("\n", 0, half.start()) + 1
        raise ThinkpaneError(
            Problem("file", f"Line {place} holds half a surrogate pair, which a UTF-8 file cannot hold.", line=place)
        )
    return source.encode("utf-8")
