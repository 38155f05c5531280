"""Finds the dialects: one module in this folder each, with one public constant `DIALECT`."""

import pkgutil
from functools import cache
from importlib import import_module

from thinkpane.endpoints import dialects
from thinkpane.endpoints.dialects._api import Dialect, SendPath
from thinkpane.errors import Problem, ThinkpaneError


@cache
def all_dialects() -> tuple[Dialect, ...]:
    """Every dialect, in alphabetical order of its module.

    Raises RuntimeError where none is found (a frozen build without the modules) and where a module has no `DIALECT`.
    """
    names = sorted(found.name for found in pkgutil.iter_modules(dialects.__path__) if not found.name.startswith("_"))
    if not names:
        raise RuntimeError("No dialects were found; the build lacks thinkpane.endpoints.dialects.*")
    return tuple(_dialect_in(name) for name in names)


def dialect_named(name: str) -> Dialect:
    """The dialect with that id. Raises ThinkpaneError (kind "dialect") that lists the ids there are."""
    for dialect in all_dialects():
        if dialect.name == name:
            return dialect
    known = ", ".join(dialect.name for dialect in all_dialects())
    raise ThinkpaneError(Problem("dialect", f"There is no dialect “{name}”; there are {known}."))


def dialect_for(name: str, path: SendPath) -> Dialect:
    """The dialect that an endpoint of dialect `name` speaks on that path. Raises ThinkpaneError (kind "dialect")."""
    dialect = dialect_named(name)
    if dialect.path == path:
        return dialect
    if not dialect.counterpart:
        raise ThinkpaneError(Problem("dialect", f"Endpoints of the dialect “{name}” have no {path} path."))
    return dialect_named(dialect.counterpart)


def _dialect_in(name: str) -> Dialect:
    module = import_module(f"{dialects.__name__}.{name}")
    found: Dialect | None = getattr(module, "DIALECT", None)
    if found is None:
        raise RuntimeError(f"{module.__name__} has no constant DIALECT")
    return found
