"""Where each message begins in a prompt: the first mark of its turn, or its first character where it has none."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.owners import Owners, group_of
from thinkpane.prompt.prompt import Prompt
from thinkpane.tokens.segments import SegmentRole, rows_of

_MOST_MARKS = 5
"""Segments before a message's first character that are taken for the marks that open its turn."""

_LINE_END = 2
"""Characters that part two marks as a line's end does, and no more."""


@dataclass(frozen=True, slots=True)
class MessagePlace:
    """Where one message begins. start: code points of the prompt. role: "" where it is not known.

    index: of the document, from 0; None = the message stands nowhere in it. request_index: of the request.
    """

    start: int
    index: int | None
    request_index: int
    role: str


def message_places(prompt: Prompt) -> list[MessagePlace]:
    """The messages that something of stands in a traced prompt, in the order of its text; [] without owners."""
    owners = prompt.owners
    if owners is None:
        return []
    first = _first_characters(owners)
    given, known = prompt.origins.given, prompt.origins.messages
    rows = [*rows_of(prompt.segments)]
    starts = [each[0] for each in rows]
    found: list[MessagePlace] = []
    for number, (start, before) in first.items():
        index = known[number] if number < len(known) else number
        opened = _opened(rows, bisect_right(starts, start) - 1, start, before)
        found.append(MessagePlace(opened, index, number, _role(given, number)))
    return found


def _first_characters(owners: Owners) -> dict[int, tuple[int, int]]:
    """Where the first character of each message stands, by its place in the request, and where the characters of
    messages before it end; in the order of the text."""
    numbers = [_message(path) for path in owners.paths]
    found: dict[int, tuple[int, int]] = {}
    before = 0
    for start, end, path, _line in owners.rows():
        number = numbers[path]
        if number is not None and end > start:
            if number not in found:
                found[number] = start, before
            before = end
    return found


def _message(path: str | None) -> int | None:
    return group_of(path).index if path is not None else None


def _opened(segments: Sequence[tuple[int, int, bool, SegmentRole]], at: int, start: int, before: int) -> int:
    """Where the turn opens that holds the character at `start`, in the segment `at`; not before `before`."""
    opened = start
    for back in range(at, max(at - _MOST_MARKS, -1), -1):
        begin, end, special, role = segments[back]
        if begin < before or role != segments[at][3]:
            break
        if special:
            opened = begin
        elif opened < start and end - begin <= _LINE_END:
            # What stands before it closes the turn before.
            break
    return opened


def _role(given: JsonValue, number: int) -> str:
    message = given[number] if isinstance(given, list) and number < len(given) else None
    found = message.get("role") if isinstance(message, dict) else None
    return found if isinstance(found, str) else ""
