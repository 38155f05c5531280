"""Tells whether a place in streamed Markdown lies inside code, so that a tag there is only talked about.

Fences much as CommonMark has them, indentation and quote or list marks before them allowed. Inline code ends with its
line at the latest: an unpaired backtick must not hide the rest of the reply.
"""

import re

_MARKS = re.compile(r"`+|~+|\n|[^`~\n]+")
_SPECIAL = re.compile(r"[`~\n]")
_LINE_MARKS = " \t>-*+0123456789."


class CodeSpans:
    """Follows a text piece by piece. The pieces may be cut anywhere, within a row of backticks too."""

    def __init__(self) -> None:
        self._fence = ""
        self._on_fence_line = False
        self._inline = 0
        self._line_is_blank = True
        self._run = ""

    @property
    def inside(self) -> bool:
        """True where the text that comes next is code."""
        self._settle()
        return bool(self._fence or self._inline)

    def advance(self, text: str) -> None:
        """Goes on over `text`."""
        if not _SPECIAL.search(text):
            self._over_words(text)
            return
        for found in _MARKS.finditer(text):
            piece = found.group()
            if piece == "\n":
                self._over_line_end()
            elif piece[0] in "`~":
                self._over_run(piece)
            else:
                self._over_words(piece)

    def _over_words(self, text: str) -> None:
        if text and (self._run or self._line_is_blank):
            self._settle()
            if self._line_is_blank and text.strip(_LINE_MARKS):
                self._line_is_blank = False

    def _over_line_end(self) -> None:
        self._settle()
        self._inline = 0
        self._on_fence_line = False
        self._line_is_blank = True

    def _over_run(self, run: str) -> None:
        if self._run and self._run[0] != run[0]:
            self._settle()
        self._run += run

    def _settle(self) -> None:
        run = self._run
        if not run:
            return
        self._run = ""
        if self._fence:
            closes = run[0] == self._fence[0] and len(run) >= len(self._fence) and self._line_is_blank
            was_inline = self._on_fence_line and run == self._fence and run[0] == "`"
            if closes or was_inline:
                self._fence = ""
        elif self._inline:
            if run[0] == "`" and len(run) == self._inline:
                self._inline = 0
        elif len(run) >= 3 and self._line_is_blank:
            self._fence = run
            self._on_fence_line = True
        elif run[0] == "`":
            self._inline = len(run)
        self._line_is_blank = False
