"""A prompt cut at its special tokens, anew or from where it changed."""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import Final, overload

from thinkpane.tokens.changes import Change, Version
from thinkpane.tokens.ids import moved
from thinkpane.tokens.roles import ROLE_WORDS, Meaning, Meanings, SegmentRole

__all__ = ["MOST_TOKENS", "Cutter", "Segment", "SegmentRole", "Segments", "cut"]

MOST_TOKENS = 200_000
"""Special tokens that are cut out; what follows is one stretch. A hostile template can print millions of them."""

# A role's name ends its line or stands before a token; the first word of an answer does not.
_WORD = re.compile(r"[ \t]*([A-Za-z]+)(?=\r?\n|<|\[|\Z)")

_ROLES: Final[tuple[SegmentRole, ...]] = ("", "system", "user", "assistant", "tool", "thinking")
_NUMBERS: Final = {role: number for number, role in enumerate(_ROLES)}
_NONE: Final = 255
"""Stands for no role where one is written as a byte."""
_AT_START: Final = bytes((0, _NONE))


@dataclass(frozen=True, slots=True)
class Segment:
    """One stretch of the prompt. start, end: code points in it. special: it is a special token."""

    start: int
    end: int
    special: bool
    role: SegmentRole = ""


class Segments(Sequence[Segment]):
    """The segments of one text, without gaps, as flat arrays; each is made when it is looked at.

    length: of the text, in code points. starts: where each begins. flags: 1 = special. roles: places in `_ROLES`.
    states: two bytes for each, the turn's role and that of the stretch inside it (255 = none) before the segment:
    from there cutting can go on. version: which ones they were made of. Equal to any other sequence of the same
    segments.
    """

    __slots__ = ("flags", "length", "roles", "starts", "states", "version")

    def __init__(
        self,
        length: int = 0,
        starts: "array[int] | None" = None,
        flags: bytes = b"",
        roles: bytes = b"",
        states: bytes = b"",
    ) -> None:
        self.length = length
        self.starts = array("I") if starts is None else starts
        self.flags = flags
        self.roles = roles
        self.states = states
        self.version = Version(length)

    @property
    def special_count(self) -> int:
        """How many of them are special tokens."""
        return self.flags.count(1)

    def at(self, position: int) -> int:
        """The index of the segment that holds the code point; -1 for none."""
        return bisect_right(self.starts, position) - 1 if 0 <= position < self.length else -1

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, index: int) -> Segment: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Segment]: ...

    def __getitem__(self, index: int | slice) -> Segment | Sequence[Segment]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        start, count = self.starts[index], len(self.starts)
        at = index if index >= 0 else index + count
        end = self.starts[at + 1] if at + 1 < count else self.length
        return Segment(start, end, bool(self.flags[at]), _ROLES[self.roles[at]])

    def __iter__(self) -> Iterator[Segment]:
        return starmap(Segment, self.rows())

    def rows(self) -> Iterator[tuple[int, int, bool, SegmentRole]]:
        """The fields of each in order, for passes over all of them, which are too many to be made `Segment` values."""
        ends = (*self.starts[1:], self.length)
        return zip(self.starts, ends, map(bool, self.flags), map(_ROLES.__getitem__, self.roles), strict=False)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Segments):
            return (
                self.length == other.length
                and self.starts == other.starts
                and self.flags == other.flags
                and self.roles == other.roles
            )
        return isinstance(other, Sequence) and len(other) == len(self) and all(map(_equal, self, other))

    def __hash__(self) -> int:
        return hash((self.length, len(self)))

    def __repr__(self) -> str:
        return f"Segments({[*self]!r})"

    def state(self, index: int) -> tuple[int, int]:
        """What cutting knew before that segment: the turn's role, and the one inside it, as bytes."""
        return self.states[2 * index], self.states[2 * index + 1]

    def first(self, count: int) -> "Segments":
        """The first segments; their text ends where the next begins."""
        end = self.starts[count] if count < len(self) else self.length
        return Segments(end, self.starts[:count], self.flags[:count], self.roles[:count], self.states[: 2 * count])

    def joined(self, tail: "Segments", index: int, by: int) -> "Segments":
        """These, and behind them the segments of `tail` from `index` on, moved by so many code points."""
        return Segments(
            tail.length + by,
            self.starts + moved(tail.starts[index:], by),
            self.flags + tail.flags[index:],
            self.roles + tail.roles[index:],
            self.states + tail.states[2 * index :],
        )


def rows_of(segments: Sequence[Segment]) -> Iterator[tuple[int, int, bool, SegmentRole]]:
    """The fields of any segments in order, as `Segments.rows`."""
    if isinstance(segments, Segments):
        return segments.rows()
    return ((each.start, each.end, each.special, each.role) for each in segments)


def _equal(one: object, other: object) -> bool:
    return one == other


def cut(text: str, special_tokens: Sequence[str], roles: Mapping[str, str], thinking: Sequence[str] = ()) -> Segments:
    """`text` cut at `special_tokens` (longest first), without gaps, each stretch with whose part it is.

    roles: token -> role where a token's look does not say it. thinking: the tokens that open and close thinking.
    """
    return Cutter(special_tokens, roles, thinking).cut(text)


