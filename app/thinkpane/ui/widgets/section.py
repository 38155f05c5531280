"""Heads of sections and rows of one setting: the grammar of the side panes."""

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from thinkpane.ui.widgets.elided_label import ElidedTitle
from thinkpane.ui.widgets.flow_layout import FlowLayout
from thinkpane.ui.widgets.plain_tip import plain_tip


class SectionHead(QWidget):
    """An upper-case head with a rule under it, and room for one widget at its right."""

    def __init__(self, title: str, aside: QWidget | None = None) -> None:
        super().__init__()
        label = QLabel(title.upper())
        label.setProperty("kind", "head")
        label.setAccessibleName(title)
        rule = QFrame()
        rule.setProperty("kind", "rule")
        line = QHBoxLayout()
        line.setContentsMargins(12, 12, 12, 0)
        line.addWidget(label, 1)
        if aside is not None:
            line.addWidget(aside)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(6)
        column.addLayout(line)
        column.addWidget(rule)


class SettingRow(QWidget):
    """A name at the left, its editor at the right, and under them what there is to say about it.

    Where both have no room beside each other the editor goes under the name.
    """

    def __init__(self, name: str, editor: QWidget, *, mono: bool = False, hint: str = "") -> None:
        super().__init__()
        self.label = ElidedTitle("mono" if mono else "setting", least=40)
        self.label.set_whole(name)
        self.label.setAccessibleName(name)
        self._hint = hint
        self.label.setBuddy(editor)
        self.editor = editor
        if not editor.accessibleName():
            editor.setAccessibleName(name)
        self.line = QHBoxLayout()
        self.line.setContentsMargins(0, 0, 0, 0)
        self.line.setSpacing(8)
        self.line.addWidget(self.label, 1)
        self.line.addWidget(editor)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(12, 2, 12, 2)
        self.column.setSpacing(4)
        self.column.addLayout(self.line)

    def say_hint(self, hint: str) -> None:
        """What the name's tooltip says of the setting, behind the name where that is cut."""
        self._hint = hint
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has room for both, or has not."""
        super().resizeEvent(event)
        self._arrange_soon()

    def changeEvent(self, event: QEvent) -> None:
        """Letters of another size need other room."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "column"):
            self._arrange_soon()

    def _arrange_soon(self) -> None:
        """Not now: Qt reads the layout while it tells of the new size, and crashes where that turns meanwhile."""
        QTimer.singleShot(0, self, self._arrange)

    def _arrange(self) -> None:
        margins = self.column.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        needed = self.label.sizeHint().width() + self.line.spacing() + self._editors_width()
        way = QBoxLayout.Direction.LeftToRight if needed <= room else QBoxLayout.Direction.TopToBottom
        if self.line.direction() != way:
            self.line.setDirection(way)
            self.line.setSpacing(8 if way == QBoxLayout.Direction.LeftToRight else 2)
        name = self.label.whole if self.label.sizeHint().width() > room else ""
        self.label.setToolTip(plain_tip("\n".join(filter(None, (name, self._hint)))))

    def _editors_width(self) -> int:
        """What the editor wants where it may be of any width, and what it has where not."""
        return max(self.editor.minimumWidth(), min(self.editor.sizeHint().width(), self.editor.maximumWidth()))

    def add_below(self, widget: QWidget) -> None:
        """Puts a badge or a sentence under the row."""
        box = QWidget()
        FlowLayout(box).addWidget(widget)
        self.column.addWidget(box)


def sentence(text: str = "") -> QLabel:
    """A dim sentence that breaks into lines."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("kind", "dim")
    label.setWordWrap(True)
    return label
