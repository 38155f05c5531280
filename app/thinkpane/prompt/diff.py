"""What changed between two prompts: by line, then by word and character inside the lines that changed.

Pure and fast on big texts: what both have in common at their ends is cut off first, and the work on the rest is capped;
beyond the cap the rest is one removed and one added piece.
"""

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["same", "removed", "added"]

LINES_COMPARED = 4_000
"""Lines, of both texts together, that are compared one by one; difflib needs about a second for as many."""

WORDS_COMPARED = 2_000
"""Words, of both sides together, that are compared inside one changed stretch; a special token counts as a word."""

CHARACTERS_COMPARED = 1_000_000
"""Characters, of both sides together, of a changed stretch that is looked into."""

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_WORD = re.compile(r"<[^<>\s]{1,60}>|\[/?[A-Z_]{1,40}\]|\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text: in both, only in the first ("removed") or only in the second ("added"). Never empty."""

    kind: Kind
    text: str


def diff(before: str, after: str) -> tuple[Piece, ...]:
    """The pieces in order: the same and removed ones make up `before`, the same and added ones `after`."""
    return tuple(_joined(_diff(before, after)))


def changed_characters(pieces: Sequence[Piece]) -> int:
    """How many characters differ: those that are removed, and those that are added beyond them, stretch by stretch."""
    total = removed = added = 0
    for piece in (*pieces, Piece("same", "")):
        if piece.kind == "same":
            total += max(removed, added)
            removed = added = 0
        elif piece.kind == "removed":
            removed += len(piece.text)
        else:
            added += len(piece.text)
    return total


def common_start(one: str, other: str) -> int:
    """How many characters two texts begin with in common."""
    return _bisected(min(len(one), len(other)), lambda size: one[:size] == other[:size])


def common_end(one: str, other: str) -> int:
    """How many characters two texts end with in common."""
    return _bisected(
        min(len(one), len(other)), lambda size: not size or one[len(one) - size :] == other[len(other) - size :]
    )


def _bisected(size: int, holds: Callable[[int], bool]) -> int:
    """The largest number up to `size` for which `holds` does; comparing slices is far quicker than characters."""
    low = 0
    while low < size:
        middle = (low + size + 1) // 2
        if holds(middle):
            low = middle
        else:
            size = middle - 1
    return low


def _diff(before: str, after: str) -> Iterator[Piece]:
    start = common_start(before, after)
    end = common_end(before[start:], after[start:])
    # Whole lines are compared, so that the common ends are no part of a line that changed.
    start = before.rfind("\n", 0, start) + 1
    line_end = before.find("\n", len(before) - end) if end else len(before)
    end = len(before) - (line_end + 1 if line_end >= 0 else len(before)) if end else 0
    end = max(0, min(end, len(before) - start, len(after) - start))
    yield Piece("same", before[:start])
    yield from _by_lines(before[start : len(before) - end], after[start : len(after) - end])
    yield Piece("same", before[len(before) - end :] if end else "")


def _by_lines(before: str, after: str) -> Iterator[Piece]:
    old, new = _LINE.findall(before), _LINE.findall(after)
    if len(old) + len(new) > LINES_COMPARED:
        yield Piece("removed", before)
        yield Piece("added", after)
        return
    for tag, first, last, start, end in _opcodes(old, new):
        if tag == "equal":
            yield Piece("same", "".join(old[first:last]))
        else:
            yield from _by_words("".join(old[first:last]), "".join(new[start:end]))


def _by_words(before: str, after: str) -> Iterator[Piece]:
    if len(before) + len(after) > CHARACTERS_COMPARED:
        yield Piece("removed", before)
        yield Piece("added", after)
        return
    old, new = _WORD.findall(before), _WORD.findall(after)
    start = _same(old, new)
    end = _same(old[start:][::-1], new[start:][::-1])
    yield Piece("same", "".join(old[:start]))
    yield from _compared(old[start : len(old) - end], new[start : len(new) - end])
    yield Piece("same", "".join(old[len(old) - end :] if end else ()))


def _compared(old: list[str], new: list[str]) -> Iterator[Piece]:
    if not old or not new or len(old) + len(new) > WORDS_COMPARED:
        yield Piece("removed", "".join(old))
        yield Piece("added", "".join(new))
        return
    for tag, first, last, start, end in _opcodes(old, new):
        if tag == "equal":
            yield Piece("same", "".join(old[first:last]))
        else:
            yield Piece("removed", "".join(old[first:last]))
            yield Piece("added", "".join(new[start:end]))


def _same(one: list[str], other: list[str]) -> int:
    """How many words two lists begin with in common."""
    size = min(len(one), len(other))
    return next((at for at in range(size) if one[at] != other[at]), size)


def _opcodes(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[str, int, int, int, int]]:
    return [tuple(each) for each in SequenceMatcher(None, old, new).get_opcodes()]  # type: ignore[misc]


def _joined(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The pieces without empty ones, neighbours of one kind as one, what is removed before what is added."""
    texts: dict[Kind, str] = {"same": "", "removed": "", "added": ""}
    for piece in pieces:
        if not piece.text:
            continue
        if piece.kind == "same" and (texts["removed"] or texts["added"]):
            yield from _pieces(texts)
            texts = {"same": "", "removed": "", "added": ""}
        elif piece.kind != "same" and texts["same"]:
            yield Piece("same", texts["same"])
            texts["same"] = ""
        texts[piece.kind] += piece.text
    yield from _pieces(texts)


def _pieces(texts: dict[Kind, str]) -> Iterator[Piece]:
    for kind, text in texts.items():
        if text:
            yield Piece(kind, text)
