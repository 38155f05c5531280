"""The special tokens of one prompt: which there are, how often, and which comes next."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from thinkpane.prompt.owners import Stretch
from thinkpane.prompt.prompt import Prompt


def _none() -> "array[int]":
    return array("I")


@dataclass(frozen=True, slots=True)
class SpecialPlaces:
    """Where special tokens begin, in code points: all of them, and those of each kind by its text, in order of first
    appearance."""

    starts: "array[int]" = field(default_factory=_none)
    kinds: dict[str, "array[int]"] = field(default_factory=dict)
    role_of: dict[str, str] = field(default_factory=dict)

    def counts(self) -> list[tuple[str, int]]:
        """Every kind and how often it stands there."""
        return [(text, len(starts)) for text, starts in self.kinds.items()]

    def of(self, kind: str) -> "array[int]":
        """Where the tokens of a kind begin; of all kinds for ""."""
        return self.starts if not kind else self.kinds.get(kind, array("I"))

    def named(self, words: str) -> list[str]:
        """The kinds that `words` may mean: that one itself, else those that hold the words in any case."""
        if words in self.kinds:
            return [words]
        return [text for text in self.kinds if words.casefold() in text.casefold()]

    def at(self, start: int) -> Stretch:
        """The token that begins at `start`."""
        kind = next(text for text, starts in self.kinds.items() if _holds(starts, start))
        return start, start + len(kind)


def special_places(prompt: Prompt) -> SpecialPlaces:
    """The special tokens of a prompt, as its chips show them."""
    found = SpecialPlaces()
    for each in prompt.segments:
        if each.special:
            text = prompt.text[each.start : each.end]
            found.starts.append(each.start)
            found.kinds.setdefault(text, array("I")).append(each.start)
            found.role_of.setdefault(text, each.role)
    return found


def next_start(starts: Sequence[int], position: int) -> int:
    """The number of the first of `starts` behind a position, round to the first; -1 where there are none."""
    return bisect_right(starts, position) % len(starts) if starts else -1


def previous_start(starts: Sequence[int], position: int) -> int:
    """The number of the last of `starts` before a position, round to the last; -1 where there are none."""
    return (bisect_left(starts, position) - 1) % len(starts) if starts else -1


def _holds(starts: Sequence[int], start: int) -> bool:
    number = bisect_left(starts, start)
    return number < len(starts) and starts[number] == start
