"""The own text view: shows a long foreign text as it is, quickly, and gives back exactly its characters.

Only the rows in sight are laid out. The text is a Python str and never goes through a document of Qt, which changes
characters. Text from outside is never read as markup.
"""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QClipboard,
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QWidget

from thinkpane.formats.finding import Hits, Query
from thinkpane.ui.widgets import text_input
from thinkpane.ui.widgets.exact_text import EXACT_FORM
from thinkpane.ui.widgets.plain_tip import told_in_tip
from thinkpane.ui.widgets.text_accessible import register
from thinkpane.ui.widgets.text_change import Change, change_between
from thinkpane.ui.widgets.text_finder import TextFinder
from thinkpane.ui.widgets.text_marks import Mark, Marks
from thinkpane.ui.widgets.text_selection import Selection
from thinkpane.ui.widgets.text_shown import without_surrogates
from thinkpane.ui.widgets.text_spoken import Speaker
from thinkpane.ui.widgets.text_surface import TextSurface

_FIND_AGAIN_MS = 200


class TextView(TextSurface):
    """Shows a text; selects, copies, finds, zooms. Read-only. All positions are code points of the text.

    Signals:
        selection_changed(): the caret or the selection moved.
        hits_changed(int, int): how many hits there are, -1 while they are looked for, and the current one's number
            from 0 (-1 = none).
        at_end_changed(bool): the last row came into sight, or left it.
        pointed(int): the pointer is on that character now; -1 = on none.
        clicked(int): a character was clicked, and nothing was selected by that.
        gutter_clicked(int): the gutter was clicked beside the row that begins there.
        menu_opening(QMenu, int): the context menu is about to be shown for the character at that position, or for the
            one at the caret where it was asked for by a key; -1 = beside the text.
    """

    selection_changed = Signal()
    hits_changed = Signal(int, int)
    pointed = Signal(int)
    clicked = Signal(int)
    gutter_clicked = Signal(int)
    menu_opening = Signal(QMenu, int)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """name: what a screen reader calls it."""
        super().__init__(parent)
        self._query = Query("")
        self._seeking = False
        self._finder = TextFinder(self)
        self._finder.started.connect(self._on_finder_started)
        self._finder.found.connect(self._on_finder_found)
        self._input = text_input.TextInput(self)
        self._speaker = Speaker(self)
        self._tip: Callable[[int], str] | None = None
        self._find_again = QTimer(self, singleShot=True, interval=_FIND_AGAIN_MS)
        self._find_again.timeout.connect(self._on_find_again_timeout)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self.setAccessibleName(name)
        register()

    def set_pointing(self, tip: Callable[[int], str]) -> None:
        """Tells of the character under the pointer (see `pointed`); tip: what its tooltip says, "" = nothing."""
        self._tip = tip
        self.viewport().setMouseTracking(True)

    # --- text

    def set_text(self, text: str, marks: Iterable[Mark] | Marks = (), known: Change | None = None) -> Change:
        """Shows `text`, with `marks` in place of the former ones; what is in sight and selected stays where it can.
        known: what makes `text` of the one that is shown, None = to be found. Gives what changed."""
        change = change_between(self.text, text) if known is None else known
        self._change(change, text, marks if isinstance(marks, Marks) else Marks(marks))
        return change

    def append(self, text: str, marks: Iterable[Mark] = ()) -> None:
        """Adds to the end, with marks in it (positions of the whole text); stays at the end where it follows."""
        self._geometry.marks.add(marks)
        self._beside_same = 0
        if text:
            self._change(Change(len(self.text), len(self.text), text))

    def splice(self, start: int, end: int, text: str) -> None:
        """Puts `text` in place of [start, end)."""
        self._change(Change(start, end, text))

    # --- selection

    @property
    def selection(self) -> Selection:
        """Caret and selection."""
        return self._selection

    @property
    def selected_text(self) -> str:
        """The selected characters, exactly as they stand in the text."""
        return self.text[self._selection.start : self._selection.end]

    def select(self, start: int, end: int) -> None:
        """Selects [start, end) and brings it into sight; the caret stands at `end`."""
        self.set_selection(Selection(start, end))

    def select_all(self) -> None:
        """Selects the whole text; what is in sight stays."""
        self.set_selection(Selection(0, len(self.text)), reveal=False)

    def set_selection(self, selection: Selection, *, reveal: bool = True) -> None:
        """Puts caret and selection. reveal: brings the caret into sight."""
        selection = selection.within(len(self.text))
        if reveal:
            self.reveal(selection.caret, upstream=selection.upstream)
        if selection == self._selection:
            return
        self._selection = selection
        self._speaker.caret_moved()
        self.selection_changed.emit()
        self.viewport().update()

    def copy(self) -> None:
        """Puts the selected text on the clipboard."""
        if self.selected_text:
            put_on_clipboard(self.selected_text)

    def copy_to_primary(self) -> None:
        """Where the platform has a primary selection, puts the selected text there."""
        if self.selected_text and QGuiApplication.clipboard().supportsSelection():
            put_on_clipboard(self.selected_text, QClipboard.Mode.Selection)

    # --- finding

    @property
    def hits(self) -> Hits:
        """What was found last."""
        return self._hits

    def look_for(self, query: Query) -> None:
        """Finds and paints all hits, and goes to the first one from the selection on; `hits_changed` tells of it, for
        short texts and plain words before this returns."""
        self._query = query
        self._hits, self._hit, self._seeking = Hits(), -1, True
        self.viewport().update()
        self._finder.look(self.text, query)

    def find_next(self) -> None:
        """Goes to the next hit, round to the first."""
        self._go_to_hit((self._hit + 1) % len(self._hits) if self._hits else -1)

    def find_previous(self) -> None:
        """Goes to the hit before, round to the last."""
        self._go_to_hit((self._hit - 1) % len(self._hits) if self._hits else -1)

    # --- inside

    def _change(self, change: Change, whole: str | None = None, marks: Marks | None = None) -> None:
        self._apply(change, whole, marks)
        # Text that streams in would put it off for ever.
        if self._query.words and not self._find_again.isActive():
            self._find_again.start()

    def _go_to_hit(self, number: int) -> None:
        self._hit = number
        if number >= 0:
            self.reveal(self._hits.starts[number])
            self.set_selection(Selection(self._hits.starts[number], self._hits.ends[number]), reveal=False)
        self.viewport().update()
        self.hits_changed.emit(len(self._hits), number)

    def _on_find_again_timeout(self) -> None:
        self._finder.look(self.text, self._query)

    def _on_finder_started(self) -> None:
        if self._seeking:
            self.hits_changed.emit(-1, -1)

    def _on_finder_found(self, hits: Hits) -> None:
        self._hits = hits
        number = hits.after(self._selection.start)
        if self._seeking:
            self._seeking = False
            self._go_to_hit(number)
            return
        self._hit = number
        self.viewport().update()
        self.hits_changed.emit(len(hits), number)

    # --- Qt

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Moves, selects, copies, zooms."""
        if not self._input.press_key(event):
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Puts the caret; with shift, selects up to there. In the gutter, tells which row it was beside."""
        if event.position().x() < self.text_left and self.has_labels:
            place = self._place_under(event.position().toPoint())
            self.gutter_clicked.emit(self._geometry.laid(place.piece).row_start(place.row))
        else:
            self._input.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Selects while dragging; else tells of the character under the pointer."""
        if event.buttons() == Qt.MouseButton.NoButton:
            self._input.point(event.position().toPoint())
        self._input.drag(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ends a drag."""
        self._input.release()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Selects a word, or a special token."""
        self._input.double_click(event)

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer is on no character any more."""
        self._input.leave()

    def viewportEvent(self, event: QEvent) -> bool:
        """Shows the tooltip of the character under the pointer."""
        asks = event.type() == QEvent.Type.ToolTip and self._tip is not None
        return (asks and told_in_tip(event, self._words_at, self.viewport())) or super().viewportEvent(event)

    def _words_at(self, point: QPoint) -> str:
        position = self.character_under(point)
        return self._tip(position) if self._tip is not None and position >= 0 else ""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scrolls; with Ctrl, zooms."""
        if not self._input.wheel(event):
            event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Copy, Select all, and what others add."""
        found = text_input.menu(self)
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        self.menu_opening.emit(
            found, min(self.selection.caret, len(self.text) - 1) if by_key else self.character_under(event.pos())
        )
        found.exec(event.globalPos())


def put_on_clipboard(text: str, mode: QClipboard.Mode = QClipboard.Mode.Clipboard) -> None:
    """Puts `text` there, exactly for our own editors; others cannot hold lone surrogates and get U+FFFD for them."""
    data = QMimeData()
    data.setText(without_surrogates(text))
    data.setData(EXACT_FORM, text.encode("utf-8", "surrogatepass"))
    QGuiApplication.clipboard().setMimeData(data, mode)
