"""The tools pane: one card a tool, its JSON checked while it is typed."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from thinkpane.conversation import edits
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.tool_check import tool_fault
from thinkpane.conversation.tool_snippets import snippets
from thinkpane.conversation.tools import Tool
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.ui.context import Context
from thinkpane.ui.panes._api import Area
from thinkpane.ui.widgets.card_icons import EnableBox
from thinkpane.ui.widgets.card_list_card import Card
from thinkpane.ui.widgets.elided_label import ElidedLabel
from thinkpane.ui.widgets.exact_text import ExactTextEdit
from thinkpane.ui.widgets.items_pane import ItemsPane
from thinkpane.ui.widgets.json_editor import JsonEditor
from thinkpane.workspace.drafts import DraftSlot


class ToolCard(Card):
    """One tool. accept: takes the tool's edited object; slot: keeps a text that is none."""

    def __init__(
        self, key: int, accept: Callable[[JsonValue], str], slot: DraftSlot, parent: QWidget | None = None
    ) -> None:
        super().__init__(key, parent)
        self.enabled = EnableBox("Send this tool", self)
        self._name = ElidedLabel("card-title")
        self.header.addWidget(self.enabled)
        self.header.addWidget(self._name, 1)
        self.duplicate = self.add_button("duplicate", "Duplicate", "Ctrl+D")
        self.delete = self.add_button("delete", "Delete", "Ctrl+Shift+Del")
        self.editor = JsonEditor(accept, self, most_lines=40, slot=slot)
        self.editor.editor.setAccessibleName("Tool as JSON")
        self.body.addWidget(self.editor)

    def show_tool(self, tool: Tool) -> None:
        """Shows the tool as the document has it."""
        self._name.set_whole(tool.name or "unnamed tool")
        self.setAccessibleName(f"Tool {tool.name or 'without a name'}")
        self.enabled.setChecked(tool.enabled)
        self.set_flag("unsent", not tool.enabled)
        self.editor.show_value(dict(tool.data), tool_fault(tool))

    def json_fields(self) -> dict[str, ExactTextEdit]:
        """The tool's JSON."""
        return {"": self.editor.editor}


class ToolsPane(ItemsPane[Tool]):
    """Shows and edits the tools of the open document."""

    def __init__(self, context: Context) -> None:
        empty = "Tools that the model may call appear here. Add one, then change its JSON."
        super().__init__(context, "tool", "tools", empty)
        self.add_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.add_menu = QMenu(self.add_button)
        for title in snippets():
            self.add_menu.addAction(title, partial(self._on_snippet_chosen, title))
        self.add_button.setMenu(self.add_menu)

    def add_tool(self, tool: Tool) -> None:
        """Adds a tool at the end and puts the keyboard into it."""
        self._set("Add tool", (*self._items, tool))
        card = self.list.ensure(len(self._items) - 1)
        if isinstance(card, ToolCard):
            card.editor.setFocus(Qt.FocusReason.OtherFocusReason)
            self.list.set_current(len(self._items) - 1)

    @property
    def _items(self) -> tuple[Tool, ...]:
        return self._document.state.conversation.tools

    def _with(self, conversation: Conversation, items: tuple[Tool, ...]) -> Conversation:
        return edits.set_tools(conversation, items)

    def _show(self, card: Card, item: Tool) -> None:
        if isinstance(card, ToolCard):
            card.show_tool(item)

    def _make_card(self, key: int) -> Card:
        card = ToolCard(key, lambda value: self._accept(key, value), self._slot(key))
        card.enabled.toggled.connect(lambda on: self._change(key, "Switch tool", "", enabled=on))
        card.duplicate.clicked.connect(lambda: self.list.duplicate_requested.emit(self.list.index_of(card)))
        card.delete.clicked.connect(lambda: self.list.delete_requested.emit(self.list.index_of(card)))
        card.editor.undo_requested.connect(self._document.undo)
        card.editor.redo_requested.connect(self._document.redo)
        card.show_tool(next(each for each in self._items if each.key == key))
        return card

    def _accept(self, key: int, value: JsonValue) -> str:
        if not isinstance(value, dict):
            raise ThinkpaneError(Problem("json", "A tool must be a JSON object."))
        self._change(key, "Edit tool", f"tool:{key}", data=value)
        return tool_fault(Tool(value))

    def _change(self, key: int, label: str, merge: str, *, enabled: bool | None = None, data: JsonValue = None) -> None:
        for index, tool in enumerate(self._items):
            if tool.key == key:
                new = replace(tool, enabled=tool.enabled if enabled is None else enabled)
                if isinstance(data, dict):
                    new = replace(new, data=data)
                if enabled is None or enabled != tool.enabled:
                    self._set(label, edits.replaced(self._items, index, new), merge)

    def _on_snippet_chosen(self, title: str) -> None:
        self.add_tool(snippets()[title])


@dataclass(frozen=True, slots=True)
class _ToolsPane:
    """Registers the pane."""

    id: str = "tools"
    title: str = "Tools"
    area: Area = "compose"
    order: int = 20

    def build(self, context: Context) -> ToolsPane:
        """A new tools pane."""
        return ToolsPane(context)


PANE = _ToolsPane()
