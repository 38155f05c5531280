"""How one text became another: the one stretch that differs, and where positions went."""

from dataclasses import dataclass

from thinkpane.tokens import changes


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
    return changed_as(changes.change_between(old, new), old, new)


def changed_as(same: changes.Change, old: str, new: str) -> Change:
    """The change between two texts of which is known what they have in common."""
    return Change(same.before, len(old) - same.after, new[same.before : len(new) - same.after])
