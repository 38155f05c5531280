"""Indents the tags of a template by their blocks, touching only whitespace that the template does not print.

With trim_blocks and lstrip_blocks (transformers' settings) that is: what stands before a statement or a comment that is
the first on its line, what a minus takes away, and what stands inside a tag outside of string literals.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from thinkpane.formats.jinja_blocks import Structure, structure
from thinkpane.formats.jinja_scan import Token, line_starts

_INDENT = re.compile(r"[ \t]*")
_SPACE_ONLY = re.compile(r"\s*")


def unit_of(text: str) -> str:
    """One step of indentation as `text` has it where its tags are indented: a tab, two spaces, else four."""
    widths = []
    for match in re.finditer(r"^([ \t]+)\{[%#]", text, re.MULTILINE):
        if "\t" in match[1]:
            return "\t"
        widths.append(len(match[1]))
    return "  " if any(width % 4 == 2 for width in widths) else "    "


def is_formattable(text: str) -> bool:
    """Whether the blocks of `text` match, so that there is a depth to indent by."""
    return structure(text).is_whole


def formatted(text: str, unit: str = "") -> str:
    """`text` with its tags indented by their blocks, `unit` a step ("" = as the text has it).

    A text whose blocks do not match is returned as it is.
    """
    whole = structure(text)
    return "".join(_lines(text, whole, unit or unit_of(text))) if whole.is_whole else text


def _lines(text: str, whole: Structure, unit: str) -> Iterator[str]:
    starts = line_starts(text)
    depths = _depths(whole)
    shift = 0
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        line = text[start:end]
        old = _indent(text, start)
        first = start + len(old)
        if not line.strip():
            yield line
        elif _runs_on(whole.tokens, start):
            yield _shifted(line, old, shift, unit) if _is_inside_code(whole.tokens, start) else line
        elif _is_free(text, whole, start, first):
            new = unit * _depth_at(whole, depths, first)
            shift = len(new) - len(old)
            yield new + line[len(old) :]
        else:
            shift = 0
            yield line


def _indent(text: str, start: int) -> str:
    match = _INDENT.match(text, start)
    return match.group() if match else ""


def _token_at(tokens: Sequence[Token], position: int) -> Token | None:
    """The last token that begins at or before `position`."""
    at = bisect_right(tokens, position, key=lambda token: token.start) - 1
    return tokens[at] if at >= 0 else None


def _runs_on(tokens: Sequence[Token], start: int) -> bool:
    """Whether a line begins inside of a tag or comment that an earlier line opened."""
    token = _token_at(tokens, start - 1)
    if token is None or token.kind in ("data", "raw", "end"):
        return False
    return token.kind != "comment" or token.end > start


def _is_inside_code(tokens: Sequence[Token], start: int) -> bool:
    """Whether a line that runs on begins with whitespace that means nothing: anywhere but in a string literal."""
    token = _token_at(tokens, start - 1)
    return token is not None and (token.kind != "string" or token.end <= start)


def _is_free(text: str, whole: Structure, start: int, first: int) -> bool:
    """Whether nothing of a line's indentation is printed. first: where its first character stands."""
    token = _token_at(whole.tokens, first)
    if token is None or token.kind == "raw":
        return False
    if token.kind == "data":
        return _is_eaten(text, whole.tokens, start, first)
    if token.start != first:
        return False
    if token.kind == "comment":
        sign = text[first + 2 : first + 3]
        return sign != "+" or _is_eaten(text, whole.tokens, start, first)
    place = whole.tag_at(first)
    tag = whole.tags[place] if place is not None else None
    if tag is None or tag.word in ("raw", "endraw"):
        return False
    if tag.trims_before or (tag.is_statement and not tag.keeps_before):
        return True
    return _is_eaten(text, whole.tokens, start, first)


def _is_eaten(text: str, tokens: Sequence[Token], start: int, first: int) -> bool:
    """Whether a tag before takes away all whitespace up to `first`."""
    at = bisect_right(tokens, start - 1, key=lambda token: token.start) - 1
    if at >= 0 and tokens[at].kind == "data":
        if not _SPACE_ONLY.fullmatch(text, tokens[at].start, first):
            return False
        at -= 1
    if at < 0 or tokens[at].kind not in ("end", "comment"):
        return False
    token = tokens[at]
    sign = token.end - 3
    return sign >= token.start + (4 if token.kind == "comment" else 0) and text[sign] == "-"


def _depths(whole: Structure) -> list[tuple[int, int]]:
    """How deep the text stands from each tag that opens or closes a block on: (place in the text, depth)."""
    steps = [(whole.tags[block.tags[0]].start, 1) for block in whole.blocks]
    steps += [(whole.tags[block.tags[-1]].start, -1) for block in whole.blocks]
    depth = 0
    found = [(-1, 0)]
    for place, step in sorted(steps):
        depth += step
        found.append((place, depth))
    return found


def _depth_at(whole: Structure, depths: Sequence[tuple[int, int]], first: int) -> int:
    """The depth of the line whose first character stands at `first`: branches and ends stand where their block does."""
    # The opening tag itself stands outside its block; a closing one already does.
    depth = depths[bisect_right(depths, first - 1, key=lambda step: step[0]) - 1][1]
    place = whole.tag_at(first)
    if place is None or whole.tags[place].start != first:
        return depth
    word = whole.tags[place].word
    return depth - 1 if word in ("else", "elif") or (word.startswith("end") and depth) else depth


def _shifted(line: str, old: str, shift: int, unit: str) -> str:
    if shift >= 0:
        return unit[0] * shift + line
    return line[min(-shift, len(old)) :]
