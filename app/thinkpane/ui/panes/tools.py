"""The tools pane: one card a tool, its JSON checked while it is typed."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMenu, QToolButton, QVBoxLayout, QWidget

from thinkpane.conversation import edits
from thinkpane.conversation.tool_check import tool_fault
from thinkpane.conversation.tool_snippets import snippets
from thinkpane.conversation.tools import Tool
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.ui.context import Context
from thinkpane.ui.panes._api import Area
from thinkpane.ui.widgets.card_icons import EnableBox
from thinkpane.ui.widgets.card_list import CardList
from thinkpane.ui.widgets.card_list_card import Card
from thinkpane.ui.widgets.json_editor import JsonEditor
from thinkpane.workspace.document import Change

_BY = "tools"


class ToolCard(Card):
    """One tool. accept: takes the tool's edited object."""

    def __init__(self, key: int, accept: Callable[[JsonValue], str], parent: QWidget | None = None) -> None:
        super().__init__(key, parent)
        self.enabled = EnableBox("Send this tool", self)
        self._name = QLabel()
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        self._name.setProperty("kind", "card-title")
        self.header.addWidget(self.enabled)
        self.header.addWidget(self._name, 1)
        self.duplicate = self.add_button("duplicate", "Duplicate", "Ctrl+D")
        self.delete = self.add_button("delete", "Delete", "Ctrl+Shift+Del")
        self.editor = JsonEditor(accept, self, most_lines=40)
        self.editor.editor.setAccessibleName("Tool as JSON")
        self.body.addWidget(self.editor)

    def show_tool(self, tool: Tool) -> None:
        """Shows the tool as the document has it."""
        self._name.setText(tool.name or "unnamed tool")
        self.setAccessibleName(f"Tool {tool.name or 'without a name'}")
        self.enabled.setChecked(tool.enabled)
        self.set_flag("unsent", not tool.enabled)
        self.editor.show_value(dict(tool.data), tool_fault(tool))


class ToolsPane(QWidget):
    """Shows and edits the tools of the open document."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._document = context.document
        self.setProperty("kind", "pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.list = CardList(self)
        self.list.setAccessibleName("Tools")
        self.empty = QLabel("Tools that the model may call appear here. Add one, then change its JSON.")
        self.empty.setProperty("kind", "dim")
        self.empty.setWordWrap(True)
        self.add_button = QToolButton(self.list)
        self.add_button.setText("+  Add tool")
        self.add_button.setProperty("kind", "flat")
        self.add_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.add_menu = QMenu(self.add_button)
        for title in snippets():
            self.add_menu.addAction(title, partial(self._on_snippet_chosen, title))
        self.add_button.setMenu(self.add_menu)
        self.list.footer.addWidget(self.empty)
        self.list.footer.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignLeft)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.list)
        self.list.move_requested.connect(lambda index, to: self._set("Move tool", edits.moved(self._tools, index, to)))
        self.list.duplicate_requested.connect(
            lambda index: self._set("Duplicate tool", edits.duplicated(self._tools, index))
        )
        self.list.delete_requested.connect(lambda index: self._set("Delete tool", edits.removed(self._tools, index)))
        self.destroyed.connect(self._document.listen(self._on_document_changed))
        self._refresh()

    def add_tool(self, tool: Tool) -> None:
        """Adds a tool at the end and puts the keyboard into it."""
        self._set("Add tool", (*self._tools, tool))
        self.list.complete()
        card = self.list.card(len(self._tools) - 1)
        if isinstance(card, ToolCard):
            card.editor.setFocus(Qt.FocusReason.OtherFocusReason)
            self.list.ensureWidgetVisible(card)

    @property
    def _tools(self) -> tuple[Tool, ...]:
        return self._document.state.conversation.tools

    def _set(self, label: str, tools: tuple[Tool, ...], merge: str = "") -> None:
        state = self._document.state
        new = replace(state, conversation=edits.set_tools(state.conversation, tools))
        self._document.change(new, ["tools"], _BY, label, merge)

    def _refresh(self) -> None:
        tools = {each.key: each for each in self._tools}
        self.empty.setVisible(not tools)
        self.list.show_items(tuple(tools), self._make_card)
        for card in self.list.cards():
            if isinstance(card, ToolCard):
                card.show_tool(tools[card.key])

    def _make_card(self, key: int) -> Card:
        card = ToolCard(key, lambda value: self._accept(key, value))
        card.enabled.toggled.connect(lambda on: self._change(key, "Switch tool", "", enabled=on))
        card.duplicate.clicked.connect(lambda: self.list.duplicate_requested.emit(self.list.index_of(card)))
        card.delete.clicked.connect(lambda: self.list.delete_requested.emit(self.list.index_of(card)))
        card.editor.undo_requested.connect(self._document.undo)
        card.editor.redo_requested.connect(self._document.redo)
        card.show_tool(next(each for each in self._tools if each.key == key))
        return card

    def _accept(self, key: int, value: JsonValue) -> str:
        if not isinstance(value, dict):
            raise ThinkpaneError(Problem("json", "A tool must be a JSON object."))
        self._change(key, "Edit tool", f"tool:{key}", data=value)
        return tool_fault(Tool(value))

    def _change(self, key: int, label: str, merge: str, *, enabled: bool | None = None, data: JsonValue = None) -> None:
        for index, tool in enumerate(self._tools):
            if tool.key == key:
                new = replace(tool, enabled=tool.enabled if enabled is None else enabled)
                if isinstance(data, dict):
                    new = replace(new, data=data)
                if enabled is None or enabled != tool.enabled:
                    self._set(label, edits.replaced(self._tools, index, new), merge)

    def _on_snippet_chosen(self, title: str) -> None:
        self.add_tool(snippets()[title])

    def _on_document_changed(self, change: Change) -> None:
        if "tools" in change.parts:
            self._refresh()


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
