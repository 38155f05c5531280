"""What is shown for a piece of text: characters that hide or mislead become visible escapes, each still one position.

Source of the list: Unicode's default-ignorable, control, bidi-control, tag and surrogate characters. A screen that
shows what is sent may not let any of them pass unseen. Qt counts UTF-16 units, the text counts code points; `Shown`
maps them.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import NamedTuple

MOST_MARKS = 32
"""Combining marks drawn on one character; more of them are told as a count, since layout time grows with them."""

_ALWAYS_LOW = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffc\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff"
)
"""Those of them below U+10000. In a class that is looked for, all above are one range (`_ASTRAL`): `re` tries ranges
up there one by one at every character (70 of them made looking sixty times slower)."""
_ALWAYS = f"{_ALWAYS_LOW}\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
_JOINERS = "\u200c\u200d"
_LONELY_JOINERS = f"(?:(?<![\u0600-\U0010ffff])|(?<=[{_ALWAYS}{_JOINERS}]))[{_JOINERS}]"
_ON_DEMAND = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u200c\u200d\ufe00-\ufe0f"
_ASTRAL = "\U00010000-\U0010ffff"
_ISOLATE, _END_ISOLATE = "\u2066", "\u2069"
"""Around an escape in right-to-left text: its backslash would go to the other side (Unicode's algorithm, LRI, PDI)."""
_SHORT = {"\r": "\\r", "\x0b": "\\v", "\x0c": "\\f", "\x00": "\\0", "\u00a0": "⍽"}
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
"""Those of `_ALWAYS` that are ASCII: most pieces are, and have none."""
_LEFTWARD_LOW = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"


class Odd(NamedTuple):
    """What takes other room in the shown form than in the piece. start, end: code points; unit, after: where it begins
    and ends in units."""

    start: int
    end: int
    unit: int
    after: int


_UNIT = attrgetter("unit")


@dataclass(frozen=True, slots=True)
class Shown:
    """The shown form of a piece.

    text: what Qt lays out. length: code points of the piece. odd: in order, what does not take one UTF-16 unit of
    `text` for a code point. escapes: [start, end) in units, drawn as marks of their own. mixed: holds right-to-left
    text, so that positions do not grow along the line.
    """

    text: str
    length: int
    odd: tuple[Odd, ...] = ()
    escapes: tuple[tuple[int, int], ...] = ()
    mixed: bool = False

    def unit(self, offset: int) -> int:
        """Where the code point at `offset` starts, in units; of several that are drawn as one, where that does."""
        at = bisect_left(self.odd, (offset + 1,)) - 1
        if at < 0:
            return offset
        odd = self.odd[at]
        return odd.unit if offset < odd.end else odd.after + offset - odd.end

    def offset(self, unit: int) -> int:
        """The code point that the unit belongs to, the first of several; a note's units belong to the end."""
        at = bisect_right(self.odd, unit, key=_UNIT) - 1
        if at < 0:
            return min(unit, self.length)
        odd = self.odd[at]
        return odd.start if unit < odd.after else min(odd.end + unit - odd.after, self.length)

    def nearest(self, unit: int) -> int:
        """The code point boundary nearest to a unit that may lie inside an escape."""
        at = bisect_left(self.odd, unit, key=_UNIT) - 1
        if at < 0 or unit >= self.odd[at].after:
            return self.offset(unit)
        odd = self.odd[at]
        return odd.end if odd.after - unit <= unit - odd.unit else odd.end - 1


def shown(piece: str, *, invisible: bool = False) -> Shown:
    """The shown form of `piece` (no newline in it). invisible: also shows odd spaces, joiners and variants."""
    if piece.isascii() and _CONTROLS.search(piece) is None:
        return Shown(piece, len(piece))
    first = _looked_at(invisible).search(piece)
    if first is None:
        return Shown(piece, len(piece))
    mixed = _leftward().search(piece, first.start()) is not None
    text: list[str] = []
    odd: list[Odd] = []
    escapes: list[tuple[int, int]] = []
    position = unit = copied = 0
    for start, end, drawn, escaped in _uneven(piece, invisible):
        if escaped and mixed:
            drawn = f"{_ISOLATE}{drawn}{_END_ISOLATE}"
        width = len(drawn) if drawn.isascii() else len(drawn.encode("utf-16-le", "replace")) // 2
        unit += start - position
        if width > 1 or end - start > 1:
            odd.append(Odd(start, end, unit, unit + width))
        if escaped:
            escapes.append((unit, unit + width))
            text += piece[copied:start], drawn
            copied = end
        position, unit = end, unit + width
    text.append(piece[copied:])
    return Shown("".join(text), len(piece), tuple(odd), tuple(escapes), mixed)


def without_surrogates(text: str) -> str:
    """`text` as Qt and other programs can hold it."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def runs_left(text: str) -> bool:
    """Whether a line that begins so is written from right to left: by its first letter that has a direction."""
    for character in text:
        way = unicodedata.bidirectional(character)
        if way in ("L", "R", "AL"):
            return way != "L"
    return False


def _uneven(piece: str, invisible: bool) -> Iterator[tuple[int, int, str, bool]]:
    """What does not stand as one unit for one character, in order: (start, end, drawn, escaped)."""
    pattern = _pattern(invisible)
    for run in _candidates(invisible).finditer(piece):
        at, end = run.span()
        while at < end:
            found = pattern.search(piece, at, end)
            first = found.start() if found else end
            bomb = _bombs().search(piece, at, first) if first - at > MOST_MARKS else None
            if bomb:
                start, at = bomb.start() + MOST_MARKS, bomb.end()
                yield start, at, f"+{at - start} marks", True
            elif found:
                for each, character in enumerate(found.group(), first):
                    astral = ord(character) >= 0x10000 and not _always().match(character) and not _is_mark(character)
                    yield each, each + 1, character if astral else _escape(character), not astral
                at = found.end()
            else:
                break


def _escape(character: str) -> str:
    short = _SHORT.get(character)
    if short is not None:
        return short
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


@cache
def _always() -> re.Pattern[str]:
    return re.compile(f"[{_ALWAYS}]")


@cache
def _pattern(invisible: bool) -> re.Pattern[str]:
    more = _ON_DEMAND if invisible else ""
    marks = f"[{_marks()}{_high_marks()}]"
    # What is escaped carries no mark. The first look is for what nearly all marks stand on, and costs little.
    on_an_escape = f"(?<![^{_ALWAYS_LOW}{more}{_ASTRAL}\t])(?<![^{_ALWAYS}{more}{_high_marks()}\t])"
    lonely_marks = f"(?=[{_marks()}]){on_an_escape}{marks}+"
    return re.compile(f"[{_ALWAYS_LOW}{more}{_ASTRAL}]|{_LONELY_JOINERS}{marks}*|{lonely_marks}")


@cache
def _candidates(invisible: bool) -> re.Pattern[str]:
    """Runs that hold all that `_pattern` and `_bombs` find. A class alone is looked for much faster than they are."""
    more = _ON_DEMAND if invisible else ""
    return re.compile(f"[{_ALWAYS_LOW}{more}{_ASTRAL}{_JOINERS}{_marks()}]+")


@cache
def _looked_at(invisible: bool) -> re.Pattern[str]:
    """Any character for which a piece is looked at more closely."""
    more = _ON_DEMAND if invisible else ""
    return re.compile(f"[{_ALWAYS_LOW}{more}{_ASTRAL}{_JOINERS}{_marks()}{_LEFTWARD_LOW}]")


@cache
def _leftward() -> re.Pattern[str]:
    return re.compile(f"[{_LEFTWARD_LOW}\U00010800-\U00010fff\U0001e800-\U0001efff]")


@cache
def _bombs() -> re.Pattern[str]:
    """Runs of more combining marks than are drawn."""
    return re.compile(f"[{_marks()}]{{{MOST_MARKS + 1},}}")


@cache
def _marks() -> str:
    """All combining marks below U+10000, for a class of characters."""
    return _marks_in((0x300, 0x3100), (0xA600, 0xAC00), (0xFB00, 0xFE30))


@cache
def _high_marks() -> str:
    """The others. They are always escaped, and so are marks on them where there is no letter."""
    return _marks_in((0x10A00, 0x11D00), (0x16A00, 0x17000), (0x1BC00, 0x1BD00), (0x1D100, 0x1D300), (0x1DA00, 0x1E900))


def _marks_in(*blocks: tuple[int, int]) -> str:
    return "".join(chr(code) for first, end in blocks for code in range(first, end) if _is_mark(chr(code)))


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Me") and not _always().match(character)
