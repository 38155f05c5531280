"""The editor of Jinja source: exact as every editor here, with line numbers, colours, matches and marks of faults."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QTextCharFormat,
    QTextFormat,
)
from PySide6.QtWidgets import QTextEdit, QToolTip, QWidget

from thinkpane.analysis.coverage_over import CoverageOver
from thinkpane.formats.finding import Hits, Query
from thinkpane.formats.jinja_blocks import Structure, structure
from thinkpane.formats.jinja_format import unit_of
from thinkpane.ui import theme
from thinkpane.ui.models.code_edits import CodeEdit, aligned_end, comment_toggled, indented, new_line, outdented
from thinkpane.ui.widgets.code_gutter import NO_MARKS
from thinkpane.ui.widgets.jinja_colours import JinjaHighlighter
from thinkpane.ui.widgets.numbered_edit import NumberedEdit
from thinkpane.ui.widgets.plain_tip import plain_tip
from thinkpane.ui.widgets.text_finder import TextFinder

TAB_HINT = "Tab indents while you type; Esc, then Tab leaves the editor."
_MATCH_MS = 100
"""Milliseconds of rest before matches are looked for: that takes some 30 in a template of 60 KB, a key must not."""
_MOST_HITS_MARKED = 500
_TYPED = ""
_LEAVING = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


class CodeEditor(NumberedEdit):
    """Edits Jinja source.

    Signals:
        rewritten(str, str): a person changed the text: the whole exact text, and what did it ("" = typing).
        hits_changed(int, int): how many hits there are, -1 while they are looked for, and the current one's number
            from 0 (-1 = none).
        refused(str): why a key did nothing.
    """

    rewritten = Signal(str, str)
    hits_changed = Signal(int, int)
    refused = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """name: what a screen reader calls it."""
        super().__init__(parent)
        self._label = _TYPED
        self._fault_at: tuple[int, int | None, str] | None = None
        self._lit_lines: frozenset[int] = frozenset()
        self._structure: Structure | None = None
        self._query = Query("")
        self._seeking = False
        self._finder = TextFinder(self)
        self._finder.started.connect(self._on_finder_started)
        self._finder.found.connect(self._on_finder_found)
        self._hits, self._hit = Hits(), -1
        self.setAccessibleName(name)
        self.setAccessibleDescription(TAB_HINT)
        self._colours = JinjaHighlighter(self.document())
        self._match = QTimer(self, singleShot=True, interval=_MATCH_MS)
        self._match.timeout.connect(self._paint_marks)
        self.edited.connect(self._on_edited)
        self.textChanged.connect(self._on_text_changed)
        self.cursorPositionChanged.connect(self._match.start)

    # --- text

    def apply(self, edit: CodeEdit, label: str) -> None:
        """Does an edit as the person's. label: what undo calls it, "" = typing."""
        self._label = label
        try:
            self.setTextCursor(self._cursor(edit.start, edit.end))
            self.insert_exactly(edit.text)
            self.setTextCursor(self._cursor(edit.anchor, edit.caret))
        finally:
            self._label = _TYPED

    def toggle_comment(self) -> None:
        """Makes the selected lines a comment, or takes them out of one."""
        edit = comment_toggled(self.text, *self.selected)
        if edit is not None:
            self.apply(edit, "Comment template lines")
        else:
            self.refused.emit("There is nothing to comment out here, or a comment stands within: comments do not nest.")

    def indent(self) -> None:
        """One step more for the selected lines, or at the caret."""
        self.apply(indented(self.text, *self.selected, unit_of(self.text)), "Indent template lines")

    def outdent(self) -> None:
        """One step less for the selected lines."""
        edit = outdented(self.text, *self.selected, unit_of(self.text))
        if edit is not None:
            self.apply(edit, "Indent template lines")

    # --- matches

    @property
    def structure(self) -> Structure:
        """What belongs together in the text."""
        if self._structure is None:
            self._structure = structure(self.text)
        return self._structure

    @property
    def unclosed(self) -> tuple[str, int] | None:
        """The first block without an end: its word and its line."""
        block = next((each for each in self.structure.blocks if not each.closed), None)
        return (block.word, self.line_of(self.structure.tags[block.tags[0]].start)) if block is not None else None

    def matches(self) -> list[tuple[int, int]]:
        """What belongs to what the caret touches: a bracket and its partner, else all tags of a block; in order."""
        whole = self.structure
        bracket = whole.bracket_near(self.caret)
        if bracket is not None and bracket in whole.brackets:
            return [(each, each + 1) for each in sorted((bracket, whole.brackets[bracket]))]
        tag = whole.tag_at(self.caret)
        block = whole.block_of(tag) if tag is not None else None
        return [(whole.tags[each].start, whole.tags[each].end) for each in block.tags] if block else []

    def go_to_match(self) -> None:
        """Puts the caret onto the next of what belongs together, round to the first."""
        spans = self.matches()
        if len(spans) < 2:
            self.refused.emit("The caret touches no bracket and no tag that has a partner.")
            return
        after = next((start for start, _ in spans if start > self.caret), None)
        if after is None or (spans[-1][0] <= self.caret <= spans[-1][1]):
            after = spans[0][0]
        self.select(after, after)

    # --- marks

    def show_fault(self, line: int | None, column: int | None, message: str) -> None:
        """Marks where the template is at fault, and says there why; None as the line: nowhere."""
        self._fault_at = (line, column, message) if line is not None else None
        self.setAccessibleDescription(f"Line {line}: {message} {TAB_HINT}" if line is not None else TAB_HINT)
        self._tell_gutter(faults={line: message} if line is not None else {})

    def show_coverage(self, found: CoverageOver | None) -> None:
        """Marks the lines by who ran them; None: nothing is known."""
        self._tell_gutter(coverage=found if found is not None else NO_MARKS.coverage)

    def light_lines(self, lines: Sequence[int], *, reveal: bool = False) -> None:
        """Lights lines. reveal: brings the first of them into sight."""
        self._lit_lines = frozenset(lines)
        self._tell_gutter(lit=self._lit_lines)
        if reveal and lines:
            self.show_line(lines[0])

    @property
    def lit_lines(self) -> frozenset[int]:
        """The lines that are lit."""
        return self._lit_lines

    # --- finding

    @property
    def hits(self) -> Hits:
        """What was found last."""
        return self._hits

    @property
    def selected_text(self) -> str:
        """The selected characters, exactly."""
        start, end = self.selected
        return self.text[start:end]

    def look_for(self, query: Query) -> None:
        """Finds and marks all hits, and goes to the first one from the selection on; `hits_changed` tells of it, for
        short texts and plain words before this returns."""
        self._query = query
        self._hits, self._hit, self._seeking = Hits(), -1, True
        self._finder.look(self.text, query)

    def find_next(self) -> None:
        """Goes to the next hit, round to the first."""
        self._go_to_hit((self._hit + 1) % len(self._hits) if self._hits else -1)

    def find_previous(self) -> None:
        """Goes to the hit before, round to the last."""
        self._go_to_hit((self._hit - 1) % len(self._hits) if self._hits else -1)

    # --- inside

    def _go_to_hit(self, number: int) -> None:
        self._hit = number
        if number >= 0:
            self.select(self._hits.starts[number], self._hits.ends[number])
        self._paint_marks()
        self.hits_changed.emit(len(self._hits), number)

    def _tell_gutter(self, **marks: object) -> None:
        self.gutter.set_marks(replace(self.gutter.marks, **marks))  # type: ignore[arg-type]  # the callers say which
        self._paint_marks()

    def _selections(self) -> list[QTextEdit.ExtraSelection]:
        colours = theme.current()
        line, lit, match, loose, hit, fault = (QTextCharFormat() for _ in range(6))
        for each, colour in ((line, colours.color(colours.line, 0.35)), (lit, colours.color(colours.accent_ground))):
            each.setBackground(colour)
            each.setProperty(QTextFormat.Property.FullWidthSelection, True)
        match.setBackground(colours.color(colours.accent, 0.3))
        hit.setBackground(colours.color(colours.warning, 0.4))
        for each in (loose, fault):
            each.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            each.setUnderlineColor(colours.color(colours.bad))
        found = [] if self.isReadOnly() else [self._extra(self.caret, self.caret, line)]
        for number in sorted(self._lit_lines):
            start, _ = self._line_span(number)
            found.append(self._extra(start, start, lit))
        found += [self._extra(start, end, match) for start, end in self.matches()] if self.hasFocus() else []
        found += [self._extra(place, place + 1, loose) for place in sorted(self.structure.loose)[:_MOST_HITS_MARKED]]
        for start, end in list(zip(self._hits.starts, self._hits.ends, strict=True))[:_MOST_HITS_MARKED]:
            found.append(self._extra(start, end, hit))
        if self._fault_at is not None:
            found.append(self._extra(*self._fault_span(), fault))
        return found

    def _fault_span(self) -> tuple[int, int]:
        """What is underlined for the fault: from its column on, else the whole line without its indentation."""
        line, column, _ = self._fault_at or (1, None, "")
        start, end = self._line_span(line)
        if column is not None:
            start = min(start + column - 1, end)
        else:
            start += len(self.text[start:end]) - len(self.text[start:end].lstrip())
        return (start, end) if start < end else (max(start - 1, 0), end)

    def _on_finder_started(self) -> None:
        self.hits_changed.emit(-1, -1)

    def _on_finder_found(self, hits: Hits) -> None:
        self._hits = hits
        if self._seeking:
            self._seeking = False
            self._go_to_hit(hits.after(self.selected[0]))
            return
        self._hit = -1
        self._paint_marks()
        self.hits_changed.emit(len(hits), -1)

    def _on_edited(self, text: str) -> None:
        self.setTabChangesFocus(False)
        self.rewritten.emit(text, self._label)

    def _on_text_changed(self) -> None:
        self._structure = None
        if self._query.words:
            self._finder.look(self.text, self._query)
        self._match.start()

    def _press(self, event: QKeyEvent) -> bool:
        """Whether the key means something of its own here."""
        key, keys = event.key(), event.modifiers()
        control = bool(keys & Qt.KeyboardModifier.ControlModifier)
        if control and key == Qt.Key.Key_Slash:
            self.toggle_comment()
        elif control and key == Qt.Key.Key_M:
            self.go_to_match()
        elif (key == Qt.Key.Key_Tab and not control) or (control and key == Qt.Key.Key_BracketRight):
            self.indent()
        elif key == Qt.Key.Key_Backtab or (control and key == Qt.Key.Key_BracketLeft):
            self.outdent()
        elif key == Qt.Key.Key_Escape and not self.tabChangesFocus():
            self.setTabChangesFocus(True)
            self.refused.emit("Tab leaves the editor now.")
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not control:
            self.apply(new_line(self.text, *self.selected, unit_of(self.text)), _TYPED)
            self.ensureCursorVisible()
        else:
            return False
        return True

    # --- Qt

    def event(self, event: QEvent) -> bool:
        """Keeps the keys for comments from the window, and says at the fault what it is."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
            if control and event.key() in (Qt.Key.Key_Slash, Qt.Key.Key_M):
                event.accept()
                return True
        return super().event(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """The fault's words as a tooltip on its line."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            if self._fault_at is not None and self.line_at(event.pos().y()) == self._fault_at[0]:
                QToolTip.showText(event.globalPos(), plain_tip(self._fault_at[2]), self)
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys of a code editor; Tab and Escape as `TAB_HINT` says."""
        if self.isReadOnly() or event.matches(QKeySequence.StandardKey.Undo) or not self._press(event):
            super().keyPressEvent(event)
            if event.text() == "}" and not self.isReadOnly():
                edit = aligned_end(self.text, self.caret)
                if edit is not None:
                    self.apply(edit, _TYPED)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Who clicks wants to edit: Tab indents from now on."""
        self.setTabChangesFocus(self.isReadOnly())
        super().mousePressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Who comes by keyboard goes on by Tab until something is typed."""
        if event.reason() in _LEAVING:
            self.setTabChangesFocus(True)
        super().focusInEvent(event)
        self._match.start()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Matches are shown only where the caret is."""
        super().focusOutEvent(event)
        self._match.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the text, then the fault's words behind its line where there is room."""
        super().paintEvent(event)
        if self._fault_at is None:
            return
        block = self._cursor(*self._fault_span()).block()
        layout = block.layout()
        if not block.isVisible() or not layout.lineCount():
            return
        last = layout.lineAt(layout.lineCount() - 1)
        box = self.blockBoundingGeometry(block).translated(self.contentOffset())
        left = box.left() + last.naturalTextRect().right() + 16
        room = QRectF(left, box.top() + last.y(), self.viewport().width() - left - 8, last.height())
        if room.width() < 80:
            return
        painter = QPainter(self.viewport())
        painter.setFont(theme.ui_font(12))
        painter.setPen(theme.current().color(theme.current().bad))
        # The engine's sentences begin with what kind of fault it is; where room is short, its own words tell more.
        words = " ".join((self._fault_at[2].partition(": ")[2] or self._fault_at[2]).split())
        words = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, round(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        painter.end()
