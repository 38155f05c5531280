"""The template: its text, edited live, what is wrong in place, which lines ran, and the way back to the original."""

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.prompt import Prompt
from thinkpane.templates.edited import edit_of
from thinkpane.templates.named import choose
from thinkpane.templates.template import JINJA, Template
from thinkpane.ui.context import Context
from thinkpane.ui.models.code_edits import CodeEdit
from thinkpane.ui.panes._api import Area
from thinkpane.ui.panes._template_coverage import TemplateCoverage
from thinkpane.ui.panes._template_format import TemplateFormat
from thinkpane.ui.panes._template_lights import TemplateLights
from thinkpane.ui.panes._template_problem import TemplateProblem
from thinkpane.ui.panes._template_saving import TemplateSaving
from thinkpane.ui.panes._template_tools import TemplateTools
from thinkpane.ui.panes._template_undo import TemplateUndo
from thinkpane.ui.widgets.code_editor import CodeEditor
from thinkpane.ui.widgets.elided_label import ElidedLabel
from thinkpane.ui.widgets.find_bar import FindBar
from thinkpane.ui.widgets.flat_button import flat_button
from thinkpane.ui.widgets.line_bar import LineBar
from thinkpane.ui.widgets.line_diff_view import LineDiffView
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.remark_line import RemarkLine
from thinkpane.ui.widgets.text_change import change_between
from thinkpane.ui.widgets.text_view import TextView
from thinkpane.workspace.document import Change

_BY = "template"
_MERGE = "template"
LONGEST_EDITED = 512 * 1024
"""Characters of a template beyond which it is shown and not edited: each key would take noticeably long."""
_PARTS = frozenset({"template", "tools"})
_GO = "Ollama's own template, in Go's syntax: it can be read here, not rendered or edited."
_LONG = f"A template of more than {LONGEST_EDITED // 1024} KiB can be read here, not edited."
_EMPTY = "The template's text appears here once one is chosen. Editing it renders the prompt anew at each key."


