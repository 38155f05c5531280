"""A text cut into chunks that the same text elsewhere is cut into, too: lines, and parts of long lines."""

import re
from collections.abc import Iterator

LONG_LINE = 400
"""Characters from which a line is cut into parts."""

_LINE = re.compile(r"[^\n]*\n+|[^\n]+")


def chunks(text: str) -> Iterator[str]:
    """The chunks in order; joined they are the text. Empty lines belong to the line before.

    A long line is cut behind every character whose number leaves 1 when divided by 16, wherever that stands: an edit
    moves no cut but those beside it.
    """
    for line in _LINE.findall(text):
        if len(line) <= LONG_LINE:
            yield line
        else:
            yield from _parts(line)


def _parts(line: str) -> list[str]:
    ends = "".join(re.escape(each) for each in set(line) if ord(each) % 16 == 1)
    found: list[str] = re.findall(f"[^{ends}]*[{ends}]|[^{ends}]+", line) if ends else [line]
    return found
