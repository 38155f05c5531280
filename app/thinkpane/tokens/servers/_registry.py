"""Finds the kinds of servers with a tokenizer: one module in this folder each, with one public constant `SERVER`."""

import pkgutil
from functools import cache
from importlib import import_module

from thinkpane.tokens import servers
from thinkpane.tokens.servers._api import ServerKind


@cache
def all_servers() -> tuple[ServerKind, ...]:
    """Every kind, in the order in which they are tried.

    Raises RuntimeError where none is found (a frozen build without the modules) and where a module has no `SERVER`.
    """
    names = sorted(found.name for found in pkgutil.iter_modules(servers.__path__) if not found.name.startswith("_"))
    if not names:
        raise RuntimeError("No servers with tokenizers were found; the build lacks thinkpane.tokens.servers.*")
    return tuple(sorted(map(_server_in, names), key=lambda each: each.order))


def _server_in(name: str) -> ServerKind:
    module = import_module(f"{servers.__name__}.{name}")
    found: ServerKind | None = getattr(module, "SERVER", None)
    if found is None:
        raise RuntimeError(f"{module.__name__} has no constant SERVER")
    return found
