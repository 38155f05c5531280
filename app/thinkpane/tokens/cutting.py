"""Cuts texts at added tokens as the `tokenizers` library does: the first one that begins, of those the longest."""

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
Tree: TypeAlias = dict[str, "Tree"]


class Cutter:
    """Finds added tokens. longest: characters of the longest one, 0 = there is none."""

    def __init__(self, cuts: Sequence[str]) -> None:
        self._pattern = re.compile(any_of(cuts)) if cuts else None
        self.longest = max(map(len, cuts), default=0)

    def spans(self, text: str, start: int, end: int) -> list[Span]:
        """The tokens that begin in [start, end), when nothing before `start` is one; the last may end after `end`."""
        if self._pattern is None:
            return []
        # Whatever begins before `end` is seen whole, so that the longest is found.
        seen = min(len(text), end + self.longest)
        return [found.span() for found in self._pattern.finditer(text, start, seen) if found.start() < end]


def any_of(cuts: Iterable[str]) -> str:
    """One pattern for all, which takes the longest: vocabularies have thousands of them, and a plain list of choices is
    tried one by one."""
    tree: Tree = {}
    for token in cuts:
        node = tree
        for letter in token:
            node = node.setdefault(letter, {})
        node[""] = {}
    return _choices(tree)


def _choices(node: Tree) -> str:
    letters = ""
    while len(node) == 1 and "" not in node:
        ((letter, node),) = node.items()
        letters += re.escape(letter)
    below = [re.escape(letter) + _choices(child) for letter, child in node.items() if letter]
    if not below:
        return letters
    return f"{letters}(?:{'|'.join(below)}){'?' if '' in node else ''}"
