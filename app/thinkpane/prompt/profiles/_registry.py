"""Finds the runtime profiles: one module in this folder each, with one public constant `PROFILE`."""

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt import profiles
from thinkpane.prompt.profiles._api import RuntimeProfile


@cache
def all_profiles() -> Mapping[str, RuntimeProfile]:
    """Every profile by its name, `transformers` (the default) first.

    Raises RuntimeError where none is found (a frozen build without the modules).
    """
    names = [found.name for found in pkgutil.iter_modules(profiles.__path__) if not found.name.startswith("_")]
    found: list[RuntimeProfile] = [import_module(f"{profiles.__name__}.{name}").PROFILE for name in sorted(names)]
    if not found:
        raise RuntimeError("No runtime profiles were found; the build lacks thinkpane.prompt.profiles.*")
    found.sort(key=lambda each: each.name != "transformers")
    return MappingProxyType({each.name: each for each in found})


def profile(name: str) -> RuntimeProfile:
    """The profile called `name`; raises ThinkpaneError (kind "profile") where there is none."""
    found = all_profiles().get(name)
    if found is None:
        known = ", ".join(all_profiles())
        raise ThinkpaneError(Problem("profile", f"There is no runtime profile “{name}”; known: {known}."))
    return found
