"""The row above the template: what can be done with it, and whether it is the original."""

from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from thinkpane.ui.widgets.badge import Badge
from thinkpane.ui.widgets.flat_button import flat_button
from thinkpane.ui.widgets.flow_layout import FlowLayout


class TemplateTools(QWidget):
    """The buttons, and a badge. What they do is the pane's."""

    def __init__(self) -> None:
        super().__init__()
        self.state = Badge()
        self.find_button = flat_button("Find", "Find in the template (Ctrl+F)")
        self.tidy = flat_button("Format", "Indent the tags by their blocks; the prompt stays the same (Shift+Alt+F)")
        self.compare = flat_button("Compare", "Show what was changed of the original")
        self.compare.setCheckable(True)
        self.back = flat_button("Revert", "Take the original's text again")
        self.save = flat_button("Save", "Save to the file it came from, or as a template of your own")
        self.save.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.save_menu = QMenu(self.save)
        self.save_to_file = self.save_menu.addAction("Save to file…")
        self.save_as_own = self.save_menu.addAction("Save as own template…")
        self.save.setMenu(self.save_menu)
        row = FlowLayout(self)
        row.setContentsMargins(8, 4, 8, 0)
        for each in (self.state, self.find_button, self.tidy, self.compare, self.back, self.save):
            row.addWidget(each)
