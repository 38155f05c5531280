"""The content parts of a message: one row a part, text, image, file or anything else as JSON."""

from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QLabel, QMenu, QToolButton, QVBoxLayout, QWidget

from thinkpane.conversation import part_edits
from thinkpane.conversation.messages import Message, part_text
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.ui.models.message_link import MessageLink
from thinkpane.ui.widgets.card_icons import IconButton
from thinkpane.ui.widgets.exact_text import ExactLineEdit, ExactTextEdit, TextField
from thinkpane.ui.widgets.json_editor import JsonEditor

_LONGEST_SHOWN = 4_000


class PartList(QWidget):
    """Shows and edits a message whose content is a list of parts."""

    def __init__(self, link: MessageLink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._link = link
        self._rows: list[PartRow] = []
        self._layout = QVBoxLayout()
        self._layout.setSpacing(6)
        add = QToolButton(self)
        add.setText("+  Add part")
        add.setProperty("kind", "flat")
        add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(add)
        menu.addAction("Text", lambda: self._add(part_edits.text_part("")))
        menu.addAction("Image by path or URL", lambda: self._add(part_edits.image_part("")))
        menu.addAction("File by path or URL", lambda: self._add(part_edits.file_part("")))
        add.setMenu(menu)
        self.add_menu = menu
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(6)
        outer.addLayout(self._layout)
        outer.addWidget(add, 0, Qt.AlignmentFlag.AlignLeft)

    @property
    def rows(self) -> list["PartRow"]:
        """The rows, in order."""
        return list(self._rows)

    def text_fields(self) -> dict[str, TextField]:
        """The editors of text parts, by the way to their value in the message."""
        found: dict[str, TextField] = {}
        for place, row in enumerate(self._rows):
            if isinstance(row.editor, ExactTextEdit):
                found[f"content[{place}]{'' if row.is_bare_text else '.text'}"] = row.editor
        return found

    def show_message(self, message: Message) -> None:
        """Shows the message's parts; rows of the same kind are kept with their caret."""
        parts = message.parts or []
        kinds = [part_edits.part_kind(part) for part in parts]
        for place, kind in enumerate(kinds):
            if place < len(self._rows) and self._rows[place].kind != kind:
                self._drop(place)
            if place >= len(self._rows) or self._rows[place].kind != kind:
                row = PartRow(self._link, kind, self)
                self._rows.insert(place, row)
                self._layout.insertWidget(place, row)
        while len(self._rows) > len(parts):
            self._drop(len(self._rows) - 1)
        for place, (row, part) in enumerate(zip(self._rows, parts, strict=True)):
            row.show_part(place, part, is_last=place == len(parts) - 1)

    def _drop(self, place: int) -> None:
        row = self._rows.pop(place)
        row.forget_draft()
        self._layout.removeWidget(row)
        row.hide()
        row.deleteLater()

    def _add(self, part: JsonValue) -> None:
        self._link.edit("Add part", part_edits.add_part, part)
        if self._rows:
            self._rows[-1].setFocus(Qt.FocusReason.OtherFocusReason)


class PartRow(QFrame):
    """One part of a message."""

    def __init__(self, link: MessageLink, kind: part_edits.PartKind, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = kind
        self._link = link
        self._place = 0
        self._part: JsonValue = None
        self.setProperty("kind", "inset")
        label = QLabel({"text": "Text", "image": "Image", "file": "File", "other": "Part"}[kind])
        label.setProperty("kind", "dim")
        label.setMinimumWidth(40)
        label.setContentsMargins(0, 3, 0, 0)
        self.up = IconButton("up", "Move the part up", "", self)
        self.down = IconButton("down", "Move the part down", "", self)
        self.remove = IconButton("delete", "Remove the part", "", self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 4, 4, 4)
        layout.setSpacing(4)
        layout.addWidget(label, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self._editor(kind), 1)
        if kind in ("image", "file"):
            browse = IconButton("folder", f"Choose the {kind}…", "", self)
            browse.clicked.connect(self._on_browse_clicked)
            layout.addWidget(browse, 0, Qt.AlignmentFlag.AlignTop)
        for button in (self.up, self.down, self.remove):
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self.up.clicked.connect(lambda: self._move(-1))
        self.down.clicked.connect(lambda: self._move(1))
        self.remove.clicked.connect(lambda: self._link.edit("Remove part", part_edits.remove_part, self._place))

    @property
    def is_bare_text(self) -> bool:
        """Whether the part is a text itself, not an object that holds one."""
        return isinstance(self._part, str)

    def show_part(self, place: int, part: JsonValue, *, is_last: bool) -> None:
        """Shows the part that stands at `place`."""
        self._place, self._part = place, part
        self.up.setEnabled(place > 0)
        self.down.setEnabled(not is_last)
        if isinstance(self.editor, ExactTextEdit):
            self.editor.set_text(part_text(part))
        elif isinstance(self.editor, JsonEditor):
            self.editor.show_item(part)
        else:
            address = part_edits.part_address(part)
            # A picture as data is megabytes long: shown by its start, and then not edited in place.
            is_long = len(address) > _LONGEST_SHOWN
            self.editor.setReadOnly(is_long)
            self.editor.set_text(f"{address[:60]}… ({len(address):,} characters)" if is_long else address)

    def forget_draft(self) -> None:
        """Lets go of a text that is not applied: the part is gone."""
        if isinstance(self.editor, JsonEditor):
            self.editor.forget_draft()

    def _editor(self, kind: part_edits.PartKind) -> QWidget:
        self.editor: ExactTextEdit | ExactLineEdit | JsonEditor
        if kind == "text":
            self.editor = ExactTextEdit(self)
            self.editor.setProperty("kind", "bare")
            self.editor.setPlaceholderText("Text of this part")
            self.editor.setAccessibleName("Text of this part")
            self.editor.edited.connect(self._on_text_edited)
        elif kind == "other":
            slot = self._link.draft_slot(lambda: f"content[{self._place}]")
            self.editor = JsonEditor(self._on_value_edited, self, slot=slot)
        else:
            self.editor = ExactLineEdit(self)
            self.editor.setPlaceholderText("Path, or http(s): or data: URL")
            self.editor.setAccessibleName(f"Path or URL of the {kind}")
            self.editor.textEdited.connect(self._on_address_edited)
        self.editor.undo_requested.connect(self._link.undo)
        self.editor.redo_requested.connect(self._link.redo)
        self.setFocusProxy(self.editor)
        return self.editor

    def _move(self, by: int) -> None:
        self._link.edit("Move part", part_edits.move_part, self._place, self._place + by)

    def _type(self, part: JsonValue) -> None:
        self._link.keystroke("Edit part", f"part{self._place}", part_edits.set_part, self._place, part)

    def _on_text_edited(self, text: str) -> None:
        self._type(part_edits.with_text(self._part, text))

    def _on_address_edited(self, address: str) -> None:
        self._type(part_edits.with_address(cast("JsonObject", self._part), address))

    def _on_value_edited(self, value: JsonValue) -> str:
        self._type(value)
        return ""

    def _on_browse_clicked(self) -> None:
        pictures = "Pictures (*.png *.jpg *.jpeg *.gif *.webp *.bmp);;All files (*)"
        found, _ = QFileDialog.getOpenFileName(
            self, f"Choose the {self.kind}", "", pictures if self.kind == "image" else "All files (*)"
        )
        if found:
            self._link.edit("Choose file", part_edits.set_part, self._place, self._with_path(found))

    def _with_path(self, path: str) -> JsonValue:
        part = cast("JsonObject", self._part)
        if self.kind == "file" and not part_edits.part_address(part):
            return part_edits.file_part(path)
        return part_edits.with_address(part, path)
