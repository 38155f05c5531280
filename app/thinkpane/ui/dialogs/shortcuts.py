"""The sheet of keyboard shortcuts."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLabel, QVBoxLayout, QWidget

from thinkpane.ui.actions import shortcut_sheet
from thinkpane.ui.widgets.calm_scroll_area import CalmScrollArea

OTHERS = (
    ("Stop the reply, or put a notice away", "Esc"),
    ("Go to a line of the template", "Ctrl+G"),
    ("Move a card", "Alt+Up, Alt+Down"),
    ("Duplicate a card", "Ctrl+D"),
    ("Delete a card", "Ctrl+Shift+Del"),
)


class ShortcutsDialog(QDialog):
    """What has a key, by menu."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard shortcuts")
        self.resize(440, 560)
        inner = QWidget()
        form = QFormLayout(inner)
        form.setHorizontalSpacing(24)
        shown = ""
        for menu, title, keys in shortcut_sheet():
            if menu != shown:
                form.addRow(_head(menu))
                shown = menu
            form.addRow(title, QLabel(keys))
        form.addRow(_head("In panes"))
        for title, keys in OTHERS:
            form.addRow(title, QLabel(keys))
        area = CalmScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inner)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        box.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(area, 1)
        column.addWidget(box)


def _head(text: str) -> QLabel:
    label = QLabel(text.upper())
    label.setProperty("kind", "head")
    label.setAlignment(Qt.AlignmentFlag.AlignBottom)
    label.setMinimumHeight(28)
    return label
