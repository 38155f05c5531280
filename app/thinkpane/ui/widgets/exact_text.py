"""A plain-text editor whose text is exact: what the widget cannot hold is kept beside it and survives every edit."""

import atexit
import re
from collections.abc import Sequence
from typing import TypeAlias

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import (
    QClipboard,
    QDropEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShowEvent,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from thinkpane.ui import theme
from thinkpane.ui.models.shown_text import Splice, UnitPlaces, carried, difference, shown, units

EXACT_FORM = "application/x-thinkpane-text"
"""The clipboard's form for exact text: its plain one is UTF-16 and cannot hold a lone surrogate."""


_LIT_SHARE = 0.30

_LONGEST_WORD = 2_000
_UNBROKEN = re.compile(rf"\S{{{_LONGEST_WORD}}}")
"""Such a stretch has lines broken anywhere: looking for words to break at takes Qt time by the square of its length
(200,000 characters: 6 s against 0.1 s)."""


def let_go_of_clipboard() -> None:
    """Leaves plain text in the clipboard: data made in Python must not outlive Python, or the process crashes at its
    very end, when Qt deletes it."""
    if QGuiApplication.instance() is None:
        return
    clipboard = QGuiApplication.clipboard()
    for mode in (QClipboard.Mode.Clipboard, QClipboard.Mode.Selection):
        data = clipboard.mimeData(mode) if mode != QClipboard.Mode.Selection or clipboard.supportsSelection() else None
        if data is not None and data.hasFormat(EXACT_FORM):
            clipboard.setText(data.text(), mode)


atexit.register(let_go_of_clipboard)


class ExactTextEdit(QPlainTextEdit):
    """Edits one text. It grows with the text up to `most_lines` (0 = it does not grow) and then scrolls.

    Tab goes to the next widget. Undo and redo are asked of whoever owns the document.

    Signals:
        edited(str): a person changed the text; the whole exact text.
        undo_requested, redo_requested: the keys for that were pressed.
        focused: the keyboard is here now.
    """

    # Not Signal(str): a text of megabytes would be copied to Qt and back.
    edited = Signal(object)
    undo_requested = Signal()
    redo_requested = Signal()
    focused = Signal()

    def __init__(self, parent: QWidget | None = None, *, most_lines: int = 30) -> None:
        super().__init__(parent)
        self._text = ""
        self._shown = ""
        self._places = UnitPlaces()
        self._pasted: str | None = None
        self._is_ours = False
        self._most_lines = most_lines
        self._marks: list[tuple[int, int]] = []
        self._lit: tuple[int, int] | None = None
        self._wrapped_width = 0
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(2)
        if most_lines:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self.horizontalScrollBar().rangeChanged.connect(self._on_side_range_changed)
            self.textChanged.connect(self._on_text_grown)
        self.document().contentsChange.connect(self._on_contents_changed)
        theme.state().changed.connect(self._on_theme_changed)

    @property
    def text(self) -> str:
        """The exact text."""
        return self._text

    def set_text(self, text: str) -> None:
        """Shows another text, touching only what differs, so that the caret and the selection stay."""
        if text == self._text:
            return
        new = shown(text)
        self._fit_wrapping(new)
        splice = difference(self._shown, new)
        self._splice_shown(splice)
        self._text, self._shown = text, new
        self._places.edited(new, splice.start)
        self._paint_marks()

    def insert_exactly(self, text: str, caret: int | None = None) -> None:
        """Puts `text` in place of the selection, as if typed; `caret`: where in it the caret goes, None = behind it."""
        cursor = self.textCursor()
        before = cursor.selectionStart()
        self._pasted = text
        put = shown(text)
        self._fit_wrapping(put, (0, len(put)))
        cursor.insertText(put)
        self._pasted = None
        if caret is not None:
            cursor.setPosition(before + units(shown(text)[:caret]))
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def set_marks(self, spans: Sequence[tuple[int, int]]) -> None:
        """Gives these stretches (code points) the accent ground, as control tags have it."""
        if list(spans) != self._marks:
            self._marks = list(spans)
            self._paint_marks()

    def set_lit(self, stretch: tuple[int, int] | None) -> None:
        """Lights one stretch (code points), None = none; nothing scrolls and the caret stays."""
        if stretch != self._lit:
            self._lit = stretch
            self._paint_marks()

    @property
    def selected(self) -> tuple[int, int]:
        """What is selected, in code points; both are the caret's place where nothing is."""
        cursor = self.textCursor()
        ends = (cursor.selectionStart(), cursor.selectionEnd())
        return self._places.place(ends[0]), self._places.place(ends[1])

    def select(self, start: int, end: int) -> None:
        """Selects [start, end) in code points, and scrolls its start into sight. The keyboard stays where it is."""
        last = self.document().characterCount() - 1
        cursor = self.textCursor()
        cursor.setPosition(min(last, self._places.unit(end)))
        cursor.setPosition(min(last, self._places.unit(start)), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def _fit_wrapping(self, text: str, part: tuple[int, int] | None = None) -> None:
        """Breaks lines at words, or anywhere where `text` has a word that is too long for that.

        part: looks only for one that touches [start, end), as a small edit does; lines broken anywhere stay so.
        """
        modes = QTextOption.WrapMode
        start, end = part or (0, len(text))
        unbroken = _UNBROKEN.search(text, max(start - _LONGEST_WORD, 0), end + _LONGEST_WORD)
        if part is not None and unbroken is None:
            return
        mode = modes.WrapAtWordBoundaryOrAnywhere if unbroken is None else modes.WrapAnywhere
        if self.wordWrapMode() != mode:
            self.setWordWrapMode(mode)

    def _splice_shown(self, splice: Splice) -> None:
        cursor = self._cursor(splice.start, splice.end)
        self._is_ours = True
        try:
            cursor.insertText(splice.text)
        finally:
            self._is_ours = False

    def _paint_marks(self) -> None:
        self.setExtraSelections(self._selections())

    def _selections(self) -> list[QTextEdit.ExtraSelection]:
        """What is marked in the text; the last one is painted on top."""
        colours = theme.current()
        tag, light = QTextCharFormat(), QTextCharFormat()
        tag.setBackground(colours.color(colours.accent_ground))
        tag.setForeground(colours.color(colours.accent))
        light.setBackground(colours.color(colours.accent, _LIT_SHARE))
        stretches = [(*span, tag) for span in self._marks]
        if self._lit is not None:
            stretches.append((*self._lit, light))
        return [self._extra(start, end, form) for start, end, form in stretches]

    def _extra(self, start: int, end: int, form: QTextCharFormat) -> QTextEdit.ExtraSelection:
        """A stretch (code points) in a format of its own."""
        found = QTextEdit.ExtraSelection()
        cursor = self._cursor(start, end)
        # Else it would grow with what is typed at its end; an empty one moves as a whole and stays empty.
        cursor.setKeepPositionOnInsert(start < end)
        found.cursor = cursor
        found.format = form
        return found

    def _cursor(self, start: int, end: int) -> QTextCursor:
        """A cursor that selects a stretch (code points), from `start` to `end`."""
        found = QTextCursor(self.document())
        last = self.document().characterCount() - 1
        found.setPosition(min(last, self._places.unit(start)))
        found.setPosition(min(last, self._places.unit(end)), QTextCursor.MoveMode.KeepAnchor)
        return found

    def _on_contents_changed(self, position: int, removed: int, added: int) -> None:
        if self._is_ours:
            return
        last = self.document().characterCount() - 1
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(position, last))
        cursor.setPosition(min(position + added, last), QTextCursor.MoveMode.KeepAnchor)
        inserted = cursor.selectedText().replace("\u2029", "\n")
        start, end = self._places.place(position), self._places.place(position + removed)
        splice = carried(self._text, start, end, inserted, self._pasted)
        new = splice.apply(self._text)
        if new != self._text:
            put = splice._replace(text=shown(splice.text))
            is_shown = self._shown is self._text and put == splice
            self._shown = new if is_shown else put.apply(self._shown)
            self._text = new
            self._places.edited(self._shown, splice.start)
            is_much_less = splice.end - splice.start >= _LONGEST_WORD
            self._fit_wrapping(self._shown, None if is_much_less else (splice.start, splice.start + len(splice.text)))
            self.edited.emit(new)
            if removed and added and (self._marks or self._lit):
                # A stretch that was written over selects all that came in its place.
                self._paint_marks()

    def _on_text_grown(self) -> None:
        self._fit_height()

    def _on_side_range_changed(self, least: int, most: int) -> None:
        """Lines are broken, so nothing is beside them: a pixel too wide must not move them."""
        if (least, most) != (0, 0):
            self.horizontalScrollBar().setRange(0, 0)

    def _on_theme_changed(self) -> None:
        self._paint_marks()
        self._fit_height()

    def _fit_height(self) -> None:
        if not self._most_lines:
            return
        line = self.fontMetrics().lineSpacing()
        most = line * self._most_lines
        height = 0.0
        block = self.document().firstBlock()
        while block.isValid() and height <= most:
            height += self.blockBoundingRect(block).height()
            block = block.next()
        is_capped = height > most
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if is_capped else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if self.verticalScrollBarPolicy() != policy:
            self.setVerticalScrollBarPolicy(policy)
        self.ensurePolished()
        frame = self.contentsMargins().top() + self.contentsMargins().bottom()
        wanted = round(min(max(height, line), most) + 2 * self.document().documentMargin() + frame) + 1
        if wanted != self.minimumHeight() or wanted != self.maximumHeight():
            self.setFixedHeight(wanted)
        if not is_capped:
            self.verticalScrollBar().setValue(0)

    def _wrap_anew(self) -> None:
        """Breaks lines at the width there is now. While a viewport is being shown, Qt loses a resize that comes in
        answer to its first one: a scroll bar that appears takes its room unheard."""
        size = self.viewport().size()
        if size.width() != self._wrapped_width:
            self._wrapped_width = size.width()
            super().resizeEvent(QResizeEvent(size, QSize()))

    def sizeHint(self) -> QSize:
        """One line wide enough to type in; the height comes from the text."""
        hint = super().sizeHint()
        return QSize(hint.width(), max(self.minimumHeight(), 24)) if self._most_lines else hint

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied, cut and dragged is the exact text."""
        cursor = self.textCursor()
        start = self._places.place(cursor.selectionStart())
        end = self._places.place(cursor.selectionEnd())
        found = QMimeData()
        found.setText(self._text[start:end])
        found.setData(EXACT_FORM, self._text[start:end].encode("utf-8", "surrogatepass"))
        return found

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Files that are dropped here are the window's to open; Qt would type their paths."""
        return not any(url.isLocalFile() for url in source.urls()) and super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """What is pasted is taken exactly, as plain text."""
        if source.hasFormat(EXACT_FORM):
            data = bytes(source.data(EXACT_FORM).data())
            self.insert_exactly(data.decode("utf-8", "surrogatepass"))
        elif source.hasText():
            self.insert_exactly(source.text())

    def dropEvent(self, event: QDropEvent) -> None:
        """A selection dragged within the editor moves exactly; Qt would move what is shown."""
        if event.source() not in (self, self.viewport()) or event.dropAction() != Qt.DropAction.MoveAction:
            super().dropEvent(event)
            return
        cursor = self.textCursor()
        start = self._places.place(cursor.selectionStart())
        end = self._places.place(cursor.selectionEnd())
        to = self._places.place(self.cursorForPosition(event.position().toPoint()).position())
        event.acceptProposedAction()
        if start <= to <= end:
            return
        moved, rest = self._text[start:end], self._text[:start] + self._text[end:]
        place = to if to < start else to - len(moved)
        self.set_text(rest[:place] + moved + rest[place:])
        self.edited.emit(self._text)

    def event(self, event: QEvent) -> bool:
        """Leaves Ctrl+K to the window; the text widget would take it for "delete to the end of the line"."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo):
                event.accept()
                return True
            if event.matches(QKeySequence.StandardKey.DeleteEndOfLine):
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Undo and redo go to the document; Shift+Enter is a line end, where Qt would put U+2028 into the text."""
        if event.matches(QKeySequence.StandardKey.InsertLineSeparator):
            self.insert_exactly("\n")
        elif not _ask_for_undo(self, event):
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Says that the keyboard is here."""
        super().focusInEvent(event)
        self.focused.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width breaks lines elsewhere; in less height the caret stays in sight."""
        if event.oldSize().width() != event.size().width():
            self._wrapped_width = self.viewport().width()
        super().resizeEvent(event)
        if self.hasFocus() and event.size().height() < event.oldSize().height():
            self.ensureCursorVisible()
        if event.oldSize().width() != event.size().width():
            self._fit_height()

    def showEvent(self, event: QShowEvent) -> None:
        """Lines may have been laid out for another width, or in another font, while it was hidden."""
        super().showEvent(event)
        self._wrap_anew()
        self._fit_height()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scrolls itself only where it can and has the keyboard; else the list around it scrolls."""
        if self._most_lines and (not self.hasFocus() or self.verticalScrollBar().maximum() == 0):
            event.ignore()
        else:
            super().wheelEvent(event)


class ExactLineEdit(QLineEdit):
    """A one-line field that asks the document's owner for undo and redo.

    Signals:
        undo_requested, redo_requested: the keys for that were pressed.
        focused: the keyboard is here now.
    """

    undo_requested = Signal()
    redo_requested = Signal()
    focused = Signal()

    def set_text(self, text: str) -> None:
        """Shows `text`; the caret stays where it is if nothing changed."""
        if self.text() != text:
            place = self.cursorPosition()
            self.setText(text)
            self.setCursorPosition(min(place, len(text)))

    def event(self, event: QEvent) -> bool:
        """Keeps undo and redo for `keyPressEvent`."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undo, redo = QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo
            if event.matches(undo) or event.matches(redo):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Undo and redo go to the document."""
        if not _ask_for_undo(self, event):
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Says that the keyboard is here."""
        super().focusInEvent(event)
        self.focused.emit()


TextField: TypeAlias = ExactTextEdit | ExactLineEdit
"""A field for one text of a message."""


def _ask_for_undo(widget: ExactTextEdit | ExactLineEdit, event: QKeyEvent) -> bool:
    if event.matches(QKeySequence.StandardKey.Undo):
        widget.undo_requested.emit()
    elif event.matches(QKeySequence.StandardKey.Redo):
        widget.redo_requested.emit()
    else:
        return False
    return True
