"""The thinking that is stored with a message, on its own ground, foldable."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from thinkpane.conversation.message_edits import set_reasoning
from thinkpane.conversation.messages import Message
from thinkpane.ui.models.message_link import MessageLink
from thinkpane.ui.widgets.card_icons import IconButton
from thinkpane.ui.widgets.elided_label import ElidedLabel
from thinkpane.ui.widgets.exact_text import ExactTextEdit
from thinkpane.ui.widgets.plain_tip import plain_tip


class ReasoningField(QFrame):
    """Edits a message's stored thinking under the field name that it has."""

    def __init__(self, link: MessageLink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._link = link
        self.setProperty("kind", "thinking")
        self._fold = IconButton("open", "Fold the reasoning", "", self)
        self._title = QLabel("Reasoning")
        self._title.setProperty("kind", "thinking-title")
        self._name = ElidedLabel("dim")
        self._remove = IconButton("delete", "Remove the reasoning", "", self)
        self.editor = ExactTextEdit(self)
        self.editor.setProperty("kind", "bare")
        self.editor.setPlaceholderText("Thinking that is stored with this message")
        self.editor.setAccessibleName("Reasoning")
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self._fold)
        head.addWidget(self._title)
        head.addWidget(self._name, 1)
        head.addWidget(self._remove)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 3, 4, 5)
        layout.setSpacing(2)
        layout.addLayout(head)
        layout.addWidget(self.editor)
        self._fold.clicked.connect(self._on_fold_clicked)
        self._remove.clicked.connect(self._on_remove_clicked)
        self.editor.edited.connect(self._on_editor_edited)
        self.editor.undo_requested.connect(link.undo)
        self.editor.redo_requested.connect(link.redo)

    @property
    def field(self) -> str:
        """The message's key that it edits."""
        return self._name.whole

    def show_message(self, message: Message) -> None:
        """Shows the message's thinking."""
        self._name.set_whole(message.reasoning_field or "reasoning_content")
        self._name.setToolTip(plain_tip(self._name.whole))
        self.editor.set_text(message.reasoning)

    def unfold(self) -> None:
        """Opens the field and puts the keyboard into it."""
        self._set_folded(False)
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_folded(self, folded: bool) -> None:
        self.editor.setVisible(not folded)
        self._fold.set_icon("closed" if folded else "open")
        self._fold.set_words("Show the reasoning" if folded else "Fold the reasoning")

    def _on_fold_clicked(self) -> None:
        self._set_folded(not self.editor.isHidden())

    def _on_remove_clicked(self) -> None:
        self._link.edit("Remove reasoning", set_reasoning, "")
        self.hide()

    def _on_editor_edited(self, text: str) -> None:
        self._link.keystroke("Edit reasoning", "reasoning", set_reasoning, text)
