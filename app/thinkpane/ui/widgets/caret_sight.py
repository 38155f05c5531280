"""Keeps the caret of the field that has the keyboard in sight of the scrolling area that the field stands in."""

from PySide6.QtCore import QEvent, QMetaObject, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QScrollArea, QWidget

_ROUND = 8  # pixels of ground to be seen above and below the caret's line
_KEYS = Qt.Key
_MOVES = frozenset(
    (
        *(_KEYS.Key_Left, _KEYS.Key_Right, _KEYS.Key_Up, _KEYS.Key_Down),
        *(_KEYS.Key_Home, _KEYS.Key_End, _KEYS.Key_PageUp, _KEYS.Key_PageDown),
    )
)
"""Keys after which the caret is in sight even where it could not go on."""


class CaretSight(QObject):
    """Scrolls an area whenever the caret in one of its fields moves, or the text there changes, out of sight.

    A field scrolls only itself. Wheel and scroll bar take the caret out of sight until the next key.
    """

    def __init__(self, area: QScrollArea) -> None:
        super().__init__(area)
        self._area = area
        self._field: QPlainTextEdit | QLineEdit | None = None
        self._links: list[QMetaObject.Connection] = []
        # Behind the layout of what the key has made higher.
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._bring)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_application_focus_changed)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Sees keys that could move the caret no further, which no signal tells of."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() in _MOVES:
            self._later.start()
        return super().eventFilter(watched, event)

    def _bring(self) -> None:
        field = self._field
        ground: QWidget | None = self._area.widget()
        if field is None or ground is None or not field.hasFocus() or not field.isVisible():
            return
        if isinstance(field, QPlainTextEdit):
            # Lines that were broken anew since the key have it elsewhere.
            field.ensureCursorVisible()
            inside, caret = field.viewport(), field.cursorRect()
        else:
            inside, caret = field, field.rect()
        top = inside.mapTo(ground, caret.topLeft()).y()
        bar, room = self._area.verticalScrollBar(), self._area.viewport().height()
        if top < bar.value():
            bar.setValue(top - _ROUND)
        elif top + caret.height() > bar.value() + room:
            bar.setValue(top + caret.height() + _ROUND - room)

    def _on_application_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        del old
        field = new if isinstance(new, QPlainTextEdit | QLineEdit) and self._area.isAncestorOf(new) else None
        if field is self._field or (new is None and self._field is not None):
            return
        for link in self._links:
            QObject.disconnect(link)
        if self._field is not None:
            self._field.removeEventFilter(self)
        self._field = field
        self._links = []
        if field is not None:
            field.installEventFilter(self)
            self._links = [
                field.cursorPositionChanged.connect(self._on_field_changed),
                field.textChanged.connect(self._on_field_changed),
                field.destroyed.connect(self._on_field_destroyed),
            ]

    def _on_field_changed(self) -> None:
        self._later.start()

    def _on_field_destroyed(self) -> None:
        self._field, self._links = None, []
