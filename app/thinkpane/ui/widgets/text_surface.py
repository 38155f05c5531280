"""The part of the text view that shows: rows in sight, scrolling, look. Selecting and finding are in text_view.py."""

from collections.abc import Iterator, Sequence
from itertools import islice

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from thinkpane.formats.finding import Hits
from thinkpane.ui import theme
from thinkpane.ui.models.token_layer import MovedTokens
from thinkpane.ui.widgets import text_paint
from thinkpane.ui.widgets.text_change import Change
from thinkpane.ui.widgets.text_follow import FollowButton
from thinkpane.ui.widgets.text_geometry import Place
from thinkpane.ui.widgets.text_gutter import gutter_row, gutter_width
from thinkpane.ui.widgets.text_look import TextLook
from thinkpane.ui.widgets.text_marks import Marks
from thinkpane.ui.widgets.text_selection import Selection
from thinkpane.ui.widgets.text_shades import boxes

_ABOVE = 4


class TextSurface(TextLook):
    """Shows rows of a text. The row on top is what scrolling moves; the scroll bar only follows it.

    Signals:
        at_end_changed(bool): the last row came into sight, or left it.
    """

    at_end_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._follow = False
        self._most_rows = 0
        self._asked = (-1, 0, 0)
        self._top = self._geometry.first()
        self._selection = Selection()
        self._hits = Hits()
        self._hit = -1
        self._was_at_end = True
        self._moving = False
        self._seen: list[tuple[object, ...]] = []
        self._beside_same = 0
        # It paints all of its ground, so that nothing below has to be painted first.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._latest = FollowButton(self.viewport())
        self._latest.clicked.connect(self.scroll_to_end)
        self.verticalScrollBar().valueChanged.connect(self._on_scroll_bar_value_changed)
        theme.state().changed.connect(self._on_theme_changed)

    def set_most_rows(self, rows: int) -> None:
        """Takes the height of its text, up to so many rows; 0 = whatever height it is given."""
        self._most_rows = rows
        policy = QSizePolicy.Policy.Fixed if rows else QSizePolicy.Policy.Expanding
        self.setSizePolicy(QSizePolicy.Policy.Expanding, policy)
        self._take_height()

    # --- place

    @property
    def page_rows(self) -> int:
        """How many whole rows fit in."""
        return max((self.viewport().height() - 2 * _ABOVE) // self._face.row_height, 1)

    def is_at_end(self) -> bool:
        """Whether the last row is in sight."""
        return self._geometry.rows_between(self._top, self._geometry.last(), self.page_rows) < self.page_rows

    def set_follow(self, on: bool) -> None:
        """Stays at the end while text is added, as long as the end is in sight; else a button offers to go there."""
        self._follow = on
        self._go_to(self._top)

    def scroll_rows(self, rows: int) -> None:
        """Moves so many rows down, or up where negative."""
        self._go_to(self._geometry.moved(self._top, rows))

    def scroll_to_end(self) -> None:
        """Brings the end into sight."""
        self._go_to(self._last_top())

    def reveal(self, position: int, *, upstream: bool = False) -> None:
        """Brings a position into sight, in the upper third where it is far away."""
        place = self._geometry.place_of(position, upstream=upstream)
        page = self.page_rows
        down = self._geometry.rows_between(self._top, place, 2 * page)
        if down < page:
            return
        if down < 2 * page:
            self.scroll_rows(down - page + 1)
        elif self._geometry.rows_between(place, self._top, page) < page:
            self._go_to(place)
        else:
            self._go_to(self._geometry.moved(place, -(page // 3)))

    def scroll_to(self, position: int) -> None:
        """Makes the row that holds a position the one on top, as far as the text's end lets it."""
        self._go_to(self._geometry.place_of(position))

    def position_at_top(self) -> int:
        """The position that the row on top begins with."""
        laid = self._geometry.laid(self._top.piece)
        return laid.row_start(min(self._top.row, laid.rows - 1))

    @property
    def latest_button(self) -> FollowButton:
        """The button that goes to the end."""
        return self._latest

    def caret_at(self, point: QPoint) -> Selection:
        """The caret nearest to a point of the viewport, as an empty selection."""
        place = self._place_under(point)
        laid = self._geometry.laid(place.piece)
        position = laid.position_at(point.x() - self._left, place.row)
        upstream = laid.goes_on(place.row) and position == laid.row_end(place.row)
        return Selection(position, position, upstream)

    def character_at(self, point: QPoint) -> int:
        """The position of the character under a point of the viewport."""
        place = self._place_under(point)
        return self._geometry.laid(place.piece).character_at(point.x() - self._left, place.row)

    def character_under(self, point: QPoint) -> int:
        """The position of the character that a point of the viewport is on, -1 beside the text.

        Half a column behind a line's last character counts as its newline.
        """
        x = point.x() - self._left
        place = self._place_under(point)
        rows = self._geometry.rows_between(self._top, place, self.page_rows + 2)
        if x < 0 or point.y() < _ABOVE or point.y() >= _ABOVE + (rows + 1) * self._face.row_height:
            return -1
        laid = self._geometry.laid(place.piece)
        end = laid.piece.end if place.row == laid.rows - 1 else laid.row_end(place.row) - 1
        if x <= laid.x_of(end, place.row) or place.row < laid.rows - 1:
            found = laid.character_at(x, place.row)
        else:
            found = end if laid.piece.newline and x <= laid.x_of(end, place.row) + self._face.column else -1
        return found if found < len(self.text) else -1

    def rect_of(self, position: int) -> QRect:
        """Where a position stands in the viewport; an empty rectangle where it is out of sight."""
        place = self._geometry.place_of(position)
        rows = self._geometry.rows_between(self._top, place, self.page_rows + 1)
        if rows > self.page_rows:
            return QRect()
        x = self._geometry.laid(place.piece).x_of(position, place.row)
        return QRect(round(self._left + x), _ABOVE + rows * self._face.row_height, 1, self._face.text_height)

    # --- inside

    def _restyle(self) -> None:
        """Lays out anew what is in sight; the row on top keeps its text."""
        position = self._kept_at_top()
        self._left = gutter_width(self._geometry, self._labels) if self._gutter else self._padding
        self._beside_same = 0
        self._geometry.set_style(self._style())
        self._settle(position)

    def _lay_out_anew(self) -> None:
        """The same text in another layout; the row on top keeps its text."""
        position = self._kept_at_top()
        self._geometry.forget()
        self._settle(position)

    def _show_rows_anew(self, *, beside: bool = False) -> None:
        """Paints those rows in sight that look otherwise than before; what lies over the rows paints itself anew.

        beside: what stands in the gutter may have changed by more than the text's last changes.
        """
        self._beside_same = 0 if beside else self._beside_same
        self._is_due = bool(self._held)
        if self._is_due:
            return
        height, width = self._face.row_height, self.viewport().width()
        before = self._seen
        self._seen = [*islice(self._looks(before), self.page_rows + 2)]
        self._beside_same = len(self.text)
        if moved := self._rows_moved(before):
            area = QRect(0, _ABOVE, width, self.viewport().height() - _ABOVE)
            self.viewport().scroll(0, -moved * height, area)
            before = before[moved:] if moved > 0 else [()] * -moved + before
        for number in range(max(len(before), len(self._seen))):
            if before[number : number + 1] != self._seen[number : number + 1]:
                self.viewport().update(0, _ABOVE + number * height, width, height)

    def _rows_moved(self, before: list[tuple[object, ...]]) -> int:
        """By how many rows what was in sight moved up (down where negative); 0 where it is not to be moved as it is:
        the button over it would go along, and half a pixel cannot be moved."""
        if not before or not self._seen or self._latest.isVisible() or self.devicePixelRatioF() % 1:
            return 0
        for moved in range(1, max(len(before), len(self._seen))):
            if before[moved : moved + 1] == self._seen[:1]:
                return moved
            if self._seen[moved : moved + 1] == before[:1]:
                return -moved
        return 0

    def _looks(self, known: Sequence[tuple[object, ...]]) -> Iterator[tuple[object, ...]]:
        """What decides how each row from the top on looks. known: how they looked; up to `_beside_same`, code points
        from the start on, the same stands beside them."""
        tokens = self._geometry.tokens if self._shaded else None
        for number, (laid, row) in enumerate(self._geometry.rows_from(self._top)):
            is_same = laid.piece.following <= self._beside_same
            if is_same and number < len(known) and known[number][:2] == (laid, row):
                beside = known[number][2]
            else:
                beside = gutter_row(self._geometry, self._labels, laid, row) if self._gutter else None
            yield laid, row, beside, boxes(laid, row, tokens) if tokens is not None else None

    def _apply(self, change: Change, whole: str | None = None, marks: Marks | None = None) -> None:
        position = self._kept_at_top()
        self._selection = self._selection.after(change, len(self.text))
        self._beside_same = min(self._beside_same, self._geometry.replace(change, whole, marks))
        if self._geometry.tokens is not None and (change.text or change.start < change.end):
            new_end = change.start + len(change.text)
            self._geometry.tokens = MovedTokens(self._geometry.tokens, change.start, change.end, new_end)
        self._lit = {light: each.moved(change) for light, each in self._lit.items()}
        self._settle(None if position is None else change.moved(position))
        if self._gutter and self._left != gutter_width(self._geometry, self._labels):
            self._restyle()

    def _kept_at_top(self) -> int | None:
        """The position that is to stay on top while the text or its layout changes; None = its end stays in sight."""
        return None if self._follow and self._was_at_end else self.position_at_top()

    def _settle(self, position: int | None) -> None:
        last = self._last_top()
        self._show_from(last if position is None else min(self._geometry.place_of(position), last), last)
        if self._most_rows:
            self._take_height()

    def _take_height(self) -> None:
        """Asks for the height of the text. A bar that shows until the height is given would wrap the text anew."""
        rows = self._geometry.count_rows(self._most_rows + 1) if self._most_rows else 0
        asked = (self._most_rows, rows, self._face.row_height)
        if asked == self._asked:
            return
        self._asked = asked
        more = not self._most_rows or rows > self._most_rows
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if more else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        self.updateGeometry()

    def _go_to(self, place: Place) -> None:
        last = self._last_top()
        self._show_from(min(place, last), last)

    def _show_from(self, place: Place, last: Place) -> None:
        """Makes `place` the row on top. last: the one from which on all that follows is in sight."""
        self._top = place
        bar = self.verticalScrollBar()
        self._moving = True
        bar.setPageStep(self.page_rows)
        bar.setRange(0, self._geometry.number(last))
        bar.setValue(bar.maximum() if place == last else min(self._geometry.number(place), bar.maximum()))
        self._moving = False
        self._latest.place(shown=self._follow and place != last)
        if (place == last) != self._was_at_end:
            self._was_at_end = place == last
            self.at_end_changed.emit(self._was_at_end)
        self._show_rows_anew()

    def _last_top(self) -> Place:
        return self._geometry.moved(self._geometry.last(), 1 - self.page_rows)

    def _place_under(self, point: QPoint) -> Place:
        return self._geometry.moved(self._top, (point.y() - _ABOVE) // self._face.row_height)

    def _on_scroll_bar_value_changed(self, value: int) -> None:
        if self._moving:
            return
        rows = value - self._geometry.number(self._top)
        if value == self.verticalScrollBar().maximum():
            self.scroll_to_end()
        elif abs(rows) <= 2 * self.page_rows:
            self.scroll_rows(rows)
        else:
            self._go_to(self._geometry.place_at(value))

    def _on_theme_changed(self) -> None:
        self._geometry.forget()
        self.set_zoom(self._points)

    # --- Qt

    def sizeHint(self) -> QSize:
        """The height of its text where `set_most_rows` asks for it."""
        if not self._most_rows:
            return QSize(480, 320)
        rows = self._geometry.count_rows(self._most_rows)
        return QSize(200, rows * self._face.row_height + 2 * _ABOVE)

    def minimumSizeHint(self) -> QSize:
        """Three rows, or its natural height."""
        return self.sizeHint() if self._most_rows else QSize(120, 3 * self._face.row_height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the rows in sight."""
        painter = QPainter(self.viewport())
        scene = text_paint.Scene(
            geometry=self._geometry,
            top=self._top,
            left=self._left,
            above=_ABOVE,
            selection=self._selection,
            hits=self._hits,
            hit=self._hit,
            ground=self._ground,
            gutter=self._gutter,
            focused=self.hasFocus(),
            stale=self._stale,
            dim=self._dim,
            labels=self._labels,
            lit=self._lit,
            shaded=self._shaded,
        )
        text_paint.paint(painter, QRectF(self.viewport().rect()), scene, QRectF(event.rect()))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wraps to the new width."""
        self._restyle()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Shows the caret."""
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hides the caret."""
        self.viewport().update()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Nothing: the rows are painted anew."""
