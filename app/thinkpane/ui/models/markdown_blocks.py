"""Cuts an answer into Markdown blocks while it comes: a block that is complete is rendered, and never again.

Only as exact as it must be: where a block ends too early its parts are rendered one by one, and nothing of it is lost.
"""

import re

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_MAY_BE_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)]?)\Z")

LONGEST_LIST = 8_192
"""Characters after which a list is cut between its items, so that a long one is not plain until its end."""


class MarkdownBlocks:
    """Takes an answer piece by piece and gives its blocks; together with `rest` they are the answer, exactly."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0
        self._line = ""
        self._fence = ""
        self._blank = True
        self._in_list = False

    @property
    def rest(self) -> str:
        """What is not complete yet."""
        return "".join(self._parts) + self._line

    @property
    def rest_length(self) -> int:
        """How long `rest` is."""
        return self._size + len(self._line)

    def feed(self, text: str) -> list[str]:
        """The blocks that `text` completes."""
        found: list[str] = []
        lines = (self._line + text).split("\n")
        self._line = lines.pop()
        for line in lines:
            self._take(found, line + "\n")
        if self._blank and not self._fence and self._begins_anew(self._line):
            self._cut(found)
        return found

    def close(self) -> str:
        """The last block, when nothing more comes."""
        rest = self.rest
        self._line, self._fence = "", ""
        self._cut([])
        return rest

    def _take(self, found: list[str], line: str) -> None:
        bare = line.rstrip("\r\n")
        fence = _FENCE.match(bare)
        if self._fence:
            self._add(line)
            if fence and fence[1][0] == self._fence[0] and len(fence[1]) >= len(self._fence) and not _info(bare, fence):
                self._fence = ""
                if not self._in_list:
                    self._cut(found)
        elif not bare.strip():
            self._add(line)
            self._blank = True
        else:
            if (self._blank and self._begins_anew(bare)) or (_HEADING.match(bare) and not self._in_list):
                self._cut(found)
            if not self._size or self._blank:
                self._in_list = bool(_ITEM.match(bare)) or (self._in_list and bare[:1] in " \t")
            self._add(line)
            self._blank = False
            if fence:
                self._fence = fence[1]
            elif _HEADING.match(bare) and not self._in_list:
                self._cut(found)

    def _begins_anew(self, line: str) -> bool:
        """Whether a line after a blank one begins another block."""
        if not line or not self._size or line[0] in " \t":
            return False
        if self._in_list and self._size < LONGEST_LIST:
            return not _ITEM.match(line) and not _MAY_BE_ITEM.match(line)
        return True

    def _add(self, line: str) -> None:
        self._parts.append(line)
        self._size += len(line)

    def _cut(self, found: list[str]) -> None:
        if self._size:
            found.append("".join(self._parts))
        self._parts, self._size, self._in_list, self._blank = [], 0, False, True


def _info(line: str, fence: "re.Match[str]") -> bool:
    """Whether something stands after a fence's marks; then it opens one."""
    return bool(line[fence.end() :].strip())
