"""A difference of two prompts for people: lines that went and came, what of them differs, counts by owner."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thinkpane.cli.output import one_line
from thinkpane.prompt.diff import PromptDiff
from thinkpane.prompt.owner_changes import OwnerChange
from thinkpane.prompt.owners import Stretch
from thinkpane.prompt.unified import Block, blocks, line_numbers, lines_around

CONTEXT = 3
"""Lines that are shown around a difference."""

_LONG, _AROUND = 400, 60
"""Characters from which a line is shown in parts, and how many are shown around what differs in it."""


@dataclass(frozen=True, slots=True)
class Told:
    """A difference and its sides' names. owners: None where not known. tokenizer: "" = characters are counted."""

    found: PromptDiff
    names: tuple[str, str]
    owners: tuple[OwnerChange, ...] | None
    tokenizer: str = ""

    @property
    def what(self) -> str:
        """What is counted."""
        return "token" if self.tokenizer else "character"


def unified(told: Told) -> Iterator[str]:
    """The lines to be printed."""
    found = told.found
    if not found.changes:
        yield "The prompts are the same."
        return
    for sign, name in zip(("---", "+++"), told.names, strict=True):
        yield f"{sign} {one_line(name)}"
    for hunk in _hunks(found, list(blocks(found))):
        yield from _hunk(found, hunk)
    yield ""
    yield _counts(told)
    if told.owners:
        yield f"By owner: {' · '.join(map(str, told.owners))}"


def _counts(told: Told) -> str:
    found = told.found
    places = len(found.changes)
    sure = f"by {told.tokenizer}" if told.tokenizer else "no tokenizer was named or lies beside the template"
    coarse = "; parts were too much to be compared closely" if found.is_coarse else ""
    return (
        f"{places:,} difference{'' if places == 1 else 's'}: {found.removed:,} {told.what}"
        f"{'' if found.removed == 1 else 's'} only in A, {found.added:,} only in B ({sure}{coarse})"
    )


def _hunks(found: PromptDiff, all_blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Blocks whose surroundings meet, together."""
    hunk: list[Block] = []
    reached = 0
    for block in all_blocks:
        first, last = lines_around(found.before, *block.before, CONTEXT)
        if hunk and first > reached:
            yield hunk
            hunk = []
        hunk.append(block)
        reached = last
    yield hunk


def _hunk(found: PromptDiff, hunk: Sequence[Block]) -> Iterator[str]:
    start, _ = lines_around(found.before, *hunk[0].before, CONTEXT)
    _, end = lines_around(found.before, *hunk[-1].before, CONTEXT)
    other_start = hunk[0].after[0] - (hunk[0].before[0] - start)
    (line,), (other_line,) = line_numbers(found.before, [start]), line_numbers(found.after, [other_start])
    yield f"@@ line {line:,} of A, line {other_line:,} of B @@"
    at = start
    for block in hunk:
        yield from (f"  {_shown(each)}" for each in _lines(found.before[at : block.before[0]]))
        yield from _block(found, block)
        at = block.before[1]
    yield from (f"  {_shown(each)}" for each in _lines(found.before[at:end]))


def _block(found: PromptDiff, block: Block) -> Iterator[str]:
    removed: list[Stretch] = []
    added: list[Stretch] = []
    for change in block.changes:
        before, after = found.inside(change)
        removed += before
        added += after
    both = block.before[0] < block.before[1] and block.after[0] < block.after[1]
    yield from _signed("-", found.before, block.before, removed if both else [])
    yield from _signed("+", found.after, block.after, added if both else [])


def _signed(sign: str, text: str, stretch: Stretch, marked: Sequence[Stretch]) -> Iterator[str]:
    """The lines with their sign; under each, a line that points at what of it differs, where that is not all."""
    at = stretch[0]
    for line in _lines(text[stretch[0] : stretch[1]], ends=True):
        inside = [
            (max(start - at, 0), min(end - at, len(line)))
            for start, end in marked
            if start < at + len(line) and end > at
        ]
        body, under = _pointed(line, inside)
        yield f"{sign} {body}"
        if under.strip():
            yield f"? {under.rstrip()}"
        at += len(line)
    if stretch[0] < stretch[1] == len(text) and not text.endswith("\n"):
        yield "\\ no line feed at the end"


def _pointed(line: str, inside: Sequence[Stretch]) -> tuple[str, str]:
    """A line as it is shown, and the line below it."""
    whole = len(line.rstrip("\n"))
    body = under = ""
    for start, end, is_marked in _parts(whole, [(start, min(end, whole)) for start, end in inside]):
        text = _shown(line[start:end])
        if not is_marked and len(line) > _LONG and len(text) > 2 * _AROUND:
            text = f"{text[:_AROUND] if start else ''}…{text[-_AROUND:] if end < whole else ''}"
        body += text
        under += ("^" if is_marked else " ") * _width(text)
    all_of_it = sum(end - start for start, end in inside) >= whole
    return body, "" if all_of_it else under


def _parts(size: int, marked: Sequence[Stretch]) -> Iterator[tuple[int, int, bool]]:
    at = 0
    for start, end in marked:
        if at < start:
            yield at, start, False
        if start < end:
            yield start, end, True
        at = max(at, end)
    if at < size:
        yield at, size, False


def _lines(text: str, *, ends: bool = False) -> list[str]:
    """The lines of a text that begins at a line's start; line feeds alone end one."""
    found = [f"{each}\n" for each in text.split("\n")]
    found[-1] = found[-1][:-1]
    found = found if found[-1] else found[:-1]
    return found if ends else [each.removesuffix("\n") for each in found]


def _shown(text: str) -> str:
    """Text whose control characters and half surrogate pairs are escapes, so that a terminal shows them."""
    return "".join(
        each if each == "\t" or unicodedata.category(each) not in ("Cc", "Cs", "Cf") else _escape(each) for each in text
    )


def _escape(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def _width(text: str) -> int:
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text
    )
