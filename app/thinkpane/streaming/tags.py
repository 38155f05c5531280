"""Think tags as a set to search for, and what must be held back because it may become one."""

import re

DEFAULT_TAGS = tuple((f"<{name}>", f"</{name}>") for name in ("think", "thinking", "thought", "reasoning"))
"""The pairs that count where nothing else is asked for."""


class Marks:
    """A set of literal marks: tags, or channel tokens."""

    def __init__(self, marks: tuple[str, ...]) -> None:
        """marks: none of them empty. firsts: the characters that they begin with."""
        self.all = marks
        longest_first = sorted(marks, key=len, reverse=True)
        self.pattern = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")
        self._beginnings = frozenset(mark[:size] for mark in marks for size in range(1, len(mark)))
        self._firsts = frozenset(mark[0] for mark in marks)
        self.firsts = "".join(sorted(self._firsts))
        self._longest = max(map(len, marks), default=1)

    def at_start(self, text: str) -> str:
        """The longest mark that `text` starts with, "" where there is none."""
        found = self.pattern.match(text)
        return found.group() if found else ""

    def may_become(self, text: str) -> bool:
        """True where `text` is the beginning of a mark and not yet a whole one."""
        return text in self._beginnings

    def held_from(self, text: str) -> int:
        """Where the end of `text` begins that more text may turn into a mark; len(text) where nothing must wait."""
        for start in range(max(0, len(text) - self._longest + 1), len(text)):
            if text[start] in self._firsts and text[start:] in self._beginnings:
                return start
        return len(text)
