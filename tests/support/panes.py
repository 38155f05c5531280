"""A context for one pane: a real document, and a feed that only knows a template."""

from typing import Any, cast

from PySide6.QtCore import QObject, Signal

from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.conversation.tools import ContextDocument, Tool
from thinkpane.templates.template import Template
from thinkpane.ui.context import Context
from thinkpane.workspace.document import Document
from thinkpane.workspace.state import DocumentState


class TemplateFeed(QObject):
    """What composing panes need of the prompt feed.

    Signals:
        template_changed(object): the Template that is in force now.
    """

    template_changed = Signal(object)

    def __init__(self, template: Template) -> None:
        super().__init__()
        self.template = template


def context_for(document: Document, template: Template | None = None) -> Context:
    """A context whose tokens, runs, effects, problems and settings nobody asks for."""
    feed = TemplateFeed(template or Template("", ""))
    nobody = cast("Any", None)
    return Context(
        document=document,
        prompts=cast("Any", feed),
        tokens=nobody,
        runs=nobody,
        effects=nobody,
        problems=nobody,
        settings=nobody,
    )


def document_with(
    *talk: tuple[str, str], tools: tuple[Tool, ...] = (), documents: tuple[ContextDocument, ...] = ()
) -> Document:
    """A document whose messages are these (role, text) pairs."""
    messages = tuple(message(role, text) for role, text in talk)
    return Document(DocumentState(conversation=Conversation(messages=messages, tools=tools, documents=documents)))
