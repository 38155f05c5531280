"""Where a template's own structure shows that a tag between angle brackets was removed.

A page that takes `<think>` for HTML leaves `''` where the literal `'<think>'` stood. An empty literal is left alone
wherever it makes sense by itself (`default('')`, `replace(x, '')`, `set x = ''`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thinkpane.templates.damage.blocks import Block, around, outwards
from thinkpane.templates.damage.pieces import Piece, cut

_EMPTY = r"(?:''|\"\")"
_IN = re.compile(rf"(?P<it>{_EMPTY}) in \w")
_SPLIT = re.compile(rf"\.split\((?P<it>{_EMPTY})\)(?P<rest>\[0\]\.split\((?P<second>{_EMPTY})\))?")
_AROUND = re.compile(rf"(?P<it>{_EMPTY})\s*(?P<sign>[+~])(?P<value>.+)(?P=sign)\s*(?P<second>{_EMPTY})", re.DOTALL)
_BEFORE_NAME = re.compile(rf"(?P<it>{_EMPTY})\s*[+~]\s*\w+\.name")
_EITHER = re.compile(rf"(?P<it>{_EMPTY}) if (?P<condition>.+) else (?P<second>{_EMPTY})", re.DOTALL)
_THINKING = re.compile(r"think|reason", re.IGNORECASE)
_THINKING_OFF = re.compile(r"not\s+\w*thinking\w*(?!\w| is )|thinking\w* (?:is|==) false", re.IGNORECASE)
_PAIRS = re.compile(r"for (?P<key>\w+), (?P<value>\w+) in .+\.items\(\)", re.DOTALL)
_LOOP_REACH = 400
"""Pieces after a call's name among which its loop must end."""
_KEPT = re.compile(r"</?think")
_LINE_FEED = ("'\\n'", '"\\n"')


@dataclass(frozen=True, slots=True)
class Tag:
    """The opening or closing tag of what `encloses` names; its text is the family's."""

    encloses: str
    closing: bool = False


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the text, [start, end), and the tags that belong there. An empty literal's place has its quotes."""

    start: int
    end: int
    tags: tuple[Tag, ...]


def sites(text: str) -> tuple[Site, ...]:
    """Every place that lost tags, in order, none overlapping."""
    pieces = cut(text)
    blocks = around(pieces)
    found: list[Site] = []
    # A page drops every tag of a name: where one is left, an empty output is meant.
    kept = bool(_KEPT.search(text))
    for at, (piece, block) in enumerate(zip(pieces, blocks, strict=True)):
        if piece.kind in ("statement", "output") and piece.closed:
            found += _splits(piece)
        if piece.kind == "output" and piece.closed:
            found += [] if kept else _in_output(piece, block)
            found += _reference_list(pieces, blocks, at)
            found += _call(pieces, blocks, at)
    return tuple(sorted(dict.fromkeys(found), key=lambda site: (site.start, site.end)))


def _splits(piece: Piece) -> Iterator[Site]:
    """Thinking is taken out of an answer by its tags: everywhere else `split('')` would be an error."""
    offset = piece.inner_start
    for found in _IN.finditer(piece.inner):
        yield _literal(found, "it", offset, Tag("thinking", closing=True))
    for found in _SPLIT.finditer(piece.inner):
        yield _literal(found, "it", offset, Tag("thinking", closing=True))
        if found["second"]:
            yield _literal(found, "second", offset, Tag("thinking"))


def _in_output(piece: Piece, block: Block | None) -> Iterator[Site]:
    inner, offset = piece.inner, piece.inner_start
    if found := _EITHER.fullmatch(inner):
        off_first = bool(_THINKING_OFF.search(found["condition"]))
        if off_first or _THINKING.search(found["condition"]):
            yield _literal(found, "it", offset, *_opened(off_first))
            yield _literal(found, "second", offset, *_opened(not off_first))
    elif found := _AROUND.fullmatch(inner):
        encloses = _enclosed(found["value"], block)
        if encloses:
            yield _literal(found, "it", offset, Tag(encloses))
            yield _literal(found, "second", offset, Tag(encloses, closing=True))
    elif inner in ("''", '""'):
        tags = _alone(block)
        if tags:
            yield Site(offset, offset + 2, tags)


