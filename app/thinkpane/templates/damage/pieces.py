"""A template's text cut into tags and what stands between them, without Jinja and without a fault for any text.

What ends a tag is what Jinja's own lexer says: the delimiter outside string literals and open brackets.
"""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "statement", "output", "comment"]

_OPENS = re.compile(r"\{[{%#]")
_STRINGS = r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\"|['\"]"
_IN_STATEMENT = re.compile(_STRINGS + r"|[({\[]|[-+]?%\}|[)}\]]", re.DOTALL)
_IN_OUTPUT = re.compile(_STRINGS + r"|[({\[]|[-+]?\}\}|[)}\]]", re.DOTALL)
_END_RAW = re.compile(r"\{%[-+]?\s*endraw\s*[-+]?%\}")
_KINDS: dict[str, Kind] = {"{{": "output", "{%": "statement", "{#": "comment"}
_WORD = re.compile(r"[a-z_]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """One tag with its delimiters, or the text up to the next. start: its place in the whole text, in code points.

    closed: False for a tag that the text's end cuts off.
    """

    kind: Kind
    text: str
    start: int
    closed: bool = True

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)

    @property
    def inner_start(self) -> int:
        """Where the words of a tag begin, after the delimiter and its sign."""
        body = self.text[2:]
        signs = 1 if body[:1] in ("-", "+") else 0
        return self.start + 2 + signs + len(body[signs:]) - len(body[signs:].lstrip())

    @property
    def inner(self) -> str:
        """A tag's words without delimiters, signs and spaces; a text as it is."""
        if self.kind == "text":
            return self.text
        body = self.text[self.inner_start - self.start : -2 if self.closed else None]
        return (body[:-1] if self.closed and body[-1:] in ("-", "+") else body).rstrip()

    @property
    def word(self) -> str:
        """A statement's first word: if, endfor, …; "" for every other piece."""
        found = _WORD.match(self.inner) if self.kind == "statement" else None
        return found.group() if found else ""

    @property
    def trims_before(self) -> bool:
        """Whether the tag removes the whitespace before it."""
        return self.kind != "text" and self.text[2:3] == "-"

    @property
    def trims_after(self) -> bool:
        """Whether the tag removes the whitespace after it."""
        return self.kind != "text" and self.closed and self.text[-3:-2] == "-"


def cut(text: str) -> tuple[Piece, ...]:
    """The pieces of `text` in order; joined they are `text` again. Takes time in proportion to its length."""
    found: list[Piece] = []
    at = 0
    while at < len(text):
        opened = _OPENS.search(text, at)
        tag = opened.start() if opened else len(text)
        if tag > at:
            found.append(Piece("text", text[at:tag], at))
        if opened is None:
            break
        end = _tag_end(text, tag)
        piece = Piece(_KINDS[opened.group()], text[tag : end or len(text)], tag, end is not None)
        found.append(piece)
        at = piece.end
        if piece.word == "raw":
            at = _after_raw(text, at, found)
    return tuple(found)


def line_of(text: str, place: int) -> int:
    """The line, counted from 1, in which a place of `text` lies."""
    return text.count("\n", 0, place) + 1


def _tag_end(text: str, start: int) -> int | None:
    if text.startswith("{#", start):
        end = text.find("#}", start + 2)
        return None if end < 0 else end + 2
    closes, tokens = ("%}", _IN_STATEMENT) if text.startswith("{%", start) else ("}}", _IN_OUTPUT)
    depth = 0
    at = start + 2
    while found := tokens.search(text, at):
        at = found.end()
        token = found.group()
        if token.endswith(closes):
            if depth == 0:
                return at
            # Inside brackets this is no end: its first character is read alone.
            at = found.start() + 1
            depth -= token[0] == "}"
        elif token in ("'", '"'):
            # An open string runs to the end of the text for Jinja too.
            return None
        elif token in ("(", "[", "{"):
            depth += 1
        elif token in (")", "]", "}"):
            depth = max(0, depth - 1)
    return None


def _after_raw(text: str, at: int, found: list[Piece]) -> int:
    end = _END_RAW.search(text, at)
    stop = end.start() if end else len(text)
    if stop > at:
        found.append(Piece("text", text[at:stop], at))
    return stop