class Cutter:
    """Cuts texts at the same special tokens; see `cut`."""

    def __init__(self, special_tokens: Sequence[str], roles: Mapping[str, str], thinking: Sequence[str] = ()) -> None:
        tokens = sorted({token for token in special_tokens if token}, key=len, reverse=True)
        self._longest = len(tokens[0]) if tokens else 0
        self._pattern = re.compile("|".join(map(re.escape, tokens))) if tokens else None
        self._meanings = Meanings(roles, thinking)

    def cut(self, text: str) -> Segments:
        """The segments of a text."""
        if self._pattern is None or not text:
            return Segments(
                len(text), array("I", [0] if text else []), bytes(bool(text)), bytes(bool(text)), _AT_START * bool(text)
            )
        run = _Run(text, self._pattern, self._meanings)
        run.go(0)
        return run.made()

    def cut_again(self, text: str, old: Segments, change: Change) -> Segments:
        """The segments of a text that differs from the one that `old` was cut of only as `change` says: what stands
        before it is kept, and what stands behind it from where both go on alike."""
        if self._pattern is None or not text or old.special_count >= MOST_TOKENS:
            return self.cut(text)
        kept = self._kept(text, old, change.before)
        run = _Run(text, self._pattern, self._meanings, old.first(kept))
        if kept:
            run.resume(*old.state(kept))
        return run.go_on(old, len(text) - change.after, len(text) - old.length)

    def _kept(self, text: str, old: Segments, before: int) -> int:
        """How many segments cannot be others: up to a token with another one behind it, all of it long before the
        change, and something between them that ends any word that could name a role."""
        at = old.at(before - self._longest)
        specials = [index for index in range(at - 1, max(at - 8, -1), -1) if old[index].special]
        for index in specials[1:]:
            word = text[old.starts[index] : before - self._longest].lstrip(" \t")
            if word and not word.isalpha():
                return index
        return 0


class _Run:
    """One pass over one text: whose turn it is, and inside of which stretch of the turn."""

    def __init__(self, text: str, pattern: re.Pattern[str], meanings: Meanings, kept: Segments | None = None) -> None:
        """kept: what is known of its beginning."""
        self._text = text
        self._pattern = pattern
        self._meanings = meanings
        self._turn: SegmentRole = ""
        self._inside: SegmentRole | None = None
        kept = kept or Segments()
        self._begin = kept.length
        self._starts = array("I", kept.starts)
        self._flags = bytearray(kept.flags)
        self._roles = bytearray(kept.roles)
        self._states = bytearray(kept.states)

    def resume(self, turn: int, inside: int) -> None:
        """Goes on with what was known there (Segments.state)."""
        self._turn = _ROLES[turn]
        self._inside = None if inside == _NONE else _ROLES[inside]

    def made(self) -> Segments:
        """All that was cut."""
        return Segments(len(self._text), self._starts, bytes(self._flags), bytes(self._roles), bytes(self._states))

    def go(self, at: int) -> None:
        """Cuts from a position to the text's end."""
        for count, found in enumerate(self._pattern.finditer(self._text, at), self._flags.count(1)):
            if count == MOST_TOKENS:
                break
            at = self._add(found, at)
        self._rest(at)

    def go_on(self, old: Segments, same: int, by: int) -> Segments:
        """Cuts on from what is kept, until a token behind `same`, where the old text stands again moved `by` so much,
        is met in the same state as it was then; the rest is the old one's."""
        at = self._begin
        for count, found in enumerate(self._pattern.finditer(self._text, at), self._flags.count(1)):
            start = found.start()
            if start >= same and (index := self._met(old, start - by)) is not None:
                if start > at:
                    self._put(at, False, self._role)
                return self._joined(old, index, by)
            if count == MOST_TOKENS:
                break
            at = self._add(found, at)
        self._rest(at)
        return self.made()

    def _joined(self, old: Segments, index: int, by: int) -> Segments:
        found = self.made().joined(old, index, by)
        same = Change(self._begin, old.length - old.starts[index])
        found.version = Version(found.length, old.version, same)
        return found

    def _met(self, old: Segments, start: int) -> int | None:
        """The old special segment that begins there, where it was met in this state."""
        index = bisect_left(old.starts, start)
        if index < len(old) and old.starts[index] == start and old.flags[index] and old.state(index) == self._state:
            return index
        return None

    def _add(self, found: re.Match[str], at: int) -> int:
        """Takes in the stretch before a token, and the token; gives where it ends."""
        start, end = found.span()
        if start > at:
            self._put(at, False, self._role)
        state = self._state
        self._put(start, True, self._turned(self._meanings.of(found[0]), end), state)
        return end

    def _rest(self, at: int) -> None:
        if at < len(self._text):
            self._put(at, False, self._role)

    @property
    def _state(self) -> tuple[int, int]:
        return _NUMBERS[self._turn], _NONE if self._inside is None else _NUMBERS[self._inside]

    def _put(self, start: int, special: bool, role: SegmentRole, state: tuple[int, int] | None = None) -> None:
        self._starts.append(start)
        self._flags.append(special)
        self._roles.append(_NUMBERS[role])
        self._states += bytes(state or self._state)

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
