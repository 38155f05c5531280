"""How one text became another: the one stretch that differs, and where positions went."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Change:
    """`text` takes the place of [start, end), code points of the old text."""

    start: int
    end: int
    text: str

    def moved(self, position: int) -> int:
        """Where a position of the old text is in the new one; inside the change, at most its end."""
        if position <= self.start:
            return position
        if position >= self.end:
            return position + len(self.text) - (self.end - self.start)
        return min(position, self.start + len(self.text))


def change_between(old: str, new: str) -> Change:
    """The change that makes `new` of `old`; empty at the end where they are equal."""
    start = _common_prefix(old, new)
    most = min(len(old), len(new)) - start
    kept = _common_suffix(old, new, most)
    return Change(start, len(old) - kept, new[start : len(new) - kept])


def _common_prefix(one: str, other: str) -> int:
    same, differs = 0, min(len(one), len(other)) + 1
    while differs - same > 1:
        middle = (same + differs) // 2
        if one[same:middle] == other[same:middle]:
            same = middle
        else:
            differs = middle
    return same


def _common_suffix(one: str, other: str, most: int) -> int:
    same, differs = 0, most + 1
    while differs - same > 1:
        middle = (same + differs) // 2
        left = one[len(one) - middle : len(one) - same]
        if left == other[len(other) - middle : len(other) - same]:
            same = middle
        else:
            differs = middle
    return same
