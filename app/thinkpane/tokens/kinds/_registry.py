"""Finds the tokenizer kinds: one module in this folder each, with one public constant `KIND`."""

import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path

from thinkpane.tokens import kinds
from thinkpane.tokens.kinds._api import TokenizerKind


@cache
def all_kinds() -> tuple[TokenizerKind, ...]:
    """Every kind, in alphabetical order of its module.

    Raises RuntimeError where none is found (a frozen build without the modules) and where a module has no `KIND`.
    """
    names = sorted(found.name for found in pkgutil.iter_modules(kinds.__path__) if not found.name.startswith("_"))
    if not names:
        raise RuntimeError("No tokenizer kinds were found; the build lacks thinkpane.tokens.kinds.*")
    return tuple(_kind_in(name) for name in names)


def _kind_in(name: str) -> TokenizerKind:
    module = import_module(f"{kinds.__name__}.{name}")
    found: TokenizerKind | None = getattr(module, "KIND", None)
    if found is None:
        raise RuntimeError(f"{module.__name__} has no constant KIND")
    return found


def kind_for(path: Path) -> tuple[TokenizerKind, Path] | None:
    """The kind that has a tokenizer for `path`, and its file; the file itself goes before one beside it."""
    found = [(kind, file) for kind in all_kinds() if (file := kind.finds(path)) is not None]
    return min(found, key=lambda each: each[1] != path, default=None)
