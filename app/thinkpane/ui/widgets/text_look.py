"""How a text view looks: font, gutter, notes, lights, shaded tokens. What is in sight is in text_surface.py."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from thinkpane.ui import theme
from thinkpane.ui.models.token_layer import TokenSource
from thinkpane.ui.widgets import text_paint
from thinkpane.ui.widgets.text_geometry import TextGeometry
from thinkpane.ui.widgets.text_gutter import Labels, gutter_width
from thinkpane.ui.widgets.text_layout import Style, face, without_ligatures
from thinkpane.ui.widgets.text_lit import Light, Lit, lit

_PADDING = 8
_CARD_PADDING = 1
_LEAST_WIDTH = 40
_POINTS = 12
_PROSE_POINTS = 13
_LEAST_POINTS, _MOST_POINTS = 6, 48


class TextLook(QAbstractScrollArea):
    """What is painted, and how. Whoever shows it implements `_restyle`, which lays out anew."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._points = _POINTS
        self._gutter = self._invisible = self._stale = self._dim = self._shaded = self._ids = False
        self._ground: text_paint.Ground = "pane"
        self._labels: Labels | None = None
        lights: tuple[Light, ...] = ("forged", "chosen", "pointed", "inside")
        self._lit: dict[Light, Lit] = dict.fromkeys(lights, Lit())
        self._note = ""
        self._held = 0
        self._is_due = False
        self._padding = _PADDING
        self._prose = False
        self._left = self._padding
        self._face = face(theme.mono_font(self._points))
        self._geometry = TextGeometry(self._style())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is changed inside shows at its end: which rows look otherwise now is found once for all of it."""
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1
            if not self._held and self._is_due:
                self._is_due = False
                self._show_rows_anew()

    @property
    def rows(self) -> TextGeometry:
        """The rows of the text, for whoever moves a caret through them."""
        return self._geometry

    @property
    def text(self) -> str:
        """The text, exactly."""
        return self._geometry.lines.text

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

    @property
    def tokens(self) -> TokenSource | None:
        """Where the tokens are that are shaded and numbered."""
        return self._geometry.tokens

    def set_tokens(self, tokens: TokenSource | None) -> None:
        """Takes the tokens of the text as it is now; None = they are not known. Nothing moves but under ids."""
        self._geometry.tokens = tokens
        if self._ids:
            self._lay_out_anew()
        elif self._shaded:
            self._show_rows_anew()

    @property
    def shaded(self) -> bool:
        """Whether every token is shaded."""
        return self._shaded

    def set_shaded(self, on: bool) -> None:
        """Shades every token, one lighter and the next one darker; nothing moves."""
        self._shaded = on
        self.viewport().update()

    @property
    def ids(self) -> bool:
        """Whether each row has the ids of its tokens below it."""
        return self._ids

    def set_ids(self, on: bool) -> None:
        """Puts the ids of the tokens below each row; tokens get as wide as their ids."""
        self._ids = on
        self.set_zoom(self._points)

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
            self._show_rows_anew(beside=True)

    @property
    def has_labels(self) -> bool:
        """Whether template lines stand in the gutter."""
        return self._gutter and self._labels is not None and self._labels.are_known

    @property
    def text_left(self) -> int:
        """Where the text begins, in pixels of the viewport; the gutter lies before."""
        return self._left

    def lit(self, light: Light) -> Lit:
        """What is lit now; positions are code points."""
        return self._lit[light]

    def set_lit(self, light: Light, stretches: Iterable[tuple[int, int]] | Lit) -> None:
        """Lights these stretches, in order and not overlapping, in place of the former ones; nothing moves."""
        found = stretches if isinstance(stretches, Lit) else lit(stretches)
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
        if on != self._stale:
            self._stale = on
            self.viewport().update()

    @property
    def zoom(self) -> int:
        """The letters' size in px before the window's own zoom."""
        return self._points

    def set_zoom(self, points: int) -> None:
        """Sets the letters' size in px, within sensible bounds."""
        self._points = min(max(points, _LEAST_POINTS), _MOST_POINTS)
        font = theme.ui_font(self._points) if self._prose else theme.mono_font(self._points)
        self._face = face(without_ligatures(font), ids=self._ids)
        self._restyle()

    def reset_zoom(self) -> None:
        """The size that it began with."""
        self.set_zoom(_PROSE_POINTS if self._prose else _POINTS)

    def _style(self) -> Style:
        width = self.viewport().width() - self._padding - self._left
        return Style(self._face, max(width, _LEAST_WIDTH), self._invisible, self._note)

    def _restyle(self) -> None:
        raise NotImplementedError

    def _lay_out_anew(self) -> None:
        raise NotImplementedError

    def _show_rows_anew(self, *, beside: bool = False) -> None:
        raise NotImplementedError
