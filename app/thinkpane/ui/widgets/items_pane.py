"""A pane for a list of the conversation's (tools, documents): its cards, what stands below them, and their order."""

from abc import abstractmethod
from dataclasses import replace
from typing import Generic

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QToolButton, QVBoxLayout, QWidget

from thinkpane.conversation import edits
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.edits import Item
from thinkpane.ui.context import Context
from thinkpane.ui.widgets.card_list import CardList
from thinkpane.ui.widgets.card_list_card import Card
from thinkpane.workspace.document import Change
from thinkpane.workspace.drafts import DraftPlace, DraftSlot


class ItemsPane(QWidget, Generic[Item]):
    """Shows and edits one list of the conversation.

    noun: what one item is called in undo labels. part: the list's name among a document's parts, and who changes it.
    """

    def __init__(self, context: Context, noun: str, part: str, empty: str) -> None:
        super().__init__()
        self._document = context.document
        self._part = part
        self.setProperty("kind", "pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.list = CardList(self)
        self.list.setAccessibleName(part.capitalize())
        self.empty = QLabel(empty)
        self.empty.setProperty("kind", "dim")
        self.empty.setWordWrap(True)
        self.add_button = QToolButton(self.list)
        self.add_button.setText(f"+  Add {noun}")
        self.add_button.setProperty("kind", "flat")
        self.list.footer.addWidget(self.empty)
        self.list.footer.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignLeft)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.list)
        self._noun = noun
        self.list.move_requested.connect(self._on_list_move_requested)
        self.list.duplicate_requested.connect(
            lambda at: self._set(f"Duplicate {noun}", edits.duplicated(self._items, at))
        )
        self.list.delete_requested.connect(lambda at: self._set(f"Delete {noun}", edits.removed(self._items, at)))
        self.destroyed.connect(self._document.listen(self._on_document_changed))
        self._refresh()

    @property
    @abstractmethod
    def _items(self) -> tuple[Item, ...]:
        """The list as the document has it."""

    @abstractmethod
    def _with(self, conversation: Conversation, items: tuple[Item, ...]) -> Conversation:
        """The conversation with that list."""

    @abstractmethod
    def _make_card(self, key: int) -> Card:
        """A card for the item with that key."""

    @abstractmethod
    def _show(self, card: Card, item: Item) -> None:
        """Has a card show its item as it is now."""

    def _slot(self, key: int) -> DraftSlot:
        """Where the draft of the item with that key is kept."""
        return DraftSlot(self._document.drafts, lambda: DraftPlace(self._part, key))

    def _set(self, label: str, items: tuple[Item, ...], merge: str = "") -> None:
        state = self._document.state
        new = replace(state, conversation=self._with(state.conversation, items))
        self._document.change(new, [self._part], self._part, label, merge)

    def _refresh(self) -> None:
        items = {each.key: each for each in self._items}
        self.empty.setVisible(not items)
        self.list.show_items(tuple(items), self._make_card)
        for card in self.list.cards():
            self._show(card, items[card.key])

    def _on_list_move_requested(self, index: int, to: int) -> None:
        self._set(f"Move {self._noun}", edits.moved(self._items, index, to))
        self.list.set_current(to)

    def _on_document_changed(self, change: Change) -> None:
        if self._part in change.parts:
            self._refresh()
