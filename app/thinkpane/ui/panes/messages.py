"""The messages pane: one card a message, or one big editor where the template takes `messages` as one text."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QLabel, QMenu, QStackedLayout, QToolButton, QWidget

from thinkpane.analysis.tag_occurrences import known_tags
from thinkpane.conversation import edits
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import ROLES, Message, message
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.template import Template
from thinkpane.ui.context import Context
from thinkpane.ui.models.message_link import BY, MessageLink
from thinkpane.ui.panes._api import Area
from thinkpane.ui.widgets.card_list import CardList
from thinkpane.ui.widgets.card_list_card import Card
from thinkpane.ui.widgets.exact_text import ExactTextEdit
from thinkpane.ui.widgets.message_card import MessageCard
from thinkpane.ui.widgets.message_card_raw import RawText
from thinkpane.workspace.document import Change

_PARTS = frozenset({"messages", "raw_text"})


class MessagesPane(QWidget):
    """Shows and edits the messages of the open document.

    Signals:
        current_changed(int): the keyboard went into the card of that message (from 0).
    """

    current_changed = Signal(int)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._document = context.document
        self._template: Template | None = None
        self._tags: tuple[str, ...] = ()
        self._badges: dict[int, tuple[tuple[str, str], ...]] = {}
        self._editor: ExactTextEdit | None = None
        self.setProperty("kind", "pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.list = CardList(self)
        self.list.setAccessibleName("Messages")
        self.raw = RawText(self)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.list)
        self._stack.addWidget(self.raw)
        self._build_add_button()
        self._connect()
        self._end_listening = self._document.listen(self._on_document_changed)
        self.destroyed.connect(self._end_listening)
        self._refresh()

    def _build_add_button(self) -> None:
        self.add_button = QToolButton(self.list)
        self.add_button.setText("+  Add message")
        self.add_button.setProperty("kind", "flat")
        self.add_button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.add_button.setToolTip("Add the next message; the arrow offers roles")
        self.add_menu = QMenu(self.add_button)
        for role in ROLES:
            self.add_menu.addAction(role, partial(self.add_message, role))
        self.add_menu.addSeparator()
        self.raw_action = self.add_menu.addAction("One raw text instead of messages", self.use_raw_text)
        self.add_button.setMenu(self.add_menu)
        self.empty = QLabel("The conversation appears here, a card for each message. Add the first one.")
        self.empty.setProperty("kind", "dim")
        self.empty.setWordWrap(True)
        self.list.footer.addWidget(self.empty)
        self.list.footer.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignLeft)

    def _connect(self) -> None:
        self.add_button.clicked.connect(lambda: self.add_message(self._next_role()))
        self.list.move_requested.connect(self._on_list_move_requested)
        self.list.duplicate_requested.connect(self._on_list_duplicate_requested)
        self.list.delete_requested.connect(self._on_list_delete_requested)
        self.list.current_changed.connect(self.current_changed)
        self.raw.editor.edited.connect(self._on_raw_edited)
        self.raw.editor.undo_requested.connect(self._document.undo)
        self.raw.editor.redo_requested.connect(self._document.redo)
        self.raw.editor.focused.connect(lambda: self._on_editor_focused(self.raw.editor))
        self.raw.leave_requested.connect(self.use_messages)

    def show_template(self, template: Template) -> None:
        """The template in force: its tags get chips, and it says whether it takes one text."""
        self._template = template
        self.show_tags(known_tags(template))
        self._refresh_raw()

    def show_tags(self, tags: tuple[str, ...]) -> None:
        """The control tags that get chips, those found in the template's text too."""
        if tags == self._tags:
            return
        self._tags = tags
        for card in self.list.cards():
            if isinstance(card, MessageCard):
                card.set_tags(self._tags)
        self.raw.set_tags(self._tags)

    def show_badges(self, badges: Mapping[int, Sequence[tuple[str, str]]]) -> None:
        """Facts in the headers of the messages' cards, by index: (text, tone); tone is "", "good", "warning" or "bad".
        Those that are not among them have none."""
        messages = self._talk.messages
        self._badges = {messages[at].key: tuple(each) for at, each in badges.items() if 0 <= at < len(messages)}
        for card in self.list.cards():
            if isinstance(card, MessageCard):
                card.set_badges(self._badges.get(card.key, ()))

    def set_current(self, index: int | None) -> None:
        """Lights the card of a message and brings it into view; None lights none."""
        self.list.set_current(index)

    def focus_message(self, index: int) -> None:
        """Puts the keyboard on the card of a message, and brings it into view."""
        card = self.list.ensure(index)
        if card is not None:
            card.setFocus(Qt.FocusReason.OtherFocusReason)
            self.list.set_current(index)

    def insert_tag(self, text: str) -> None:
        """Puts a tag where the caret is in the text used last, else at the start of the last user message, a new one if
        there is none.

        `…` in `text` marks where the caret goes and is not inserted itself.
        """
        if self._editor_for_tags() is None:
            self.add_message("user")
        editor = self._editor_for_tags()
        if editor is not None:
            before, mark, after = text.partition("…")
            editor.setFocus(Qt.FocusReason.OtherFocusReason)
            editor.insert_exactly(before + after, len(before) if mark else None)

    def add_message(self, role: str) -> None:
        """Adds an empty message at the end and puts the keyboard into it."""
        new = message(role)
        self._restructure("Add message", edits.add(self._talk, new))
        card = self.list.ensure(len(self._talk.messages) - 1)
        if isinstance(card, MessageCard):
            card.editor.setFocus(Qt.FocusReason.OtherFocusReason)
            self.list.set_current(len(self._talk.messages) - 1)

    def use_raw_text(self) -> None:
        """Takes one text in place of the messages, and sets the variables under which the template does so."""
        wanted = self._template.messages_as_text if self._template else None
        state = self._document.state
        variables: dict[str, JsonValue] = {**state.variables, **(wanted or {})}
        new = replace(state, conversation=edits.raw_text_on(state.conversation), variables=variables)
        self._document.change(new, ["messages", "raw_text", "variables"], BY, "Use one raw text")
        self.raw.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def use_messages(self) -> None:
        """Goes back to the messages; the text is kept, and variables that asked for it are unset."""
        wanted = (self._template.messages_as_text if self._template else None) or {}
        state = self._document.state
        variables = {name: value for name, value in state.variables.items() if wanted.get(name, _NONE) != value}
        new = replace(state, conversation=edits.raw_text_off(state.conversation), variables=variables)
        self._document.change(new, ["messages", "raw_text", "variables"], BY, "Use messages")

    @property
    def _talk(self) -> Conversation:
        return self._document.state.conversation

    def _next_role(self) -> str:
        sent = self._talk.messages
        return "assistant" if sent and sent[-1].role in ("user", "tool") else "user"

    def _restructure(self, label: str, talk: Conversation) -> None:
        self._document.change(replace(self._document.state, conversation=talk), ["messages"], BY, label)

    def _refresh(self) -> None:
        talk = self._talk
        self._stack.setCurrentWidget(self.list if talk.raw_text is None else self.raw)
        self._refresh_raw()
        messages = dict(zip(map(attrgetter("key"), talk.messages), talk.messages, strict=True))
        self._badges = {key: each for key, each in self._badges.items() if key in messages}
        self.empty.setVisible(not messages)
        self.list.show_items(tuple(messages), self._make_card, lambda key: _height(messages[key]))
        for card in self.list.cards():
            if isinstance(card, MessageCard):
                card.show_message(messages[card.key])

    def _refresh_raw(self) -> None:
        text = self._talk.raw_text
        if text is not None:
            self.raw.show_text(text)
        takes = self._template is not None and self._template.messages_as_text is not None
        self.raw.say(takes, dict(self._template.messages_as_text or {}) if self._template else {})
        self.raw_action.setVisible(takes or self._template is None)

    def _make_card(self, key: int) -> Card:
        link = MessageLink(self._document, key)
        card = MessageCard(link)
        card.duplicate.clicked.connect(lambda: self._with_index(link, self._on_list_duplicate_requested))
        card.delete.clicked.connect(lambda: self._with_index(link, self._on_list_delete_requested))
        card.editor_focused.connect(self._on_editor_focused)
        card.set_tags(self._tags)
        card.set_badges(self._badges.get(key, ()))
        found = link.message
        if found:
            card.show_message(found)
        return card

    def _editor_for_tags(self) -> ExactTextEdit | None:
        if self._talk.raw_text is not None:
            return self.raw.editor
        if self._editor is not None and self._editor is not self.raw.editor and self._editor.isVisibleTo(self):
            return self._editor
        users = [place for place, each in enumerate(self._talk.messages) if each.role == "user" and not each.excluded]
        card = self.list.ensure(users[-1]) if users else None
        if isinstance(card, MessageCard) and not card.editor.isHidden():
            card.editor.moveCursor(QTextCursor.MoveOperation.Start)
            return card.editor
        return None

    def _on_document_changed(self, change: Change) -> None:
        if change.parts & _PARTS:
            self._refresh()

    def _on_editor_focused(self, editor: ExactTextEdit) -> None:
        if self._editor is not editor:
            self._editor = editor
            editor.destroyed.connect(lambda: self._forget(editor))

    def _forget(self, editor: ExactTextEdit) -> None:
        if self._editor is editor:
            self._editor = None

    def _with_index(self, link: MessageLink, act: Callable[[int], None]) -> None:
        index = link.index
        if index is not None:
            act(index)

    def _on_raw_edited(self, text: str) -> None:
        new = replace(self._document.state, conversation=edits.set_raw_text(self._talk, text))
        self._document.change(new, ["raw_text"], BY, "Edit text", "raw_text")

    def _on_list_move_requested(self, index: int, to: int) -> None:
        self._restructure("Move message", edits.move(self._talk, index, to))
        self.list.set_current(to)

    def _on_list_duplicate_requested(self, index: int) -> None:
        self._restructure("Duplicate message", edits.duplicate(self._talk, index))
        self.list.set_current(index + 1)

    def _on_list_delete_requested(self, index: int) -> None:
        self._restructure("Delete message", edits.delete(self._talk, index))


def _height(found: Message) -> int:
    """About how many pixels its card will be high."""
    lines = min(_MOST_LINES, sum(1 + len(line) // _LETTERS for line in found.text.split("\n", _MOST_LINES)))
    return _FRAME + lines * _LINE


_FRAME, _LINE, _LETTERS, _MOST_LINES = 62, 17, 62, 30
"""Of a card in a pane of usual width: pixels around its text and of a line, letters in a line, lines at most."""

_NONE = object()


@dataclass(frozen=True, slots=True)
class _MessagesPane:
    """Registers the pane."""

    id: str = "messages"
    title: str = "Messages"
    area: Area = "compose"
    order: int = 10

    def build(self, context: Context) -> MessagesPane:
        """A new messages pane, which follows the template."""
        pane = MessagesPane(context)
        context.prompts.template_changed.connect(pane.show_template)
        pane.show_template(context.prompts.template)
        return pane


PANE = _MessagesPane()
