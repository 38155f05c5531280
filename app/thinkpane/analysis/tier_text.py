"""Tier text: what the template wrote into this prompt because of a tier or a variable.

The rule: the prompt is compared with that of the same conversation in every other tier, without each variable that is
set, and without all that a tier sets. What at least one of them lacks comes and goes, so a tier or a variable is why it
is there; a message's own characters never count (prompt/parts.py). Where a stretch could begin at several places, since
the same words stand at both of its ends, it begins at the first of them.
"""

import re
from collections.abc import Hashable, Iterable, Mapping

from thinkpane.analysis.tier_states import TierState
from thinkpane.prompt.diff import diff
from thinkpane.prompt.owners import Stretch

_FARTHEST = 10_000
"""Characters by which a stretch is moved at most: a text of one repeated word would be gone through as a whole."""

_LONGEST = 1_000
"""Characters that are looked back at for the blank from which words are read; none of them is longer as a rule."""

_WORD = re.compile(r"<[^<>\s]{1,60}>|\w+|\s|[^\w\s]")


def tier_text(answers: Mapping[Hashable, str | None], unset: Iterable[Hashable]) -> tuple[Stretch, ...]:
    """The stretches of the prompt that come and go, in order, without overlaps.

    answers: renders by label, the prompt's own as "actual". unset: the labels of those without a variable.
    """
    actual = answers.get("actual")
    if not actual:
        return ()
    tiers = [label for label in answers if isinstance(label, TierState) and label.extra is None]
    others = {answers.get(label) for label in (*tiers, *unset)} - {None, actual}
    found = sorted(each for other in others if other is not None for each in added(other, actual))
    merged: list[Stretch] = []
    for start, end in found:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def added(before: str, after: str) -> list[Stretch]:
    """The stretches of `after` that `before` lacks, each as early as it may begin."""
    found: list[Stretch] = []
    at = 0
    for piece in diff(before, after):
        if piece.kind == "removed":
            continue
        end = at + len(piece.text)
        if piece.kind == "added":
            back = _back(after, found[-1][1] if found else 0, at, end)
            found.append((at - back, end - back))
        at = end
    return found


def _back(text: str, least: int, start: int, end: int) -> int:
    """How far the stretch may be moved towards the start of the text and hold the same, to where a word begins."""
    back = 0
    while start - back > least and back < _FARTHEST and text[start - back - 1] == text[end - back - 1]:
        back += 1
    first = start - back
    while first > 0 and not text[first - 1].isspace() and start - first < back + _LONGEST:
        first -= 1
    words = (found.start() for found in _WORD.finditer(text, first, start))
    return next((start - word for word in words if word >= start - back), 0)
