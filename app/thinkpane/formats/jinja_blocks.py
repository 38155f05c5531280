"""Which tags of Jinja source belong together, and which brackets: for an editor, without Jinja and without a fault."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from thinkpane.formats.jinja_scan import Token, inner, scan

BLOCK_WORDS = frozenset({"if", "for", "macro", "call", "filter", "block", "with", "raw", "autoescape", "generation"})
"""Statements that an `end…` closes (transformers' `generation` too); so does a `set` without an equals sign."""
_BRANCHES = {"else": ("if", "for"), "elif": ("if",)}
_CLOSES = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Tag:
    """One statement or output with its delimiters, [start, end) in code points.

    word: a statement's first word, "" for an output. closed: whether its own end is there. opens: it begins a block.
    trims_before: it takes the whitespace before it away; keeps_before: `+`, which keeps what would go by itself.
    """

    start: int
    end: int
    word: str
    closed: bool
    opens: bool
    trims_before: bool
    trims_after: bool
    keeps_before: bool

    @property
    def is_statement(self) -> bool:
        """Whether it is a statement."""
        return bool(self.word)


@dataclass(frozen=True, slots=True)
class Block:
    """One block: the places of its tags among all tags, from the opening one over the branches to the closing one.

    closed: whether the last of them closes it. depth: how many blocks stand around it.
    """

    word: str
    tags: tuple[int, ...]
    closed: bool
    depth: int


@dataclass(frozen=True, slots=True)
class Structure:
    """What belongs together in a text. blocks: by where they begin. stray: places of tags that close or branch nothing.

    brackets: the place of each bracket's partner, both ways; loose: brackets without one.
    """

    tokens: tuple[Token, ...]
    tags: tuple[Tag, ...]
    blocks: tuple[Block, ...]
    stray: tuple[int, ...]
    brackets: dict[int, int]
    loose: frozenset[int]

    def tag_at(self, position: int) -> int | None:
        """The place of the tag that a caret at `position` touches, the one behind it first; None for none."""
        at = bisect_right(self.tags, position, key=lambda tag: tag.start) - 1
        for place in (at, at - 1):
            if place >= 0 and self.tags[place].start <= position <= self.tags[place].end:
                return place
        return None

    def block_of(self, tag: int) -> Block | None:
        """The block that a tag opens, branches or closes."""
        return next((block for block in self.blocks if tag in block.tags), None)

    def bracket_near(self, position: int) -> int | None:
        """The bracket that a caret at `position` touches, the one before it first; None for none."""
        for place in (position - 1, position):
            if place in self.brackets or place in self.loose:
                return place
        return None

    @property
    def is_whole(self) -> bool:
        """Whether every tag and every block is closed, and nothing closes what is not there."""
        return all(tag.closed for tag in self.tags) and all(block.closed for block in self.blocks) and not self.stray


def structure(text: str) -> Structure:
    """What belongs together in `text`. Takes time in proportion to it."""
    tokens, state = scan(text)
    groups = list(inner(tokens))
    tags = [_tag(text, group) for group in groups]
    if state.mode == "comment" and tokens:
        start = tokens[-1].start
        tags.append(Tag(start, len(text), "", False, False, False, False, False))
    blocks, stray = _blocks(tags)
    brackets, loose = _brackets(text, groups)
    return Structure(tuple(tokens), tuple(tags), blocks, stray, brackets, loose)


def _tag(text: str, group: Sequence[Token]) -> Tag:
    first, last = group[0], group[-1]
    begin = text[first.start : first.end] if first.kind == "begin" else ""
    is_statement = begin.startswith("{%")
    word = next((text[each.start : each.end] for each in group if each.kind == "word"), "") if is_statement else ""
    closed = first.kind == "begin" and last.kind == "end"
    opens = word in BLOCK_WORDS or (word == "set" and closed and not _assigns(text, group))
    return Tag(
        start=first.start,
        end=last.end,
        word=word,
        closed=closed,
        opens=opens,
        trims_before=begin.endswith("-"),
        trims_after=closed and text[last.start] == "-",
        keeps_before=begin.endswith("+"),
    )


def _assigns(text: str, group: Sequence[Token]) -> bool:
    """Whether a `set` has an equals sign of its own, outside of brackets."""
    depth = 0
    for token in group:
        depth += (token.kind == "open") - (token.kind == "close")
        if token.kind == "operator" and not depth and text[token.start : token.end] == "=":
            return True
    return False


def _blocks(tags: Sequence[Tag]) -> tuple[tuple[Block, ...], tuple[int, ...]]:
    found: list[Block] = []
    stray: list[int] = []
    open_blocks: list[tuple[str, list[int]]] = []

    def close(closed: bool) -> None:
        word, places = open_blocks.pop()
        found.append(Block(word, tuple(places), closed, len(open_blocks)))

    for place, tag in enumerate(tags):
        if tag.opens:
            open_blocks.append((tag.word, [place]))
        elif tag.word in _BRANCHES:
            if open_blocks and open_blocks[-1][0] in _BRANCHES[tag.word]:
                open_blocks[-1][1].append(place)
            else:
                stray.append(place)
        elif tag.word.startswith("end"):
            if not any(f"end{word}" == tag.word for word, _ in open_blocks):
                stray.append(place)
                continue
            while f"end{open_blocks[-1][0]}" != tag.word:
                close(closed=False)
            open_blocks[-1][1].append(place)
            close(closed=True)
    while open_blocks:
        close(closed=False)
    return tuple(sorted(found, key=lambda block: block.tags[0])), tuple(stray)


def _brackets(text: str, groups: Sequence[Sequence[Token]]) -> tuple[dict[int, int], frozenset[int]]:
    """Pairs within each tag."""
    pairs: dict[int, int] = {}
    loose: list[int] = []
    for group in groups:
        waiting: list[int] = []
        for token in group:
            if token.kind == "open":
                waiting.append(token.start)
            elif token.kind == "close":
                if waiting and text[waiting[-1]] == _CLOSES[text[token.start]]:
                    other = waiting.pop()
                    pairs[other], pairs[token.start] = token.start, other
                else:
                    loose.append(token.start)
        loose += waiting
    return pairs, frozenset(loose)
