"""A difference of two prompts by whole lines, as unified diffs show it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thinkpane.prompt.diff import Change, PromptDiff
from thinkpane.prompt.owners import Stretch


@dataclass(frozen=True, slots=True)
class Block:
    """Neighbouring lines that differ. before, after: whole lines, in code points. changes: those in it."""

    before: Stretch
    after: Stretch
    changes: tuple[Change, ...]


def blocks(found: PromptDiff) -> Iterator[Block]:
    """The changes widened to whole lines; those that meet in a line are one block."""
    waiting: Block | None = None
    for change in found.changes:
        block = _widened(found, change)
        if waiting is not None and block.before[0] < waiting.before[1]:
            # Between two changes the texts are the same, so the later one knows where the line ends in both.
            waiting = Block(
                (waiting.before[0], block.before[1]), (waiting.after[0], block.after[1]), (*waiting.changes, change)
            )
            continue
        if waiting is not None:
            yield waiting
        waiting = block
    if waiting is not None:
        yield waiting


def lines_around(text: str, start: int, end: int, count: int) -> tuple[int, int]:
    """[start, end), both at the beginning of lines, with so many lines before and behind."""
    for _ in range(count):
        start = text.rfind("\n", 0, max(start - 1, 0)) + 1
    for _ in range(count):
        newline = text.find("\n", end)
        end = newline + 1 if newline >= 0 else len(text)
    return start, end


def _widened(found: PromptDiff, change: Change) -> Block:
    (start, end), (other_start, other_end) = change.before, change.after
    before, after = found.before, found.after
    if not (_begins_line(before, start) and _begins_line(after, other_start)):
        back = start - before.rfind("\n", 0, start) - 1
        start, other_start = start - back, other_start - back
    if end < len(before) and not (_begins_line(before, end) and _begins_line(after, other_end)):
        newline = before.find("\n", end)
        further = newline + 1 - end if newline >= 0 else len(before) - end
        end, other_end = end + further, other_end + further
    return Block((start, end), (other_start, other_end), (change,))


def _begins_line(text: str, at: int) -> bool:
    return not at or text[at - 1] == "\n"


def line_numbers(text: str, places: Sequence[int]) -> list[int]:
    """The lines, from 1, in which the places stand, which must be in order."""
    found: list[int] = []
    at, line = 0, 1
    for place in places:
        line += text.count("\n", at, place)
        at = place
        found.append(line)
    return found
