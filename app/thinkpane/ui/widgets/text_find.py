"""Finding in a text: plain words or a regular expression, with bounds on time and on hits."""

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from PySide6.QtCore import QRegularExpression

MOST_HITS = 20_000

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for. regex: `words` is a regular expression; case: upper and lower case differ."""

    words: str
    regex: bool = False
    case: bool = False


@dataclass(frozen=True, slots=True)
class Hits:
    """What was found. starts, ends: code points, in order. capped: there are more. problem: why none could be found."""

    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()
    capped: bool = False
    problem: str = ""

    def __len__(self) -> int:
        return len(self.starts)

    def between(self, start: int, end: int) -> range:
        """The numbers of the hits that touch [start, end)."""
        return range(bisect_right(self.ends, start), bisect_left(self.starts, end))

    def after(self, position: int) -> int:
        """The number of the first hit at or after a position, round to the first; -1 where there is none."""
        return bisect_left(self.starts, position) % len(self) if self.starts else -1

    def before(self, position: int) -> int:
        """The number of the last hit before a position, round to the last; -1 where there is none."""
        return (bisect_left(self.starts, position) - 1) % len(self) if self.starts else -1


def find(text: str, query: Query) -> Hits:
    """All hits, up to `MOST_HITS`; empty matches are no hits."""
    if not query.words:
        return Hits()
    if query.regex:
        return _by_expression(text, query)
    pattern = re.compile(re.escape(query.words), 0 if query.case else re.IGNORECASE)
    starts: list[int] = []
    ends: list[int] = []
    for match in pattern.finditer(text):
        if len(starts) == MOST_HITS:
            return Hits(tuple(starts), tuple(ends), capped=True)
        starts.append(match.start())
        ends.append(match.end())
    return Hits(tuple(starts), tuple(ends))


def _by_expression(text: str, query: Query) -> Hits:
    """Qt's engine and not Python's: it bounds its backtracking, so that no expression can freeze the window."""
    option = QRegularExpression.PatternOption
    options = option.MultilineOption | option.UseUnicodePropertiesOption
    if not query.case:
        options |= option.CaseInsensitiveOption
    words = _SURROGATE.sub("\ufffd", query.words)
    expression = QRegularExpression(words, options)
    if not expression.isValid():
        return Hits(problem=f"{expression.errorString()} (at {expression.patternErrorOffset() + 1})")
    astral = [] if text.isascii() else [match.start() for match in _ASTRAL.finditer(text)]
    wide = [position + index for index, position in enumerate(astral)]
    starts: list[int] = []
    ends: list[int] = []
    matches = expression.globalMatch(_SURROGATE.sub("\ufffd", text))
    while matches.hasNext():
        match = matches.next()
        if not match.capturedLength():
            continue
        if len(starts) == MOST_HITS:
            return Hits(tuple(starts), tuple(ends), capped=True)
        starts.append(match.capturedStart() - bisect_left(wide, match.capturedStart()))
        ends.append(match.capturedEnd() - bisect_left(wide, match.capturedEnd()))
    return Hits(tuple(starts), tuple(ends))
