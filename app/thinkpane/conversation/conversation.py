"""A conversation: messages, tools and documents together, and the OpenAI-style body they stand for."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from thinkpane.conversation.messages import Message
from thinkpane.conversation.tools import ContextDocument, Tool
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class Conversation:
    """What is rendered and sent.

    messages: in order, excluded ones among them.
    raw_text: where a template takes `messages` as one text (MemReader's document mode), that text; else None.
    parked_text: the text of that mode while it is off, so that nothing typed is lost.
    extra: top-level keys of the body that are none of ours, kept as given.
    """

    messages: tuple[Message, ...] = ()
    tools: tuple[Tool, ...] = ()
    documents: tuple[ContextDocument, ...] = ()
    raw_text: str | None = None
    parked_text: str = ""
    extra: Mapping[str, JsonValue] = field(default_factory=dict)

    @property
    def sent_messages(self) -> tuple[Message, ...]:
        """The messages that are not excluded."""
        return tuple(each for each in self.messages if not each.excluded)

    def messages_value(self) -> JsonValue:
        """What a template gets as `messages`: a list of objects, or the raw text."""
        if self.raw_text is not None:
            return self.raw_text
        return [dict(each.data) for each in self.sent_messages]

    def tools_value(self) -> list[JsonValue] | None:
        """What a template gets as `tools`: the enabled ones, None where there are none."""
        return [dict(tool.data) for tool in self.tools if tool.enabled] or None

    def documents_value(self) -> list[JsonValue] | None:
        """What a template gets as `documents`: the enabled ones, None where there are none."""
        return [document.data for document in self.documents if document.enabled] or None

    def body(self) -> JsonObject:
        """The conversation as an OpenAI-style body {messages, tools?, documents?, …}."""
        found: JsonObject = {"messages": self.messages_value()}
        tools = self.tools_value()
        if tools is not None:
            found["tools"] = tools
        documents = self.documents_value()
        if documents is not None:
            found["documents"] = documents
        return found | dict(self.extra)


def conversation_from_body(body: JsonValue) -> Conversation:
    """Reads an OpenAI-style body, or a bare list of messages; every unknown key is kept.

    Raises ThinkpaneError (kind "json") naming the place where a value has the wrong shape.
    """
    if isinstance(body, list):
        body = {"messages": body}
    if not isinstance(body, dict):
        raise _wrong("The body must be an object with “messages”, or a list of messages.")
    if "messages" not in body:
        raise _wrong("The body has no “messages”.")
    messages = body["messages"]
    raw_text = messages if isinstance(messages, str) else None
    return Conversation(
        messages=() if raw_text is not None else _messages(messages),
        tools=_tools(body.get("tools")),
        documents=_documents(body.get("documents")),
        raw_text=raw_text,
        extra={key: value for key, value in body.items() if key not in ("messages", "tools", "documents")},
    )


def _messages(value: JsonValue) -> tuple[Message, ...]:
    if not isinstance(value, list):
        raise _wrong("“messages” must be a list (or one text, for templates that take it so).")
    for index, each in enumerate(value):
        if not isinstance(each, dict):
            raise _wrong(f"Message {index + 1} is not an object.", index)
    return tuple(Message(each) for each in value if isinstance(each, dict))


def _tools(value: JsonValue) -> tuple[Tool, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise _wrong("“tools” must be a list.")
    for index, each in enumerate(value):
        if not isinstance(each, dict):
            raise _wrong(f"Tool {index + 1} is not an object.")
    return tuple(Tool(each) for each in value if isinstance(each, dict))


def _documents(value: JsonValue) -> tuple[ContextDocument, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise _wrong("“documents” must be a list.")
    return tuple(ContextDocument(each) for each in value)


def _wrong(sentence: str, index: int | None = None) -> ThinkpaneError:
    return ThinkpaneError(Problem("json", sentence, message_index=index))
