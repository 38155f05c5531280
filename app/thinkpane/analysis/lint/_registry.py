"""Finds the checks: one module in this folder each, with one public constant `CHECK`."""

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType

from thinkpane.analysis import lint
from thinkpane.analysis.lint._api import Check

# What checks share has no check of its own.
SHARED = ("engines", "findings", "report", "subject", "traced", "variants")


@cache
def all_checks() -> Mapping[str, Check]:
    """Every check by its name, in alphabetical order.

    Raises RuntimeError where none is found (a frozen build without the modules).
    """
    modules = [each.name for each in pkgutil.iter_modules(lint.__path__)]
    wanted = sorted(name for name in modules if not name.startswith("_") and name not in SHARED)
    checks: list[Check] = [import_module(f"{lint.__name__}.{name}").CHECK for name in wanted]
    if not checks:
        raise RuntimeError("No checks were found; the build lacks thinkpane.analysis.lint.*")
    return MappingProxyType({each.name: each for each in checks})
