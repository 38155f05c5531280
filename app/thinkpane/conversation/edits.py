"""Edits of a conversation, as pure functions: each gives a new conversation and leaves the old one as it was.

Indexes count from 0 and must exist (IndexError otherwise); a place to insert or to move to is held inside the list.
Edits of one message are in message_edits.py and part_edits.py; `edit` applies them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from thinkpane.conversation.conversation import Conversation, conversation_from_body
from thinkpane.conversation.message_edits import set_field, set_reasoning
from thinkpane.conversation.messages import Message, message
from thinkpane.conversation.tools import ContextDocument, Tool
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.formats.strict_json import parse, same

P = ParamSpec("P")
Item = TypeVar("Item", Message, Tool, ContextDocument)


class ReplyCall(Protocol):
    """A finished tool call of a reply. arguments: JSON text as the model wrote it."""

    @property
    def id(self) -> str:
        """The call's id, "" where the server gave none."""

    @property
    def name(self) -> str:
        """The function's name."""

    @property
    def arguments(self) -> str:
        """JSON text."""


def add(conversation: Conversation, new: Message) -> Conversation:
    """The conversation with one message more at its end."""
    return insert(conversation, len(conversation.messages), new)


def insert(conversation: Conversation, index: int, new: Message) -> Conversation:
    """The conversation with `new` standing at `index`."""
    return replace(conversation, messages=inserted(conversation.messages, index, new))


def duplicate(conversation: Conversation, index: int) -> Conversation:
    """The conversation with a copy (of its own key) right below the message at `index`."""
    return replace(conversation, messages=duplicated(conversation.messages, index))


def delete(conversation: Conversation, index: int) -> Conversation:
    """The conversation without that message."""
    return replace(conversation, messages=removed(conversation.messages, index))


def move(conversation: Conversation, index: int, to: int) -> Conversation:
    """The conversation with that message at `to`, its place afterwards."""
    return replace(conversation, messages=moved(conversation.messages, index, to))


def edit(
    conversation: Conversation,
    index: int,
    change: Callable[Concatenate[Message, P], Message],
    *args: P.args,
    **named: P.kwargs,
) -> Conversation:
    """The conversation with `change(message, …)` in place of the message: `edit(c, 0, set_role, "user")`."""
    changed = change(conversation.messages[index], *args, **named)
    return replace(conversation, messages=replaced(conversation.messages, index, changed))


def set_excluded(conversation: Conversation, index: int, excluded: bool) -> Conversation:
    """The conversation with that message kept out of prompt and request, or taken in again."""
    changed = replace(conversation.messages[index], excluded=excluded)
    return replace(conversation, messages=replaced(conversation.messages, index, changed))


def set_tools(conversation: Conversation, tools: Sequence[Tool]) -> Conversation:
    """The conversation with these tools."""
    return replace(conversation, tools=tuple(tools))


def set_documents(conversation: Conversation, documents: Sequence[ContextDocument]) -> Conversation:
    """The conversation with these documents."""
    return replace(conversation, documents=tuple(documents))


def raw_text_on(conversation: Conversation) -> Conversation:
    """One text in place of the messages: the text of last time, else the messages' texts; the messages are kept."""
    if conversation.raw_text is not None:
        return conversation
    text = conversation.parked_text
    if not text:
        text = "\n\n".join(each.text for each in conversation.sent_messages if each.role != "system" and each.text)
    return replace(conversation, raw_text=text)


def raw_text_off(conversation: Conversation) -> Conversation:
    """The messages again; the text is kept for the next time."""
    if conversation.raw_text is None:
        return conversation
    return replace(conversation, raw_text=None, parked_text=conversation.raw_text)


def set_raw_text(conversation: Conversation, text: str) -> Conversation:
    """The conversation with that one text."""
    return replace(conversation, raw_text=text)


