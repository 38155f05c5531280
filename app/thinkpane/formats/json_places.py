"""Where each value of a JSON text stands in it, and which characters of the text stand for those of a string in it."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Final, TypeAlias

from thinkpane.errors import ThinkpaneError
from thinkpane.formats.strict_json import parse

Step: TypeAlias = str | int
"""A key of an object, or an index in a list, from 0."""

MOST: Final = 300_000
"""Characters of a text that is looked into; pictures as data are longer, and nobody points into them."""

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_WORD = re.compile(r"[^\s,\]}]+")
_CHARACTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|.", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class JsonPlace:
    """One value at [start, end) of the text, quotation marks included. begin: where its key begins, or itself. is_text:
    it is a string."""

    steps: tuple[Step, ...]
    begin: int
    start: int
    end: int
    is_text: bool


def json_places(text: str) -> tuple[JsonPlace, ...]:
    """Every value, each before those inside it; none where the text is no JSON, or too long. Of keys that stand there
    twice, the last one counts."""
    return _places(text) if len(text) <= MOST else ()


@lru_cache(maxsize=2)
def _places(text: str) -> tuple[JsonPlace, ...]:
    """Kept, because a pointer that moves asks again and again, and a long text takes a twentieth of a second."""
    try:
        parse(text)
    except ThinkpaneError:
        return ()
    found: dict[tuple[Step, ...], JsonPlace] = {}
    for each in sorted(_Walk(text).values((), None, _after_space(text, 0)), key=lambda each: (each.start, -each.end)):
        found.pop(each.steps, None)
        found[each.steps] = each
    return tuple(found.values())


def range_of(text: str, steps: Sequence[Step], at: tuple[int, int] | None = None) -> tuple[int, int] | None:
    """Where the value at these steps stands in the text, None where it does not. at: these characters of a string."""
    place = next((each for each in json_places(text) if each.steps == tuple(steps)), None)
    if place is None:
        return None
    if at is None or not place.is_text:
        return place.start, place.end
    edges = _edges(text, place)
    last = len(edges) - 1
    return edges[min(at[0], last)], edges[min(at[1], last)]


def steps_at(text: str, start: int, end: int) -> tuple[tuple[Step, ...], tuple[int, int] | None] | None:
    """The innermost value that holds [start, end) of the text, with its key; of a string also which of its characters,
    where some of them are meant. None where the text is no JSON."""
    places = [each for each in json_places(text) if each.begin <= start and end <= each.end]
    if not places:
        return None
    place = max(places, key=lambda each: len(each.steps))
    if not place.is_text or start == end or start < place.start:
        return place.steps, None
    edges = _edges(text, place)
    first, last = bisect_right(edges, max(start, edges[0])) - 1, bisect_right(edges, end - 1)
    return place.steps, (first, max(first, min(last, len(edges) - 1)))


def _edges(text: str, place: JsonPlace) -> list[int]:
    """Where the characters of a string begin in the text, and where the last one ends."""
    sizes = (found.end() - found.start() for found in _CHARACTER.finditer(text, place.start + 1, place.end - 1))
    return [*accumulate(sizes, initial=place.start + 1)]


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


class _Walk:
    """Goes through a text that is known to be JSON of no great depth."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def values(self, steps: tuple[Step, ...], begin: int | None, start: int) -> Iterator[JsonPlace]:
        """The value that begins at `start`, and those in it."""
        opening = self._text[start]
        self._at = start
        if opening in "{[":
            yield from self._inside(steps, opening == "{", start + 1)
        else:
            found = (_STRING if opening == '"' else _WORD).match(self._text, start)
            self._at = found.end() if found else start + 1
        yield JsonPlace(steps, start if begin is None else begin, start, self._at, opening == '"')

    def _inside(self, steps: tuple[Step, ...], is_object: bool, at: int) -> Iterator[JsonPlace]:
        at = _after_space(self._text, at)
        index = 0
        while self._text[at] not in "}]":
            begin: int | None = None
            key: Step = index
            if is_object:
                found = _STRING.match(self._text, at)
                begin, key = at, str(parse(found[0])) if found else ""
                colon = _after_space(self._text, found.end() if found else at)
                at = _after_space(self._text, colon + 1)
            yield from self.values((*steps, key), begin, at)
            at = _after_space(self._text, self._at)
            if self._text[at] == ",":
                at = _after_space(self._text, at + 1)
            index += 1
        self._at = at + 1
