"""Indentation that a page folded to one space, inside the literals and the text a template prints.

Put back where the text's own structure gives it: lines under a numbered item stand as deep as its number is wide
(Markdown), lines of a JSON sample two spaces a level.
"""

import re

from thinkpane.templates.damage.pieces import Piece, cut, line_of
from thinkpane.templates.damage.values import INDENTATION, Damage, Mended

LEVEL = 2
"""Spaces a level of a JSON sample."""

_LITERAL = re.compile(r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\"", re.DOTALL)
_NUMBERED = re.compile(r"\d{1,2}\. ")
_ESCAPED_BREAK = r"\n"


def find(text: str) -> Damage | None:
    """Lines with a single leading space under a number or in a JSON sample, in a text without any deeper one."""
    if re.search(r"^  +\S|\\n  ", text, re.MULTILINE):
        return None
    mended = mend(text, None).text
    if mended == text:
        return None
    first = next(n for n, (one, other) in enumerate(zip(text, mended, strict=False)) if one != other)
    return Damage(
        INDENTATION,
        line_of(text, first),
        "Indentation was folded to one space: items under numbers and JSON samples are not indented, as printed text.",
        "likely",
    )


def mend(text: str, _family: str | None) -> Mended:
    """Indents again what the structure shows."""
    return Mended(
        "".join(_mended(piece) for piece in cut(text)),
        f"Indented items under numbers by the number's width and JSON samples by {LEVEL} spaces a level, as is usual; "
        "the original's own depth cannot be known.",
    )


def _mended(piece: Piece) -> str:
    if piece.kind == "text":
        return _indented(piece.text, "\n")
    if piece.kind != "output":
        return piece.text
    return _LITERAL.sub(lambda found: _indented(found.group(), _ESCAPED_BREAK), piece.text)


def _indented(text: str, line_break: str) -> str:
    lines = text.split(line_break)
    depth = under = 0
    for n, line in enumerate(lines):
        core = line.strip(" ")
        one_space = len(line) - len(line.lstrip(" ")) == 1
        if core[:1] in ("}", "]"):
            depth = max(0, depth - 1)
        if one_space and core and n:
            lines[n] = " " * (LEVEL * depth or under or 1) + line[1:]
        if depth or core in ("{", "["):
            depth += core.endswith(("{", "["))
        elif numbered := _NUMBERED.match(line):
            under = len(numbered.group())
        elif core and not one_space:
            under = 0
    return line_break.join(lines)
