"""One card of a card list: a header with a handle, a title area and buttons, and a body."""

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from thinkpane.ui import theme
from thinkpane.ui.widgets.card_icons import IconButton, IconName, paint_icon
from thinkpane.ui.widgets.elided_label import ElidedTitle
from thinkpane.ui.widgets.exact_text import ExactTextEdit, TextField
from thinkpane.ui.widgets.plain_tip import plain_tip

_ROOM_FOR_BUTTONS = 400
_LEAST_COUNT = 40
_COUNT_HINT = "What came from here into the prompt, without what the template wrote around it"


class DragHandle(QWidget):
    """The dots at a card's left; dragging them moves the card.

    Signals:
        dragged(QPoint): the pointer is there now (global), the button held.
        dropped(QPoint): the button was let go there.
        cancelled: Escape was pressed while dragging.
    """

    dragged = Signal(QPoint)
    dropped = Signal(QPoint)
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_dragging = False
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setToolTip("Drag to move (Alt+Up, Alt+Down)")
        self.setAccessibleName("Move")
        self.setFixedSize(QSize(12, 22))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Takes hold."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._is_dragging = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tells where it is dragged to."""
        if self._is_dragging:
            self.dragged.emit(event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Lets go."""
        if self._is_dragging and event.button() == Qt.MouseButton.LeftButton:
            self._end()
            self.dropped.emit(event.globalPosition().toPoint())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape gives up."""
        if self._is_dragging and event.key() == Qt.Key.Key_Escape:
            self._end()
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Six dots."""
        del event
        colours = theme.current()
        painter = QPainter(self)
        at = QPointF((self.width() - 16) / 2, (self.height() - 16) / 2)
        paint_icon(painter, "handle", at, colours.color(colours.dim, 0.75))

    def _end(self) -> None:
        self._is_dragging = False
        self.setCursor(Qt.CursorShape.OpenHandCursor)


class Card(QFrame):
    """A card. key: which item of the list it shows.

    Signals:
        delete_requested: Delete was pressed on the card itself.
    """

    delete_requested = Signal()

    def __init__(self, key: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.key = key
        self._on_demand = False
        self._is_under_pointer = False
        self.setProperty("kind", "card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.handle = DragHandle(self)
        self.header = QHBoxLayout()
        self.header.setContentsMargins(6, 4, 6, 4)
        self.header.setSpacing(6)
        self.header.addWidget(self.handle)
        self._buttons = QWidget(self)
        self._buttons_row = QHBoxLayout(self._buttons)
        self._buttons_row.setContentsMargins(0, 0, 0, 0)
        self._buttons_row.setSpacing(0)
        self._count = ElidedTitle("count", least=_LEAST_COUNT)
        self._count.hide()
        self._rule = QFrame(self)
        self._rule.setProperty("kind", "rule")
        self.body = QVBoxLayout()
        self.body.setContentsMargins(10, 6, 10, 8)
        self.body.setSpacing(8)
        outer = self._outer = QVBoxLayout(self)
        outer.setContentsMargins(1, 1, 1, 1)
        outer.setSpacing(0)
        outer.addLayout(self.header)
        outer.addWidget(self._rule)
        outer.addLayout(self.body)

    def add_button(self, icon: IconName, words: str, keys: str = "") -> IconButton:
        """A new button at the header's right end."""
        button = IconButton(icon, words, keys, self)
        self._buttons_row.addWidget(button)
        self.header.addWidget(self._count)
        self.header.addWidget(self._buttons)
        return button

    def put_below_header(self, widget: QWidget) -> None:
        """Gives a widget a line of its own between the header and its rule."""
        self._outer.insertWidget(1, widget)

    def set_count(self, words: str, *, stale: bool = False) -> None:
        """How much the item is, in a few words before the buttons; "" = not known. stale: it may be another by now."""
        self._count.set_whole(words)
        self._count.setToolTip(plain_tip(f"{words}\n{_COUNT_HINT}" if words else ""))
        self._count.setEnabled(not stale)
        self._count.setVisible(bool(words))

    @property
    def count(self) -> str:
        """How much the item is, as it is said on the card; "" = nothing is said."""
        return self._count.whole

    def show_buttons_on_demand(self) -> None:
        """Lets the buttons be there only in the current card and under the pointer, and where there is room."""
        self._on_demand = True
        self._fit_buttons()

    def set_current(self, on: bool) -> None:
        """Lights the card."""
        self.set_flag("current", on)
        self._fit_buttons()

    def text_fields(self) -> dict[str, TextField]:
        """The fields of the item's texts that are shown, by the way to their value in it (`content[0].text`)."""
        return {}

    def json_fields(self) -> dict[str, ExactTextEdit]:
        """The texts of the item that are shown as JSON, by the way to their value in it; "" = the item itself."""
        return {}

    def set_pointed(self, on: bool) -> None:
        """Lights the card's rim while something that came from it is pointed at elsewhere; nothing else changes."""
        if bool(self.property("pointed")) != on:
            self.setProperty("pointed", on)
            self.style().unpolish(self)
            self.style().polish(self)

    def _fit_buttons(self) -> None:
        wanted = self._is_under_pointer or bool(self.property("current"))
        self._buttons.setVisible(not self._on_demand or (wanted and self.width() >= _ROOM_FOR_BUTTONS))

    def set_flag(self, name: str, on: bool) -> None:
        """Sets a property that the style sheet looks at (current, unsent)."""
        if bool(self.property(name)) != on:
            self.setProperty(name, on)
            self.style().unpolish(self)
            self.style().polish(self)
            for each in self.findChildren(QWidget):
                each.style().unpolish(each)
                each.style().polish(each)

    def enterEvent(self, event: QEnterEvent) -> None:
        """The pointer came."""
        super().enterEvent(event)
        self._is_under_pointer = True
        self._fit_buttons()

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer went."""
        super().leaveEvent(event)
        self._is_under_pointer = False
        self._fit_buttons()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has room for the buttons, or has not."""
        super().resizeEvent(event)
        self._fit_buttons()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete on the card itself, not in one of its fields, deletes it."""
        if event.key() == Qt.Key.Key_Delete and self.hasFocus():
            self.delete_requested.emit()
        else:
            super().keyPressEvent(event)


class FactLabel(QLabel):
    """A label that states a fact, cut with an ellipsis where there is no room.

    kind: "badge" or "chip"; tone: "", "good", "warning" or "bad".
    """

    def __init__(self, text: str, tone: str = "", kind: str = "badge", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fact = text
        self.tone = tone
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setProperty("kind", kind)
        self.setProperty("tone", tone)
        self.setAccessibleName(text)
        self.setToolTip(plain_tip(text))
        self.setText(text)

    def sizeHint(self) -> QSize:
        """Wide enough for the whole fact."""
        self.ensurePolished()
        frame = super().sizeHint().width() - self.fontMetrics().horizontalAdvance(self.text())
        return QSize(self.fontMetrics().horizontalAdvance(self.fact) + frame + 1, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """It may be cut down to a few letters."""
        whole = self.sizeHint()
        return QSize(min(whole.width(), 64), whole.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cuts the text to the room there is."""
        super().resizeEvent(event)
        room = self.contentsRect().width()
        text = self.fontMetrics().elidedText(self.fact, Qt.TextElideMode.ElideRight, room)
        if text != self.text():
            self.setText(text)
