"""The JSON pane: the conversation as an OpenAI-style body, edited both ways."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from thinkpane.conversation import edits
from thinkpane.conversation.conversation import conversation_from_body
from thinkpane.formats.json_values import JsonValue
from thinkpane.ui.context import Context
from thinkpane.ui.panes._api import Area
from thinkpane.ui.widgets.json_editor import JsonEditor
from thinkpane.workspace.body_sampling import with_typed_talk
from thinkpane.workspace.document import Change
from thinkpane.workspace.drafts import WHOLE, DraftPlace, DraftSlot

_BY = "json"
_PARTS = frozenset({"messages", "raw_text", "tools", "documents"})

_BIG = 200_000
"""Characters of a body that is not written anew at every keystroke elsewhere, but when typing rests."""

_PAUSE = 400
"""Milliseconds that typing must rest before."""


class JsonPane(QWidget):
    """Shows and edits the body. A text that is no body stays as a draft, and the document stays as it was.

    While the pane is not seen it does no work; it catches up when it is shown. A big body is written when
    typing elsewhere rests, or when the keyboard comes here.
    """

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._document = context.document
        self._is_behind = True
        self._starts_over = False
        self._later = QTimer(self, singleShot=True, interval=_PAUSE)
        self._later.timeout.connect(self._catch_up)
        self.setProperty("kind", "pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        slot = DraftSlot(self._document.drafts, lambda: DraftPlace(WHOLE))
        self.editor = JsonEditor(self._on_body_accepted, self, most_lines=0, slot=slot, means=_meaning)
        self.editor.editor.setAccessibleName("Conversation as JSON")
        self._left_out = QLabel()
        self._left_out.setTextFormat(Qt.TextFormat.PlainText)
        self._left_out.setProperty("kind", "dim")
        self._left_out.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 8, 10, 10)
        layout.setSpacing(6)
        layout.addWidget(self._left_out)
        layout.addWidget(self.editor, 1)
        self.setFocusProxy(self.editor)
        # Nobody types into a text that is behind: what came meanwhile would be undone by it.
        self.editor.focused.connect(self._catch_up)
        self.editor.undo_requested.connect(self._document.undo)
        self.editor.redo_requested.connect(self._document.redo)
        self.destroyed.connect(self._document.listen(self._on_document_changed))
        self._refresh()

    @property
    def left_out(self) -> str:
        """What is said of the things that a body does not hold, "" where there are none."""
        return self._left_out.text() if not self._left_out.isHidden() else ""

    def _catch_up(self) -> None:
        if self._is_behind and self.isVisible():
            self._refresh()

    def _refresh(self) -> None:
        talk = self._document.state.conversation
        show = self.editor.start_over if self._starts_over else self.editor.show_value
        self._is_behind = self._starts_over = False
        show(talk.body())
        counts = (
            (len(talk.messages) - len(talk.sent_messages), "message", "left out"),
            (sum(not each.enabled for each in talk.tools), "tool", "switched off"),
            (sum(not each.enabled for each in talk.documents), "document", "switched off"),
        )
        words = [f"{count} {name}{'s' if count > 1 else ''} {how}" for count, name, how in counts if count]
        self._left_out.setText(f"Not shown here, but kept: {', '.join(words)}.")
        self._left_out.setVisible(bool(words))

    def _on_body_accepted(self, value: JsonValue) -> str:
        state = self._document.state
        new = with_typed_talk(state, edits.with_body(state.conversation, value))
        parts = _PARTS if new.params is state.params else _PARTS | {"params"}
        parts = parts if new.model == state.model else parts | {"endpoint"}
        self._document.change(new, parts, _BY, "Edit JSON", "json")
        return ""

    def _on_document_changed(self, change: Change) -> None:
        if change.by in ("new", "open", "restore"):
            self._starts_over = True
            self.editor.empty()
        if self._starts_over or change.parts & _PARTS:
            self._is_behind = True
            if self.isVisible() and (len(self.editor.editor.text) < _BIG or self.editor.editor.hasFocus()):
                self._refresh()
            elif self.isVisible():
                self._later.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Catches up with what changed meanwhile."""
        super().showEvent(event)
        self._catch_up()


def _meaning(value: JsonValue) -> JsonValue:
    """What a body says, as this pane writes it: an empty list of tools is none. Raises ThinkpaneError."""
    return conversation_from_body(value).body()


@dataclass(frozen=True, slots=True)
class _JsonPane:
    """Registers the pane."""

    id: str = "json"
    title: str = "JSON"
    area: Area = "compose"
    order: int = 40

    def build(self, context: Context) -> JsonPane:
        """A new JSON pane."""
        return JsonPane(context)


PANE = _JsonPane()
