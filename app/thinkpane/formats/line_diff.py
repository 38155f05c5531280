"""The difference of two texts by lines, as a person reads it: what went, what came, and some lines around."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["same", "old", "new", "gap"]
CONTEXT = 3
MOST_LINES = 4000
"""Changed lines on one side beyond which they are told as one piece: comparing takes time by the square of them."""


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of the difference, without its line feed.

    old, new: its number in either text, from 1; None where it is not in it. changed: the stretch [start, end) that
    differs from the line it took the place of, in code points. A gap stands for `skipped` lines that are the same.
    """

    kind: Kind
    text: str = ""
    old: int | None = None
    new: int | None = None
    changed: tuple[int, int] | None = None
    skipped: int = 0


def line_diff(old: str, new: str, context: int = CONTEXT) -> list[DiffLine]:
    """The difference, empty where the texts are equal. context: how many lines around a change are told."""
    if old == new:
        return []
    one, other = old.split("\n"), new.split("\n")
    return _folded(list(_all(one, other)), context)


def counts(lines: Sequence[DiffLine]) -> tuple[int, int]:
    """How many lines came, and how many went."""
    return sum(each.kind == "new" for each in lines), sum(each.kind == "old" for each in lines)


def _all(one: list[str], other: list[str]) -> Iterator[DiffLine]:
    start = _common(one, other)
    left, right = one[start:], other[start:]
    end = _common(left[::-1], right[::-1])
    left, right = left[: len(left) - end], right[: len(right) - end]
    yield from _same(one[:start], 0, 0)
    for tag, a, b, c, d in _opcodes(left, right):
        if tag == "equal":
            yield from _same(left[a:b], start + a, start + c)
        else:
            yield from _replaced(left[a:b], right[c:d], start + a, start + c)
    yield from _same(one[len(one) - end :], len(one) - end, len(other) - end)


def _opcodes(left: list[str], right: list[str]) -> Sequence[tuple[str, int, int, int, int]]:
    if max(len(left), len(right)) > MOST_LINES:
        return [("replace", 0, len(left), 0, len(right))]
    return SequenceMatcher(None, left, right).get_opcodes()


def _same(lines: Sequence[str], old: int, new: int) -> Iterator[DiffLine]:
    for place, text in enumerate(lines, 1):
        yield DiffLine("same", text, old + place, new + place)


def _replaced(left: Sequence[str], right: Sequence[str], old: int, new: int) -> Iterator[DiffLine]:
    """Lines that went, then those that came; where as many came, each is compared with the one before it."""
    pairs = len(left) == len(right)
    for place, text in enumerate(left):
        yield DiffLine("old", text, old + place + 1, None, _stretch(text, right[place]) if pairs else None)
    for place, text in enumerate(right):
        yield DiffLine("new", text, None, new + place + 1, _stretch(text, left[place]) if pairs else None)


def _stretch(text: str, other: str) -> tuple[int, int]:
    """What of `text` is not in `other`, ends that are the same aside."""
    start = _common(text, other)
    end = _common(text[start:][::-1], other[start:][::-1])
    return start, len(text) - end


def _folded(lines: list[DiffLine], context: int) -> list[DiffLine]:
    kept = [False] * len(lines)
    for place, line in enumerate(lines):
        if line.kind != "same":
            for near in range(max(0, place - context), min(len(lines), place + context + 1)):
                kept[near] = True
    found: list[DiffLine] = []
    for line, keep in zip(lines, kept, strict=True):
        if keep:
            found.append(line)
        elif found and found[-1].kind == "gap":
            found[-1] = DiffLine("gap", skipped=found[-1].skipped + 1)
        else:
            found.append(DiffLine("gap", skipped=1))
    return found


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many items both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
