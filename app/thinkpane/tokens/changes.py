"""What changed between two texts: one stretch, found by what they begin and end with."""

from dataclasses import dataclass
from itertools import takewhile
from typing import Final

BLOCK: Final = 1 << 15
"""Code points of one block of a long text."""


@dataclass(frozen=True, slots=True)
class Change:
    """Code points that two texts have in common. before: at their start. after: at their end; they do not overlap."""

    before: int
    after: int


NOTHING: Final = Change(0, 0)
"""Nothing is known to be the same."""


class Version:
    """Stands for what was made of one text, and knows what that was made of: where nothing changed, whoever holds
    something of the former one need not make it again. It holds neither of both."""

    __slots__ = ("_former", "_key", "_same", "length")

    def __init__(self, length: int = 0, former: "Version | None" = None, same: Change = NOTHING) -> None:
        """length: code points of the text. same: those, at its ends, of which the same was made as in `former`."""
        self.length = length
        self._key = object()
        self._former = former._key if former is not None else None
        self._same = same

    def shared(self, former: "Version") -> Change:
        """What is the same as in `former`; nothing, where this was not made of that one."""
        return self._same if self._former is former._key else NOTHING


def change_between(old: str, new: str) -> Change:
    """The shortest stretch of `old` whose replacement gives `new`; of equally short ones the last."""
    most = min(len(old), len(new))
    before = _same(old, new, 0, most)
    return Change(before, _same_end(old, new, len(new), most - before))


def change_of_chunks(old: list[str], new: list[str], length: int) -> Change:
    """What `change_between` says of two texts, told of the parts that they are joined of. length: of the new text.

    Parts that are the very same string cost nothing, and the others are as narrow as their own characters allow.
    """
    most = min(len(old), len(new))
    first = _alike(old, new, most)
    last, more = _alike_at_end(old, new, most - first), 1
    while True:
        one, other = "".join(old[first : len(old) - last]), "".join(new[first : len(new) - last])
        change = change_between(one, other)
        if not last or change.before < min(len(one), len(other)):
            break
        # What follows may go on alike, though it is parted in another way.
        last, more = max(last - more, 0), 2 * more
    begin = sum(map(len, new[:first]))
    return Change(begin + change.before, length - begin - len(other) + change.after)


def _alike(old: list[str], new: list[str], most: int) -> int:
    """How many parts are the same from the start: whole lists of them are compared, which Python does the soonest."""
    found, step = 0, _largest(most)
    while step:
        stop = found + step
        if stop <= most and old[found:stop] == new[found:stop]:
            found = stop
        else:
            step //= 2
    return found


def _alike_at_end(old: list[str], new: list[str], most: int) -> int:
    found, step = 0, _largest(most)
    while step:
        one, other = len(old) - found, len(new) - found
        if found + step <= most and old[one - step : one] == new[other - step : other]:
            found += step
        else:
            step //= 2
    return found


class Blocks:
    """A text that is compared with later ones. It is kept in parts, because at a million tokens copying the parts out
    for each comparison costs more than comparing them."""

    def __init__(self, text: str = "") -> None:
        self._length = len(text)
        self._parts = _cut(text, 0, len(text))

    def __len__(self) -> int:
        return self._length

    def change_to(self, new: str) -> Change:
        """The shortest stretch whose replacement gives `new`; of equally short ones the last."""
        most = min(self._length, len(new))
        before = self._same(new, most)
        return Change(before, self._same_end(new, most - before))

    def changed(self, change: Change, new: str) -> "Blocks":
        """The blocks of `new`, of which `change` was told."""
        made = Blocks("")
        made._length = len(new)
        first, last = self._parts_within(change.before), self._parts_from_end(change.after)
        middle = _cut(new, sum(map(len, first)), len(new) - sum(map(len, last)))
        made._parts = [*first, *middle, *last]
        # Edits leave small parts behind; many of them would cost as much as what they save.
        return made if len(made._parts) <= 2 * (len(new) // BLOCK) + 8 else Blocks(new)

    def spliced(self, change: Change, new: str) -> str:
        """The text with `new` in the place of what `change` does not have in common, in one copy."""
        first, last = self._parts_within(change.before), self._parts_from_end(change.after)
        before = change.before - sum(map(len, first))
        after = change.after - sum(map(len, last))
        head = self._parts[len(first)][:before] if before else ""
        tail = self._parts[-len(last) - 1][-after:] if after else ""
        return "".join([*first, head, new, tail, *last])

    def _same(self, new: str, most: int) -> int:
        """How many code points are the same from the start, `most` at most."""
        at = 0
        for part in self._parts:
            if at + len(part) > most or not new.startswith(part, at):
                return at + _same(part, new, at, min(len(part), most - at))
            at += len(part)
        return at

    def _same_end(self, new: str, most: int) -> int:
        at = 0
        for part in reversed(self._parts):
            if at + len(part) > most or not new.endswith(part, 0, len(new) - at):
                return at + _same_end(part, new, len(new) - at, min(len(part), most - at))
            at += len(part)
        return at

    def _parts_within(self, size: int) -> list[str]:
        """The first parts that have no more than `size` code points together."""
        return _whole(self._parts, size)

    def _parts_from_end(self, size: int) -> list[str]:
        return _whole(self._parts[::-1], size)[::-1]


def _whole(parts: list[str], size: int) -> list[str]:
    taken = 0

    def fits(part: str) -> bool:
        nonlocal taken
        taken += len(part)
        return taken <= size

    return [*takewhile(fits, parts)]


def _cut(text: str, start: int, end: int) -> list[str]:
    return [text[at : min(at + BLOCK, end)] for at in range(start, end, BLOCK)]


def _same(part: str, new: str, at: int, most: int) -> int:
    """How many code points of `part` stand in `new` from `at` on, `most` at most: by ever smaller steps."""
    found, step = 0, _largest(most)
    while step:
        if found + step <= most and new.startswith(part[found : found + step], at + found):
            found += step
        else:
            step //= 2
    return found


def _same_end(part: str, new: str, end: int, most: int) -> int:
    found, step = 0, _largest(most)
    while step:
        first = len(part) - found - step
        if found + step <= most and new.endswith(part[first : first + step], 0, end - found):
            found += step
        else:
            step //= 2
    return found


def _largest(most: int) -> int:
    """The step to begin with: a quarter of all, so that little is copied in vain where a change comes early."""
    return 1 << max(0, most.bit_length() - 2)
