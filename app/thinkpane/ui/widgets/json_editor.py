"""An editor for one JSON value. Text that is no JSON stays, with one line that says what is wrong and where."""

import re
from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import dump, parse, same
from thinkpane.ui import theme
from thinkpane.ui.models.shown_text import units
from thinkpane.ui.models.text_steps import TextSteps
from thinkpane.ui.widgets.exact_text import ExactTextEdit
from thinkpane.workspace.drafts import DraftSlot

_TOKEN = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*"(?=\s*:))|(?P<text>"(?:[^"\\]|\\.)*"?)|(?P<word>-?\d[\d.eE+-]*|\b[a-z]+\b)'
)
_LONGEST_COLOURED = 20_000
_KEPT = Problem("json", "This text was not applied. Edit it, or discard it.")


def _itself(value: JsonValue) -> JsonValue:
    return value


class JsonHighlighter(QSyntaxHighlighter):
    """Colours JSON: keys, texts, and numbers with the words true, false and null."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        theme.state().changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        """Colours one line; a very long one (a picture as data) is left plain, for it would take seconds."""
        if len(text) > _LONGEST_COLOURED:
            return
        is_wide = not text.isascii()
        colours = theme.current()
        by_kind = {"key": colours.accent, "text": colours.good, "word": colours.warning}
        for found in _TOKEN.finditer(text):
            form = QTextCharFormat()
            form.setForeground(colours.color(by_kind[found.lastgroup or "word"]))
            start, length = found.start(), found.end() - found.start()
            if is_wide:
                start, length = units(text[:start]), units(found.group())
            self.setFormat(start, length, form)


class JsonEditor(QWidget):
    """Edits a JSON value as text.

    accept: called with each value that was read; it may take it (and return a remark, "" for none) or raise
    ThinkpaneError where the value cannot be taken. Until it takes one, the text is a draft.
    slot: keeps the draft with the document, None = only this widget has it.
    means: what a value says in the form that is shown; a text that means what the document holds keeps its spelling.
    It may raise ThinkpaneError for a value that `accept` would refuse.

    Signals:
        undo_requested, redo_requested: asked for where there is no draft to go back in.
        focused: the keyboard is here now.
    """

    undo_requested = Signal()
    redo_requested = Signal()
    focused = Signal()

    def __init__(
        self,
        accept: Callable[[JsonValue], str],
        parent: QWidget | None = None,
        *,
        most_lines: int = 24,
        slot: DraftSlot | None = None,
        means: Callable[[JsonValue], JsonValue] = _itself,
    ) -> None:
        super().__init__(parent)
        self._accept = accept
        self._value: JsonValue = None
        self._taken: JsonValue = None
        self._slot = slot
        self._means = means
        self._steps = TextSteps()
        self._is_reading = False
        self._remark = ""
        self.problem: Problem | None = None
        self.editor = ExactTextEdit(self, most_lines=most_lines)
        self.editor.setFont(theme.mono_font())
        self.editor.setProperty("mono", True)
        self._colours = JsonHighlighter(self.editor.document())
        self._line = QLabel()
        self._line.setTextFormat(Qt.TextFormat.PlainText)
        self._line.setWordWrap(True)
        self._line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._revert = QToolButton()
        self._revert.setText("Discard draft")
        self._revert.setToolTip("Show what the document holds instead of this text")
        self._revert.setProperty("kind", "flat")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.editor, 1)
        below = QHBoxLayout()
        below.addWidget(self._line, 1)
        below.addWidget(self._revert, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(below)
        self.setFocusProxy(self.editor)
        self.editor.edited.connect(self._on_editor_edited)
        self.editor.undo_requested.connect(self._on_editor_undo_requested)
        self.editor.redo_requested.connect(self.redo_requested)
        self.editor.focused.connect(self.focused)
        self._revert.clicked.connect(self.discard_draft)
        self._say(None, "")

    @property
    def has_draft(self) -> bool:
        """True while the text is not what the document holds."""
        return self.problem is not None

    @property
    def keeps_draft(self) -> bool:
        """True where there is a draft, be it one that is still to be shown."""
        return self.has_draft or (self._slot is not None and self._slot.text is not None)

    @property
    def line(self) -> str:
        """What is said below the text, "" where nothing is to be said."""
        return self._line.text()

    def show_value(self, value: JsonValue, remark: str = "") -> None:
        """Shows what the document holds now, or the draft that it keeps.

        A draft stays; a text that already says the same keeps its spelling.
        """
        self._value, self._remark = value, remark
        if self.has_draft:
            return
        kept = self._slot.text if self._slot and not self._is_reading else None
        if kept is not None:
            self._show_draft(kept)
            return
        if not self.editor.text or not same(self._means(self._taken), value):
            self._show(value)
        self._say(None, remark)

    def show_item(self, value: JsonValue) -> None:
        """Like `show_value`, for an editor of one place in a list: another item may stand there now.

        A draft goes when the value it was begun on does, so that it never overwrites another item.
        """
        if self.has_draft and not same(value, self._value):
            self.forget_draft()
            self._taken = self._value
        self.show_value(value)

    def start_over(self, value: JsonValue) -> None:
        """Shows another document's value, or the draft that it keeps; the draft here was the other one's."""
        self.empty()
        self.show_value(value)

    def empty(self) -> None:
        """Shows nothing: the text and the draft were another document's."""
        self._say(None, "")
        self._steps.start("")
        self.editor.set_text("")

    def forget_draft(self) -> None:
        """Lets the draft go, as when the item it was of is gone; the text stays until another value is shown."""
        self._say(None, "")
        self._keep()

    def discard_draft(self) -> None:
        """Shows what the document holds, whatever was typed."""
        self._show(self._value)
        self._say(None, self._remark)
        self._keep()

    def _show(self, value: JsonValue) -> None:
        self._taken = value
        text = dump(value)
        self._steps.start(text)
        self.editor.set_text(text)
        if self._is_reading:
            # The highlighter hears of this change within another one, and loses the colours of what it passes over.
            self._colours.rehighlight()

    def _show_draft(self, text: str) -> None:
        self._taken = self._value
        self._steps.start(text)
        self.editor.set_text(text)
        try:
            parse(text)
            self._say(_KEPT, "")
        except ThinkpaneError as fault:
            self._say(fault.problem, "")

    def _on_editor_edited(self, text: str) -> None:
        self._steps.add(text)
        self._read(text)

    def _read(self, text: str) -> None:
        before = self._taken
        self._is_reading = True
        try:
            self._taken = parse(text)
            meaning = self._means(self._taken)
            self.problem = None
            # What the document says already is no change of it, and no step to undo.
            remark = self._remark if same(meaning, self._value) else self._accept(self._taken)
        except ThinkpaneError as fault:
            self._taken = before
            self._say(fault.problem, "")
        else:
            self._steps.start(self.editor.text)
            self._say(None, remark)
        finally:
            self._is_reading = False
        self._keep()

    def _keep(self) -> None:
        if self._slot is not None:
            self._slot.put(self.editor.text if self.has_draft else None)

    def _on_editor_undo_requested(self) -> None:
        """While there is a draft, undo goes back in it: the document has no steps of it."""
        if self.has_draft and self._steps:
            text = self._steps.back()
            self.editor.set_text(text)
            self._read(text)
        else:
            self.undo_requested.emit()

    def _say(self, problem: Problem | None, remark: str) -> None:
        self.problem = problem
        self._line.setText(problem.message if problem else remark)
        self._line.setProperty("kind", "error" if problem else "remark")
        self._line.style().unpolish(self._line)
        self._line.style().polish(self._line)
        self._line.setVisible(bool(problem or remark))
        self._revert.setVisible(problem is not None)
        self.editor.setAccessibleDescription(self._line.text())
