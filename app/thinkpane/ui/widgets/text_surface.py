"""The part of the text view that shows: rows in sight, scrolling, look. Selecting and finding are in text_view.py."""

from collections.abc import Iterable

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QSizePolicy, QWidget

from thinkpane.formats.finding import Hits
from thinkpane.ui import theme
from thinkpane.ui.widgets import text_paint
from thinkpane.ui.widgets.text_change import Change
from thinkpane.ui.widgets.text_follow import FollowButton
from thinkpane.ui.widgets.text_geometry import Place, TextGeometry
from thinkpane.ui.widgets.text_gutter import Labels, gutter_width
from thinkpane.ui.widgets.text_layout import Style, face, without_ligatures
from thinkpane.ui.widgets.text_lit import Light, Lit, lit
from thinkpane.ui.widgets.text_selection import Selection

_PADDING = 8
_CARD_PADDING = 1
_ABOVE = 4
_LEAST_WIDTH = 40
_POINTS = 12
_PROSE_POINTS = 13
_LEAST_POINTS, _MOST_POINTS = 6, 48


class TextSurface(QAbstractScrollArea):
    """Shows rows of a text. The row on top is what scrolling moves; the scroll bar only follows it.

    Signals:
        at_end_changed(bool): the last row came into sight, or left it.
    """

    at_end_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._points = _POINTS
        self._gutter = self._invisible = self._stale = self._dim = self._follow = False
        self._ground: text_paint.Ground = "pane"
        self._labels: Labels | None = None
        self._lit: dict[Light, Lit] = {"chosen": Lit(), "pointed": Lit()}
        self._note = ""
        self._most_rows = 0
        self._padding = _PADDING
        self._prose = False
        self._left = self._padding
        self._face = face(theme.mono_font(self._points))
        self._geometry = TextGeometry(self._style())
        self._top = self._geometry.first()
        self._selection = Selection()
        self._hits = Hits()
        self._hit = -1
        self._was_at_end = True
        self._moving = False
        self._latest = FollowButton(self.viewport())
        self._latest.clicked.connect(self.scroll_to_end)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().valueChanged.connect(self._on_scroll_bar_value_changed)
        theme.state().changed.connect(self._on_theme_changed)

    @property
    def rows(self) -> TextGeometry:
        """The rows of the text, for whoever moves a caret through them."""
        return self._geometry

    @property
    def text(self) -> str:
        """The text, exactly."""
        return self._geometry.lines.text

    # --- look

    @property
    def note(self) -> str:
        """The remark after the text's end."""
        return self._note

    def set_note(self, note: str) -> None:
        """A dim remark after the end of the text; it is no part of it and is never copied."""
        if note != self._note:
            self._note = note
            self._restyle()

    @property
    def invisible(self) -> bool:
        """Whether spaces, tabs, newlines and joiners are shown."""
        return self._invisible

    def set_invisible(self, on: bool) -> None:
        """Shows spaces, tabs, newlines, joiners and odd spaces. Controls and bidi marks are always shown."""
        self._invisible = on
        self._restyle()

    def set_gutter(self, on: bool) -> None:
        """Line numbers and the bar in the role's colour."""
        self._gutter = on
        self._restyle()

    def set_labels(self, labels: Labels | None) -> None:
        """Template lines in the gutter, beside the line numbers."""
        self._labels = labels
        if self._gutter and self._left != gutter_width(self._geometry, labels):
            self._restyle()
        else:
            self.viewport().update()

    @property
    def has_labels(self) -> bool:
        """Whether template lines stand in the gutter."""
        return self._gutter and self._labels is not None

    @property
    def text_left(self) -> int:
        """Where the text begins, in pixels of the viewport; the gutter lies before."""
        return self._left

    def lit(self, light: Light) -> Lit:
        """What is lit now; positions are code points."""
        return self._lit[light]

    def set_lit(self, light: Light, stretches: Iterable[tuple[int, int]]) -> None:
        """Lights these stretches, in order and not overlapping, in place of the former ones; nothing moves."""
        found = lit(stretches)
        if found != self._lit[light]:
            self._lit[light] = found
            self.viewport().update()

    def set_ground(self, ground: text_paint.Ground, *, dim: bool = False) -> None:
        """Which ground it stands on, and whether its letters are dim. On a card its text begins at the very edge."""
        self._ground, self._dim = ground, dim
        self._padding = _PADDING if ground == "pane" else _CARD_PADDING
        self._restyle()

    def set_prose(self) -> None:
        """Uses the interface's font in place of the fixed-width one, still without ligatures."""
        self._prose = True
        self.reset_zoom()

    def is_stale(self) -> bool:
        """Whether the text is greyed."""
        return self._stale

    def set_stale(self, on: bool) -> None:
        """Greys the text: it is an old one."""
        self._stale = on
        self.viewport().update()

    def set_most_rows(self, rows: int) -> None:
        """Takes the height of its text, up to so many rows; 0 = whatever height it is given."""
        self._most_rows = rows
        policy = QSizePolicy.Policy.Fixed if rows else QSizePolicy.Policy.Expanding
        self.setSizePolicy(QSizePolicy.Policy.Expanding, policy)
        self._take_height()

    @property
    def zoom(self) -> int:
        """The letters' size in px before the window's own zoom."""
        return self._points

    def set_zoom(self, points: int) -> None:
        """Sets the letters' size in px, within sensible bounds."""
        self._points = min(max(points, _LEAST_POINTS), _MOST_POINTS)
        font = theme.ui_font(self._points) if self._prose else theme.mono_font(self._points)
        self._face = face(without_ligatures(font))
        self._restyle()

    def reset_zoom(self) -> None:
        """The size that it began with."""
        self.set_zoom(_PROSE_POINTS if self._prose else _POINTS)

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

    def position_at_top(self) -> int:
        """The position that the row on top begins with."""
        return self._geometry.laid(self._top.piece).row_start(self._top.row)

    @property
    def latest_button(self) -> FollowButton:
        """The button that goes to the end."""
        return self._latest

    def caret_at(self, point: QPoint) -> Selection:
        """The caret nearest to a point of the viewport, as an empty selection."""
        place = self._place_under(point)
        laid = self._geometry.laid(place.piece)
        position = laid.position_at(point.x() - self._left, place.row)
        upstream = place.row + 1 < laid.rows and position == laid.row_end(place.row)
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
        return QRect(round(self._left + x), _ABOVE + rows * self._face.row_height, 1, self._face.row_height)

    # --- inside

    def _style(self) -> Style:
        width = self.viewport().width() - self._padding - self._left
        return Style(self._face, max(width, _LEAST_WIDTH), self._invisible, self._note)

    def _restyle(self) -> None:
        """Lays out anew what is in sight; the row on top keeps its text."""
        position = self.position_at_top()
        stay = self._follow and self._was_at_end
        self._left = gutter_width(self._geometry, self._labels) if self._gutter else self._padding
        self._geometry.set_style(self._style())
        self._settle(self._geometry.place_of(position), stay=stay)

    def _apply(self, change: Change) -> None:
        position = self.position_at_top()
        stay = self._follow and self._was_at_end
        self._geometry.replace(change.start, change.end, change.text)
        self._lit = {light: each.moved(change) for light, each in self._lit.items()}
        self._selection = Selection(change.moved(self._selection.anchor), change.moved(self._selection.caret))
        self._settle(self._geometry.place_of(change.moved(position)), stay=stay)
        if self._gutter and self._left != gutter_width(self._geometry, self._labels):
            self._restyle()

    def _settle(self, top: Place, *, stay: bool) -> None:
        self._go_to(self._last_top() if stay else top)
        if self._most_rows:
            self._take_height()

    def _take_height(self) -> None:
        """Asks for the height of the text. A bar that shows until the height is given would wrap the text anew."""
        more = not self._most_rows or self._geometry.count_rows(self._most_rows + 1) > self._most_rows
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if more else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        self.updateGeometry()

    def _go_to(self, place: Place) -> None:
        last = self._last_top()
        if (place.piece.start, place.row) > (last.piece.start, last.row):
            place = last
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
        self.viewport().update()

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
        )
        text_paint.paint(painter, QRectF(self.viewport().rect()), scene)
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
