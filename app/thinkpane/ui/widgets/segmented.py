"""A row of buttons of which exactly one is chosen: for two or three choices that are all worth seeing."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QMenu, QPushButton, QSizePolicy, QWidget

from thinkpane.ui.widgets.plain_tip import plain_tip


class Segmented(QWidget):
    """Buttons side by side; the arrow keys move between them.

    Signals:
        chosen(object): a person chose this value.
    """

    chosen = Signal(object)

    def __init__(self, name: str, choices: Sequence[tuple[str, object]], parent: QWidget | None = None) -> None:
        """choices: (text, value) each; name: what a screen reader calls the row."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._values = [value for _, value in choices]
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for index, (text, value) in enumerate(choices):
            button = QPushButton(text)
            button.setCheckable(True)
            button.setProperty("kind", "segment")
            button.setProperty("place", _place(index, len(choices)))
            button.setAccessibleName(f"{name}: {text}")
            button.clicked.connect(partial(self._on_button_clicked, value))
            self._group.addButton(button, index)
            row.addWidget(button)

    @property
    def value(self) -> object:
        """The value that is chosen, None before the first choice."""
        index = self._group.checkedId()
        return self._values[index] if index >= 0 else None

    def set_value(self, value: object) -> None:
        """Shows `value` as chosen; one that is no choice leaves none chosen."""
        for index, each in enumerate(self._values):
            if each == value and type(each) is type(value):
                self._group.button(index).setChecked(True)
                return
        self._group.setExclusive(False)
        for button in self._group.buttons():
            button.setChecked(False)
        self._group.setExclusive(True)

    def fill(self, menu: QMenu) -> None:
        """Puts the choices into a menu of others, for where the row has no room."""
        inside = menu.addMenu(self.accessibleName())
        for button in self._group.buttons():
            action = inside.addAction(button.text())
            action.setCheckable(True)
            action.setChecked(button.isChecked())
            action.triggered.connect(button.click)

    def set_texts(self, texts: Sequence[str]) -> None:
        """Other words on the buttons, such as shorter ones; what a screen reader calls them stays."""
        for button, text in zip(self._group.buttons(), texts, strict=True):
            button.setText(text)

    def set_hint(self, text: str) -> None:
        """The tooltip of every button."""
        for button in self._group.buttons():
            button.setToolTip(plain_tip(text))

    def _on_button_clicked(self, value: object) -> None:
        self.chosen.emit(value)


def _place(index: int, count: int) -> str:
    if index == 0:
        return "first"
    return "last" if index == count - 1 else "middle"
