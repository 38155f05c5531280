"""How every registry finds its kinds: one module of a folder each, with one public constant of an agreed name.

docs/adr/0004-registries.md says why this is one piece below all rooms.
"""

import pkgutil
from collections.abc import Collection
from importlib import import_module
from types import ModuleType
from typing import Any


def names_in(folder: ModuleType, shared: Collection[str] = ()) -> list[str]:
    """The modules of a package that hold a kind, in alphabetical order; nothing is imported.

    Modules with a leading underscore and those in `shared` hold what kinds have in common.
    """
    found = (each.name for each in pkgutil.iter_modules(folder.__path__))
    return sorted(name for name in found if not name.startswith("_") and name not in shared)


def kinds_in(folder: ModuleType, constant: str, shared: Collection[str] = ()) -> list[Any]:
    """Every module's `constant`, in alphabetical order of the modules.

    Raises RuntimeError where there is no module (a frozen build without them), or one lacks the constant.
    """
    names = names_in(folder, shared)
    if not names:
        raise RuntimeError(f"The build lacks the modules {folder.__name__}.*")
    return [_constant_of(import_module(f"{folder.__name__}.{name}"), constant) for name in names]


def _constant_of(module: ModuleType, constant: str) -> Any:
    if not hasattr(module, constant):
        raise RuntimeError(f"{module.__name__} has no constant {constant}")
    return getattr(module, constant)
