"""Finds the tokenizer kinds: one module in this folder each, with one public constant `KIND`."""

from functools import cache
from pathlib import Path

from thinkpane.registry import kinds_in
from thinkpane.tokens import kinds
from thinkpane.tokens.kinds._api import TokenizerKind


@cache
def all_kinds() -> tuple[TokenizerKind, ...]:
    """Every kind, in alphabetical order of its module.

    Raises RuntimeError where none is found (a frozen build without the modules) and where a module has no `KIND`.
    """
    return tuple(kinds_in(kinds, "KIND"))


def kind_for(path: Path) -> tuple[TokenizerKind, Path] | None:
    """The kind that has a tokenizer for `path`, and its file; the file itself goes before those beside it, and of these
    the one whose kind comes first in order."""
    found = [(kind, file) for kind in all_kinds() if (file := kind.finds(path)) is not None]
    return min(found, key=lambda each: (each[1] != path, each[0].order), default=None)
