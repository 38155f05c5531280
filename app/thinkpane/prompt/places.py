"""Places in the open document: which message and field, tool, document or variable some characters came from.

Owners tell paths of the request, which steps and profile made of the document; a Place is where a person finds it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import Message, part_text
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.content_pairs import own_way, text_pairs
from thinkpane.prompt.owners import OwnedSpan, Stretch

PlaceKind: TypeAlias = Literal["message", "tool", "document", "raw_text", "variable", "request"]
"""request: an input that stands nowhere in the document, because a step or the profile put it in."""

_LISTED: dict[str, PlaceKind] = {"messages": "message", "tools": "tool", "documents": "document"}
_PATH = re.compile(r"(messages|tools|documents)\[(\d+)\](?:\.(.*)|(\[.*))?\Z", re.DOTALL)
_IN_CONTENT = re.compile(r"content(\[|\Z)")
_NAME = re.compile(r"[A-Za-z_]\w*\Z")
_STEPS = re.compile(r'\.?(\w+)|\["(.*?)"\]|\[(\d+)\]', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Place:
    """One place.

    kind, index: which message, tool or document of the open document, from 0 (those that are left out count too);
    None for the other kinds. field: the way to the value inside it (`content`, `tool_calls[0].function.name`), a
    variable's name, or a path of the request; "" = all of it. at: characters [start, end) of that value in the
    document, None = the value as a whole, or it is not known which.
    """

    kind: PlaceKind
    index: int | None = None
    field: str = ""
    at: Stretch | None = None

    def __str__(self) -> str:
        """In a person's words, numbers from 1: “message 2 · content, characters 10–14”."""
        names = {"raw_text": "raw text", "variable": "variable", "request": "added before rendering:"}
        head = names.get(self.kind) or f"{self.kind} {(self.index or 0) + 1}"
        shown = _STEPS.sub(lambda found: f"[{int(found[3]) + 1}]" if found[3] else found[0], self.field)
        if shown:
            head = f"{head} {shown}" if self.kind in names else f"{head} · {shown}"
        if self.at is None:
            return head
        first, last = self.at[0] + 1, self.at[1]
        return f"{head}, character {first:,}" if first >= last else f"{head}, characters {first:,}–{last:,}"


@dataclass(frozen=True, slots=True)
class Origins:
    """Which message, tool and document of the document each one of a request is; None = none of them.

    conversation: the document's own. given: the request's `messages`. numbers: what the window calls each message of
    the request, those that are in no document by their place in the request; empty where it is one text.
    """

    messages: tuple[int | None, ...] = ()
    tools: tuple[int | None, ...] = ()
    documents: tuple[int | None, ...] = ()
    conversation: Conversation = field(default_factory=Conversation)
    given: JsonValue = None
    numbers: tuple[int, ...] = ()

    def place(self, span: OwnedSpan) -> Place | None:
        """The place of a span, None for the template's own text."""
        path = span.owner.path
        if path is None:
            return None
        if path == "messages" and isinstance(self.given, str):
            return Place("raw_text", at=span.owner.at)
        found = _PATH.match(path)
        if found is None:
            is_all = path in _LISTED
            return Place("request" if is_all else "variable", field=path, at=None if is_all else span.owner.at)
        name, number, inner = found[1], int(found[2]), found[3] or found[4] or ""
        indexes: tuple[int | None, ...] = getattr(self, name)
        index = indexes[number] if number < len(indexes) else None
        if index is None:
            return Place("request", field=path, at=span.owner.at)
        place = Place(_LISTED[name], index, inner, span.owner.at)
        if name != "messages" or not isinstance(self.given, list):
            return place
        return _in_document(place, self.conversation.messages[index], self.given[number], path)

    def part(self, span: OwnedSpan, position: int) -> OwnedSpan:
        """The part of a span, around the character at `position`, that came from one place: a step may have put text
        before a message's own, and a profile may have joined its parts."""
        found = _PATH.match(span.owner.path or "")
        at, given = span.owner.at, self.given
        if found is None or at is None or not span.is_exact or found[1] != "messages" or not isinstance(given, list):
            return span
        index = self.messages[int(found[2])] if int(found[2]) < len(self.messages) else None
        if index is None:
            return span
        pairs = text_pairs(self.conversation.messages[index].content, value_at(given[int(found[2])], "content"))
        edges = [edge for each in pairs if each.given == found[3] for edge in (each.before, each.before + each.length)]
        offset = at[0] + position - span.start
        first = max((edge for edge in edges if edge <= offset), default=at[0])
        last = min((edge for edge in edges if edge > offset), default=at[1])
        return span.part(span.start + first - at[0], span.start + last - at[0])

    def value(self, place: Place) -> tuple[str, Stretch | None] | None:
        """The path of a place in the request and its characters there; None where the request does not have it."""
        if place.kind in ("variable", "request"):
            return place.field, place.at
        if place.kind == "raw_text":
            return "messages", place.at
        name = f"{place.kind}s"
        indexes: tuple[int | None, ...] = getattr(self, name)
        if place.index is None or place.index not in indexes:
            return None
        number = indexes.index(place.index)
        way, at = place.field, place.at
        if name == "messages" and isinstance(self.given, list):
            way, at = _in_request(place, self.conversation.messages[place.index], self.given[number])
        return f"{name}[{number}]{'.' if way and not way.startswith('[') else ''}{way}", at


