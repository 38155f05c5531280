"""Finds the runtime profiles: one module in this folder each, with one public constant `PROFILE`."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt import profiles
from thinkpane.prompt.profiles._api import RuntimeProfile
from thinkpane.registry import kinds_in


@cache
def all_profiles() -> Mapping[str, RuntimeProfile]:
    """Every profile by its name, `transformers` (the default) first.

    Raises RuntimeError where none is found (a frozen build without the modules).
    """
    found: list[RuntimeProfile] = kinds_in(profiles, "PROFILE")
    found.sort(key=lambda each: each.name != "transformers")
    return MappingProxyType({each.name: each for each in found})


def profile(name: str) -> RuntimeProfile:
    """The profile called `name`; raises ThinkpaneError (kind "profile") where there is none."""
    found = all_profiles().get(name)
    if found is None:
        known = ", ".join(all_profiles())
        raise ThinkpaneError(Problem("profile", f"There is no runtime profile “{name}”; known: {known}."))
    return found
