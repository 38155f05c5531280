"""The tool calls of a message: name, id and arguments of each."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from thinkpane.conversation import message_edits
from thinkpane.conversation.messages import Message, call_function
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.formats.strict_json import parse
from thinkpane.ui import theme
from thinkpane.ui.models.message_link import MessageLink
from thinkpane.ui.widgets.card_icons import IconButton
from thinkpane.ui.widgets.exact_text import ExactLineEdit, ExactTextEdit, TextField
from thinkpane.ui.widgets.json_editor import JsonEditor, JsonHighlighter
from thinkpane.ui.widgets.plain_tip import plain_tip


class ToolCalls(QWidget):
    """One row for each tool call of a message."""

    def __init__(self, link: MessageLink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._link = link
        self._rows: list[_CallRow] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(6)

    def show_message(self, message: Message) -> None:
        """Shows the message's calls, keeping the rows that are there."""
        calls = message.tool_calls
        while len(self._rows) > len(calls):
            row = self._rows.pop()
            row.forget_draft()
            row.hide()
            row.deleteLater()
        while len(self._rows) < len(calls):
            row = _CallRow(self._link, len(self._rows), self)
            self._rows.append(row)
            self._layout.addWidget(row)
        for row, call in zip(self._rows, calls, strict=True):
            row.show_call(call)

    def text_fields(self) -> dict[str, TextField]:
        """The fields of all calls, by the way to their value in the message."""
        return {way: field for row in self._rows for way, field in row.text_fields().items()}

    def json_fields(self) -> dict[str, ExactTextEdit]:
        """The arguments of all calls, as JSON, by the way to their value in the message."""
        return dict(row.arguments for row in self._rows)

    def focus_last(self) -> None:
        """Puts the keyboard into the last call's name."""
        if self._rows:
            self._rows[-1].name.setFocus(Qt.FocusReason.OtherFocusReason)


class _CallRow(QFrame):
    def __init__(self, link: MessageLink, index: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._link = link
        self._index = index
        self._inner = ".function"
        self.setProperty("kind", "inset")
        self.name = self._field("Function name", "function name")
        self._id = self._field("Call id", "call id")
        self._id.setMaximumWidth(150)
        remove = IconButton("delete", "Remove this tool call", "", self)
        slot = link.draft_slot(lambda: f"tool_calls[{self._index}].arguments")
        self._object = JsonEditor(self._on_arguments_value, self, slot=slot)
        self._object.editor.setAccessibleName("Arguments")
        self._text = _ArgumentsText(self)
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self.name, 1)
        head.addWidget(self._id)
        head.addWidget(remove)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 6, 6, 8)
        layout.setSpacing(6)
        layout.addLayout(head)
        layout.addWidget(self._object)
        layout.addWidget(self._text)
        self.name.textEdited.connect(self._on_name_edited)
        self._id.textEdited.connect(self._on_id_edited)
        remove.clicked.connect(self._on_remove_clicked)
        self._text.editor.edited.connect(self._on_arguments_text)
        for each in (self.name, self._id, self._object, self._text.editor):
            each.undo_requested.connect(link.undo)
            each.redo_requested.connect(link.redo)

    def _field(self, name: str, placeholder: str) -> ExactLineEdit:
        found = ExactLineEdit(self)
        found.setFont(theme.mono_font())
        found.setProperty("mono", True)
        found.setAccessibleName(name)
        found.setToolTip(plain_tip(name))
        found.setPlaceholderText(placeholder)
        return found

    def text_fields(self) -> dict[str, TextField]:
        """The call's fields, by the way to their value in the message."""
        call = f"tool_calls[{self._index}]"
        found: dict[str, TextField] = {f"{call}.id": self._id, f"{call}{self._inner}.name": self.name}
        if not self._text.isHidden():
            found[f"{call}{self._inner}.arguments"] = self._text.editor
        return found

    @property
    def arguments(self) -> tuple[str, ExactTextEdit]:
        """The way to the arguments, and what edits them: as a value, or as text that is JSON most of the time."""
        editor = self._object.editor if self._text.isHidden() else self._text.editor
        return f"tool_calls[{self._index}]{self._inner}.arguments", editor

    def show_call(self, call: JsonObject) -> None:
        """Shows one call. Arguments that are JSON text are edited as that text, others as the value they are."""
        function = call_function(call)
        self._inner = "" if function is call else ".function"
        name, call_id, arguments = function.get("name"), call.get("id"), function.get("arguments")
        self.name.set_text(name if isinstance(name, str) else "")
        self._id.set_text(call_id if isinstance(call_id, str) else "")
        is_text = isinstance(arguments, str)
        self._text.setVisible(is_text)
        self._object.setVisible(not is_text)
        if isinstance(arguments, str):
            self._text.show_text(arguments)
        else:
            self._object.show_item(arguments)

    def forget_draft(self) -> None:
        """Lets go of arguments that are not applied: the call is gone."""
        self._object.forget_draft()

    def _on_name_edited(self, text: str) -> None:
        field = f"call{self._index}.name"
        self._link.keystroke("Edit tool call", field, message_edits.set_tool_call_name, self._index, text)

    def _on_id_edited(self, text: str) -> None:
        field = f"call{self._index}.id"
        self._link.keystroke("Edit call id", field, message_edits.set_tool_call_id, self._index, text)

    def _on_arguments_text(self, text: str) -> None:
        field = f"call{self._index}.arguments"
        self._link.keystroke("Edit arguments", field, message_edits.set_tool_call_arguments, self._index, text)

    def _on_arguments_value(self, value: JsonValue) -> str:
        field = f"call{self._index}.arguments"
        self._link.keystroke("Edit arguments", field, message_edits.set_tool_call_arguments, self._index, value)
        return "" if isinstance(value, dict) else "Arguments are usually an object."

    def _on_remove_clicked(self) -> None:
        self._link.edit("Remove tool call", message_edits.remove_tool_call, self._index)


class _ArgumentsText(QWidget):
    """Arguments that are text, valid JSON or not: models write broken ones, and templates get them as they are."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.editor = ExactTextEdit(self, most_lines=24)
        self.editor.setFont(theme.mono_font())
        self.editor.setProperty("mono", True)
        self.editor.setAccessibleName("Arguments, as text")
        self._colours = JsonHighlighter(self.editor.document())
        self._line = QLabel()
        self._line.setTextFormat(Qt.TextFormat.PlainText)
        self._line.setWordWrap(True)
        self._line.setProperty("kind", "remark")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.editor)
        layout.addWidget(self._line)

    def show_text(self, text: str) -> None:
        """Shows the text and whether it is JSON."""
        self.editor.set_text(text)
        try:
            found = parse(text)
            remark = "" if isinstance(found, dict) else "Arguments are usually an object."
        except ThinkpaneError as fault:
            remark = fault.problem.message
        self._line.setText(remark)
        self._line.setVisible(bool(remark))
