"""Going to a place of the prompt: what one types for it, as a value. `destination` in destinations.py finds the place.

    120            token 120          token 120, t120, #120
    message 2      m2                 line 40, l40, line 40:7
    character 900  c900               next, >, previous, <: the special token after the caret, or before it
    <|im_end|>     the next of that kind; part of its text will do; <|im_end|> 3 is the third, > <|im_end|> and
                   < <|im_end|> go on and back

Numbers count from 1; -1 is the last. "last" stands for -1.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from thinkpane.errors import Problem, ThinkpaneError

TargetKind: TypeAlias = Literal["token", "message", "line", "character", "special"]

SYNTAX: Final = "token 120 · message 2 · line 40 · character 900 · next · previous · <|im_end|>"
"""The forms in one line, for whoever has typed nothing yet."""

_MOST: Final = 10**12
_WORDS: dict[str, TargetKind] = {
    "": "token",
    "#": "token",
    "t": "token",
    "tok": "token",
    "token": "token",
    "m": "message",
    "msg": "message",
    "message": "message",
    "l": "line",
    "line": "line",
    "c": "character",
    "char": "character",
    "character": "character",
    "offset": "character",
}
_NUMBERED = re.compile(r"(#|[A-Za-z]*)\s*(-?\d[\d,_]*|last)(?:\s*:\s*(\d[\d,_]*))?", re.IGNORECASE)
_ON = re.compile(r"(?:next|>)(?:\s+(.+))?", re.IGNORECASE | re.DOTALL)
_BACK = re.compile(r"(?:previous|prev|<)(?:\s+(.+))?", re.IGNORECASE | re.DOTALL)
_COUNTED = re.compile(r"(.+?)\s+(-?\d[\d,_]*|last)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Target:
    """Where to go. number: from 1, or from the end where negative; for kind "special" 0 = seen from the caret.

    column: of a line, from 1. words: the special token's text or part of it, "" = any. step: 1 on, -1 back.
    whole: all that was typed, for a special token whose text ends in a number.
    """

    kind: TargetKind
    number: int = 0
    column: int = 1
    words: str = ""
    step: int = 1
    whole: str = ""


def target(typed: str) -> Target:
    """What is meant by `typed`. Raises ThinkpaneError (kind "place") with one sentence where nothing is."""
    words = typed.strip()
    if not words:
        raise ThinkpaneError(Problem("place", f"Type where to go: {SYNTAX}."))
    numbered = _NUMBERED.fullmatch(words)
    if numbered is not None:
        kind = _WORDS.get(numbered[1].lower())
        if kind is not None:
            return _numbered(kind, numbered)
    for pattern, step in ((_ON, 1), (_BACK, -1)):
        found = pattern.fullmatch(words)
        if found is not None:
            return Target("special", words=found[1] or "", step=step)
    name = _WORDS.get(words.lower().rstrip(":"))
    if name is not None:
        raise ThinkpaneError(Problem("place", f"Which {name}? Type its number, as in “{name} 2”."))
    counted = _COUNTED.fullmatch(words)
    if counted is not None:
        return Target("special", _number(counted[2]), words=counted[1], whole=words)
    return Target("special", words=words)


def _numbered(kind: TargetKind, found: re.Match[str]) -> Target:
    number = _number(found[2])
    if not number:
        raise ThinkpaneError(Problem("place", f"The first {kind} is number 1."))
    if found[3] is None:
        return Target(kind, number)
    if kind != "line":
        raise ThinkpaneError(Problem("place", f"Only a line has a column, as in “line 4:7”, and a {kind} has none."))
    column = _number(found[3])
    if not column:
        raise ThinkpaneError(Problem("place", "The first column is number 1."))
    return Target(kind, number, column)


def _number(text: str) -> int:
    if text.lower() == "last":
        return -1
    digits = text.lstrip("-").replace(",", "").replace("_", "")
    # Longer ones than any text has are not worth reading; Python refuses those of thousands of digits.
    found = int(digits) if len(digits) < len(str(_MOST)) else _MOST
    return -found if text.startswith("-") else found
