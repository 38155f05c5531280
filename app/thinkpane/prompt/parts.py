"""A prompt in the parts that its budget is told by: scaffolding, tier text, tools, documents, messages, thinking.

The rules: text of the template's own is scaffolding; a stretch of it, or of what it printed of a variable, is tier text
where at least half of it was found to come and go with a tier or a variable (analysis/tier_text.py). What came from a
message is thinking where it came from a field for reasoning or stands between the prompt's marks of thinking.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, TypeAlias

from thinkpane.conversation.messages import REASONING_FIELDS
from thinkpane.prompt.owners import Owners, Stretch
from thinkpane.prompt.prompt import Prompt
from thinkpane.tokens.segments import rows_of

PartKind: TypeAlias = Literal[
    "scaffolding", "tier", "tool", "document", "message", "thinking", "messages", "variables", "unknown"
]
"""messages: all of them as one value, or a raw text; unknown: characters that have no owner."""

TEMPLATE_KINDS: frozenset[PartKind] = frozenset(("scaffolding", "tier", "unknown"))
"""What did not come from input."""

_TEMPLATE_WRITES: frozenset[PartKind] = frozenset(("scaffolding", "variables"))
_INDEXED = re.compile(r"(message|tool|document)s\[(\d+)\]")
_THINKING = re.compile(rf"messages\[\d+\]\.(?:content\[\d+\]\.)?(?:{'|'.join(REASONING_FIELDS)})(?!\w)")


@dataclass(frozen=True, slots=True)
class Part:
    """Whose characters they are. index: of the message, tool or document in the request, from 0; None for the others,
    and for all tools or documents as one value."""

    kind: PartKind
    index: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """The parts of one text, as flat arrays: stretches without gaps, neighbours of different parts.

    length: characters of the text. starts: where each stretch begins. numbers: the part of each, as a place in `names`.
    """

    length: int = 0
    starts: "array[int]" = field(default_factory=lambda: array("q"))
    numbers: "array[int]" = field(default_factory=lambda: array("q"))
    names: tuple[Part, ...] = ()

    def summed(self, at: Sequence[int]) -> dict[Part, int]:
        """What each part has between its starts and ends, where `at` tells a measure of each start, and of the end."""
        found = [0] * len(self.names)
        for number, (first, last) in zip(self.numbers, pairwise(at), strict=True):
            found[number] += last - first
        return dict(zip(self.names, found, strict=True))

    def characters(self) -> dict[Part, int]:
        """How many characters each part has."""
        return self.summed([*self.starts, self.length])

    def spans_of(self, wanted: Collection[Part]) -> list[Stretch]:
        """Where these parts stand; neighbours are one stretch."""
        numbers = {number for number, each in enumerate(self.names) if each in wanted}
        found: list[Stretch] = []
        ends = [*self.starts[1:], self.length]
        for start, end, number in zip(self.starts, ends, self.numbers, strict=False):
            if number in numbers:
                joins = found and found[-1][1] == start
                found[-1:] = [(found[-1][0], end)] if joins else [*found[-1:], (start, end)]
        return found


def parts_of(prompt: Prompt, tier: Sequence[Stretch] = ()) -> Parts:
    """The parts of a traced prompt; none of one that is not. tier: what comes and goes with a tier or a variable."""
    if prompt.owners is None:
        return Parts()
    rows = rows_of(prompt.segments)
    thinking = [(start, end) for start, end, special, role in rows if role == "thinking" and not special]
    return parts_from(prompt.owners, thinking, tier)


def parts_from(owners: Owners, thinking: Sequence[Stretch] = (), tier: Sequence[Stretch] = ()) -> Parts:
    """The parts of a text with these owners. thinking: what stands between marks of thinking. Stretches are in order
    and do not overlap."""
    names: dict[Part, int] = {}
    starts, numbers = array("q"), array("q")
    by_path = [_part(path) for path in owners.paths]
    whole: dict[int, int] = {}
    last = -1
    for start, end, path, line in owners.rows():
        if start == end:
            continue
        # Tens of thousands of spans: what is one part wherever it stands is looked up by its path.
        key = path if line or by_path[path].kind != "scaffolding" else -1
        if key in whole:
            if whole[key] != last:
                last = whole[key]
                starts.append(start)
                numbers.append(last)
            continue
        part = by_path[path] if key >= 0 else Part("unknown")
        stretches = tier if part.kind in _TEMPLATE_WRITES else thinking if part.kind == "message" else ()
        if not stretches:
            whole[key] = names.setdefault(part, len(names))
        for first, own in _cut(start, end, part, stretches) if stretches else ((start, part),):
            number = names.setdefault(own, len(names))
            if number != last:
                last = number
                starts.append(first)
                numbers.append(number)
    return Parts(owners.length, starts, numbers, tuple(names))


def _cut(start: int, end: int, part: Part, stretches: Sequence[Stretch]) -> Iterator[tuple[int, Part]]:
    """Where the pieces of one owner's span begin, and what they are. stretches: of tier text, or of thinking."""
    if part.kind in _TEMPLATE_WRITES:
        found = sum(last - first for first, last in _within(stretches, start, end))
        yield start, Part("tier") if 2 * found >= end - start else part
        return
    at = start
    for first, last in _within(stretches, start, end):
        if first > at:
            yield at, part
        yield first, Part("thinking", part.index)
        at = last
    if at < end:
        yield at, part


def _within(stretches: Sequence[Stretch], start: int, end: int) -> Iterable[Stretch]:
    """What of the stretches lies in [start, end)."""
    for number in range(max(bisect_right(stretches, (start, start)) - 1, 0), len(stretches)):
        first, last = stretches[number]
        if first >= end:
            return
        if last > start:
            yield max(first, start), min(last, end)


def _part(path: str | None) -> Part:
    if path is None:
        return Part("scaffolding")
    found = _INDEXED.match(path)
    if found is not None:
        index = int(found[2])
        kinds: dict[str, PartKind] = {"message": "message", "tool": "tool", "document": "document"}
        return Part("thinking" if _THINKING.match(path) else kinds[found[1]], index)
    whole: dict[str, PartKind] = {"messages": "messages", "tools": "tool", "documents": "document"}
    return Part(whole.get(re.split(r"[.\[]", path, maxsplit=1)[0], "variables"))
