"""The row below the prompt in which one types where to go: a token, a message, a line, a character, a special token."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QToolButton, QVBoxLayout, QWidget

from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.destinations import Destination, Ground, destination
from thinkpane.prompt.going import SYNTAX, Target, target
from thinkpane.ui.widgets.elided_label import ElidedLabel
from thinkpane.ui.widgets.flat_button import flat_button
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.text_accessible import announce
from thinkpane.ui.widgets.text_view import TextView

_MOST_KINDS = 40
"""Kinds of special tokens in the menu; the others can be typed."""


class GoBar(QWidget):
    """Goes to places of one view. Hidden until Ctrl+G in `scope`; says while one types what is there, Enter goes there
    and stays, so that “next” goes on; Escape closes.

    Signals:
        opened(): it is about to be shown.
    """

    opened = Signal()

    def __init__(self, view: TextView, scope: QWidget, ground: Callable[[], Ground]) -> None:
        """scope: the widget in which the key works. ground: what there is to go to now."""
        super().__init__(scope)
        self._view = view
        self._ground = ground
        self.field = QLineEdit()
        self.field.setPlaceholderText("Go to a token, message 2, line 40, next …")
        self.field.setAccessibleName("Go to")
        self.field.setAccessibleDescription(SYNTAX)
        self.kinds = flat_button("Special tokens", "Which special tokens there are, and how often")
        self.kinds.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.kinds.setMenu(QMenu(self.kinds))
        self.kinds.menu().aboutToShow.connect(self._fill_kinds)
        close = flat_button("×", "Close (Esc)")
        close.clicked.connect(self.stop)
        self.there = ElidedLabel("dim")
        self.problem = plain_label("", "error")
        self.problem.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        row.addWidget(self.kinds)
        row.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 4)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.there)
        column.addWidget(self.problem)
        self.field.textChanged.connect(self.refresh)
        shortcut = QShortcut(QKeySequence("Ctrl+G"), scope)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(self.start)
        self.hide()

    def start(self) -> None:
        """Shows the row, ready to type."""
        self.opened.emit()
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        self.refresh()

    def stop(self) -> None:
        """Hides the row; the view has the keys again."""
        self.hide()
        self._view.setFocus()

    def refresh(self) -> None:
        """Says anew what is where the typed words lead to: the prompt, its tokens or the caret changed."""
        if self.isHidden():
            return
        if not self.field.text().strip():
            self._say(SYNTAX, "")
            return
        try:
            self._say(self._found().words, "")
        except ThinkpaneError as error:
            self._say("", error.problem.message)

    def go(self) -> None:
        """Goes where the typed words lead to."""
        try:
            found = self._found()
        except ThinkpaneError as error:
            self._say("", error.problem.message)
            announce(self.field, error.problem.message)
            return
        self._arrive(found)
        self._say(found.words, "")

    def step(self, by: int) -> None:
        """Goes to the next special token from the caret on (1), or to the one before it (-1)."""
        try:
            self._arrive(destination(Target("special", step=by), self._ground()))
        except ThinkpaneError as error:
            announce(self._view, error.problem.message)
        self.refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes there; Escape closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.stop()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.go()
        else:
            super().keyPressEvent(event)

    def _found(self) -> Destination:
        return destination(target(self.field.text()), self._ground())

    def _arrive(self, found: Destination) -> None:
        # The end of what is selected may be far below its beginning.
        self._view.reveal(found.start)
        self._view.select(found.start, found.end)
        announce(self._view, found.words)

    def _say(self, there: str, problem: str) -> None:
        self.there.set_whole(there)
        self.there.setVisible(not problem)
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.field.setAccessibleDescription(there or problem)

    def _fill_kinds(self) -> None:
        menu = self.kinds.menu()
        menu.clear()
        counts = self._ground().landmarks.special.counts()
        for text, count in counts[:_MOST_KINDS]:
            shown = text.replace("&", "&&").replace("\t", " ").replace("\n", " ")
            menu.addAction(f"{shown}\t×{count:,}").triggered.connect(partial(self._on_kind_chosen, text))
        if not counts or len(counts) > _MOST_KINDS:
            rest = f"and {len(counts) - _MOST_KINDS:,} more, which can be typed"
            menu.addAction(rest if counts else "None in this prompt").setEnabled(False)

    def _on_kind_chosen(self, kind: str) -> None:
        self.show()
        self.field.setText(kind)
        self.field.setFocus()
        self.go()
