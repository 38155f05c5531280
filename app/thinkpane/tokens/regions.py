"""What an edit makes of the cutting of a text: the old segments that go, and the new ones in their place."""

import re
from dataclasses import dataclass
from typing import Final

from thinkpane.tokens.changes import Change
from thinkpane.tokens.cutting import Cutter
from thinkpane.tokens.encoding import CONTINUED, SPECIAL, Encoding

# One long segment has thousands of rows, which are passed over in one step.
_CONTINUED: Final = bytes(kind & CONTINUED for kind in range(0x100))
_SPECIAL: Final = re.compile(b"[" + re.escape(bytes(kind for kind in range(0x20) if kind & SPECIAL)) + b"]")


@dataclass(frozen=True, slots=True)
class Region:
    """Whole segments around a change. first, last: the old rows [first, last) that go.

    start, end: the new text's code points in their place. same_before, same_from: the code points of the new text
    before and from which text and cutting are the old ones. edges: each new segment's start, and whether it is special.
    moved: how far what follows has moved.
    """

    first: int
    last: int
    start: int
    end: int
    same_before: int
    same_from: int
    edges: tuple[tuple[int, bool], ...]
    moved: int


def region_of(old: Encoding, text: str, change: Change, cutter: Cutter) -> Region:
    """The region of a change between `old` and `text`.

    A token that begins at a code point is known from the `longest` ones that follow, and from where the one before it
    ended. So up to `longest` before the change both cuttings are the same, and after it from the first place on that
    lies inside of no token in either.
    """
    moved = len(text) - len(old.text)
    before = max(0, change.before - cutter.longest)
    row = old.row_at(before)
    if row < len(old) and old.kinds[row] & SPECIAL and old.starts[row] < before:
        row += 1
        before = old.starts[row]
    spans, after = _resynchronised(old, text, change, cutter, before)
    first, last = row, old.row_at(after - moved)
    if first < len(old):
        first = old.kinds[: first + 1].translate(_CONTINUED).rfind(0)
    special = _SPECIAL.search(old.kinds, last)
    last = special.start() if special else len(old)
    start, end = old.starts[first], old.starts[last] + moved
    edges, at = [], start
    for begin, finish in spans:
        if begin > at:
            edges.append((at, False))
        edges.append((begin, True))
        at = finish
    if at < end:
        edges.append((at, False))
    return Region(first, last, start, end, before, after, tuple(edges), moved)


def _resynchronised(
    old: Encoding, text: str, change: Change, cutter: Cutter, before: int
) -> tuple[list[tuple[int, int]], int]:
    """The new text's added tokens from `before` on, up to where its cutting is the old one again."""
    moved = len(text) - len(old.text)
    after = len(text) - change.after
    while True:
        spans = cutter.spans(text, before, after)
        furthest = max(after, spans[-1][1] if spans else 0)
        row = old.row_at(after - moved)
        if row < len(old) and old.kinds[row] & SPECIAL and old.starts[row] < after - moved:
            furthest = max(furthest, old.starts[row + 1] + moved)
        if furthest == after:
            return spans, after
        after = furthest
