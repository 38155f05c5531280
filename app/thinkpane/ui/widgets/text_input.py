"""Keys, mouse and wheel of the text view."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QMenu

from thinkpane.ui.widgets import text_selection as moves
from thinkpane.ui.widgets.text_selection import Move, Selection, joined, line_at, word_at

if TYPE_CHECKING:
    from thinkpane.ui.widgets.text_view import TextView

_KEY = QKeySequence.StandardKey
_MOVES: tuple[tuple[QKeySequence.StandardKey, QKeySequence.StandardKey, Move], ...] = (
    (_KEY.MoveToNextChar, _KEY.SelectNextChar, moves.right),
    (_KEY.MoveToPreviousChar, _KEY.SelectPreviousChar, moves.left),
    (_KEY.MoveToNextWord, _KEY.SelectNextWord, moves.word_right),
    (_KEY.MoveToPreviousWord, _KEY.SelectPreviousWord, moves.word_left),
    (_KEY.MoveToNextLine, _KEY.SelectNextLine, moves.by_rows(1)),
    (_KEY.MoveToPreviousLine, _KEY.SelectPreviousLine, moves.by_rows(-1)),
    (_KEY.MoveToStartOfLine, _KEY.SelectStartOfLine, moves.row_start),
    (_KEY.MoveToEndOfLine, _KEY.SelectEndOfLine, moves.row_end),
)
_FAR_MOVES = (
    (_KEY.MoveToNextPage, _KEY.SelectNextPage),
    (_KEY.MoveToPreviousPage, _KEY.SelectPreviousPage),
    (_KEY.MoveToStartOfDocument, _KEY.SelectStartOfDocument),
    (_KEY.MoveToEndOfDocument, _KEY.SelectEndOfDocument),
)
_NOTCH = 120
_ROWS_A_NOTCH = 3
_DRAG_SCROLL_MS = 50


class TextInput:
    """What the view does when it is used. Drags by letters, words or lines, and scrolls at the edges."""

    def __init__(self, view: "TextView") -> None:
        self._view = view
        self._origin: Selection | None = None
        self._by: str = "letter"
        self._at = QPoint()
        self._wheel = 0
        self._pointed = -1
        self._triple = QTimer(view, singleShot=True)
        self._edge = QTimer(view, interval=_DRAG_SCROLL_MS)
        self._edge.timeout.connect(self._on_edge_timeout)

    def press_key(self, event: QKeyEvent) -> bool:
        """Whether the key meant something here."""
        view = self._view
        for plain, selecting, move in (*_MOVES, *self._far_moves()):
            if event.matches(plain) or event.matches(selecting):
                found = moves.moved(view.rows, view.selection, move, select=event.matches(selecting))
                view.set_selection(found)
                return True
        if event.matches(_KEY.Copy):
            self._view.copy()
        elif event.matches(_KEY.SelectAll):
            self._view.select_all()
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return self._zoom_key(event.key())
        else:
            return False
        return True

    def press(self, event: QMouseEvent) -> None:
        """Puts the caret, or with shift extends the selection; the third press in a row takes the line."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        view = self._view
        self._at = event.position().toPoint()
        found = view.caret_at(self._at)
        if self._triple.isActive():
            self._start("line", line_at(view.rows, view.character_at(self._at)))
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._by, self._origin = "letter", Selection(view.selection.anchor, view.selection.anchor)
            view.set_selection(Selection(view.selection.anchor, found.caret, found.upstream), reveal=False)
        else:
            self._start("letter", found)

    def double_click(self, event: QMouseEvent) -> None:
        """Takes the word, and waits for a third press."""
        self._at = event.position().toPoint()
        self._start("word", word_at(self._view.rows, self._view.character_at(self._at)))
        self._triple.start(QGuiApplication.styleHints().mouseDoubleClickInterval())

    def drag(self, event: QMouseEvent) -> None:
        """Selects from where the drag began; beyond the edges, scrolls on."""
        if self._origin is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        self._at = event.position().toPoint()
        self._select_to(self._at)
        outside = not 0 <= self._at.y() < self._view.viewport().height()
        if outside and not self._edge.isActive():
            self._edge.start()
        elif not outside:
            self._edge.stop()

    def release(self) -> None:
        """Ends a drag; where the platform has one, what is selected becomes the primary selection. A press that
        selected nothing was a click."""
        self._edge.stop()
        if self._origin is not None:
            self._origin = None
            self._view.copy_to_primary()
            position = self._view.character_under(self._at)
            if position >= 0 and not self._view.selected_text:
                self._view.clicked.emit(position)

    def point(self, at: QPoint) -> None:
        """The pointer is there, no button held."""
        self._point_to(self._view.character_under(at))
        in_gutter = at.x() < self._view.text_left and self._view.has_labels
        self._view.viewport().setCursor(Qt.CursorShape.PointingHandCursor if in_gutter else Qt.CursorShape.IBeamCursor)

    def leave(self) -> None:
        """The pointer is elsewhere."""
        self._point_to(-1)

    def wheel(self, event: QWheelEvent) -> bool:
        """Scrolls by rows, or zooms with Ctrl; False where there is nothing to scroll."""
        view = self._view
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            view.set_zoom(view.zoom + (1 if event.angleDelta().y() > 0 else -1))
            return True
        if not view.verticalScrollBar().maximum():
            return False
        self._wheel -= event.angleDelta().y() * _ROWS_A_NOTCH
        rows = int(self._wheel / _NOTCH)
        self._wheel -= rows * _NOTCH
        view.scroll_rows(rows)
        return True

    def _point_to(self, position: int) -> None:
        if position != self._pointed:
            self._pointed = position
            self._view.pointed.emit(position)

    def _far_moves(self) -> list[tuple[QKeySequence.StandardKey, QKeySequence.StandardKey, Move]]:
        page, end = self._view.page_rows, len(self._view.text)
        far: tuple[Move, ...] = (
            moves.by_rows(page),
            moves.by_rows(-page),
            moves.to(0),
            moves.to(end),
        )
        return [(plain, selecting, move) for (plain, selecting), move in zip(_FAR_MOVES, far, strict=True)]

    def _start(self, by: str, selection: Selection) -> None:
        self._by, self._origin = by, selection
        self._view.set_selection(selection, reveal=False)

    def _select_to(self, point: QPoint) -> None:
        view = self._view
        if self._origin is None:
            return
        if self._by == "letter":
            found = view.caret_at(point)
            view.set_selection(Selection(self._origin.anchor, found.caret, found.upstream), reveal=False)
            return
        grow = word_at if self._by == "word" else line_at
        view.set_selection(joined(self._origin, grow(view.rows, view.character_at(point))), reveal=False)

    def _zoom_key(self, key: int) -> bool:
        view = self._view
        if key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            view.set_zoom(view.zoom + 1)
        elif key == Qt.Key.Key_Minus:
            view.set_zoom(view.zoom - 1)
        elif key == Qt.Key.Key_0:
            view.reset_zoom()
        else:
            return False
        return True

    def _on_edge_timeout(self) -> None:
        if self._origin is None:
            self._edge.stop()
            return
        self._view.scroll_rows(-1 if self._at.y() < 0 else 1)
        self._select_to(self._at)


def menu(view: "TextView") -> QMenu:
    """The view's context menu."""
    found = QMenu(view)
    copy = found.addAction("Copy")
    copy.setShortcut(QKeySequence(_KEY.Copy))
    copy.setEnabled(bool(view.selected_text))
    copy.triggered.connect(view.copy)
    everything = found.addAction("Select all")
    everything.setShortcut(QKeySequence(_KEY.SelectAll))
    everything.triggered.connect(view.select_all)
    return found
