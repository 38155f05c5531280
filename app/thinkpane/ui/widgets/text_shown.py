"""What is shown for a piece of text: characters that hide or mislead become visible escapes, each still one position.

Source of the list: Unicode's default-ignorable, control, bidi-control, tag and surrogate characters. A screen that
shows what is sent may not let any of them pass unseen. Qt counts UTF-16 units, the text counts code points; `Shown`
maps them.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cache

MOST_MARKS = 32
"""Combining marks drawn on one character; more of them are told as a count, since layout time grows with them."""

_ALWAYS = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffc\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_LONELY_JOINERS = f"(?:(?<![\u0600-\U0010ffff])|(?<=[{_ALWAYS}\u200c\u200d]))[\u200c\u200d]"
_ON_DEMAND = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u200c\u200d\ufe00-\ufe0f"
_ASTRAL = "\U00010000-\U0010ffff"
_ISOLATE, _END_ISOLATE = "\u2066", "\u2069"
"""Around an escape in right-to-left text: its backslash would go to the other side (Unicode's algorithm, LRI, PDI)."""
_SHORT = {"\r": "\\r", "\x0b": "\\v", "\x0c": "\\f", "\x00": "\\0", "\u00a0": "⍽"}
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
"""Those of `_ALWAYS` that are ASCII: most pieces are, and have none."""
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")


@dataclass(frozen=True, slots=True)
class Shown:
    """The shown form of a piece.

    text: what Qt lays out. units: for each code point of the piece, and for its end, where it starts in UTF-16 units
    of `text`; None where they are the same. escapes: [start, end) in units, drawn as marks of their own.
    length: code points of the piece. mixed: holds right-to-left text, so that positions do not grow along the line.
    """

    text: str
    length: int
    units: list[int] | None = None
    escapes: tuple[tuple[int, int], ...] = ()
    mixed: bool = False

    def unit(self, offset: int) -> int:
        """Where the code point at `offset` starts, in units."""
        return offset if self.units is None else self.units[offset]

    def offset(self, unit: int) -> int:
        """The code point that the unit belongs to, the first of several; a note's units belong to the end."""
        if self.units is None:
            return min(unit, self.length)
        if unit >= self.units[-1]:
            return self.length
        return bisect_left(self.units, self.units[bisect_right(self.units, unit) - 1])

    def nearest(self, unit: int) -> int:
        """The code point boundary nearest to a unit that may lie inside an escape."""
        if self.units is None:
            return min(unit, self.length)
        after = min(bisect_left(self.units, unit), self.length)
        before = max(after - 1, 0)
        closer = abs(self.units[after] - unit) <= abs(unit - self.units[before])
        return after if closer else before


def shown(piece: str, *, invisible: bool = False) -> Shown:
    """The shown form of `piece` (no newline in it). invisible: also shows odd spaces, joiners and variants."""
    if piece.isascii() and _CONTROLS.search(piece) is None:
        return Shown(piece, len(piece))
    pattern = _pattern(invisible)
    mixed = _RIGHT_TO_LEFT.search(piece) is not None
    if pattern.search(piece) is None and (piece.isascii() or not _bombs().search(piece)):
        return Shown(piece, len(piece), mixed=mixed)
    text: list[str] = []
    units: list[int] = []
    escapes: list[tuple[int, int]] = []
    unit = 0
    for start, end, drawn, escaped in _runs(piece, pattern):
        if escaped and mixed:
            drawn = f"{_ISOLATE}{drawn}{_END_ISOLATE}"
        width = len(drawn) if drawn.isascii() else len(drawn.encode("utf-16-le", "replace")) // 2
        if escaped or end - start == 1:
            units.extend([unit] * (end - start))
        else:
            units.extend(range(unit, unit + end - start))
        if escaped:
            escapes.append((unit, unit + width))
        text.append(drawn)
        unit += width
    units.append(unit)
    return Shown("".join(text), len(piece), units, tuple(escapes), mixed)


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


def _runs(piece: str, pattern: re.Pattern[str]) -> list[tuple[int, int, str, bool]]:
    """The piece as (start, end, drawn, escaped), without gaps; runs of several characters are one unit a character."""
    found: list[tuple[int, int, str, bool]] = []
    bombs = [] if piece.isascii() else [match.span() for match in _bombs().finditer(piece)]
    position = 0
    for match in pattern.finditer(piece):
        while bombs and bombs[0][0] < match.start():
            position = _bomb(piece, position, bombs.pop(0), found)
        if match.start() < position:
            continue
        if match.start() > position:
            found.append((position, match.start(), piece[position : match.start()], False))
        for at, character in enumerate(match.group(), match.start()):
            astral = ord(character) >= 0x10000 and not _always().match(character) and not _is_mark(character)
            found.append((at, at + 1, character if astral else _escape(character), not astral))
        position = match.end()
    for bomb in bombs:
        position = _bomb(piece, position, bomb, found)
    if position < len(piece):
        found.append((position, len(piece), piece[position:], False))
    return found


def _bomb(piece: str, position: int, bomb: tuple[int, int], found: list[tuple[int, int, str, bool]]) -> int:
    start, end = bomb[0] + MOST_MARKS, bomb[1]
    for each in range(position, start):
        found.append((each, each + 1, piece[each], False))
    found.append((start, end, f"+{end - start} marks", True))
    return end


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
    return re.compile(f"[{_ALWAYS}{more}{_ASTRAL}]|{_LONELY_JOINERS}[{_marks()}]*|(?<![^{_ALWAYS}\t])[{_marks()}]+")


@cache
def _bombs() -> re.Pattern[str]:
    """Runs of more combining marks than are drawn."""
    return re.compile(f"[{_marks()}]{{{MOST_MARKS + 1},}}")


@cache
def _marks() -> str:
    """All combining marks, for a class of characters."""
    blocks = [(0x300, 0x3100), (0xA600, 0xAC00), (0xFB00, 0xFE30), (0x10A00, 0x11D00), (0x16A00, 0x17000)]
    blocks += [(0x1BC00, 0x1BD00), (0x1D100, 0x1D300), (0x1DA00, 0x1E900)]
    return "".join(chr(code) for first, end in blocks for code in range(first, end) if _is_mark(chr(code)))


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Me") and not _always().match(character)
