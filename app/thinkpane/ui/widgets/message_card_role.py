"""The role of a message: a dot in the role's colour and a box that offers the usual roles and takes any other."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget

from thinkpane.conversation.messages import ROLES
from thinkpane.ui import theme
from thinkpane.ui.widgets.exact_text import ExactLineEdit

_ROUND = 6
"""Pixels above and below the role's letters, together."""


class RoleDot(QWidget):
    """A small square in the role's colour; the role's name always stands beside it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._role = ""
        self.setFixedSize(QSize(8, 22))
        theme.state().changed.connect(self.update)

    def set_role(self, role: str) -> None:
        """Takes the colour of that role."""
        self._role = role
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The square, in the middle."""
        del event
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours.color(colours.role(self._role)))
        painter.drawRoundedRect(0, (self.height() - 8) // 2, 8, 8, 2, 2)


class RoleBox(QComboBox):
    """Chooses or types a role.

    Signals:
        chosen(str): a person decided for another role.
        undo_requested, redo_requested: the keys for that were pressed in its field.
    """

    chosen = Signal(str)
    undo_requested = Signal()
    redo_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._role = ""
        self.setProperty("kind", "role")
        self.setAccessibleName("Role")
        self.setToolTip("Role; type any other name")
        self._field = field = ExactLineEdit(self)
        self.setLineEdit(field)
        field.setFrame(False)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.addItems(ROLES)
        # A completer would put the ending of a known role behind a custom one.
        self.setCompleter(None)  # type: ignore[arg-type]
        self.view().setMinimumWidth(130)
        self.activated.connect(self._on_decided)
        field.editingFinished.connect(self._on_decided)
        field.textEdited.connect(self._fit_width)
        field.undo_requested.connect(self.undo_requested)
        field.redo_requested.connect(self.redo_requested)
        theme.state().changed.connect(self._fit_width)

    def set_role(self, role: str) -> None:
        """Shows a role and takes its colour."""
        self._role = role
        if self.currentText() != role:
            self.setEditText(role)
        known = role if role in ROLES else "custom"
        if self.property("role") != known:
            self.setProperty("role", known)
            widgets: tuple[QWidget, ...] = (self, self._field)
            for each in widgets:
                each.style().unpolish(each)
                each.style().polish(each)
        self._fit_width()

    def _fit_width(self) -> None:
        self._field.ensurePolished()
        metrics = self._field.fontMetrics()
        wide = metrics.horizontalAdvance(self.currentText() or "role")
        self.setMinimumHeight(metrics.height() + _ROUND)
        self.setFixedWidth(max(56, min(wide, 200) + 34))

    def _on_decided(self) -> None:
        role = self.currentText()
        if role != self._role:
            self._role = role
            self.chosen.emit(role)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel scrolls the list of cards; changing a role by it is always an accident."""
        event.ignore()
