"""A difference as texts with marks: each side by itself, and both in one. Pure: made beside the window."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from thinkpane.prompt.diff import Change, PromptDiff
from thinkpane.prompt.owners import Stretch
from thinkpane.tokens.segments import Segment
from thinkpane.ui.widgets.text_marks import Mark


@dataclass(frozen=True, slots=True)
class ShownSide:
    """One text with its marks. changes: where each change stands in it, in order; an empty stretch = nothing of it.

    inside: the characters inside changes that differ, where not all of it does.
    """

    text: str
    marks: tuple[Mark, ...]
    changes: tuple[Stretch, ...]
    inside: tuple[Stretch, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownDiff:
    """A difference ready to be shown: the first text, the second, and both in one."""

    one: ShownSide
    other: ShownSide
    both: ShownSide

    def across(self, position: int, *, back: bool = False) -> int:
        """The place in the second text that stands for one in the first; back: the other way."""
        here, there = (self.other, self.one) if back else (self.one, self.other)
        number = bisect_right(here.changes, position, key=lambda each: each[0]) - 1
        if number < 0:
            return position
        (start, end), (other_start, other_end) = here.changes[number], there.changes[number]
        return other_end + position - end if position >= end else min(other_start + position - start, other_end)


MOST_INSIDE = 2_000
"""Changes that are looked into character by character; what follows is marked as a whole."""


def shown_diff(found: PromptDiff, segments: Sequence[Segment], other_segments: Sequence[Segment]) -> ShownDiff:
    """segments, other_segments: the texts cut at their special tokens; they become chips."""
    parts = [_inside(found, each) for each in found.changes[:MOST_INSIDE]]
    one = _side(found.before, "removed", [each.before for each in found.changes], segments, [each[0] for each in parts])
    other = _side(
        found.after, "added", [each.after for each in found.changes], other_segments, [each[1] for each in parts]
    )
    return ShownDiff(one, other, _both(found, other_segments, parts))


def _inside(found: PromptDiff, change: Change) -> tuple[list[Stretch], list[Stretch]]:
    """The characters that differ; none where all of a side does, which its mark says."""
    before, after = found.inside(change)
    return [] if before == [change.before] else before, [] if after == [change.after] else after


def _side(
    text: str,
    kind: str,
    changes: Sequence[Stretch],
    segments: Iterable[Segment],
    inside: Iterable[Sequence[Stretch]],
) -> ShownSide:
    marks = [*_chips(segments, changes), *(Mark(*each, "token", kind) for each in changes if each[0] < each[1])]
    return ShownSide(text, tuple(sorted(marks, key=lambda each: each.start)), tuple(changes), tuple(_flat(inside)))


def _flat(inside: Iterable[Sequence[Stretch]]) -> Iterator[Stretch]:
    return (each for stretches in inside for each in stretches)


def _both(
    found: PromptDiff, segments: Sequence[Segment], parts: Sequence[tuple[list[Stretch], list[Stretch]]]
) -> ShownSide:
    """What was removed stands before what was added; the chips are those of the second text."""
    texts: list[str] = []
    marks: list[Mark] = []
    changes: list[Stretch] = []
    inside: list[Stretch] = []
    shift = at = 0
    for number, change in enumerate(found.changes):
        texts.append(found.after[at : change.after[0]])
        at = change.after[1]
        gone = change.before[1] - change.before[0]
        start, middle, end = change.after[0] + shift, change.after[0] + shift + gone, change.after[1] + shift + gone
        texts += [found.before[slice(*change.before)], found.after[slice(*change.after)]]
        marks += [
            Mark(first, last, "token", kind)
            for first, last, kind in ((start, middle, "removed"), (middle, end, "added"))
            if first < last
        ]
        if number < len(parts):
            inside += [
                (first + start - change.before[0], last + start - change.before[0]) for first, last in parts[number][0]
            ]
            inside += [(first + shift + gone, last + shift + gone) for first, last in parts[number][1]]
        changes.append((start, end))
        shift += gone
    texts.append(found.after[at:])
    spaces = [each.after for each in found.changes]
    marks += _chips(segments, spaces, [change.before[1] - change.before[0] for change in found.changes])
    return ShownSide("".join(texts), tuple(sorted(marks, key=lambda each: each.start)), tuple(changes), tuple(inside))


def _chips(segments: Iterable[Segment], changes: Sequence[Stretch], longer: Sequence[int] = ()) -> Iterator[Mark]:
    """The special tokens that no change touches. longer: by how much the text became longer at each change."""
    shifts = [*accumulate(longer or [0] * len(changes), initial=0)]
    for each in segments:
        if each.special and not _touched(each, changes):
            shift = shifts[bisect_right(changes, each.start, key=lambda one: one[0])]
            yield Mark(each.start + shift, each.end + shift, "token", each.role)


def _touched(segment: Segment, changes: Sequence[Stretch]) -> bool:
    number = bisect_right(changes, segment.end - 1, key=lambda each: each[0]) - 1
    return number >= 0 and (changes[number][1] > segment.start or changes[number][0] > segment.start)
