"""The raw-text mode: one big editor in place of the cards, with a header that says why."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import dump
from thinkpane.ui.models.tag_spans import tag_spans
from thinkpane.ui.widgets.exact_text import ExactTextEdit


class RawText(QWidget):
    """Edits the one text that a template takes as `messages`.

    Signals:
        leave_requested: the messages are wanted back.
    """

    leave_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tags: tuple[str, ...] = ()
        self._why = QLabel()
        self._why.setTextFormat(Qt.TextFormat.PlainText)
        self._why.setWordWrap(True)
        self._why.setProperty("kind", "dim")
        self.leave = QPushButton("Back to messages")
        self.leave.setToolTip("Your messages are kept, and so is this text")
        self.editor = ExactTextEdit(self, most_lines=0)
        self.editor.setPlaceholderText("The one text that the template gets as messages")
        self.editor.setAccessibleName("Raw text")
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self._why, 1)
        head.addWidget(self.leave, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 12)
        layout.setSpacing(8)
        layout.addLayout(head)
        layout.addWidget(self.editor, 1)
        self.leave.clicked.connect(self.leave_requested)
        self.editor.edited.connect(self._on_editor_edited)

    @property
    def why(self) -> str:
        """What the header says."""
        return self._why.text()

    def show_text(self, text: str) -> None:
        """Shows the text."""
        self.editor.set_text(text)
        self.editor.set_marks(tag_spans(text, self._tags))

    def set_tags(self, tags: Sequence[str]) -> None:
        """The control tags of the template."""
        self._tags = tuple(tags)
        self.editor.set_marks(tag_spans(self.editor.text, self._tags))

    def say(self, takes_text: bool, variables: Mapping[str, JsonValue]) -> None:
        """Says why there is one text. variables: those under which the template takes it so."""
        when = " and ".join(f"{name} is {dump(value, indent=None)}" for name, value in variables.items())
        if takes_text:
            self._why.setText(
                "One text in place of messages: this template prints “messages” as it is"
                + (f" when {when}." if when else ".")
            )
        else:
            self._why.setText(
                "One text in place of messages. This template is not known to take it: one that goes through a list "
                "of messages fails, or goes through single characters."
            )

    def _on_editor_edited(self, text: str) -> None:
        self.editor.set_marks(tag_spans(text, self._tags))
