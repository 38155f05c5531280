"""Finds the template sources: one module in this folder each, with one public constant `SOURCE`."""

from functools import cache

from thinkpane.registry import kinds_in
from thinkpane.templates import sources
from thinkpane.templates.sources._api import TemplateSource


@cache
def all_sources() -> tuple[TemplateSource, ...]:
    """Every source, in alphabetical order of its module.

    Raises RuntimeError where none is found (a frozen build without the modules) and where a module has no `SOURCE`.
    """
    return tuple(kinds_in(sources, "SOURCE"))