def append_reply(
    conversation: Conversation, thinking: str, answer: str, tool_calls: Sequence[ReplyCall] = ()
) -> Conversation:
    """The conversation with a reply as its assistant message.

    Arguments that are a JSON object are stored as one, because templates of the GLM family go through them; the
    chat dialects write them as text again. Anything else stays the text that it was.
    """
    new = message("assistant", answer)
    if thinking:
        new = set_reasoning(new, thinking)
    if tool_calls:
        calls: list[JsonValue] = [_call_object(call, place) for place, call in enumerate(tool_calls, 1)]
        new = set_field(new, "tool_calls", calls)
    return add(conversation, new)


def append_tool_result(conversation: Conversation, call_id: str, name: str, content: JsonValue) -> Conversation:
    """The conversation with the result of a tool call as its last message."""
    data: JsonObject = {"role": "tool"}
    if call_id:
        data["tool_call_id"] = call_id
    if name:
        data["name"] = name
    return add(conversation, Message(data | {"content": content}))


def with_body(conversation: Conversation, body: JsonValue) -> Conversation:
    """The conversation that `body` describes, with what a body cannot say taken from the old one.

    Excluded messages and disabled tools and documents keep their places; things that are still there keep their
    keys. Raises ThinkpaneError (kind "json") where the body has the wrong shape.
    """
    new = conversation_from_body(body)
    parked = conversation.raw_text if conversation.raw_text is not None else conversation.parked_text
    return replace(
        new,
        messages=conversation.messages
        if new.raw_text is not None
        else _joined(conversation.messages, new.messages, lambda each: not each.excluded),
        tools=_joined(conversation.tools, new.tools, lambda each: each.enabled),
        documents=_joined(conversation.documents, new.documents, lambda each: each.enabled),
        parked_text="" if new.raw_text is not None else parked,
    )


def inserted(items: tuple[Item, ...], index: int, new: Item) -> tuple[Item, ...]:
    """The items with `new` at `index`."""
    found = list(items)
    found.insert(max(0, index), new)
    return tuple(found)


def duplicated(items: tuple[Item, ...], index: int) -> tuple[Item, ...]:
    """The items with a copy below the one at `index`."""
    return inserted(items, index + 1, _copy(items[index]))


def removed(items: tuple[Item, ...], index: int) -> tuple[Item, ...]:
    """The items without the one at `index`."""
    found = list(items)
    del found[index]
    return tuple(found)


def moved(items: tuple[Item, ...], index: int, to: int) -> tuple[Item, ...]:
    """The items with the one at `index` standing at `to` afterwards."""
    return inserted(removed(items, index), to, items[index])


def replaced(items: tuple[Item, ...], index: int, new: Item) -> tuple[Item, ...]:
    """The items with `new` in place of the one at `index`."""
    found = list(items)
    found[index] = new
    return tuple(found)


def _copy(item: Item) -> Item:
    if isinstance(item, Message):
        return Message(item.data, excluded=item.excluded)
    if isinstance(item, Tool):
        return Tool(item.data, enabled=item.enabled)
    return ContextDocument(item.data, enabled=item.enabled)


def _call_object(call: ReplyCall, place: int) -> JsonObject:
    try:
        parsed = parse(call.arguments) if call.arguments.strip() else {}
    except ThinkpaneError:
        parsed = None
    arguments: JsonValue = parsed if isinstance(parsed, dict) else call.arguments
    return {
        "id": call.id or f"call_{place}",
        "type": "function",
        "function": {"name": call.name, "arguments": arguments},
    }


def _joined(old: tuple[Item, ...], new: tuple[Item, ...], is_sent: Callable[[Item], bool]) -> tuple[Item, ...]:
    """`new` with the unsent of `old` behind as many sent ones as before, and `old`'s keys by place."""
    sent = [each for each in old if is_sent(each)]
    kept: list[Item] = list(map(_keyed, new, sent)) + list(new[len(sent) :])
    found: list[Item] = []
    for each in old:
        if not is_sent(each):
            found.append(each)
        elif kept:
            found.append(kept.pop(0))
    return tuple(found + kept)


def _keyed(new: Item, old: Item) -> Item:
    same_data = same(_data(new), _data(old))
    return old if same_data else replace(new, key=old.key)


def _data(item: Message | Tool | ContextDocument) -> JsonValue:
    return item.data if isinstance(item, ContextDocument) else dict(item.data)
