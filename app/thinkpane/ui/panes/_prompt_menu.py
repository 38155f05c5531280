"""The Copy button of the prompt pane, and what the view's own menu has beside Copy."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QMenu, QToolButton

from thinkpane.ui.actions import keys_of
from thinkpane.ui.widgets.flat_button import flat_button

Entry = tuple[str, str, Callable[[], None]]
"""A menu's words, the id of the action with its keys ("" = none), and what it does."""


def copy_button(copy: Callable[[], None], entries: Sequence[Entry]) -> QToolButton:
    """A button that copies all, with a menu of the other ways."""
    found = flat_button("Copy", "Copy the whole prompt, exactly; the arrow has other forms, of what is selected or all")
    found.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
    menu = QMenu(found)
    add_entries(menu, entries)
    found.setMenu(menu)
    found.clicked.connect(copy)
    return found


def add_entries(menu: QMenu, entries: Sequence[Entry]) -> None:
    """Puts the entries at a menu's end, with their keys beside."""
    for words, id, act in entries:
        keys = keys_of(id) if id else ""
        menu.addAction(f"{words}\t{keys}" if keys else words).triggered.connect(act)
