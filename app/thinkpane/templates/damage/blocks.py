"""In which blocks a piece of a template stands: the loops, macros and branches around it, innermost first."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thinkpane.templates.damage.pieces import Piece

DEEPEST = 64
"""Blocks around a piece that are looked at."""

_OPENERS = frozenset({"if", "for", "macro", "call", "filter", "block", "with", "raw", "autoescape", "generation"})
_ASSIGNS = re.compile(r"set\b[^=]*?=", re.DOTALL)


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """One open block. word: if, for, macro, …; opener: the tag's words; start: its place.

    branch: the words of the branch that is open (`if …`, `elif …`, `else`); earlier: those of the branches before it.
    """

    word: str
    opener: str
    start: int
    branch: str
    earlier: tuple[str, ...]
    parent: "Block | None"


def around(pieces: Sequence[Piece]) -> tuple["Block | None", ...]:
    """For each piece the innermost block it stands in, None for the top; the tags of a block stand outside it."""
    found: list[Block | None] = []
    open_block: Block | None = None
    for piece in pieces:
        found.append(open_block)
        open_block = _after(piece, open_block)
    return tuple(found)


def left_open(pieces: Sequence[Piece]) -> tuple[Block, ...]:
    """The blocks that no tag closes, innermost first."""
    open_block: Block | None = None
    for piece in pieces:
        open_block = _after(piece, open_block)
    found: list[Block] = []
    while open_block is not None:
        found.append(open_block)
        open_block = open_block.parent
    return tuple(found)


def outwards(block: "Block | None") -> Iterator[Block]:
    """The block and those around it, at most `DEEPEST`."""
    for _ in range(DEEPEST):
        if block is None:
            return
        yield block
        block = block.parent


def _after(piece: Piece, block: "Block | None") -> "Block | None":
    word = piece.word
    if not word or not piece.closed:
        return block
    if word in _OPENERS or (word == "set" and not _ASSIGNS.match(piece.inner)):
        return Block(word, piece.inner, piece.start, piece.inner, (), block)
    if word in ("elif", "else") and block is not None:
        earlier = (*block.earlier[-DEEPEST:], block.branch)
        return Block(block.word, block.opener, block.start, piece.inner, earlier, block.parent)
    if word.startswith("end") and block is not None and word == "end" + block.word:
        return block.parent
    return block
