"""Writes a text as a SentencePiece model sees it, and tells where each character of that comes from.

Rule: sentencepiece 0.2.3, src/normalizer.cc. From left to right the longest symbol that a person defined stands as it
is, else the longest key of the model's character map gives way to its text, else a character stands as it is; then come
the rules for spaces.
"""

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Final

from thinkpane.formats.character_map import CharacterMap
from thinkpane.formats.sentencepiece_model import USER_DEFINED, SentencePieceModel
from thinkpane.tokens.cutting import any_of
from thinkpane.tokens.ids import Ids
from thinkpane.tokens.space_mark import SPACE_MARK

MOST_KEPT: Final = 10_000
"""Clusters of characters whose rules are remembered: few are met again and again."""
LONGEST_KEPT: Final = 16
"""Characters of those."""

_SEVERAL: Final = re.compile(" {2,}")
_NEVER: Final = "(?!)"
_NONE: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class _Unit:
    """What stands for the characters from `start` to `end`. plain: each of them for itself."""

    text: str
    start: int
    end: int
    plain: bool = False


class SentencePieceText:
    """The rules of one model."""

    def __init__(self, model: SentencePieceModel) -> None:
        """Raises ThinkpaneError (kind "tokenizer") for a character map that cannot be read."""
        self._adds = model.prefix
        self._suffix = model.suffix
        self._collapses = model.collapses
        self._mark = SPACE_MARK if model.marks_spaces else " "
        self._map = CharacterMap(model.charsmap) if model.charsmap else None
        defined = [piece for piece, kind in zip(model.pieces, model.kinds, strict=True) if kind == USER_DEFINED]
        self._defined = re.compile(any_of(defined)) if defined else None
        alone, following = (self._map.alone, self._map.following) if self._map is not None else (_NONE, _NONE)
        self._following = following
        self._changing = re.compile(_one_of(alone | following))
        self._tail = re.compile(f"{_one_of(following)}*")
        self._kept: dict[str, list[tuple[str, int]]] = {}

    @property
    def is_local(self) -> bool:
        """Whether a stretch is written in the same way whatever stands beside it."""
        return not (self._adds or self._collapses or self._map)

    def shaped(self, text: str) -> str:
        """The text as the model sees it."""
        return self._joined(self._units(text)[0])

    def origins(self, text: str) -> tuple[str, Ids]:
        """The same, and of each of its characters where in `text` that begins what it stands for; then their end."""
        units, end = self._units(text)
        places = chain.from_iterable(
            range(each.start, each.end) if each.plain else repeat(each.start, len(each.text)) for each in units
        )
        return self._joined(units), array("I", chain(places, [end]))

    def _joined(self, units: Iterable[_Unit]) -> str:
        return "".join(each.text for each in units).replace(" ", self._mark)

    def _units(self, text: str) -> tuple[list[_Unit], int]:
        """All that stands for the text, and where what stands for something ends."""
        found = [*self._rewritten(text)]
        begin, end = _begin(found, len(text)) if self._collapses else 0, len(text)
        if begin == end:
            return [], end
        if self._collapses:
            found = [*_collapsed(found)]
        if self._adds and not self._suffix:
            found.insert(0, _Unit(" ", begin, begin))
        if self._collapses:
            end = _trimmed(found, f" {self._mark}", end)
        if self._adds and self._suffix:
            found.append(_Unit(" ", end, end))
        return found, end

    def _rewritten(self, text: str) -> Iterator[_Unit]:
        """The text after the character map, and before the rules for spaces."""
        at = plain = 0
        symbol = self._symbol(text, 0)
        while True:
            cluster = self._cluster(text, at)
            start = min(symbol[0], cluster[0])
            if start > plain:
                yield _Unit(text[plain:start], plain, start, plain=True)
            if start == len(text):
                return
            at = start
            if symbol[0] == start:
                at = symbol[1]
                yield _Unit(text[start:at], start, at)
            else:
                for shown, length in self._rules(text[start : cluster[1]]):
                    yield _Unit(shown, at, at + length)
                    at += length
                    if symbol[0] <= at:
                        break
            if symbol[0] < at:
                symbol = self._symbol(text, at)
            plain = at

    def _symbol(self, text: str, at: int) -> tuple[int, int]:
        """Where the next symbol that a person defined begins and ends; the text's end where there is none."""
        found = self._defined.search(text, at) if self._defined is not None else None
        return found.span() if found is not None else (len(text), len(text))

    def _cluster(self, text: str, at: int) -> tuple[int, int]:
        """Where the next characters that may not stand for themselves begin, and where no key goes over their end."""
        found = self._changing.search(text, at)
        if found is None:
            return len(text), len(text)
        start = found.start() - (found[0] in self._following and found.start() > at)
        tail = self._tail.match(text, start + 1)
        return start, tail.end() if tail is not None else start + 1

    def _rules(self, cluster: str) -> Sequence[tuple[str, int]]:
        """What stands for a cluster, part by part, and how many of its characters each part stands for."""
        kept = self._kept.get(cluster)
        if kept is None:
            kept = [*_applied(self._map, cluster)] if self._map is not None else []
            if len(cluster) <= LONGEST_KEPT and len(self._kept) < MOST_KEPT:
                self._kept[cluster] = kept
        return kept


def _one_of(characters: Iterable[str]) -> str:
    """A pattern for these characters, and where any lies beyond U+FFFF for all that do: a list of those would be gone
    through at each place of a text."""
    found = sorted(characters)
    if not found:
        return _NEVER
    if found[-1] > "\uffff":
        found = [*(each for each in found if each <= "\uffff"), "\U00010000", "-", "\U0010ffff"]
        return f"[{re.escape(''.join(found[:-3]))}{''.join(found[-3:])}]"
    return f"[{re.escape(''.join(found))}]"


def _applied(characters: CharacterMap, cluster: str) -> Iterator[tuple[str, int]]:
    data, at, begun = cluster.encode("utf-8"), 0, 0
    while begun < len(cluster):
        found = characters.longest(data, at)
        size, shown = found if found is not None else (len(cluster[begun].encode("utf-8")), cluster[begun])
        length = len(data[at : at + size].decode("utf-8"))
        yield shown, length
        at, begun = at + size, begun + length


def _begin(units: Iterable[_Unit], end: int) -> int:
    """Where something else than a space begins."""
    for each in units:
        if not each.plain and each.text != " ":
            return each.start
        if each.plain and (rest := each.text.lstrip(" ")):
            return each.end - len(rest)
    return end


def _collapsed(units: Iterable[_Unit]) -> Iterator[_Unit]:
    """Without spaces at the start and behind another one; what one key stands for keeps those inside of it."""
    after_space = True
    for each in units:
        text = each.text.lstrip(" ") if after_space else each.text
        if not text:
            continue
        after_space = text.endswith(" ")
        if not each.plain:
            yield _Unit(text, each.start, each.end)
            continue
        start, at = each.end - len(text), 0
        for several in _SEVERAL.finditer(text):
            yield _Unit(text[at : several.start() + 1], start + at, start + several.start() + 1, plain=True)
            at = several.end()
        if at < len(text):
            yield _Unit(text[at:], start + at, each.end, plain=True)


def _trimmed(units: list[_Unit], spaces: str, end: int) -> int:
    """Takes the spaces at the end away; where what is left ends. A mark of a space that the text itself has is one."""
    while units:
        last = units.pop()
        kept = last.text.rstrip(spaces)
        if kept != last.text:
            end = last.start + (len(kept) if last.plain else 0)
        if kept:
            units.append(_Unit(kept, last.start, last.start + len(kept) if last.plain else last.end, last.plain))
            break
    return end
