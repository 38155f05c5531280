"""The line at the window's foot: how the run stands, then facts about prompt, thinking and file."""

from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSizePolicy, QWidget

from thinkpane.ui import theme
from thinkpane.ui.widgets.badge import Tone
from thinkpane.ui.widgets.folding_row import FoldingRow
from thinkpane.ui.widgets.plain_tip import plain_tip

FACTS = ("prompt", "tokens", "context", "render", "thinking", "file", "profile")
"""The facts at the left, in their order; "problems" stands at the right."""
_RANKS = {"render": 1, "file": 2, "prompt": 3, "thinking": 4, "context": 5, "profile": 6, "tokens": 7}
"""Which goes into the menu first where the window is narrow."""


class StatusBar(QWidget):
    """Texts side by side. `set_fact(name, …)` sets one of `FACTS` or "problems"; "" leaves it out."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "status")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._dot = _Dot()
        self._said: dict[str, tuple[str, str, Tone]] = {}
        self.state = _label("Ready")
        self.state.setAccessibleName("Run state")
        self._facts = {name: _label("") for name in (*FACTS, "problems")}
        self.facts = FoldingRow(18)
        self.facts.add(self.state)
        for name in FACTS:
            self.facts.add(self._facts[name], _RANKS[name], partial(_tell, self._facts[name]))
        self.facts.add_stretch()
        self.facts.close_row()
        self.facts.add(self._facts["problems"])
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 3, 12, 3)
        row.setSpacing(6)
        row.addWidget(self._dot)
        row.addWidget(self.facts)

    def set_state(self, text: str, tone: Tone = "") -> None:
        """How the run stands; the dot repeats the tone."""
        self.state.setText(text)
        self._dot.set_tone(tone)

    def set_fact(self, name: str, text: str, hint: str = "", tone: Tone = "") -> None:
        """Sets one fact."""
        label = self._facts[name]
        # Most facts stay as they are from key to key, and Qt lays out and tells anew whatever is set.
        if (text, hint, tone) == self._said.get(name):
            return
        self._said[name] = text, hint, tone
        label.setText(text)
        label.setToolTip(plain_tip(hint))
        label.setVisible(bool(text))
        if label.property("tone") != tone:
            label.setProperty("tone", tone)
            label.style().unpolish(label)
            label.style().polish(label)

    def fact(self, name: str) -> str:
        """What a fact says now."""
        return self._facts[name].text()


def _label(text: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("kind", "fact")
    label.setMinimumWidth(0)
    label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
    return label


def _tell(label: QLabel, menu: QMenu) -> None:
    """A fact that has no room, in a menu."""
    menu.addAction(label.text())


class _Dot(QWidget):
    """A small round mark in the colour of a tone."""

    def __init__(self) -> None:
        super().__init__()
        self._tone: Tone = ""
        self.setFixedSize(QSize(10, 10))

    def set_tone(self, tone: Tone) -> None:
        self._tone = tone
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme.current()
        shades = {"good": colors.good, "warning": colors.warning, "bad": colors.bad, "": colors.dim}
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(shades[self._tone]))
        painter.drawEllipse(1, 1, 8, 8)
