"""Finds the importers: one module in this folder each, with one public constant `IMPORTER`."""

from functools import cache

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.registry import kinds_in
from thinkpane.workspace import importers
from thinkpane.workspace.importers._api import Imported, Importer


@cache
def all_importers() -> tuple[Importer, ...]:
    """Every importer, in the order in which they are asked.

    Raises RuntimeError where none is found (a frozen build without the modules).
    """
    found: list[Importer] = kinds_in(importers, "IMPORTER")
    return tuple(sorted(found, key=lambda each: each.order))


def recognise(paste: str) -> Imported:
    """What `paste` holds, by the first importer that knows it.

    Raises ThinkpaneError, kind "import" where none does, else what the importer says of a faulty paste.
    """
    for importer in all_importers():
        found = importer.read(paste)
        if found is not None:
            return found
    known = ", ".join(each.name for each in all_importers())
    raise ThinkpaneError(Problem("import", f"The text has none of the formats that can be read: {known}."))