def origins_of(conversation: Conversation, stepped: Conversation, given: JsonValue) -> Origins:
    """Where the messages `given` to the template stand in `conversation`.

    stepped: what the steps made of it, with the messages' keys; a profile may have taken messages out or put some in
    after that: then those that are the same from the start and from the end are known, and the others are not.
    """
    own = {each.key: index for index, each in enumerate(conversation.messages)}
    sent = stepped.sent_messages
    indexes = [own.get(each.key) for each in sent]
    messages = tuple(_aligned(indexes, sent, given)) if isinstance(given, list) else ()
    return Origins(
        messages,
        tuple(index for index, each in enumerate(conversation.tools) if each.enabled),
        tuple(index for index, each in enumerate(conversation.documents) if each.enabled),
        conversation,
        given,
        tuple((at if place is None else place) + 1 for at, place in enumerate(messages)),
    )


def value_at(value: JsonValue, way: str) -> JsonValue:
    """What stands at a way like `content[0].text` inside `value`; None where nothing does."""
    for step in steps_of(way):
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) and step < len(value) else None
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value


def steps_of(way: str) -> tuple[str | int, ...]:
    """The keys and indexes of a way: `content[0].text` has three."""
    return tuple(
        int(found[3]) if found[3] is not None else found[1] if found[1] is not None else found[2]
        for found in _STEPS.finditer(way)
    )


def way_of(steps: Sequence[str | int]) -> str:
    """The way through these keys and indexes, as the engine writes it (engine/owned_values.py); "" for none."""
    parts = (
        f"[{each}]" if isinstance(each, int) else f".{each}" if _NAME.match(each) else f'["{each}"]' for each in steps
    )
    return "".join(parts).removeprefix(".")


def _aligned(indexes: Sequence[int | None], sent: Sequence[Message], given: list[JsonValue]) -> list[int | None]:
    if len(given) == len(sent):
        return list(indexes)
    theirs = [_look(each) for each in given]
    ours = [_look(dict(each.data)) for each in sent]
    short = min(len(theirs), len(ours))
    head = next((at for at in range(short) if theirs[at] != ours[at]), short)
    tail = next((at for at in range(short - head) if theirs[-1 - at] != ours[-1 - at]), short - head)
    unknown: list[int | None] = [None] * (len(given) - head - tail)
    return [*indexes[:head], *unknown, *indexes[len(indexes) - tail :]]


def _look(message: JsonValue) -> tuple[JsonValue, str]:
    """What a message is known again by, whatever shape its content was given: role and text."""
    content = value_at(message, "content")
    parts = content if isinstance(content, list) else [content]
    return value_at(message, "role"), "".join(part_text(part) for part in parts)


def _in_document(place: Place, message: Message, given: JsonValue, path: str) -> Place:
    """The place moved to where the message's own data has it; a step or a profile may have changed its content."""
    if not _IN_CONTENT.match(place.field):
        same = value_at(dict(message.data), place.field) == value_at(given, place.field)
        return place if same else replace(place, at=None)
    own, shown = message.content, value_at(given, "content")
    pairs = [pair for pair in text_pairs(own, shown) if pair.given == place.field]
    if not pairs:
        way = own_way(place.field, own, shown)
        return replace(place, field=way, at=None) if way is not None else Place("request", field=path, at=place.at)
    if place.at is None:
        return replace(place, field=pairs[0].own)
    for pair in pairs:
        start, end = max(place.at[0] - pair.before, 0), min(place.at[1] - pair.before, pair.length)
        if start < end:
            return replace(place, field=pair.own, at=(start, end))
    return Place("request", field=path, at=place.at)


def _in_request(place: Place, message: Message, given: JsonValue) -> tuple[str, Stretch | None]:
    """The way and the characters of a place of the message in what the template is given."""
    pairs = text_pairs(message.content, value_at(given, "content"))
    pair = next((each for each in pairs if each.own == place.field), None)
    if pair is None:
        return place.field, place.at
    start, end = place.at or (0, pair.length)
    return pair.given, (start + pair.before, end + pair.before) if place.at or not pair.is_all else None
