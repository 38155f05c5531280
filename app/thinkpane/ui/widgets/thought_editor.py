"""Another thought in the place of one: a field to write it in, and how the next prompt would hold it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from thinkpane.ui.models.replayed import Replayed
from thinkpane.ui.models.text_steps import TextSteps
from thinkpane.ui.widgets.badge import Badge
from thinkpane.ui.widgets.exact_text import ExactTextEdit
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.text_marks import Mark
from thinkpane.ui.widgets.text_view import TextView

MOST_LINES = 12
MOST_ROWS = 8


class ThoughtEditor(QWidget):
    """A field, a sentence about the replay, the part of the next prompt it is about, and what to do.

    Signals:
        edited(str): the thought is another one now.
        append_requested(): the reply is to go into the conversation with this thought.
        closed(): a person does not want to edit any more.
    """

    edited = Signal(str)
    append_requested = Signal()
    closed = Signal()

    def __init__(self, text: str) -> None:
        super().__init__()
        self._steps = TextSteps()
        self.field = ExactTextEdit(most_lines=MOST_LINES)
        self.field.setAccessibleName("Edited thought")
        self.field.set_text(text)
        self._steps.start(text)
        self.verdict = Badge(wraps=True)
        self.preview = TextView("How the next prompt would hold the thought")
        self.preview.set_ground("thinking_ground")
        self.preview.set_most_rows(MOST_ROWS)
        self.preview.hide()
        self.append = QPushButton("Append reply with this thought")
        self.cancel = QPushButton("Cancel")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.append)
        row.addWidget(self.cancel)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.field)
        column.addWidget(plain_label("HOW IT WOULD BE REPLAYED", "head"))
        column.addWidget(self.verdict)
        column.addWidget(self.preview)
        column.addLayout(row)
        self.field.edited.connect(self._steps.add)
        self.field.edited.connect(lambda *_: self.edited.emit(self.field.text))
        self.field.undo_requested.connect(self._on_field_undo_requested)
        self.append.clicked.connect(self.append_requested)
        self.cancel.clicked.connect(self.closed)
        self.verdict.say("rendering the next prompt…")

    def show_replayed(self, found: Replayed) -> None:
        """Says and shows what the next prompt makes of the thought."""
        self.verdict.say(found.sentence, found.tone)
        self.preview.setVisible(bool(found.excerpt))
        marks = [Mark(found.start, found.end, "token", "thinking")] if found.end > found.start else []
        self.preview.set_text(found.excerpt, marks)
        if marks:
            self.preview.reveal(found.start)

    def _on_field_undo_requested(self) -> None:
        if self._steps:
            self.field.set_text(self._steps.back())
            self.edited.emit(self.field.text)
