"""The documents pane: one card a document, with title and text where it has them, and its JSON."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QWidget

from thinkpane.conversation import edits
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.tools import ContextDocument
from thinkpane.formats.json_values import JsonValue
from thinkpane.ui.context import Context
from thinkpane.ui.panes._api import Area
from thinkpane.ui.widgets.card_icons import EnableBox
from thinkpane.ui.widgets.card_list_card import Card
from thinkpane.ui.widgets.elided_label import ElidedLabel
from thinkpane.ui.widgets.exact_text import ExactLineEdit, ExactTextEdit, TextField
from thinkpane.ui.widgets.items_pane import ItemsPane
from thinkpane.ui.widgets.json_editor import JsonEditor
from thinkpane.workspace.drafts import DraftSlot

_TEXT_KEYS = ("text", "contents", "content", "snippet")


class DocumentCard(Card):
    """One document.

    change: takes its edited value and the name of the field that was edited. slot: keeps a text that is no JSON yet.
    """

    def __init__(
        self, key: int, change: Callable[[JsonValue, str], None], slot: DraftSlot, parent: QWidget | None = None
    ) -> None:
        super().__init__(key, parent)
        self._change = change
        self._value: JsonValue = None
        self.enabled = EnableBox("Send this document", self)
        self._name = ElidedLabel("card-title")
        self.as_json = QToolButton(self)
        self.as_json.setText("JSON")
        self.as_json.setCheckable(True)
        self.as_json.setProperty("kind", "flat")
        self.as_json.setToolTip("Edit the document as JSON")
        self.header.addWidget(self.enabled)
        self.header.addWidget(self._name, 1)
        self.header.addWidget(self.as_json)
        self.duplicate = self.add_button("duplicate", "Duplicate", "Ctrl+D")
        self.delete = self.add_button("delete", "Delete", "Ctrl+Shift+Del")
        self.title = ExactLineEdit(self)
        self.title.setPlaceholderText("Title")
        self.title.setAccessibleName("Title")
        self.text = ExactTextEdit(self)
        self.text.setPlaceholderText("Text")
        self.text.setAccessibleName("Text")
        self.json = JsonEditor(self._on_json_accepted, self, slot=slot)
        for widget in (self.title, self.text, self.json):
            self.body.addWidget(widget)
        self.title.textEdited.connect(lambda text: self._on_field_edited("title", text))
        self.text.edited.connect(lambda text: self._on_field_edited(self._text_key(), text))
        self.as_json.toggled.connect(lambda: self._show_fields())

    def show_document(self, document: ContextDocument) -> None:
        """Shows the document as the open document has it."""
        self._value = document.data
        self._name.set_whole(document.title or "untitled document")
        self.setAccessibleName(f"Document {document.title or 'without a title'}")
        self.enabled.setChecked(document.enabled)
        self.set_flag("unsent", not document.enabled)
        self._show_fields()

    def text_fields(self) -> dict[str, TextField]:
        """Title and text, where they are shown as fields."""
        return {} if self.text.isHidden() else {"title": self.title, self._text_key(): self.text}

    def json_fields(self) -> dict[str, ExactTextEdit]:
        """The document's JSON, where it is shown."""
        return {} if self.json.isHidden() else {"": self.json.editor}

    def _show_fields(self) -> None:
        value = self._value
        has_fields = isinstance(value, dict) and self._fits(value)
        shows_json = self.as_json.isChecked() or not has_fields
        self.as_json.setEnabled(has_fields)
        self.title.setVisible(not shows_json)
        self.text.setVisible(not shows_json)
        self.json.setVisible(shows_json or self.json.keeps_draft)
        if shows_json or self.json.keeps_draft:
            self.json.show_value(value)
        if isinstance(value, dict) and has_fields:
            title, text = value.get("title"), value.get(self._text_key())
            self.title.set_text(title if isinstance(title, str) else "")
            self.text.set_text(text if isinstance(text, str) else "")

    def _fits(self, value: dict[str, JsonValue]) -> bool:
        """False where title or text are there as something else than text: then the fields would hide it."""
        return isinstance(value.get("title", ""), str) and isinstance(value.get(self._text_key(), ""), str)

    def _text_key(self) -> str:
        value = self._value if isinstance(self._value, dict) else {}
        return next((key for key in _TEXT_KEYS if key in value), "text")

    def _on_field_edited(self, name: str, text: str) -> None:
        if isinstance(self._value, dict):
            self._change({**self._value, name: text}, name)

    def _on_json_accepted(self, value: JsonValue) -> str:
        self._change(value, "json")
        return ""


class DocumentsPane(ItemsPane[ContextDocument]):
    """Shows and edits the documents of the conversation (not to be taken for the open document)."""

    def __init__(self, context: Context) -> None:
        empty = (
            "Documents for templates that answer from sources (such as Command R7B) appear here. "
            "Templates that do not read “documents” ignore them."
        )
        super().__init__(context, "document", "documents", empty)
        self.add_button.clicked.connect(self.add_document)

    def add_document(self) -> None:
        """Adds an empty document at the end and puts the keyboard into its title."""
        self._set("Add document", (*self._items, ContextDocument({"title": "", "text": ""})))
        card = self.list.ensure(len(self._items) - 1)
        if isinstance(card, DocumentCard):
            card.title.setFocus(Qt.FocusReason.OtherFocusReason)
            self.list.set_current(len(self._items) - 1)

    @property
    def _items(self) -> tuple[ContextDocument, ...]:
        return self._document.state.conversation.documents

    def _with(self, conversation: Conversation, items: tuple[ContextDocument, ...]) -> Conversation:
        return edits.set_documents(conversation, items)

    def _show(self, card: Card, item: ContextDocument) -> None:
        if isinstance(card, DocumentCard):
            card.show_document(item)

    def _make_card(self, key: int) -> Card:
        card = DocumentCard(key, lambda value, field: self._put(key, value, field), self._slot(key))
        card.enabled.toggled.connect(lambda on: self._switch(key, on))
        card.duplicate.clicked.connect(lambda: self.list.duplicate_requested.emit(self.list.index_of(card)))
        card.delete.clicked.connect(lambda: self.list.delete_requested.emit(self.list.index_of(card)))
        for each in (card.title, card.text, card.json):
            each.undo_requested.connect(self._document.undo)
            each.redo_requested.connect(self._document.redo)
        card.show_document(self._items[self._index(key)])
        return card

    def _index(self, key: int) -> int:
        return next(index for index, each in enumerate(self._items) if each.key == key)

    def _put(self, key: int, value: JsonValue, field: str) -> None:
        index = self._index(key)
        new = replace(self._items[index], data=value)
        self._set("Edit document", edits.replaced(self._items, index, new), f"document:{key}:{field}")

    def _switch(self, key: int, on: bool) -> None:
        index = self._index(key)
        if self._items[index].enabled != on:
            new = replace(self._items[index], enabled=on)
            self._set("Switch document", edits.replaced(self._items, index, new))


@dataclass(frozen=True, slots=True)
class _DocumentsPane:
    """Registers the pane."""

    id: str = "documents"
    title: str = "Documents"
    area: Area = "compose"
    order: int = 30

    def build(self, context: Context) -> DocumentsPane:
        """A new documents pane."""
        return DocumentsPane(context)


PANE = _DocumentsPane()
