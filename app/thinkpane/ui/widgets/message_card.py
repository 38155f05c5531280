"""One message as a card: role, facts about it, and an editor for each thing it holds."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QWidget

from thinkpane.conversation import message_edits
from thinkpane.conversation.messages import Message
from thinkpane.formats.json_values import JsonValue
from thinkpane.ui.models.message_link import MessageLink
from thinkpane.ui.models.tag_spans import tag_spans
from thinkpane.ui.widgets.card_facts import CardFacts
from thinkpane.ui.widgets.card_icons import IconButton
from thinkpane.ui.widgets.card_list_card import Card
from thinkpane.ui.widgets.exact_text import ExactTextEdit, TextField
from thinkpane.ui.widgets.json_editor import JsonEditor
from thinkpane.ui.widgets.message_card_calls import ToolCalls
from thinkpane.ui.widgets.message_card_menu import fill_menu, switch_excluded
from thinkpane.ui.widgets.message_card_reasoning import ReasoningField
from thinkpane.ui.widgets.message_card_result import ResultFields
from thinkpane.ui.widgets.message_card_role import RoleBox, RoleDot
from thinkpane.ui.widgets.part_row import PartList

_MOST_CHIPS = 4


class MessageCard(Card):
    """Edits the message behind `link`. `show_message` is called after each change of the document.

    Signals:
        editor_focused(ExactTextEdit): a text of the message has the keyboard; tags are inserted there.
    """

    editor_focused = Signal(ExactTextEdit)

    def __init__(self, link: MessageLink, parent: QWidget | None = None) -> None:
        super().__init__(link.key, parent)
        self._link = link
        self._shown: Message | None = None
        self._tags: tuple[str, ...] = ()
        self._badges: tuple[tuple[str, str], ...] = ()
        self._reasoning: ReasoningField | None = None
        self._parts: PartList | None = None
        self._other: JsonEditor | None = None
        self._calls: ToolCalls | None = None
        self._result: ResultFields | None = None
        self._build_header()
        self.editor = ExactTextEdit(self)
        self.editor.setProperty("kind", "bare")
        self.editor.edited.connect(self._on_editor_edited)
        self._connect_editor(self.editor)
        self.body.addWidget(self.editor)

    def set_count(self, words: str, *, stale: bool = False) -> None:
        """As for every card; the facts make room for it."""
        super().set_count(words, stale=stale)
        self._facts.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has room for the facts beside the role, or has not."""
        super().resizeEvent(event)
        self._facts.fit()

    def _build_header(self) -> None:
        self._dot = RoleDot(self)
        self.role = RoleBox(self)
        self.header.addWidget(self._dot)
        self.header.addWidget(self.role)
        self._facts = CardFacts(self.header, self)
        self.put_below_header(self._facts.line)
        self._exclude = self.add_button("shown", "Leave this message out")
        self.duplicate = self.add_button("duplicate", "Duplicate", "Ctrl+D")
        self.delete = self.add_button("delete", "Delete", "Ctrl+Shift+Del")
        self._more = IconButton("more", "More", "", self)
        self.header.addWidget(self._more)
        self.show_buttons_on_demand()
        self.menu = QMenu(self)
        self.menu.aboutToShow.connect(self._on_menu_opening)
        self._more.clicked.connect(lambda: self.menu.popup(self._more.mapToGlobal(self._more.rect().bottomLeft())))
        self._exclude.clicked.connect(lambda: switch_excluded(self._link))
        self.role.chosen.connect(lambda role: self._link.edit("Change role", message_edits.set_role, role))
        self.role.undo_requested.connect(self._link.undo)
        self.role.redo_requested.connect(self._link.redo)

    @property
    def parts(self) -> PartList | None:
        """The editor of the content's parts, None where there never were any."""
        return self._parts

    def text_fields(self) -> dict[str, TextField]:
        """The fields of the message's texts that are shown."""
        found: dict[str, TextField] = {} if self.editor.isHidden() else {"content": self.editor}
        if self._parts and not self._parts.isHidden():
            found |= self._parts.text_fields()
        if self._reasoning and not self._reasoning.isHidden():
            found[self._reasoning.field] = self._reasoning.editor
        if self._calls and not self._calls.isHidden():
            found |= self._calls.text_fields()
        if self._result and not self._result.isHidden():
            found |= self._result.text_fields()
        return found

    def json_fields(self) -> dict[str, ExactTextEdit]:
        """Content that is neither text nor parts, and the arguments of tool calls."""
        found: dict[str, ExactTextEdit] = {}
        if self._other and not self._other.isHidden():
            found["content"] = self._other.editor
        if self._calls and not self._calls.isHidden():
            found |= self._calls.json_fields()
        return found

    def set_tags(self, tags: Sequence[str]) -> None:
        """The control tags of the template; those that stand in the text get chips."""
        if tuple(tags) != self._tags:
            self._tags = tuple(tags)
            self._mark_tags()

    def set_badges(self, badges: Sequence[tuple[str, str]]) -> None:
        """Facts beside the buttons: (text, tone)."""
        if tuple(badges) != self._badges:
            self._badges = tuple(badges)
            self._show_badges()

    def show_message(self, found: Message) -> None:
        """Shows the message, touching only what is not shown already."""
        if found is self._shown:
            return
        was_excluded = self._shown.excluded if self._shown else False
        self._shown = found
        self._dot.set_role(found.role)
        self.role.set_role(found.role)
        self.setAccessibleName(f"{found.role or 'message'}: {found.text[:60]}")
        self._show_content(found)
        self._show_reasoning(found)
        self._show_calls(found)
        self._show_result(found)
        if found.excluded != was_excluded:
            self._exclude.set_icon("hidden" if found.excluded else "shown")
            self._exclude.set_words("Take this message in again" if found.excluded else "Leave this message out")
            self.set_flag("unsent", found.excluded)
            self._show_badges()
        self._mark_tags()

    def _show_content(self, found: Message) -> None:
        content = found.content
        is_text = content is None or isinstance(content, str)
        self.editor.setVisible(is_text)
        if is_text:
            self.editor.set_text(found.text)
            named = "Message text" if found.role != "tool" else "What the tool returned"
            missing = "content" in found.data and content is None
            self.editor.setPlaceholderText("No content (null); typing sets it" if missing else named)
            self.editor.setAccessibleName(named)
        if found.parts is not None:
            if self._parts is None:
                self._parts = PartList(self._link, self)
                self.body.insertWidget(self.body.indexOf(self.editor) + 1, self._parts)
            self._parts.show_message(found)
            for row in self._parts.rows:
                if isinstance(row.editor, ExactTextEdit) and row.property("heard") is None:
                    row.setProperty("heard", True)
                    self._connect_focus(row.editor)
        if self._parts:
            self._parts.setVisible(found.parts is not None)
        is_other = not is_text and found.parts is None
        if is_other:
            if self._other is None:
                self._other = JsonEditor(self._on_other_edited, self, slot=self._link.draft_slot(lambda: "content"))
                self._other.undo_requested.connect(self._link.undo)
                self._other.redo_requested.connect(self._link.redo)
                self.body.insertWidget(self.body.indexOf(self.editor) + 1, self._other)
            self._other.show_value(content)
        if self._other:
            self._other.setVisible(is_other)

    def _show_reasoning(self, found: Message) -> None:
        if found.reasoning_field and self._reasoning is None:
            self._make_reasoning()
        if self._reasoning:
            self._reasoning.show_message(found)
            # An emptied field stays while the person is in it: the text may be about to be typed anew.
            keeps = self._reasoning.editor.hasFocus()
            self._reasoning.setVisible(bool(found.reasoning_field) or keeps)

    def _make_reasoning(self) -> ReasoningField:
        self._reasoning = ReasoningField(self._link, self)
        self._connect_focus(self._reasoning.editor)
        self.body.insertWidget(0, self._reasoning)
        return self._reasoning

    def _show_calls(self, found: Message) -> None:
        if found.tool_calls and self._calls is None:
            self._calls = ToolCalls(self._link, self)
            self.body.addWidget(self._calls)
        if self._calls:
            self._calls.show_message(found)
            self._calls.setVisible(bool(found.tool_calls))

    def _show_result(self, found: Message) -> None:
        wanted = found.role == "tool" or bool(found.tool_call_id)
        if wanted and self._result is None:
            self._result = ResultFields(self._link, self)
            self.body.insertWidget(0, self._result)
        if self._result:
            self._result.setVisible(wanted)
            self._result.show_message(found)

    def _mark_tags(self) -> None:
        text = self.editor.text if not self.editor.isHidden() else ""
        spans = tag_spans(text, self._tags)
        self.editor.set_marks(spans)
        found = list(dict.fromkeys(text[start:end] for start, end in spans))
        names = found[:_MOST_CHIPS] + ([f"+{len(found) - _MOST_CHIPS}"] if len(found) > _MOST_CHIPS else [])
        self._facts.set_chips([name if len(name) <= 24 else name[:23] + "…" for name in names])

    def _show_badges(self) -> None:
        own = [("left out", "")] if self._shown and self._shown.excluded else []
        self._facts.set_badges([*own, *self._badges])

    def _connect_editor(self, editor: ExactTextEdit) -> None:
        editor.undo_requested.connect(self._link.undo)
        editor.redo_requested.connect(self._link.redo)
        self._connect_focus(editor)

    def _connect_focus(self, editor: ExactTextEdit) -> None:
        editor.focused.connect(lambda: self.editor_focused.emit(editor))

    def _on_menu_opening(self) -> None:
        if self._shown:
            fill_menu(self.menu, self._shown, self._link, self._on_reasoning_wanted, self._on_call_wanted)

    def _on_reasoning_wanted(self) -> None:
        field = self._reasoning or self._make_reasoning()
        if self._shown:
            field.show_message(self._shown)
        field.show()
        field.unfold()

    def _on_call_wanted(self) -> None:
        self._link.edit("Add tool call", message_edits.add_tool_call)
        if self._calls:
            self._calls.focus_last()

    def _on_editor_edited(self, text: str) -> None:
        self._link.keystroke("Edit text", "content", message_edits.set_content, text)

    def _on_other_edited(self, value: JsonValue) -> str:
        self._link.keystroke("Edit content", "content", message_edits.set_content, value)
        return ""