class TemplatePane(QWidget):
    """Shows and edits the text of the document's template. The document holds the edit, so undo goes through it.

    Signals:
        failed(object): a Problem that belongs to no pane.
        room_wanted(bool): the person wants the pane higher than it is, or as it was.
        own_changed(): the own templates are others now.
    """

    failed = Signal(object)
    room_wanted = Signal(bool)
    own_changed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._document = context.document
        self._prompts = context.prompts
        self._is_behind = True
        self._wanted = 0
        self._shown_ref: str | None = None
        self._reason = ""
        self.setProperty("kind", "pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.editor = CodeEditor("Template")
        self.reader = TextView("Template, read-only")
        self.reader.set_gutter(True)
        self.diff = LineDiffView("Changes to the template")
        self.empty = plain_label(_EMPTY, "dim")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(32, 32, 32, 32)
        self.tools = TemplateTools()
        self.room = flat_button("⇕", "Give the template more room; the output moves down")
        self.room.setCheckable(True)
        self.problem_box = TemplateProblem()
        self.remark = RemarkLine()
        self.place = ElidedLabel("dim")
        self.coverage = TemplateCoverage(context, self.editor, self)
        self.find_bar = FindBar(self.editor, self)
        self.line_bar = LineBar(self)
        self.saving = TemplateSaving(context, self)
        self.format = TemplateFormat(context.prompts.engine, self)
        self.undo = TemplateUndo(self._document, self.editor, self.remark)
        self.lights = TemplateLights(context.links, self.editor, self.show_line)
        self._lay_out()
        self._connect()
        self.setFocusProxy(self.editor)
        self._refresh()

    # --- what it shows

    @property
    def text(self) -> str:
        """The template's text as the document has it."""
        edited = self._document.state.edited
        return edited.source if edited is not None else self._original_text or ""

    @property
    def _original_text(self) -> str | None:
        """The text of the original that is rendered; None while there is no original."""
        original = self._prompts.original
        if original is None:
            return None
        state = self._document.state
        try:
            return choose(original, state.template_name, state.conversation.tools_value() is not None)
        except ThinkpaneError:
            return original.source

    @property
    def is_edited(self) -> bool:
        """Whether the text is another one than the original's."""
        return self._document.state.edited is not None

    def show_line(self, line: int) -> None:
        """Brings a line (from 1) into sight, with the caret on it; once its text is shown, where it is not yet."""
        self._wanted = line if self._is_behind else 0
        if self._wanted:
            return
        self.tools.compare.setChecked(False)
        if self._stack.currentWidget() is self.reader:
            starts = self.reader.rows.lines
            self.reader.select(*_line_of(starts.text, line))
        else:
            self.editor.go_to(line)

    def close_down(self) -> None:
        """Ends what is under way."""
        self.format.close()
        self.coverage.close()

    # --- what it does

    def revert(self) -> None:
        """The original's text again; undo brings the edit back."""
        if self.is_edited and self._prompts.original is not None:
            state = replace(self._document.state, edited=None)
            self._document.change(state, ["template"], _BY, "Revert template")

    def start_format(self) -> None:
        """Indents the tags by their blocks, where that changes no prompt."""
        if self._stack.currentWidget() is self.editor:
            self.format.start(self.text, self._prompts.prompt.request)

    # --- inside

    def _lay_out(self) -> None:
        self._stack = QStackedLayout()
        for view in (self.editor, self.reader, self.diff, self.empty):
            self._stack.addWidget(view)
        below = QHBoxLayout()
        below.setContentsMargins(8, 0, 4, 4)
        below.setSpacing(4)
        below.addWidget(self.place, 1)
        for each in (*self.coverage.bar.buttons, self.room):
            below.addWidget(each)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.tools)
        column.addWidget(self.problem_box)
        column.addLayout(self._stack, 1)
        column.addWidget(self.find_bar)
        column.addWidget(self.line_bar)
        column.addWidget(self.remark)
        self.coverage.bar.setContentsMargins(8, 0, 4, 0)
        column.addWidget(self.coverage.bar)
        column.addWidget(self.coverage.list)
        column.addLayout(below)

    def _connect(self) -> None:
        editor = self.editor
        editor.rewritten.connect(self._on_editor_rewritten)
        editor.cursorPositionChanged.connect(self._show_place)
        editor.refused.connect(self.remark.say)
        self.tools.find_button.clicked.connect(self.find_bar.start)
        self.tools.tidy.clicked.connect(self.start_format)
        self.tools.compare.toggled.connect(self._on_compare_toggled)
        self.tools.back.clicked.connect(self.revert)
        self.room.toggled.connect(self.room_wanted)
        self.problem_box.place_asked.connect(self._on_problem_box_place_asked)
        self.tools.save_menu.aboutToShow.connect(self._on_save_menu_about_to_show)
        self.tools.save_to_file.triggered.connect(lambda: self.saving.to_file(self.text))
        self.tools.save_as_own.triggered.connect(lambda: self.saving.as_own(self.text))
        self.saving.failed.connect(self.failed)
        self.saving.saved.connect(self.remark.report)
        self.saving.own_changed.connect(self.own_changed)
        self.format.done.connect(self._on_format_done)
        self.format.refused.connect(self.remark.say)
        self.line_bar.chosen.connect(self._on_line_chosen)
        self.line_bar.closed.connect(editor.setFocus)
        for keys, act in (("Ctrl+G", self._ask_line), ("Shift+Alt+F", self.start_format)):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)
        self.destroyed.connect(self._document.listen(self._on_document_changed))
        self._prompts.changed.connect(self._on_prompts_changed)
        self._prompts.template_changed.connect(self._on_template_changed)

    def _refresh(self, *, follow: bool = False) -> None:
        """Shows the document's text; while it is not seen only what is cheap."""
        if not self.isVisible():
            self._is_behind = True
            return
        self._is_behind = False
        original, is_edited = self._prompts.original, self.is_edited
        if original is None and not is_edited:
            # While a template is read, the last one stays, so that the caret does.
            # It can be typed into where it is the same template that is read again.
            self.editor.setReadOnly(self._shown_ref != self._document.state.template)
            if self._prompts.templates.problem is not None:
                self._stack.setCurrentWidget(self.empty)
                self.empty.setText(self._prompts.templates.problem.message)
            self._show_state()
            return
        self.editor.setReadOnly(False)
        reason = self._read_only_reason(original)
        if reason:
            self.reader.set_text(self.text)
            self._stack.setCurrentWidget(self.reader)
        else:
            self.editor.show_text(self.text, follow=follow)
            if self._shown_ref != self._document.state.template:
                self._shown_ref = self._document.state.template
                self.editor.go_to(1)
            self._show_difference()
        if reason != self._reason:
            self._reason = reason
            self.remark.say(reason)
        self._show_state()
        self._show_place()

    def _read_only_reason(self, original: Template | None) -> str:
        if original is not None and original.syntax != JINJA and not self.is_edited:
            return _GO
        return _LONG if len(self.text) > LONGEST_EDITED else ""

    def _show_difference(self) -> None:
        original = self._original_text
        if self.tools.compare.isChecked() and original is not None:
            self.diff.compare(original, self.text)
            self._stack.setCurrentWidget(self.diff)
        else:
            self._stack.setCurrentWidget(self.editor)

    def _show_state(self) -> None:
        original = self._prompts.original
        is_read = self._stack.currentWidget() in (self.reader, self.empty)
        if self.is_edited:
            self.tools.state.say("edited" if original is not None else "own text", "warning")
        elif original is not None and original.named:
            self.tools.state.say(f"one of {len(original.named)} texts")
        else:
            self.tools.state.say("read-only" if is_read and original is not None else "")
        for each in (self.tools.tidy, self.tools.find_button, self.tools.save):
            each.setEnabled(not is_read and (original is not None or self.is_edited))
        may_compare = self.is_edited and original is not None
        for each in (self.tools.compare, self.tools.back):
            each.setVisible(may_compare)
        if not may_compare and self.tools.compare.isChecked():
            self.tools.compare.setChecked(False)

    def _show_place(self) -> None:
        if self._stack.currentWidget() is self.diff:
            self.place.set_whole(self.diff.words)
            return
        if self._stack.currentWidget() is not self.editor:
            self.place.set_whole("")
            return
        line, column = self.editor.caret_line
        self.place.set_whole(f"Line {line:,}, column {column:,}")

    def _show_problem(self, prompt: Prompt) -> None:
        """The prompt's fault where it is the template's, and where in it."""
        problem = prompt.problem
        is_ours = problem is not None and prompt.request is not None and prompt.request.source == self.text
        problem = problem if is_ours else None
        self.problem_box.show_problem(problem, self.editor.unclosed if self.editor.text == self.text else None)
        if problem is None:
            self.editor.show_fault(None, None, "")
        else:
            self.editor.show_fault(problem.line, problem.column, problem.message)

    def _ask_line(self) -> None:
        if self._stack.currentWidget() is self.editor:
            self.line_bar.start(self.editor.line_count)

    # --- slots

    def _on_editor_rewritten(self, text: str, label: str) -> None:
        state, original = self._document.state, self._prompts.original
        if state.edited is not None:
            edited = replace(state.edited, source=text)
        else:
            # While the file is read again, what was read of it last is what a person types into.
            edited = edit_of(original or self._prompts.templates.template, text)
        is_back = text == self._original_text and not edited.extra
        new = replace(state, edited=None if is_back else edited)
        self.remark.say("")
        self._document.change(new, ["template"], _BY, label or "Edit template", "" if label else _MERGE)

    def _on_document_changed(self, change: Change) -> None:
        if change.parts & _PARTS:
            self._refresh(follow=change.by in ("undo", "redo"))

    def _on_template_changed(self, _template: Template) -> None:
        self._refresh()

    def _on_prompts_changed(self, prompt: Prompt) -> None:
        if self._prompts.templates.problem is not None:
            self._refresh()
        if self.isVisible():
            self._show_problem(prompt)

    def _on_compare_toggled(self, _on: bool) -> None:
        self._refresh()

    def _on_problem_box_place_asked(self, line: int, column: int) -> None:
        self.tools.compare.setChecked(False)
        self.editor.go_to(line, column)
        self.editor.setFocus()

    def _on_save_menu_about_to_show(self) -> None:
        name = self.saving.file_name
        self.tools.save_to_file.setText(f"Save to {name}…".replace("&", "&&") if name else "Save to file…")
        self.tools.save_to_file.setEnabled(bool(name) and self.is_edited)

    def _on_format_done(self, text: str, made: str) -> None:
        if text != self.text:
            self.remark.say("Not formatted: the template was edited meanwhile.")
            return
        change = change_between(text, made)
        caret = self.editor.caret
        place = change.moved(caret)
        self.editor.apply(CodeEdit(change.start, change.end, change.text, place, place), "Format template")
        self.remark.report("Formatted. Jinja reads the same template, and the prompts are the same.")

    def _on_line_chosen(self, line: int, column: int) -> None:
        self.editor.go_to(line, column)
        self.editor.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        """Catches up with what changed meanwhile."""
        super().showEvent(event)
        self.coverage.feed.watch(True)
        if self._is_behind:
            self._refresh()
        self._show_problem(self._prompts.prompt)
        if self._wanted:
            self.show_line(self._wanted)

    def hideEvent(self, event: QHideEvent) -> None:
        """What nobody sees is not worked out."""
        super().hideEvent(event)
        self.coverage.feed.watch(False)


class _TemplatePane:
    """Registers the pane."""

    id = "template"
    title = "Template"
    area: Area = "compose"
    order = 50

    def build(self, context: Context) -> QWidget:
        """A new template pane."""
        return TemplatePane(context)


PANE = _TemplatePane()


def _line_of(text: str, line: int) -> tuple[int, int]:
    """Where a line of a text begins and ends."""
    start = 0
    for _ in range(line - 1):
        found = text.find("\n", start)
        if found < 0:
            break
        start = found + 1
    end = text.find("\n", start)
    return start, len(text) if end < 0 else end
