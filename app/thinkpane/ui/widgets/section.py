"""Heads of sections and rows of one setting: the grammar of the side panes."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

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
    """A name at the left, its editor at the right, and under them what there is to say about it."""

    def __init__(self, name: str, editor: QWidget, *, mono: bool = False, hint: str = "") -> None:
        super().__init__()
        self.label = QLabel(name)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setProperty("kind", "mono" if mono else "setting")
        self.label.setToolTip(plain_tip(hint))
        self.label.setMinimumWidth(40)
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
