"""A person's own templates: `<id>/template.jinja` with template.toml beside it, in the own folder (folders.py)."""

import re
from dataclasses import replace
from pathlib import Path

from thinkpane.errors import ThinkpaneError
from thinkpane.folders import folders
from thinkpane.templates import built_in
from thinkpane.templates.files import CONFIG_LIMIT, TEMPLATE_LIMIT, file_problem, is_there, read_bytes, source_problem
from thinkpane.templates.template import Template
from thinkpane.templates.template_toml import described

TEMPLATE_FILE, TOML_FILE = "template.jinja", "template.toml"

_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}[a-z0-9]|[a-z0-9]")
_FILE_ENDINGS = (".jinja", ".jinja2", ".j2", ".txt", ".json", ".gguf", ".thinkpane")


def folder_of(id: str) -> Path:
    """The folder of the own template `id`, whether it is there or not."""
    return folders().own_templates / id


def is_own(id: str) -> bool:
    """Whether there is an own template of that id."""
    return _ID.fullmatch(id) is not None and is_there(folder_of(id) / TEMPLATE_FILE)


def ids() -> tuple[str, ...]:
    """The ids of the own templates, in alphabetical order; none where the folder cannot be read."""
    try:
        found = sorted(each.name for each in folders().own_templates.iterdir())
    except OSError:
        return ()
    return tuple(each for each in found if is_own(each))


def load(id: str) -> Template:
    """The own template of that id, its text to the byte. Raises ThinkpaneError (kind "file" or "template_source")."""
    place = folder_of(id)
    source = _text(place / TEMPLATE_FILE, TEMPLATE_LIMIT)
    if not is_there(place / TOML_FILE):
        return Template(id, source, title=id, origin=str(place / TEMPLATE_FILE))
    found = described(id, source, _text(place / TOML_FILE, CONFIG_LIMIT))
    return replace(found, built_in=False, origin=found.origin or str(place / TEMPLATE_FILE))


def all_own() -> tuple[Template, ...]:
    """Every own template that can be read, in the order of `ids`; one that cannot has its id, and why in its notes."""
    return tuple(_read(id) for id in ids())


def id_for(title: str) -> str:
    """An id made of a title: small letters, digits and dashes; "" where nothing is left."""
    words = re.sub(r"[^a-z0-9.]+", "-", title.lower()).strip("-._")[:64].strip("-._")
    return words if _ID.fullmatch(words) else ""


def check_id(id: str) -> None:
    """Raises ThinkpaneError (kind "template_source") where `id` cannot be the id of an own template."""
    if not _ID.fullmatch(id):
        raise source_problem(
            f"“{id}” cannot be a template's id: it is made of small letters, digits, “-”, “_” and “.”, at most 64."
        )
    if id in built_in.ids():
        raise source_problem(f"“{id}” is the id of a built-in template; choose another one.")
    if id.endswith(_FILE_ENDINGS):
        raise source_problem(f"“{id}” looks like a file's name; choose an id without the ending.")


def _read(id: str) -> Template:
    try:
        return load(id)
    except ThinkpaneError as error:
        return Template(id, "", title=id, notes=(error.problem.message,))


def _text(path: Path, limit: int) -> str:
    data = read_bytes(path, limit)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise file_problem(f"“{path}” is not UTF-8 text (byte {fault.start}).") from None
