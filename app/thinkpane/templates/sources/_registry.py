"""Finds the template sources: one module in this folder each, with one public constant `SOURCE`."""

import pkgutil
from functools import cache
from importlib import import_module

from thinkpane.templates import sources
from thinkpane.templates.sources._api import TemplateSource


@cache
def all_sources() -> tuple[TemplateSource, ...]:
    """Every source, in alphabetical order of its module.

    Raises RuntimeError where none is found (a frozen build without the modules) and where a module has no `SOURCE`.
    """
    names = sorted(found.name for found in pkgutil.iter_modules(sources.__path__) if not found.name.startswith("_"))
    if not names:
        raise RuntimeError("No template sources were found; the build lacks thinkpane.templates.sources.*")
    return tuple(_source_in(name) for name in names)


def _source_in(name: str) -> TemplateSource:
    module = import_module(f"{sources.__name__}.{name}")
    found: TemplateSource | None = getattr(module, "SOURCE", None)
    if found is None:
        raise RuntimeError(f"{module.__name__} has no constant SOURCE")
    return found
