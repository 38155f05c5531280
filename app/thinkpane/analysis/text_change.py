"""How much one text differs from another, in characters, for badges such as “+214 characters”."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_COMPARED = 3000  # pieces a side; beyond that whole lines are compared, which is coarser and always quick


@dataclass(frozen=True, slots=True)
class TextChange:
    """Characters that a change added and took away."""

    added: int = 0
    removed: int = 0

    @property
    def words(self) -> str:
        """“+214 −3 characters”, “no change”."""
        said = [f"+{self.added}"] if self.added else []
        said += [f"−{self.removed}"] if self.removed else []
        if not said:
            return "no change"
        return f"{' '.join(said)} character{'s' if self.added + self.removed > 1 else ''}"


def text_change(before: str, after: str) -> TextChange:
    """Counts word by word what was added and removed between two texts; by lines where much of them differs."""
    if before == after:
        return TextChange()
    start = _shared(before, after)
    before, after = before[start:], after[start:]
    end = _shared(before[::-1], after[::-1])
    before, after = before[: len(before) - end], after[: len(after) - end]
    if not before or not after:
        return TextChange(len(after), len(before))
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    if max(len(old), len(new)) > _COMPARED:
        old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
        if max(len(old), len(new)) > _COMPARED:
            return TextChange(len(after), len(before))
    return _counted(old, new)


def _shared(one: str, other: str) -> int:
    """How many characters both begin with; halving, because slices compare at the speed of memory."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _counted(old: list[str], new: list[str]) -> TextChange:
    added = removed = 0
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            removed += sum(map(len, old[a:b]))
            added += sum(map(len, new[c:d]))
    return TextChange(added, removed)
