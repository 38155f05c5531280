"""Finds the dialects: one module in this folder each, with one public constant `DIALECT`."""

from functools import cache

from thinkpane.endpoints import dialects
from thinkpane.endpoints.dialects._api import Dialect, SendPath
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.registry import kinds_in


@cache
def all_dialects() -> tuple[Dialect, ...]:
    """Every dialect, in alphabetical order of its module.

    Raises RuntimeError where none is found (a frozen build without the modules) and where a module has no `DIALECT`.
    """
    return tuple(kinds_in(dialects, "DIALECT"))


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
