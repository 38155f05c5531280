"""Where two versions of a template's text differ, for marks: by tags, words and blanks, not by characters."""

import re
from difflib import SequenceMatcher
from typing import NamedTuple

LONGEST = 60_000
"""Characters of either text; longer ones are not compared, the window would wait."""

_WORDS = re.compile(r"\{[%{#].*?[%}#]\}|\n|[^\S\n]+|[^\s{]+|\{", re.DOTALL)


class Stretch(NamedTuple):
    """A stretch of code points, end exclusive."""

    start: int
    end: int


def changes(before: str, after: str) -> tuple[list[Stretch], list[Stretch]]:
    """The stretches of `before` that are gone, and those of `after` that are new, in order."""
    if before == after or max(len(before), len(after)) > LONGEST:
        return [], []
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    old_places, new_places = _places(old), _places(new)
    gone: list[Stretch] = []
    added: list[Stretch] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes():
        if kind != "equal":
            gone += [Stretch(old_places[a], old_places[b])] if b > a else []
            added += [Stretch(new_places[c], new_places[d])] if d > c else []
    return gone, added


def _places(words: list[str]) -> list[int]:
    found = [0]
    for word in words:
        found.append(found[-1] + len(word))
    return found
