"""Finds the importers: one module in this folder each, with one public constant `IMPORTER`."""

import pkgutil
from functools import cache
from importlib import import_module

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.workspace import importers
from thinkpane.workspace.importers._api import Imported, Importer


@cache
def all_importers() -> tuple[Importer, ...]:
    """Every importer, in the order in which they are asked.

    Raises RuntimeError where none is found (a frozen build without the modules).
    """
    names = sorted(each.name for each in pkgutil.iter_modules(importers.__path__) if not each.name.startswith("_"))
    found: list[Importer] = [import_module(f"{importers.__name__}.{name}").IMPORTER for name in names]
    if not found:
        raise RuntimeError("No importers were found; the build lacks thinkpane.workspace.importers.*")
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
