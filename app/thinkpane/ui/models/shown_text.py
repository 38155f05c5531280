"""How an exact text is shown in a Qt text widget, and how an edit in the widget is carried over to the exact text.

A QTextDocument cannot hold every text: it takes CR, U+2029 and two noncharacters for line ends, and a QString has no
lone surrogates. Such characters get a stand-in of the same length, so a place in the one is the same place in the
other. Qt counts UTF-16 units; here places are code points.
"""

import re
from typing import NamedTuple

_STAND_INS = {"\r": "␍", "\x00": "␀", "\u2029": "¶"}
_UNSHOWABLE = re.compile("[\r\x00\u2029\ufdd0\ufdd1\ud800-\udfff]")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


class Splice(NamedTuple):
    """Replace the code points from `start` to `end` by `text`."""

    start: int
    end: int
    text: str

    def apply(self, text: str) -> str:
        """`text` with the splice done."""
        return text[: self.start] + self.text + text[self.end :]


def shown(text: str) -> str:
    """`text` as the widget holds it; as long as `text`."""
    return _UNSHOWABLE.sub(lambda found: _STAND_INS.get(found.group(), "\ufffd"), text)


def units(text: str) -> int:
    """The length of a shown text in UTF-16 units."""
    return len(text) if text.isascii() else len(text) + len(_ASTRAL.findall(text))


def place_of_unit(text: str, unit: int) -> int:
    """The code point of a shown text at which the UTF-16 unit `unit` stands; the length of `text` at most."""
    if not _has_astral(text):
        return max(0, min(unit, len(text)))
    return len(text.encode("utf-16-le")[: 2 * max(0, unit)].decode("utf-16-le", "ignore"))


class UnitPlaces:
    """Places and UTF-16 units of one shown text. It remembers where it was asked last: a person types near the place of
    the key before, and counting four megabytes at each key would be felt."""

    def __init__(self, text: str = "") -> None:
        self._text = text
        self._place = self._unit = 0

    def place(self, unit: int) -> int:
        """The code point at which a unit stands (place_of_unit)."""
        wanted = max(unit, 0)
        if wanted >= self._unit:
            more = wanted - self._unit
            self.unit(self._place + place_of_unit(self._text[self._place : self._place + more], more))
            return self._place
        first = max(self._place - (self._unit - wanted), 0)
        skipped = self._unit - units(self._text[first : self._place])
        self.unit(first + place_of_unit(self._text[first : self._place], wanted - skipped))
        return self._place

    def unit(self, place: int) -> int:
        """The unit at which a code point stands."""
        place = max(0, min(place, len(self._text)))
        if place >= self._place:
            self._unit += units(self._text[self._place : place])
        else:
            self._unit -= units(self._text[place : self._place])
        self._place = place
        return self._unit

    def edited(self, text: str, start: int) -> None:
        """The text is another one now, from the code point `start` on."""
        if self._place > start:
            self.unit(start)
        self._text = text


def difference(old: str, new: str) -> Splice:
    """The smallest splice that makes `new` of `old`."""
    start = _common(old, new)
    back = min(len(old), len(new)) - start
    tail = _common(old[len(old) - back :][::-1], new[len(new) - back :][::-1])
    return Splice(start, len(old) - tail, new[start : len(new) - tail])


def carried(text: str, start: int, end: int, inserted: str, exact: str | None = None) -> Splice:
    """The splice of the exact `text` for an edit that put `inserted` in place of its shown code points start to end.

    Qt may report more than what changed: what looks the same as before at both ends is left as it is in `text`.
    exact: what was inserted, exactly, where that is known (a paste).
    """
    if exact is not None and shown(exact) == inserted:
        return Splice(start, end, exact)
    inner = difference(shown(text[start:end]), inserted)
    return Splice(start + inner.start, start + inner.end, inner.text)


def _has_astral(text: str) -> bool:
    return not text.isascii() and _ASTRAL.search(text) is not None


def _common(one: str, other: str) -> int:
    """The length of the common start, by halving: comparing slices is far quicker than characters one by one."""
    low, high = 0, min(len(one), len(other))
    if one[:high] == other[:high]:
        return high
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
