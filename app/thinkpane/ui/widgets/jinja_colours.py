"""Colours Jinja source line by line: what is printed stays plain, what is program stands on a ground of its own."""

from functools import cache
from itertools import pairwise

from PySide6.QtGui import QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from thinkpane.formats.jinja_scan import Token, scan, state_of
from thinkpane.ui import theme
from thinkpane.ui.models.shown_text import units

LONGEST_COLOURED = 20_000
"""Characters of a line beyond which it stays plain: it would take a noticeable time at each key."""

_STATEMENTS = frozenset(
    (
        *("if", "elif", "else", "for", "set", "macro", "call", "filter", "block", "with", "raw", "autoescape"),
        *("generation", "break", "continue", "do", "extends", "include", "import", "from"),
    )
)
_WORDS = frozenset(("in", "is", "not", "and", "or", "if", "else", "recursive", "as", "with", "without", "context"))
_CONSTANTS = frozenset(("true", "false", "none", "True", "False", "None"))


class JinjaHighlighter(QSyntaxHighlighter):
    """Keeps a document's colours; each line knows what the line before left open."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        theme.state().changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        """Colours one line."""
        # A carriage return is shown by a stand-in; between the words of a tag it is a space.
        line = text.replace("␍", "\r")
        tokens, state = scan(line, state_of(self.previousBlockState()))
        self.setCurrentBlockState(state.number())
        if len(text) > LONGEST_COLOURED:
            return
        is_wide = not text.isascii()
        look = _formats(theme.current())
        for token, kind in zip(tokens, kinds(line, tokens), strict=True):
            if kind != "data":
                start = units(line[: token.start]) if is_wide else token.start
                end = units(line[: token.end]) if is_wide else token.end
                self.setFormat(start, end - start, look[kind])
        self._ground_gaps(tokens, look["gap"], line, is_wide)

    def _ground_gaps(self, tokens: list[Token], look: QTextCharFormat, line: str, is_wide: bool) -> None:
        """The ground between the tokens of a tag, so that a tag is one stretch."""
        for before, after in pairwise(tokens):
            if before.end < after.start and before.kind != "end":
                start = units(line[: before.end]) if is_wide else before.end
                self.setFormat(start, after.start - before.end, look)


def kinds(line: str, tokens: list[Token]) -> list[str]:
    """What each token is for a reader: data, raw, comment, tag, statement, word, constant, name, call, text, …"""
    found: list[str] = []
    before = earlier = ""
    for place, token in enumerate(tokens):
        text = line[token.start : token.end]
        if token.kind == "word":
            following = line[tokens[place + 1].start] if place + 1 < len(tokens) else ""
            is_test = before == "is" or (before == "not" and earlier == "is")
            is_called = before == "|" or following == "(" or (is_test and text not in _WORDS | _CONSTANTS)
            is_first = place > 0 and tokens[place - 1].kind == "begin"
            found.append(_word(text, is_first=is_first, is_field=before == ".", is_called=is_called))
        else:
            found.append(_PLAIN[token.kind])
        earlier, before = before, text
    return found


_PLAIN = {
    "data": "data",
    "raw": "data",
    "comment": "comment",
    "begin": "tag",
    "end": "tag",
    "number": "constant",
    "string": "string",
    "operator": "operator",
    "open": "operator",
    "close": "operator",
    "odd": "odd",
}


def _word(text: str, *, is_first: bool, is_field: bool, is_called: bool) -> str:
    if is_first and (text in _STATEMENTS or text.startswith("end")):
        return "statement"
    if not is_field and text in _CONSTANTS:
        return "constant"
    if not is_field and text in _WORDS:
        return "statement"
    return "call" if is_called else "name"


@cache
def _formats(colours: theme.Theme) -> dict[str, QTextCharFormat]:
    return {
        "tag": _format(colours, colours.dim),
        "statement": _format(colours, colours.accent, bold=True),
        "name": _format(colours, colours.text),
        "call": _format(colours, colours.system),
        "constant": _format(colours, colours.warning),
        "string": _format(colours, colours.good),
        "operator": _format(colours, colours.dim),
        "odd": _format(colours, colours.bad),
        "gap": _format(colours, colours.dim),
        "comment": _format(colours, colours.dim, italic=True, ground=False),
    }


def _format(
    colours: theme.Theme, colour: str, *, bold: bool = False, italic: bool = False, ground: bool = True
) -> QTextCharFormat:
    found = QTextCharFormat()
    found.setForeground(colours.color(colour))
    if ground:
        found.setBackground(colours.color(colours.chip))
    if bold:
        found.setFontWeight(QFont.Weight.DemiBold)
    found.setFontItalic(italic)
    return found
