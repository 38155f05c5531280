"""Where each message begins in a prompt: the first mark of its turn, or its first character where it has none."""

from bisect import bisect_right
from dataclasses import dataclass
from operator import attrgetter

from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.owners import Owners, group_of
from thinkpane.prompt.prompt import Prompt
from thinkpane.tokens.segments import Segment

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
    found: list[MessagePlace] = []
    before = 0
    for start, number in sorted((start, number) for number, start in first.items()):
        index = known[number] if number < len(known) else number
        opened = _opened(prompt.segments, owners, start, before)
        found.append(MessagePlace(opened, index, number, _role(given, number)))
        before = start + 1
    return found


def _first_characters(owners: Owners) -> dict[int, int]:
    """Where the first character of each message stands, by its place in the request."""
    numbers = [None if path is None else group_of(path) for path in owners.paths]
    found: dict[int, int] = {}
    for start, end, path, _line in owners.rows():
        group = numbers[path]
        if group is not None and group.kind == "message" and group.index is not None and end > start:
            found.setdefault(group.index, start)
    return found


def _opened(segments: tuple[Segment, ...], owners: Owners, start: int, before: int) -> int:
    """Where the turn opens that holds the character at `start`; not before `before`, nor in what came from input."""
    at = bisect_right(segments, start, key=attrgetter("start")) - 1
    if at < 0:
        return start
    opened = start
    for back in range(at, max(at - _MOST_MARKS, -1), -1):
        segment = segments[back]
        if segment.start < before or segment.role != segments[at].role or _is_input(owners, segment.start):
            break
        if segment.special:
            opened = segment.start
        elif opened < start and segment.end - segment.start <= _LINE_END:
            # What stands before it closes the turn before.
            break
    return opened


def _is_input(owners: Owners, position: int) -> bool:
    span = owners.at(position)
    return span is not None and span.owner.path is not None and span.owner.group.kind == "message"


def _role(given: JsonValue, number: int) -> str:
    message = given[number] if isinstance(given, list) and number < len(given) else None
    found = message.get("role") if isinstance(message, dict) else None
    return found if isinstance(found, str) else ""
