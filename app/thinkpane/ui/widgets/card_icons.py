"""Small line drawings for buttons, painted in the text's colour so that they follow theme and state."""

from typing import Literal, TypeAlias

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QStyle, QStyleOptionToolButton, QStylePainter, QToolButton, QWidget

from thinkpane.ui import theme
from thinkpane.ui.widgets.plain_tip import plain_tip

IconName: TypeAlias = Literal[
    "handle",
    "shown",
    "hidden",
    "duplicate",
    "delete",
    "more",
    "up",
    "down",
    "closed",
    "open",
    "check",
    "folder",
    "edit",
]
SIDE = 16
_DOTS = {
    "handle": [(x, y) for x in (6, 10) for y in (4, 8, 12)],
    "more": [(4, 8), (8, 8), (12, 8)],
}
_LINES: dict[str, list[list[tuple[float, float]]]] = {
    "check": [[(4.2, 8.4), (7, 11), (11.8, 5.2)]],
    "up": [[(4, 10), (8, 6), (12, 10)]],
    "down": [[(4, 6), (8, 10), (12, 6)]],
    "open": [[(4, 6), (8, 10), (12, 6)]],
    "closed": [[(6, 4), (10, 8), (6, 12)]],
    "delete": [
        [(3, 4.5), (13, 4.5)],
        [(6.5, 4.5), (6.5, 2.8), (9.5, 2.8), (9.5, 4.5)],
        [(4.5, 4.5), (5.2, 13.2), (10.8, 13.2), (11.5, 4.5)],
        [(7, 7), (7, 11)],
        [(9, 7), (9, 11)],
    ],
    "folder": [[(2.5, 4), (6.5, 4), (8, 5.7), (13.5, 5.7), (13.5, 12.5), (2.5, 12.5), (2.5, 4)]],
    "edit": [
        [(3, 13), (3.7, 10), (10.4, 3.3), (12.7, 5.6), (6, 12.3), (3, 13)],
        [(8.9, 4.8), (11.2, 7.1)],
    ],
    "hidden": [[(3.5, 13), (12.5, 3)]],
}


def paint_icon(painter: QPainter, name: IconName, at: QPointF, colour: QColor) -> None:
    """Paints the drawing with its upper left corner at `at`; it is 16 logical pixels wide and high."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(at)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    for x, y in _DOTS.get(name, []):
        painter.drawEllipse(QPointF(x, y), 1.15, 1.15)
    pen = QPen(colour, 1.25, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for line in _LINES.get(name, []):
        painter.drawPolyline([QPointF(x, y) for x, y in line])
    if name == "duplicate":
        painter.drawRoundedRect(QRectF(3, 5.5, 7.5, 7.5), 1.5, 1.5)
        painter.drawPolyline([QPointF(x, y) for x, y in ((6, 3), (13, 3), (13, 10))])
    elif name in ("shown", "hidden"):
        eye = QPainterPath(QPointF(1.8, 8))
        eye.quadTo(8, 1.5, 14.2, 8)
        eye.quadTo(8, 14.5, 1.8, 8)
        painter.drawPath(eye)
        painter.drawEllipse(QPointF(8, 8), 1.9, 1.9)
    painter.restore()


class IconButton(QToolButton):
    """A flat button that shows a drawing; its words are its tooltip and its accessible name."""

    def __init__(self, icon: IconName, words: str, keys: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = icon
        self.setProperty("kind", "icon")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.set_words(words, keys)
        theme.state().changed.connect(self.update)

    def set_words(self, words: str, keys: str = "") -> None:
        """What the button does; `keys`: the shortcut that does the same."""
        self.setAccessibleName(words)
        self.setToolTip(plain_tip(f"{words} ({keys})" if keys else words))

    def set_icon(self, icon: IconName) -> None:
        """Shows another drawing."""
        self._icon = icon
        self.update()

    def sizeHint(self) -> QSize:
        """Room for the drawing and its frame."""
        return QSize(24, 22)

    def minimumSizeHint(self) -> QSize:
        """It never shrinks: a smaller one is hard to hit."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The style paints the frame, the drawing goes in its middle."""
        del event
        painter = QStylePainter(self)
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)
        colours = theme.current()
        lit = self.isEnabled() and (self.underMouse() or self.hasFocus() or self.isDown())
        colour = colours.color(colours.text if lit else colours.dim, 1.0 if self.isEnabled() else 0.4)
        at = QPointF((self.width() - SIDE) / 2, (self.height() - SIDE) / 2)
        paint_icon(painter, self._icon, at, colour)


class EnableBox(QCheckBox):
    """A check box without a text; its words are its tooltip and its accessible name."""

    def __init__(self, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(words)
        self.setToolTip(plain_tip(words))
        self.setFixedSize(18, 22)
        theme.state().changed.connect(self.update)

    def hitButton(self, pos: QPoint) -> bool:
        """All of it can be clicked."""
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:
        """A box, with a tick where it is on: the style's own box cannot be seen on dark grounds."""
        del event
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF((self.width() - 14) / 2, (self.height() - 14) / 2, 14, 14)
        is_lit = self.hasFocus() or self.isChecked()
        painter.setPen(QPen(colours.color(colours.accent if is_lit else colours.dim), 1))
        painter.setBrush(colours.color(colours.accent_ground if self.isChecked() else colours.pane))
        painter.drawRoundedRect(box, 4, 4)
        if self.isChecked():
            paint_icon(painter, "check", box.topLeft() - QPointF(1, 1), colours.color(colours.accent))
