"""The row below a text view in which one types what to find."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton, QVBoxLayout, QWidget

from thinkpane.formats.finding import MOST_HITS, Query
from thinkpane.ui.widgets.card_icons import IconButton
from thinkpane.ui.widgets.flat_button import flat_button
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.text_accessible import announce
from thinkpane.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from thinkpane.ui.widgets.code_editor import CodeEditor


class FindBar(QWidget):
    """Finds in one view. Hidden until Ctrl+F in `scope`; Enter and F3 go on, with Shift back, Escape closes.

    Signals:
        opened(): it is about to be shown.
    """

    opened = Signal()

    def __init__(self, view: "TextView | CodeEditor", scope: QWidget) -> None:
        """scope: the widget in which the keys work."""
        super().__init__(scope)
        self._view = view
        self._scope = scope
        self.field = QLineEdit()
        self.field.setPlaceholderText("Find words, or a character by \\u200b")
        self.field.setAccessibleName("Find in the text")
        self.regex = _toggle(".*", "Regular expression, Python's")
        self.case = _toggle("Aa", "Upper and lower case differ")
        self.whole = _toggle("|ab|", "Whole words only")
        self._counted = plain_label("", "dim")
        self.problem = plain_label("", "error")
        self.problem.setWordWrap(True)
        self.problem.hide()
        self._up = IconButton("up", "Previous hit", "Shift+Enter")
        self._down = IconButton("down", "Next hit", "Enter")
        self._close = _toggle("×", "Close (Esc)")
        self._close.setCheckable(False)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        for each in (self.regex, self.case, self.whole, self._counted, self._up, self._down, self._close):
            row.addWidget(each)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 4)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.problem)
        self._connect(scope)
        self.hide()

    def start(self) -> None:
        """Shows the row with what is selected, ready to type."""
        self.opened.emit()
        self.show()
        chosen = self._view.selected_text
        if chosen and "\n" not in chosen and len(chosen) < 200:
            self.field.setText(chosen)
        self.field.setFocus()
        self.field.selectAll()
        self._on_query_changed()

    def covers(self, widget: QWidget) -> bool:
        """Whether the keys of a widget find here."""
        return widget is self._scope or self._scope.isAncestorOf(widget)

    def go_on(self) -> None:
        """Goes to the next hit."""
        self._view.find_next()

    def go_back(self) -> None:
        """Goes to the hit before."""
        self._view.find_previous()

    def count(self) -> str:
        """What it says about the hits."""
        return self._counted.text()

    def stop(self) -> None:
        """Hides the row and the hits; the view has the keys again."""
        self.hide()
        self._view.look_for(Query(""))
        self._view.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes on, with Shift back; Escape closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.stop()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.go_back()
            else:
                self.go_on()
        else:
            super().keyPressEvent(event)

    def _connect(self, scope: QWidget) -> None:
        self.field.textChanged.connect(self._on_query_changed)
        for each in (self.regex, self.case, self.whole):
            each.toggled.connect(self._on_query_changed)
        self._up.clicked.connect(self.go_back)
        self._down.clicked.connect(self.go_on)
        self._close.clicked.connect(self.stop)
        self._view.hits_changed.connect(self._on_view_hits_changed)
        keys = QKeySequence.StandardKey
        for key, act in (
            (keys.Find, self.start),
            (keys.FindNext, self.go_on),
            (keys.FindPrevious, self.go_back),
        ):
            shortcut = QShortcut(QKeySequence(key), scope)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)

    def _on_query_changed(self) -> None:
        if self.isHidden():
            return
        query = Query(
            self.field.text(),
            regex=self.regex.isChecked(),
            case=self.case.isChecked(),
            whole=self.whole.isChecked(),
        )
        self._view.look_for(query)

    def _on_view_hits_changed(self, count: int, number: int) -> None:
        hits = self._view.hits
        self.problem.setText(hits.problem)
        self.problem.setVisible(bool(hits.problem))
        if count < 0:
            words = "searching…"
        elif hits.problem or not self.field.text():
            words = ""
        elif not count:
            words = "not found"
        else:
            words = f"{number + 1:,} of {MOST_HITS:,}+" if hits.capped else f"{number + 1:,} of {count:,}"
        self._counted.setText(words)
        if count >= 0 and not self.isHidden():
            announce(self.field, hits.problem or words)


def _toggle(text: str, words: str) -> QToolButton:
    found = flat_button(text, words)
    found.setCheckable(True)
    return found
