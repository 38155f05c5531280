"""The settings of one step before rendering: word lists one a line, keywords with their effort, texts, switches."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.step_table import Step, StepField, step_settings
from thinkpane.ui.widgets.section import sentence


class StepFieldsDialog(QDialog):
    """Edits the fields of one step; it closes only on values that the step can use. editors: those of its texts."""

    def __init__(self, step: Step, kept: JsonValue, parent: QWidget | None = None) -> None:
        """kept: what the document keeps for the step."""
        super().__init__(parent)
        self._step = step
        self.editors: dict[str, QPlainTextEdit] = {}
        self._read: dict[str, Callable[[], JsonValue]] = {}
        self._write: dict[str, Callable[[JsonValue], None]] = {}
        self.setWindowTitle(step.title)
        self.resize(460, 420)
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addWidget(sentence(step.summary))
        for field in step.fields:
            self._add_field(field, column)
        self.fault = QLabel()
        self.fault.setTextFormat(Qt.TextFormat.PlainText)
        self.fault.setProperty("kind", "error")
        self.fault.setWordWrap(True)
        self.fault.hide()
        column.addWidget(self.fault)
        column.addWidget(self._buttons())
        self._show(_values(step, kept))

    def values(self) -> dict[str, JsonValue]:
        """The fields as they are edited now."""
        return {name: read() for name, read in self._read.items()}

    def _add_field(self, field: StepField, column: QVBoxLayout) -> None:
        if field.kind == "switch":
            box = QCheckBox(field.title)
            self._read[field.name] = box.isChecked
            self._write[field.name] = lambda value: box.setChecked(value is True)
            column.addWidget(box)
            return
        hints = {"words": "one a line", "efforts": "one a line as word = effort, the highest first"}
        editor = QPlainTextEdit()
        editor.setAccessibleName(field.title)
        editor.setTabChangesFocus(True)
        self.editors[field.name] = editor
        label = QLabel(f"{field.title} ({hints[field.kind]})" if field.kind in hints else field.title)
        label.setBuddy(editor)
        column.addWidget(label)
        column.addWidget(editor, 1)
        self._read[field.name] = lambda: _parsed(field, editor.toPlainText())
        self._write[field.name] = lambda value: editor.setPlainText(_shown(field, value))

    def _buttons(self) -> QDialogButtonBox:
        box = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok
            | QDialogButtonBox.StandardButton.Cancel
            | QDialogButtonBox.StandardButton.RestoreDefaults
        )
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        defaults = {field.name: field.default for field in self._step.fields}
        box.button(QDialogButtonBox.StandardButton.RestoreDefaults).clicked.connect(lambda: self._show(defaults))
        return box

    def _show(self, values: Mapping[str, JsonValue]) -> None:
        for name, value in values.items():
            self._write[name](value)

    def accept(self) -> None:
        """Closes where the values can be used, else says what is wrong."""
        try:
            step_settings(self._step, {"on": True, **self.values()})
        except ThinkpaneError as error:
            self.fault.setText(error.problem.message)
            self.fault.show()
            return
        super().accept()


def _values(step: Step, kept: JsonValue) -> Mapping[str, JsonValue]:
    try:
        return step_settings(step, kept).values
    except ThinkpaneError:
        return {field.name: field.default for field in step.fields}


def _parsed(field: StepField, text: str) -> JsonValue:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if field.kind == "words":
        return list(lines)
    if field.kind == "efforts":
        pairs = [line.partition("=") for line in lines]
        return {word.strip(): effort.strip() for word, _, effort in pairs}
    return text


def _shown(field: StepField, value: JsonValue) -> str:
    if field.kind == "words" and isinstance(value, list):
        return "\n".join(str(each) for each in value)
    if field.kind == "efforts" and isinstance(value, dict):
        return "\n".join(f"{word} = {effort}" for word, effort in value.items())
    return str(value)
