"""Finding in a text: plain words in slices of work, or a regular expression; all positions are code points.

A regular expression can take for ever, so only a child process that can be ended runs one (`expression_hits`).
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from thinkpane.errors import Problem, ThinkpaneError

MOST_HITS: Final = 1_000_000
"""Hits that are kept; their places fit in one answer of the child process."""

SLICE: Final = 65_536
"""Code points that are searched before others get a turn: `re` keeps the interpreter to itself all the while."""

_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0abfnrtv]))")
_LETTERS = {"0": "\0", "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_FLAGS_FIRST = re.compile(r"\(\?[aiLmsux]+\)")


def _none() -> "array[int]":
    return array("I")


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for. regex: `words` is a regular expression (Python's); case: upper and lower case differ.

    whole: letters, digits and "_" may stand neither before nor after a hit.
    """

    words: str
    regex: bool = False
    case: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Hits:
    """What was found. starts, ends: code points, in order. capped: there are more. problem: why none could be found."""

    starts: "array[int]" = field(default_factory=_none)
    ends: "array[int]" = field(default_factory=_none)
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


def unescaped(words: str) -> str | None:
    """The characters that `words` stands for with its escapes read (\\u200b, \\xa0, \\U0001f600, \\n …); None = none.

    Source of the forms: how the views show characters that hide.
    """
    found = _ESCAPE.sub(_character, words)
    return found if found != words else None


def find_words(text: str, query: Query, overtaken: Callable[[], bool] = lambda: False) -> Hits:
    """All hits of plain words, up to `MOST_HITS`. Where the words hold escapes such as \\u200b, the characters that
    these stand for are hits too.

    overtaken: asked between slices; True ends the search early, with what was found up to there.
    """
    forms = [query.words, unescaped(query.words)]
    longest = max(len(form) for form in forms if form is not None)
    pattern = re.compile(_words_pattern(forms, query), 0 if query.case else re.IGNORECASE)
    found = Hits()
    position = 0
    while query.words and position < len(text) and not found.capped and not overtaken():
        end = position + SLICE
        # The last hit may reach into the next slice; one character more is looked at by `whole`.
        for match in pattern.finditer(text, position, min(end + longest + 1, len(text))):
            if match.start() >= end:
                break
            if len(found) == MOST_HITS:
                return Hits(found.starts, found.ends, capped=True)
            found.starts.append(match.start())
            found.ends.append(match.end())
        position = max(end, found.ends[-1] if found else 0)
    return found


def expression_hits(text: str, query: Query) -> Hits:
    """All hits of a regular expression, up to `MOST_HITS`; empty matches are no hits. Can take for ever.

    Raises ThinkpaneError (kind "expression") where it is none.
    """
    pattern = _compiled(query)
    found = Hits()
    for match in pattern.finditer(text):
        start, end = match.span()
        if start == end:
            continue
        if len(found) == MOST_HITS:
            return Hits(found.starts, found.ends, capped=True)
        found.starts.append(start)
        found.ends.append(end)
    return found


def _compiled(query: Query) -> re.Pattern[str]:
    flags = re.MULTILINE if query.case else re.MULTILINE | re.IGNORECASE
    try:
        pattern = re.compile(query.words, flags)
        if not query.whole:
            return pattern
        first = _FLAGS_FIRST.match(query.words)
        head = first[0] if first else ""
        # The newline ends a comment, which a verbose expression may end with.
        tail = "\n" if pattern.flags & re.VERBOSE else ""
        return re.compile(rf"{head}(?<!\w)(?:{query.words[len(head) :]}{tail})(?!\w)", flags)
    except re.error as error:
        place = f" (at {error.pos + 1:,})" if error.pos is not None else ""
        raise ThinkpaneError(Problem("expression", f"This is no regular expression: {error.msg}{place}.")) from None
    except (RecursionError, OverflowError) as error:
        sentence = "This regular expression nests too deeply or counts too far."
        raise ThinkpaneError(Problem("expression", sentence)) from error


def _words_pattern(forms: list[str | None], query: Query) -> str:
    found = "|".join(re.escape(form) for form in forms if form)
    return rf"(?<!\w)(?:{found})(?!\w)" if query.whole else f"(?:{found})"


def _character(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code is None:
        return _LETTERS[match[4]]
    number = int(code, 16)
    return chr(number) if number <= 0x10FFFF else match[0]
