"""A prompt cut at its special tokens."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from thinkpane.tokens.roles import ROLE_WORDS, Meaning, Meanings, SegmentRole

__all__ = ["MOST_TOKENS", "Segment", "SegmentRole", "cut"]

MOST_TOKENS = 200_000
"""Special tokens that are cut out; what follows is one stretch. A hostile template can print millions of them."""

# A role's name ends its line or stands before a token; the first word of an answer does not.
_WORD = re.compile(r"[ \t]*([A-Za-z]+)(?=\r?\n|<|\[|\Z)")


@dataclass(frozen=True, slots=True)
class Segment:
    """One stretch of the prompt. start, end: code points in it. special: it is a special token."""

    start: int
    end: int
    special: bool
    role: SegmentRole = ""


def cut(
    text: str, special_tokens: Sequence[str], roles: Mapping[str, str], thinking: Sequence[str] = ()
) -> tuple[Segment, ...]:
    """`text` cut at `special_tokens` (longest first), without gaps, each stretch with whose part it is.

    roles: token -> role where a token's look does not say it. thinking: the tokens that open and close thinking.
    """
    tokens = sorted({token for token in special_tokens if token}, key=len, reverse=True)
    if not text or not tokens:
        return (Segment(0, len(text), False),) if text else ()
    pattern = re.compile("|".join(map(re.escape, tokens)))
    return tuple(_Cutter(text, pattern, Meanings(roles, thinking)).segments())


class _Cutter:
    """One pass over one text: whose turn it is, and inside of which stretch of the turn."""

    def __init__(self, text: str, pattern: re.Pattern[str], meanings: Meanings) -> None:
        self._text = text
        self._pattern = pattern
        self._meanings = meanings
        self._turn: SegmentRole = ""
        self._inside: SegmentRole | None = None

    def segments(self) -> Iterator[Segment]:
        at = 0
        for count, found in enumerate(self._pattern.finditer(self._text)):
            if count == MOST_TOKENS:
                break
            start, end = found.span()
            if start > at:
                yield Segment(at, start, False, self._role)
            yield Segment(start, end, True, self._turned(self._meanings.of(found[0]), end))
            at = end
        if at < len(self._text):
            yield Segment(at, len(self._text), False, self._role)

    @property
    def _role(self) -> SegmentRole:
        return self._turn if self._inside is None else self._inside

    def _turned(self, meaning: Meaning, end: int) -> SegmentRole:
        """Takes in one token and gives the token's own role."""
        if meaning.leaves:
            inside, self._inside = self._inside, None
            return self._turn if inside is None else meaning.role or self._turn
        if meaning.enters:
            self._inside = meaning.role
        elif meaning.role is not None:
            self._turn, self._inside = meaning.role, None
        elif meaning.announces:
            announced = self._announced(end)
            if announced:
                self._turn, self._inside = announced, None
        return self._role

    def _announced(self, end: int) -> SegmentRole | None:
        """The role that the word or the token right after an opening token names."""
        token = self._pattern.match(self._text, end)
        if token:
            return self._meanings.of(token[0]).role
        word = _WORD.match(self._text, end)
        return ROLE_WORDS.get(word[1].lower()) if word else None