def _opened(off: bool) -> tuple[Tag, ...]:
    """What ends a prompt: thinking that is open, or already closed where it is off."""
    return (Tag("thinking"), Tag("thinking", closing=True)) if off else (Tag("thinking"),)


def _enclosed(value: str, block: Block | None) -> str | None:
    if _THINKING.search(value):
        return "thinking"
    return "result" if _is_result(block) else None


def _alone(block: Block | None) -> tuple[Tag, ...]:
    """The tags of an output that is empty now: the end of the prompt, or an answer without thinking."""
    if block is None or block.word != "if":
        return ()
    is_else = block.branch == "else"
    after_thinking = is_else and any(_THINKING.search(words) for words in block.earlier)
    if any("add_generation_prompt" in each.opener for each in outwards(block)):
        off_before = any(_THINKING_OFF.search(words) for words in block.earlier)
        off = (after_thinking and not off_before) if is_else else bool(_THINKING_OFF.search(block.branch))
        return _opened(off)
    return _opened(off=True) if after_thinking else ()


def _is_result(block: Block | None) -> bool:
    """Whether a tool's answer is written here: in the branch of role tool, or in a macro named for it."""
    for each in outwards(block):
        if each.word == "macro" and re.search(r"tool_(?:response|result|output)", each.opener):
            return True
        if re.search(r"role\b.{0,6}==\s*['\"]", each.branch):
            return bool(re.search(r"role\b.{0,6}==\s*['\"]tool['\"]", each.branch))
    return False


def _reference_list(pieces: Sequence[Piece], blocks: Sequence[Block | None], at: int) -> Iterator[Site]:
    """A list of tools in a tool's answer: the line feed before its loop, and the empty output after it."""
    block = blocks[at]
    if block is None or "tool_reference" not in (
        block.branch + block.opener if block.word == "macro" else block.branch
    ):
        return
    inner, offset = pieces[at].inner, pieces[at].inner_start
    if inner in _LINE_FEED and _first_output(pieces, blocks, at):
        yield Site(offset + 1, offset + 1, (Tag("result"), Tag("tools")))
    elif inner in ("''", '""'):
        yield Site(offset, offset + 2, (Tag("tools", closing=True), Tag("result", closing=True)))


def _first_output(pieces: Sequence[Piece], blocks: Sequence[Block | None], at: int) -> bool:
    block = blocks[at]
    before = next((n for n in range(at - 1, -1, -1) if pieces[n].kind == "output" or blocks[n] is not block), -1)
    return before < 0 or blocks[before] is not block


def _call(pieces: Sequence[Piece], blocks: Sequence[Block | None], at: int) -> Iterator[Site]:
    """A call's name after an empty literal, in the loop over calls: the call's tags, and those of its arguments."""
    found = _BEFORE_NAME.fullmatch(pieces[at].inner)
    loop = next((each for each in outwards(blocks[at]) if each.word == "for"), None)
    if not found or loop is None or "tool_calls" not in loop.opener:
        return
    inside = [_literal(found, "it", pieces[at].inner_start, Tag("call"))]
    for n in range(at + 1, min(at + _LOOP_REACH, len(pieces))):
        here = blocks[n]
        if here is loop and pieces[n].word == "endfor":
            yield from inside
            yield Site(pieces[n].start, pieces[n].start, (Tag("call", closing=True),))
            return
        if here is not None and here.parent is loop and (pair := _PAIRS.fullmatch(here.opener)):
            inside += _argument(pieces[n], pair)


def _argument(piece: Piece, pair: re.Match[str]) -> Iterator[Site]:
    if piece.kind != "output":
        return
    for group, encloses in (("key", "argument_name"), ("value", "argument_value")):
        if re.match(rf"{pair[group]}\b", piece.inner):
            yield Site(piece.start, piece.start, (Tag(encloses),))
            yield Site(piece.end, piece.end, (Tag(encloses, closing=True),))


def _literal(found: re.Match[str], group: str, offset: int, *tags: Tag) -> Site:
    return Site(offset + found.start(group), offset + found.end(group), tags)
