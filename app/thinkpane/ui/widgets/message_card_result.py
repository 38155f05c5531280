"""The fields of a tool message beside its text."""

from PySide6.QtWidgets import QFormLayout, QLabel, QWidget

from thinkpane.conversation.message_edits import set_text_field
from thinkpane.conversation.messages import Message
from thinkpane.ui.models.message_link import MessageLink
from thinkpane.ui.widgets.exact_text import ExactLineEdit, TextField


class ResultFields(QWidget):
    """Which call a tool message answers, and the function's name."""

    def __init__(self, link: MessageLink, parent: QWidget) -> None:
        super().__init__(parent)
        self._link = link
        self._fields: dict[str, ExactLineEdit] = {}
        self._layout = QFormLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(4)
        self._add("tool_call_id", "Answers call", "tool_call_id")
        self._add("name", "Function", "name (optional)")

    def show_message(self, found: Message) -> None:
        """Shows the fields of the message; those that are no text are empty here."""
        for name, field in self._fields.items():
            value = found.data.get(name)
            field.set_text(value if isinstance(value, str) else "")

    def text_fields(self) -> dict[str, TextField]:
        """The fields, by their keys in the message."""
        return dict(self._fields)

    def _add(self, name: str, title: str, hint: str) -> None:
        field = self._fields[name] = ExactLineEdit(self)
        field.setProperty("mono", True)
        field.setPlaceholderText(hint)
        field.setAccessibleName(title)
        field.textEdited.connect(
            lambda text: self._link.keystroke("Edit tool result", name, set_text_field, name, text)
        )
        field.undo_requested.connect(self._link.undo)
        field.redo_requested.connect(self._link.redo)
        label = QLabel(title)
        label.setProperty("kind", "dim")
        self._layout.addRow(label, field)
