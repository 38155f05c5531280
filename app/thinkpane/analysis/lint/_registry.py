"""Finds the checks: one module in this folder each, with one public constant `CHECK`."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from thinkpane.analysis import lint
from thinkpane.analysis.lint._api import Check
from thinkpane.registry import kinds_in

# What checks share has no check of its own.
SHARED = ("engines", "findings", "report", "subject", "traced", "variants")


@cache
def all_checks() -> Mapping[str, Check]:
    """Every check by its name, in alphabetical order.

    Raises RuntimeError where none is found (a frozen build without the modules).
    """
    checks: list[Check] = kinds_in(lint, "CHECK", SHARED)
    return MappingProxyType({each.name: each for each in checks})
