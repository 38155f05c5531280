"""What an editor of Jinja source does at a key press: pure functions of the text and the selection.

Places are code points; a selection goes from `start` to `end`. Whitespace that is put in or taken away is that of the
lines' beginnings, as the person asked for; nothing else of the text changes.
"""

import re
from dataclasses import dataclass

from thinkpane.formats.jinja_blocks import structure
from thinkpane.formats.jinja_scan import scan

_INDENT = re.compile(r"[ \t]*")
_COMMENTED = re.compile(r"\{# ?(.*?) ?#\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class CodeEdit:
    """`text` takes the place of [start, end); then the selection goes from `anchor` to `caret` in the new text."""

    start: int
    end: int
    text: str
    anchor: int
    caret: int

    def apply(self, text: str) -> str:
        """`text` with the edit done."""
        return text[: self.start] + self.text + text[self.end :]


def new_line(text: str, start: int, end: int, unit: str) -> CodeEdit:
    """A new line as deep as the one at hand, one step deeper behind a tag that opens a block."""
    line = _line_start(text, start)
    indent = _indent(text, line)[: start - line]
    if _opens(text, line, start):
        indent += unit
    place = start + 1 + len(indent)
    return CodeEdit(start, end, "\n" + indent, place, place)


def indented(text: str, start: int, end: int, unit: str) -> CodeEdit:
    """One step at the caret where nothing is selected, else before each selected line that is not empty."""
    if start == end:
        column = start - _line_start(text, start)
        step = unit if unit == "\t" else unit[column % len(unit) :]
        return CodeEdit(start, end, step, start + len(step), start + len(step))
    first, last = _lines_of(text, start, end)
    lines = text[first:last].split("\n")
    return _whole_lines(first, last, [unit + each if each else each for each in lines])


def outdented(text: str, start: int, end: int, unit: str) -> CodeEdit | None:
    """One step less before each selected line; None where none has any."""
    first, last = _lines_of(text, start, end)
    lines = text[first:last].split("\n")
    found = [each[_step_in(each, unit) :] for each in lines]
    if found == lines:
        return None
    if start == end:
        gone = len(lines[0]) - len(found[0])
        place = max(first, start - gone)
        return CodeEdit(first, first + gone, "", place, place)
    return _whole_lines(first, last, found)


def comment_toggled(text: str, start: int, end: int) -> CodeEdit | None:
    """The selected lines made a comment, or text again where they are one; None where a comment stands within them.

    A comment prints nothing, so neither does what is in it.
    """
    first, last = _lines_of(text, start, end)
    chosen = text[first:last]
    body = chosen.strip(" \t\r\n")
    if not body:
        return None
    lead = chosen[: chosen.index(body)]
    tail = chosen[len(lead) + len(body) :]
    match = _COMMENTED.fullmatch(body)
    if match and "#}" not in match[1]:
        inner = match[1]
    elif "#}" in body or "{#" in body:
        return None
    else:
        inner = "{# " + body + " #}"
    new = lead + inner + tail
    if start == end:
        place = min(max(first, start + (3 if not match else -3)), first + len(new))
        return CodeEdit(first, last, new, place, place)
    return CodeEdit(first, last, new, first, first + len(new))


def aligned_end(text: str, caret: int) -> CodeEdit | None:
    """After the last character of an `else`, `elif` or `end…` tag was typed: its line as deep as its block's first.

    None where the tag is not the first on its line, closes nothing, or stands right already.
    """
    line = _line_start(text, caret)
    old = _indent(text, line)
    first = line + len(old)
    if text[caret - 2 : caret] != "%}" or not text.startswith("{%", first) or text.startswith("{%+", first):
        return None
    whole = structure(text[:caret])
    place = whole.tag_at(first)
    block = whole.block_of(place) if place is not None else None
    if place is None or block is None or block.tags[0] == place or whole.tags[place].end != caret:
        return None
    new = _indent(text, _line_start(text, whole.tags[block.tags[0]].start))
    if new == old:
        return None
    moved = caret + len(new) - len(old)
    return CodeEdit(line, first, new, moved, moved)


def _opens(text: str, line: int, place: int) -> bool:
    """Whether the tags between `line` and `place` open a block that they do not close."""
    _, state = scan(text[:line])
    if state.mode != "data":
        return False
    part = structure(text[line:place])
    return any(not block.closed for block in part.blocks) or (bool(part.tags) and part.tags[0].word in ("else", "elif"))


def _whole_lines(first: int, last: int, lines: list[str]) -> CodeEdit:
    new = "\n".join(lines)
    return CodeEdit(first, last, new, first, first + len(new))


def _lines_of(text: str, start: int, end: int) -> tuple[int, int]:
    """The lines that a selection touches, without the last one's line end; one that it only reaches is not touched."""
    first = _line_start(text, start)
    last = end - 1 if end > start and text[end - 1] == "\n" else end
    stop = text.find("\n", last)
    return first, len(text) if stop < 0 else stop


def _line_start(text: str, place: int) -> int:
    return text.rfind("\n", 0, place) + 1


def _indent(text: str, line: int) -> str:
    match = _INDENT.match(text, line)
    return match.group() if match else ""


def _step_in(line: str, unit: str) -> int:
    """How many characters of a line's indentation make up one step."""
    if line.startswith("\t"):
        return 1
    return min(len(unit) if unit != "\t" else 4, len(line) - len(line.lstrip(" ")))
