"""The messages pane of a document, and what its cards show."""

from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from support.panes import context_for
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import Message
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.template import Template
from thinkpane.ui.panes.messages import PANE, MessagesPane
from thinkpane.ui.widgets.card_list_card import FactLabel
from thinkpane.ui.widgets.message_card import MessageCard
from thinkpane.workspace.document import Document
from thinkpane.workspace.state import DocumentState


def build(qtbot: QtBot, document: Document, template: Template | None = None) -> MessagesPane:
    """A shown messages pane of a document, with all of its cards."""
    pane = PANE.build(context_for(document, template))
    qtbot.addWidget(pane)
    pane.resize(460, 700)
    pane.show()
    pane.activateWindow()
    qtbot.waitUntil(pane.isActiveWindow)
    qtbot.waitUntil(lambda: pane.list.is_complete)
    return pane


def card(pane: MessagesPane, index: int) -> MessageCard:
    """A message's card."""
    found = pane.list.card(index)
    assert isinstance(found, MessageCard)
    return found


def texts(document: Document) -> list[str]:
    """The texts of all messages."""
    return [each.text for each in document.state.conversation.messages]


def with_message(data: dict[str, JsonValue]) -> Document:
    """A document of that one message."""
    return Document(DocumentState(conversation=Conversation(messages=(Message(data),))))


def choose(menu: QMenu, title: str) -> None:
    """Presses an entry of a card's menu."""
    menu.aboutToShow.emit()
    action = next(each for each in menu.actions() if each.text().split("\t")[0] == title)
    assert action.isEnabled()
    action.trigger()


def facts(pane: MessagesPane, index: int, kind: str) -> list[str]:
    """What the labels of a card say."""
    labels = card(pane, index).findChildren(FactLabel)
    return [each.fact for each in labels if each.property("kind") == kind and not each.isHidden()]
