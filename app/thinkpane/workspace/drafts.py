"""Texts that a person typed where a JSON value stands, and that are not applied because they are none yet.

They are no part of the conversation, but they are work: they are saved, autosaved and asked about with the document.
In a file each is known by its place: "json" (the whole conversation), "tools[1]", "documents[0]",
"messages[2].content", "messages[2].content[0]", "messages[2].tool_calls[0].arguments". Indexes count from 0.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import Message
from thinkpane.conversation.tools import ContextDocument, Tool

WHOLE = "json"
THOUGHT = "thought"
"""The part of an edited thought of the reply that is shown; its key is the thought's number from 0. The reply is no
part of a document: a file's "thought[0]" tells what was typed, and has no place to return to."""
_NAME = re.compile(r"(messages|tools|documents)\[(\d{1,9})\]\.?(.*)")
_THOUGHT = re.compile(r"thought\[(\d{1,9})\]")
_CALL = re.compile(r"tool_calls\[(\d{1,9})\]\.arguments")
_PART = re.compile(r"content\[(\d{1,9})\]")


@dataclass(frozen=True, slots=True)
class DraftPlace:
    """Where a draft stands.

    part: `WHOLE`, `THOUGHT`, "messages", "tools" or "documents". key: of the message, tool or document; 0 for `WHOLE`.
    field: the way into a message ("content[0]"), "" for the others.
    """

    part: str
    key: int = 0
    field: str = ""


class Drafts:
    """The drafts of one open document. tell: called after each change of them."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._texts: dict[DraftPlace, str] = {}

    def text(self, place: DraftPlace) -> str | None:
        """The draft at a place, None where there is none."""
        return self._texts.get(place)

    def put(self, place: DraftPlace, text: str | None) -> None:
        """Keeps `text` as the draft at a place; None forgets it."""
        if self._texts.get(place) == text:
            return
        if text is None:
            del self._texts[place]
        else:
            self._texts[place] = text
        self._tell()

    def named(self, talk: Conversation) -> dict[str, str]:
        """The drafts by their places as a file has them; those whose item is gone wait for its return, unnamed."""
        if not self._texts:
            return {}
        found = ((_name(place, talk), text) for place, text in self._texts.items())
        return {name: text for name, text in found if name}

    def start_over(self, named: Mapping[str, str], talk: Conversation) -> None:
        """Takes those of another document, without telling; places that it does not have are passed over."""
        found = {_place(name, talk): text for name, text in named.items()}
        self._texts = {place: text for place, text in found.items() if place is not None}


class DraftSlot:
    """One place of `drafts`; `place` says where it is now, for things that move."""

    def __init__(self, drafts: Drafts, place: Callable[[], DraftPlace]) -> None:
        self._drafts = drafts
        self._place = place

    @property
    def text(self) -> str | None:
        """The draft that is kept, None where there is none."""
        return self._drafts.text(self._place())

    def put(self, text: str | None) -> None:
        """Keeps a draft; None forgets it."""
        self._drafts.put(self._place(), text)


def draft_pane(name: str) -> tuple[str, int]:
    """The pane where a draft of that name is edited ("json", "tools", …), and the index of its item there."""
    thought = _THOUGHT.fullmatch(name)
    if thought:
        return "thinking", int(thought[1])
    found = _NAME.fullmatch(name)
    return (found[1], int(found[2])) if found else (WHOLE, 0)


def draft_words(name: str) -> str:
    """Where a draft of that name stands, in words; items count from 1."""
    pane, index = draft_pane(name)
    if pane == WHOLE:
        return "the JSON tab"
    if pane == "thinking":
        return f"edited thought {index + 1}"
    item = f"{pane[:-1]} {index + 1}"
    call, part = _CALL.search(name), _PART.search(name)
    if call:
        return f"the arguments of call {int(call[1]) + 1} in {item}"
    return f"part {int(part[1]) + 1} of {item}" if part else item


def _items(part: str, talk: Conversation) -> tuple[Message | Tool | ContextDocument, ...]:
    lists: dict[str, tuple[Message | Tool | ContextDocument, ...]] = {
        "messages": talk.messages,
        "tools": talk.tools,
        "documents": talk.documents,
    }
    return lists.get(part, ())


def _name(place: DraftPlace, talk: Conversation) -> str:
    if place.part == WHOLE:
        return WHOLE
    if place.part == THOUGHT:
        return f"{THOUGHT}[{place.key}]"
    for index, item in enumerate(_items(place.part, talk)):
        if item.key == place.key and _has(item, place.field):
            return f"{place.part}[{index}]{'.' if place.field else ''}{place.field}"
    return ""


def _place(name: str, talk: Conversation) -> DraftPlace | None:
    if name == WHOLE:
        return DraftPlace(WHOLE)
    found = _NAME.fullmatch(name)
    items = _items(found[1], talk) if found else ()
    if found is None or int(found[2]) >= len(items) or not _has(items[int(found[2])], found[3]):
        return None
    return DraftPlace(found[1], items[int(found[2])].key, found[3])


def _has(item: Message | Tool | ContextDocument, field: str) -> bool:
    """Whether the item has such a field that is edited as JSON."""
    if not isinstance(item, Message):
        return not field
    call, part = _CALL.fullmatch(field), _PART.fullmatch(field)
    if call:
        return int(call[1]) < len(item.tool_calls)
    if part:
        return item.parts is not None and int(part[1]) < len(item.parts)
    return field == "content" and item.parts is None and not isinstance(item.content, str | None)
